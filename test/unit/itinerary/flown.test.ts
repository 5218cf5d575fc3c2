import { describe, expect, test } from "@jest/globals";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { factValues, itineraryOf } from "../../builders/fact-values.ts";
import { aSegment, details, type Json, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

const there = aSegment("S1", "LH1", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20");
const onwards = aSegment("S2", "LH400", "FRA 2027-03-14 13:05", "JFK 2027-03-14 16:00");
const back = aSegment("S3", "LH401", "JFK 2027-03-21 16:00", "FRA 2027-03-22 05:30");
const moved = { S3: [details("JFK 2027-03-21 16:20", "FRA 2027-03-22 05:50")] };
const booked = itineraryOf({ segments: [there, onwards, back], journeys: [["S1", "S2"], ["S3"]], changes: {} });

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
  const halfway: OrderViewOptions = { segments: [onwards, back], journeys: [["S2"], ["S3"]], changes: moved };

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
    const withdrawn = {
      segments: [there, onwards, back],
      journeys: [["S1", "S2"], ["S3"]],
      changes: moved,
      changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "S1" }],
    };

    expect(factValues(withdrawn, { booked, now: "2027-03-20T00:00:00Z" })).toMatchObject({ removedFlightCount: 1 });
  });

  test("are not called withdrawn in the summary once they are flown", () => {
    const listed: OrderViewOptions = { segments: [back], journeys: [["S3"]], changes: moved };
    const change =
      "LH401 JFK-FRA on 21 Mar 2027 leaves 20 min later, 16:20, and arrives 05:50 (+1). Nothing else changes.";

    expect(summaryOf(listed, "2027-03-17T00:00:00Z")).toBe(change);
    expect(summaryOf(halfway, "2027-03-14T12:00:00Z")).toBe(change);
    expect(summaryOf(listed, "2027-03-01T00:00:00Z")).toContain("LH400 FRA-JFK on 14 Mar 2027 are no longer listed;");
  });
});

describe("a way that is travelled several times", () => {
  const weekly = ["2027-03-14", "2027-03-21", "2027-03-28"].map((date, i) =>
    aSegment(`S${i + 1}`, "LH1", `LIS ${date} 07:10`, `FRA ${date} 11:20`),
  );
  const all = itineraryOf({ segments: weekly, changes: {} });
  const facts = (segments: readonly Json[], options: OrderViewOptions, now: string) =>
    factValues({ segments, ...options }, { booked: all, now });

  test("is compared by date when the first one is flown and not listed any more", () => {
    const changes = { S3: [details("LIS 2027-03-28 07:30", "FRA 2027-03-28 11:40")] };

    expect(facts(weekly.slice(1), { changes }, "2027-03-15T00:00:00Z")).toMatchObject({
      departureShiftMinutes: 20,
      dateChanged: false,
      removedFlightCount: 0,
      flightActions: ["LH1 LIS-FRA unchanged", "LH1 LIS-FRA retimed"],
    });
  });

  test("is compared in order when it is listed as often as booked", () => {
    const week = ["2027-03-21", "2027-03-28", "2027-04-04"].map((date, i) =>
      aSegment(`S${i + 1}`, "LH1", `LIS ${date} 07:10`, `FRA ${date} 11:20`),
    );

    expect(facts(week, { changes: {} }, "2027-03-01T00:00:00Z")).toMatchObject({
      departureDayShift: 7,
      removedFlightCount: 0,
    });
  });
});
