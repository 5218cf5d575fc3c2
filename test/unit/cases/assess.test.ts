import { describe, expect, test } from "vitest";
import { type AssessedOrder, type Assessment, assess, assessNotification } from "../../../src/cases/assess.ts";
import type { TravellerContact } from "../../../src/cases/order-context.ts";
import { unseenOrder } from "../../../src/cases/unseen-order.ts";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import type { EarlierProposal } from "../../../src/itinerary/change-history.ts";
import { defaultConnectionTimes } from "../../../src/itinerary/connection-times.ts";
import { noMarks, valueDigestOf } from "../../../src/itinerary/member-marks.ts";
import { datedSample, type OrderViewBody, withDeparture, withFlags } from "../../builders/sample-notification.ts";
import { withValueAt } from "../../builders/value-at.ts";

const orderId = "QX7R2M1A";
const minorDelay = datedSample("minor-delay", { orderId });
/** LIS-FRA on 14 March 2027 leaves at 05:30 and not at 07:10, which EU law takes for a cancellation. */
const broughtForward = withDeparture(minorDelay, "05:30");

const settings = {
  gateway: interfaceDocument,
  policy: { connectionTimes: defaultConnectionTimes, legalPresets: {} },
  customerAgreement: false,
  marks: noMarks,
};

const at = (day: number) => new Date(Date.UTC(2027, 0, day));

function bytesOf(body: OrderViewBody): Uint8Array {
  return Buffer.from(JSON.stringify(body));
}

function viewOf(body: OrderViewBody) {
  const reading = readNotification(bytesOf(body));
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.view;
}

/** The change as a status shows it on the 20th, when these were decided about before. */
function assessed(status: OrderViewBody, work: Partial<AssessedOrder> = {}): Assessment {
  const seen = { ...unseenOrder(orderId, viewOf(minorDelay)), ...work };
  return assess(viewOf(status), seen, settings, at(20))!;
}

function proposed(body: OrderViewBody, day: number): EarlierProposal {
  return { proposed: assessed(body).proposal.proposed, decidedAt: at(day).toISOString() };
}

describe("a change was first seen", () => {
  const seen = (status: OrderViewBody, opened: number, ...earlierProposals: readonly EarlierProposal[]) =>
    assessed(status, { case: { openedAt: at(opened) }, earlierProposals }).order.changeSeenAt;

  test("now, when nothing is known of the order", () => {
    expect(assessed(minorDelay).order.changeSeenAt).toEqual(at(20));
  });

  test("now, when other flights were proposed before", () => {
    expect(seen(minorDelay, 10, proposed(broughtForward, 12))).toEqual(at(20));
  });

  test("when these flights were first decided about", () => {
    expect(seen(minorDelay, 10, proposed(broughtForward, 11), proposed(minorDelay, 12))).toEqual(at(12));
  });

  test("when they came back, after others had been proposed", () => {
    const [first, others, again] = [proposed(minorDelay, 11), proposed(broughtForward, 12), proposed(minorDelay, 14)];

    expect(seen(minorDelay, 10, first, others, again)).toEqual(at(14));
  });

  test("no earlier than its case was opened, though an earlier case was about the same", () => {
    expect(seen(minorDelay, 10, proposed(minorDelay, 1))).toEqual(at(10));
    expect(seen(minorDelay, 10, proposed(minorDelay, 1), proposed(minorDelay, 15))).toEqual(at(10));
  });

  test("no later because its flags have changed, or a person was asked by what the notification says", () => {
    const refused = withFlags(minorDelay, { Accept: "N", Cancel: "N" });

    expect(seen(refused, 10, proposed(minorDelay, 12))).toEqual(at(12));
    const work = {
      ...unseenOrder(orderId, viewOf(refused)),
      case: { openedAt: at(10) },
      earlierProposals: [proposed(minorDelay, 12)],
    };
    expect(assessNotification(work, settings, at(20))?.order.changeSeenAt).toEqual(at(12));
  });
});

