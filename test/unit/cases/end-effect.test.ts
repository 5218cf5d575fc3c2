import { describe, expect, test } from "vitest";
import type { EffectSnapshot } from "../../../src/cases/effect-snapshot.ts";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import type { OrderEvent } from "../../../src/cases/step.ts";
import {
  afterMs,
  anAccept,
  anOrder,
  aSuccess,
  asBooked,
  cancelled,
  changeOf,
  delay,
  settledAs,
  taken,
  takenOtherwise,
  underTwo,
  withOrder,
} from "../../builders/order-context.ts";
import {
  type Brief,
  briefAfter,
  documentsRead,
  settings,
  statusRead,
  statusUnreadable,
  stepAfter,
} from "../../builders/order-step.ts";
import { type OrderViewBody, withDeparture, withFlags } from "../../builders/sample-notification.ts";

const partlyAccepted = withOrder(taken, { ScheduleChangeStatus: "Partially-Accepted" });

/** An order whose accept of the delay has just succeeded. */
function accepted(effect: Partial<EffectSnapshot> = {}, failures = 0): OrderContext {
  return anOrder({
    decision: anAccept(),
    decisionHasEffect: true,
    lastSuccess: aSuccess(effect),
    case: { state: "accepting", failures },
  });
}

function cancelledOrder(effect: Partial<EffectSnapshot> = {}): OrderContext {
  const lastSuccess = aSuccess({ action: "cancel", refundCheck: "as-expected", ...effect }, cancelled);
  return anOrder({ decision: anAccept({ action: "cancel" }, cancelled), lastSuccess, case: { state: "cancelling" } });
}

const again = (dueInMs: number, state = "accepting") => ({ id: "status-lags", next: "settling", state, dueInMs });
const asked = (reason: string) => ({
  id: "escalated",
  state: "awaiting-agent",
  question: "effect-outcome",
  reasons: [reason],
});
const done = { id: "case-done", next: "carried-out", state: "done", dueInMs: null, tasks: [] };
const documents = { id: "read-documents", next: "read-documents" };
const contradicted = "status-contradicts-result";
const other = "accepted-other-flights";
const leftOpen = "reference-left-open";

/** All waits for a stored status are over. */
const late = 10 * 60_000;
const afterwards = (body: OrderViewBody) => statusRead("after-effect", body);
const twice = { gdsBookingReferences: ["A", "B"] };
const openForB = underTwo((reference) => (reference === "A" ? settledAs(delay, "Accepted") : delay));
const onlyForA = { gdsBookingReferences: ["A"] };
const cancelLeftForB = underTwo((reference) =>
  reference === "A" ? settledAs(delay, "Accepted") : withFlags(delay, { Accept: "N", Cancel: "Y", ReSchedule: "N" }),
);
const anotherForB = underTwo((reference) =>
  reference === "A" ? settledAs(withDeparture(delay, "08:00"), "Accepted") : withDeparture(delay, "08:00"),
);

