import { describe, expect, test } from "vitest";
import { type AcceptedOrder, ticketReasons } from "../../../src/cases/effect-tasks.ts";
import { airDocRetreive } from "../../../src/contract/operations/air-doc-retreive.ts";
import type { Itinerary, ItinerarySegment } from "../../../src/itinerary/itinerary.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { anOrderView, aSegment, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

/** LH1167 LIS–FRA twenty minutes later, LH1172 as it was. */
const { booked: before, proposal } = aProposedChange({});
const accepted = proposal.proposed;
const back = aSegment("Segment2", "LH1172", "FRA 2027-03-21 17:30", "LIS 2027-03-21 19:45");
/** What the gateway lists once the change is taken. */
const newFlights = [aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:30", "FRA 2027-03-14 11:40"), back];

function documents(options: OrderViewOptions = {}) {
  const body = anOrderView({ segments: newFlights, ...options });
  const reading = airDocRetreive.interpret(body);
  if (!reading.ok) throw new Error(reading.problem.code);
  return reading.result;
}

function codes(order: Partial<AcceptedOrder>): readonly string[] {
  const whole = {
    orderId: "QX7R2M1A",
    before,
    accepted,
    ticketed: known(true),
    needToTicket: false,
    documents: documents(),
    ...order,
  };
  return ticketReasons(whole).map(({ code }) => code);
}

/** The accepted flights with another value in the first one. */
function withFirst(change: Partial<ItinerarySegment>): Itinerary {
  return {
    ...accepted,
    segments: accepted.segments.map((segment, position) => (position === 0 ? { ...segment, ...change } : segment)),
  };
}
const [first] = accepted.segments;

describe("tickets after an accept", () => {
  test("fit when only times changed and every passenger has one", () => {
    expect(codes({})).toEqual([]);
  });

  test.each<[string, Itinerary]>([
    ["another flight number", withFirst({ marketingFlightNumber: "1169" })],
    ["another carrier", withFirst({ marketingCarrier: "TP" })],
    ["another day", withFirst({ departure: { ...first!.departure, date: "2027-03-15" } })],
    ["another airport of departure", withFirst({ departure: { ...first!.departure, airport: "OPO" } })],
    ["another airport of arrival", withFirst({ arrival: { ...first!.arrival, airport: "MUC" } })],
    ["one flight more", { ...accepted, segments: [...accepted.segments, first!] }],
    ["one flight less", { ...accepted, segments: accepted.segments.slice(1) }],
  ])("are to be checked for %s", (_name, changed) => {
    expect(codes({ accepted: changed })).toContain("flights-changed");
  });

  test.each<[string, Itinerary]>([
    ["another terminal", withFirst({ departure: { ...first!.departure, terminal: "2" } })],
    ["another aircraft", withFirst({ aircraftCode: "744" })],
    ["another operating carrier", withFirst({ operatingCarrier: "EN" })],
  ])("are as good as before with %s", (_name, changed) => {
    expect(codes({ accepted: changed })).toEqual([]);
  });

  test("are to be checked when NeedToTicket is Y, and only then", () => {
    expect(codes({ documents: documents({ order: { NeedToTicket: "Y" } }) })).toEqual(["need-to-ticket"]);
    expect(codes({ documents: documents({ order: { NeedToTicket: "N" } }) })).toEqual([]);
    expect(codes({ documents: documents({ order: { NeedToTicket: undefined } }) })).toEqual([]);
  });

  test("are to be checked once when the status says NeedToTicket Y, also when they could not be read", () => {
    expect(codes({ needToTicket: true })).toEqual(["need-to-ticket"]);
    expect(codes({ needToTicket: true, documents: documents({ order: { NeedToTicket: "Y" } }) })).toEqual([
      "need-to-ticket",
    ]);
    expect(codes({ needToTicket: true, documents: "AirDocRetreive got no response." })).toEqual([
      "need-to-ticket",
      "documents-not-read",
    ]);
  });

  test("are to be checked when the documents stand beside other flights", () => {
    const asBefore = aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20");

    expect(codes({ documents: documents({ segments: [asBefore, back] }) })).toEqual(["documents-show-other-flights"]);
  });

  test("cannot be compared with flights of which a time is missing", () => {
    const blank = withFirst({ arrival: { ...first!.arrival, time: null } });

    expect(codes({ accepted: blank })).toEqual([]);
  });

  test("are to be checked when a ticketed order shows none", () => {
    expect(codes({ documents: documents({ ticketed: false, order: { NeedToTicket: "N" } }) })).toEqual([
      "no-tickets-shown",
    ]);
  });

  test("need not be there when nobody says that the order is ticketed", () => {
    const none = documents({ ticketed: false, order: { NeedToTicket: "N" } });

    expect(codes({ ticketed: known(false), documents: none })).toEqual([]);
    expect(codes({ ticketed: unknown("missing-ticket-status"), documents: none })).toEqual([]);
  });

  test("are to be checked when a passenger has none", () => {
    const read = documents({ passengers: ["ADT", "CHD"] });
    const oneLess = { ...read, documents: read.documents.slice(1) };

    expect(codes({ documents: read })).toEqual([]);
    expect(codes({ documents: oneLess })).toEqual(["passengers-without-ticket"]);
  });

  test("are counted when they name no passenger", () => {
    const read = documents({ passengers: ["ADT", "CHD"] });
    const nameless = read.documents.map((document) => ({ ...document, passengerReference: null }));

    expect(codes({ documents: { ...read, documents: nameless } })).toEqual([]);
    expect(codes({ documents: { ...read, documents: nameless.slice(1) } })).toEqual(["passengers-without-ticket"]);
  });

  test("of another kind, such as a receipt for a bag, are no tickets", () => {
    const read = documents();
    const receipts = read.documents.map((document) => ({ ...document, type: "EMD" }));

    expect(codes({ documents: { ...read, documents: receipts } })).toEqual(["no-tickets-shown"]);
  });

  test("that could not be read are no reason by themselves, and are named beside another one", () => {
    const why = "AirDocRetreive got no response.";

    expect(codes({ documents: why })).toEqual([]);
    const reasons = ticketReasons({
      orderId: "QX7R2M1A",
      before,
      accepted: withFirst({ marketingFlightNumber: "1169" }),
      ticketed: known(true),
      needToTicket: false,
      documents: why,
    });
    expect(reasons.map(({ code }) => code)).toEqual(["flights-changed", "documents-not-read"]);
    expect(reasons[1]?.text).toContain(why);
  });
});
