import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { factValues, itineraryOf } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import { details, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

const there = "LH1 LIS 03-14 07:10 FRA 11:20";
const onwards = "LH400 FRA 03-14 13:05 JFK 16:00";
const back = "LH401 JFK 03-21 16:00 FRA 03-22 05:30";
const moved = `${back} > JFK 16:20 FRA 03-22 05:50`;
const booked = itineraryOf(flights([there, onwards], back));

/** The trip as far as the view still lists it, each flight under the key that it had, and the last one moved. */
function listing(...keys: readonly string[]): OrderViewOptions {
  const { segments = [], changes = {} } = flights([there, onwards], moved);
  const listed = segments.filter((segment) => keys.includes(String(segment["SegmentKey"])));
  return { segments: listed, journeys: keys.map((key) => [key]), changes };
}

function summaryOf(options: OrderViewOptions, now: string): string {
  const { view, proposal } = aProposedChange(options, booked);
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  const { passengers } = view;
  const facts = computeFacts({
    booked,
    accepted: booked,
    proposal,
    passengers,
    gateway: interfaceDocument,
    now: new Date(now),
  });
  return describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys });
}

describe("flights that the view does not list any more", () => {
  const halfway = listing("Segment2", "Segment3");

  test("are flown as booked once they have arrived, in a journey that goes on", () => {
    // 11:20 in Frankfurt is 10:20Z.
    expect(factValues(halfway, { booked, now: "2027-03-14T10:20:00Z" })).toMatchObject({
      removedFlightCount: 0,
      departedFlightCount: 1,
      partlyFlown: true,
      originChanged: false,
      journeyDepartureShiftMinutes: 20,
      sinceAcceptedJourneyArrivalShiftMinutes: 20,
      connections: ["FRA 105 of 105 min II"],
      flightActions: ["LH1 LIS-FRA unchanged", "LH400 FRA-JFK unchanged", "LH401 JFK-FRA retimed"],
    });
  });

  test("are missed before that", () => {
    expect(factValues(halfway, { booked, now: "2027-03-14T10:19:00Z" })).toMatchObject({
      removedFlightCount: 1,
      journeyDepartureShiftMinutes: "?withdrawn",
      flightActions: ["LH1 LIS-FRA removed", "LH400 FRA-JFK unchanged", "LH401 JFK-FRA retimed"],
    });
  });

  test("are missed when the view lists and withdraws them", () => {
    const first = [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }];
    const withdrawn = { ...flights([there, onwards], moved), changedFlights: first };

    expect(factValues(withdrawn, { booked, now: "2027-03-20T00:00:00Z" })).toMatchObject({ removedFlightCount: 1 });
  });

  test("are not called withdrawn in the summary once they are flown", () => {
    const listed = listing("Segment3");
    const change =
      "LH401 JFK-FRA on 21 Mar 2027 leaves 20 min later, 16:20, and arrives 05:50 (+1). Nothing else changes.";

    expect(summaryOf(listed, "2027-03-17T00:00:00Z")).toBe(change);
    expect(summaryOf(halfway, "2027-03-14T12:00:00Z")).toBe(change);
    expect(summaryOf(listed, "2027-03-01T00:00:00Z")).toContain("LH400 FRA-JFK on 14 Mar 2027 are no longer listed;");
  });
});

describe("a way that is travelled several times", () => {
  const on = (date: string) => `LH1 LIS ${date} 07:10 FRA 11:20`;
  const weekly = flights(on("03-14"), on("03-21"), on("03-28"));

  test.each([
    [
      "by date when the first one is flown and not listed any more",
      { segments: weekly.segments!.slice(1), changes: { Segment3: [details("LIS 03-28 07:30", "FRA 03-28 11:40")] } },
      "2027-03-15",
      {
        departureShiftMinutes: 20,
        dateChanged: false,
        removedFlightCount: 0,
        flightActions: ["LH1 LIS-FRA unchanged", "LH1 LIS-FRA retimed"],
      },
    ],
    [
      "in order when it is listed as often as booked",
      flights(on("03-21"), on("03-28"), on("04-04")),
      "2027-03-01",
      { departureDayShift: 7, removedFlightCount: 0 },
    ],
  ])("is compared %s", (_, listed, now, expected) => {
    const facts = factValues(listed, { booked: itineraryOf(weekly), now: `${now}T00:00:00Z` });

    expect(facts).toMatchObject(expected);
  });
});