describe("after an accept that succeeded, a status", () => {
  test.each<[string, OrderContext, OrderViewBody, number, Partial<Brief>]>([
    ["with its flights leads to the documents", accepted(), taken, 0, documents],
    ["that still offers all of it is an old one, which is no reason to wait", accepted(), delay, 0, documents],
    ["that says Rejected is read again", accepted(), settledAs(delay, "Rejected"), 0, again(5_000)],
    ["that says Rejected for long is a person's", accepted(), settledAs(delay, "Rejected"), late, asked(contradicted)],
    ["that says Partially-Accepted is read again", accepted(), partlyAccepted, 0, again(5_000)],
    ["is read again at growing intervals", accepted(), partlyAccepted, 5_000, again(35_000)],
    ["is read again for the last time after two minutes", accepted(), partlyAccepted, 154_999, again(155_000)],
    ["that goes on saying so is a person's", accepted(), partlyAccepted, 155_000, asked(contradicted)],
    ["with the flights from before is read again", accepted(), asBooked, 0, again(5_000)],
    ["with the flights from before for long is a person's", accepted(), asBooked, late, asked(other)],
    ["with other flights than those decided about is a person's", accepted(), takenOtherwise, 0, asked(other)],
    ["that offers it for one of two references is read again", accepted(twice), openForB, 0, again(5_000)],
    ["that goes on offering it for one is a person's", accepted(twice), openForB, late, asked("mixed-results")],
    ["that offers it for both references is from before", accepted(twice), underTwo(), late, documents],
    ["that offers other flights for one is about another change", accepted(twice), anotherForB, late, documents],
    [
      "that offers a cancel of a reference left out is a person's",
      accepted(onlyForA),
      cancelLeftForB,
      0,
      asked(leftOpen),
    ],
    ["that offers an accept of a reference left out is a person's", accepted(onlyForA), openForB, 0, asked(leftOpen)],
    ["that offers nothing for a reference left out leads to the documents", accepted(onlyForA), taken, 0, documents],
  ])("%s", (_, context, body, waitedMs, brief) => {
    expect(briefAfter(context, afterwards(body), undefined, afterMs(waitedMs))).toMatchObject(brief);
  });

  test("with its flights ends the case at once if the gateway shows no tickets", () => {
    const byOther = { ...settings, gateway: { ...settings.gateway, showsTickets: false } };
    expect(briefAfter(accepted(), afterwards(taken), byOther)).toMatchObject(done);
  });

  test("that offers it for one reference names that one", () => {
    const { save } = stepAfter(accepted(twice), afterwards(openForB), undefined, afterMs(late));
    const text = expect.stringContaining("it is still open for B.");
    expect(save).toMatchObject({ decision: { reasons: [{ text }] } });
  });

  test("that offers a cancel of a reference left out names that one", () => {
    const { save } = stepAfter(accepted(onlyForA), afterwards(cancelLeftForB));
    const text = "The accept was sent for A only, and a change is still open for B. Decide about that one.";
    expect(save).toMatchObject({ decision: { reasons: [{ text }] } });
  });

  test("with other flights than those decided about is shown by both", () => {
    const { save } = stepAfter(accepted(), afterwards(takenOtherwise));
    const headline = /^Other flights are booked than were proposed. Booked now: .*, 09:55 to 14:05. Proposed: /;
    expect(save).toMatchObject({ move: { headline: expect.stringMatching(headline) } });
  });

  test("with other times than those decided about is a person's although not all of them were shown", () => {
    const untimed = structuredClone(delay);
    // Without the duration nobody knows when it arrives.
    delete (
      untimed.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment[0]!.SegmentDetails[0] as {
        FlightDetail?: unknown;
      }
    ).FlightDetail;
    const decided = accepted(aSuccess({}, untimed));
    expect(briefAfter(decided, afterwards(takenOtherwise))).toMatchObject(asked(other));
    expect(briefAfter(decided, afterwards(taken))).toMatchObject(documents);
  });

  test("that is read once more, or is a person's, notes that it contradicts the response", () => {
    const event = (body: OrderViewBody) => stepAfter(accepted(), afterwards(body)).save;
    expect(event(partlyAccepted)).toMatchObject({ event: { kind: "status.contradicts" } });
    expect(event(asBooked)).toMatchObject({ event: { kind: "status.unchanged" } });
  });
});

describe("after a cancel that succeeded, a status", () => {
  const rejected = settledAs(cancelled, "Rejected");
  const statedAccepted = settledAs(cancelled, "Accepted");

  test.each<[string, OrderContext, OrderViewBody, number, Partial<Brief>]>([
    ["that is cancelled ends the case without the documents", cancelledOrder(), rejected, 0, done],
    ["that still offers it ends the case", cancelledOrder(), cancelled, 0, done],
    [
      "that offers an accept of a reference left out is a person's",
      cancelledOrder(onlyForA),
      openForB,
      0,
      asked(leftOpen),
    ],
    ["that says Accepted is read again", cancelledOrder(), statedAccepted, 0, again(5_000, "cancelling")],
    ["that says Accepted for long is a person's", cancelledOrder(), statedAccepted, late, asked(contradicted)],
  ])("%s", (_, context, body, waitedMs, brief) => {
    expect(briefAfter(context, afterwards(body), undefined, afterMs(waitedMs))).toMatchObject(brief);
  });

  test.each([
    ["the gateway confirmed", false, "check-refund: refund-not-stated"],
    ["only a person confirmed", true, "check-refund: not-shown-afterwards, refund-not-stated"],
  ])("that still offers it leaves a task when %s the cancel without a refund", (_, confirmedByPerson, task) => {
    const context = cancelledOrder({ refundCheck: null, confirmedByPerson });
    expect(briefAfter(context, afterwards(cancelled))).toMatchObject({ ...done, tasks: [task] });
  });
});