describe("the refund clocks of the law", () => {
  const dueBy = (...contacts: readonly Pick<TravellerContact, "answer" | "happenedAt">[]) => {
    const { proposal } = assessed(broughtForward);
    const travellerContacts = contacts.map((contact) => ({
      kind: "answered" as const,
      proposalDigest: proposal.digest,
      ...contact,
    }));
    const { verdicts } = assessed(broughtForward, { travellerContacts }).legal;
    return new Set(verdicts.flatMap(({ clocks }) => clocks.flatMap((c) => (c.name === "eu-refund" ? [c.dueAt] : []))));
  };

  test("run from when the traveller asked for the refund", () => {
    expect(dueBy({ answer: "wants-refund", happenedAt: at(5) })).toEqual(new Set(["2027-01-13T00:00:00.000Z"]));
  });

  test("go on when the traveller asks for it again", () => {
    expect(dueBy({ answer: "wants-refund", happenedAt: at(5) }, { answer: "wants-refund", happenedAt: at(9) })).toEqual(
      new Set(["2027-01-13T00:00:00.000Z"]),
    );
  });

  test("do not run while the traveller has not asked for it, or has come to want something else", () => {
    expect(dueBy()).toEqual(new Set([null]));
    expect(dueBy({ answer: "refuses", happenedAt: at(5) })).toEqual(new Set([null]));
    expect(
      dueBy({ answer: "wants-refund", happenedAt: at(5) }, { answer: "wants-rerouting", happenedAt: at(9) }),
    ).toEqual(new Set([null]));
  });
});

describe("what the status says of the passengers is compared with the notification", () => {
  const otherPassenger = withValueAt(
    minorDelay,
    "OrderViewRS/DataLists/PassengerList/Passengers/0/LastName",
    "Somebody",
  );
  const differ = (notification: AssessedOrder["notification"]) => {
    const known = { ...unseenOrder(orderId, viewOf(minorDelay)), notification };
    return assess(viewOf(otherPassenger), known, settings, at(20))!.facts.passengersDiffer;
  };

  test("as both were read", () => {
    expect(differ(viewOf(minorDelay))).toEqual({ known: true, value: true });
    expect(differ(viewOf(otherPassenger))).toEqual({ known: true, value: false });
  });

  test("which is none for a change that polling found", () => {
    expect(differ(null)).toEqual({ known: true, value: false });
  });

  test("and cannot be distinguished from one that can no longer be read", () => {
    expect(differ("unreadable")).toEqual({ known: false, reason: "notification-not-given" });
  });
});

describe("the values that have to be marked by themselves", () => {
  const stating = (members: Readonly<Record<string, unknown>>) =>
    assessed({
      ...minorDelay,
      OrderViewRS: { ...minorDelay.OrderViewRS, Order: [{ ...minorDelay.OrderViewRS.Order[0]!, ...members }] },
    }).unmarkedValues;
  const kinds = (count: number) => Array.from({ length: count }, (_, at) => `Guided${"x".repeat(at)}`);

  test("are found behind any number of ids, each once", () => {
    const tours = Array.from({ length: 30 }, (_, at) => `TOUR-99887766-${at}`);

    expect(stating({ TourId: tours, TourKind: ["Guided", "guided"] })).toEqual([
      `Order.TourKind=${valueDigestOf("Guided")}`,
    ]);
  });

  test("are at most twenty", () => {
    expect(stating({ TourKind: kinds(20) })).toHaveLength(20);
    expect(stating({ TourKind: kinds(21) })).toHaveLength(20);
  });
});

test("a traveller is contactable by an address that is none of the agency's", () => {
  const booked = viewOf(minorDelay);
  const status = { ...booked, contacts: { emails: ["desk@agency.example"], telephones: [], isRefused: false } };
  const contactable = (domains: readonly string[]) => {
    const ownAddresses = { domains, addresses: [], arrangers: [] };
    return assess(status, unseenOrder(orderId, booked), { ...settings, ownAddresses }, at(20))!.facts["contactable"];
  };

  expect(contactable([])).toEqual({ known: true, value: true });
  expect(contactable(["agency.example"])).toEqual({ known: true, value: false });
});