describe("after an effect, a status that cannot be read", () => {
  const refused = statusUnreadable("responded");

  test.each<[string, OrderContext, OrderEvent, Partial<Brief>]>([
    ["is tried again", accepted(), statusUnreadable("before-sending"), { id: "status-unreadable", next: "fail" }],
    ["is tried again up to eight times", accepted({}, 7), statusUnreadable("unknown"), { next: "fail" }],
    ["is not waited for after that", accepted({}, 8), statusUnreadable("unknown"), done],
    ["is not waited for when the gateway refuses it", accepted(), refused, done],
    [
      "is a person's when an earlier one said otherwise",
      accepted({ contradicted: true }),
      refused,
      asked(contradicted),
    ],
  ])("%s", (_, context, event, brief) => {
    expect(briefAfter(context, event)).toMatchObject(brief);
  });
});

test("a case that was notified during its effect is looked at again", () => {
  const notified = accepted({ notifiedSince: true });
  expect(briefAfter(notified, documentsRead(taken, taken))).toMatchObject({ ...done, dueInMs: 0 });
  expect(briefAfter(notified, afterwards(takenOtherwise))).toMatchObject({ ...asked(other), dueInMs: 0 });
});

describe("the tasks after an accept", () => {
  const flightNumber = changeOf("flight-number-only");
  const renumbered = aSuccess({}, flightNumber);
  const seat = { ancillariesAtRisk: ["SEAT LIS-FRA"] };
  const ticketing = withOrder(taken, { NeedToTicket: "Y" });

  test.each<[string, Partial<EffectSnapshot>, OrderEvent, readonly string[]]>([
    ["are none when the tickets fit", {}, documentsRead(taken, taken), []],
    ["are none when only the documents are missing", {}, documentsRead(taken, null), []],
    ["are for the ticket by NeedToTicket", {}, documentsRead(taken, ticketing), ["check-ticket: need-to-ticket"]],
    [
      "are for the ticket when only the status can say NeedToTicket",
      {},
      documentsRead(ticketing, null),
      ["check-ticket: need-to-ticket, documents-not-read"],
    ],
    [
      "are for the ticket when the flight number changed",
      renumbered,
      documentsRead(taken, null),
      ["check-ticket: flights-changed, documents-not-read"],
    ],
    ["are for what was bought on the flight", seat, documentsRead(taken, null), ["check-services: seats-at-risk"]],
    [
      "are for what a person confirmed and the status does not show",
      { confirmedByPerson: true },
      documentsRead(delay, delay),
      ["check-ticket: not-shown-afterwards, documents-show-other-flights"],
    ],
    [
      "are for both, of which the ticket comes first",
      { ...renumbered, ...seat },
      documentsRead(taken, null),
      ["check-ticket: flights-changed, documents-not-read", "check-services: seats-at-risk"],
    ],
  ])("%s", (_, effect, event, tasks) => {
    expect(briefAfter(accepted(effect), event)).toMatchObject({ ...done, tasks });
  });

  test("are due 24 hours before the first of the accepted flights", () => {
    const { save } = stepAfter(accepted(renumbered), documentsRead(taken, null));
    const dueBy = { rule: "departure-24h", at: new Date("2027-04-19T07:25:00Z") };
    expect(save).toMatchObject({ tasks: [{ dueBy }] });
  });
});
