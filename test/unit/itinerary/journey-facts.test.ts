import { describe, expect, test } from "vitest";
import { factValues } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import { aSegment, details, type Json, type OrderViewOptions } from "../../builders/order-view.ts";

/** LIS–FRA–JFK with two hours at FRA, and what becomes of the two flights. */
function connecting(first?: string, second?: string): OrderViewOptions {
  const line = (booked: string, becomes: string | undefined) =>
    becomes === undefined ? booked : `${booked} > ${becomes}`;
  return flights([line("LH1167 LIS 07:10 1 FRA 11:20 1", first), line("LH400 FRA 13:20 1 JFK 15:50 1", second)]);
}

describe("origin and destination", () => {
  test.each<[string, OrderViewOptions, Record<string, unknown>]>([
    [
      "count, whatever the flights between do",
      connecting("LIS 07:10 1 FRA 11:50 1", "FRA 13:30 1 JFK 15:50 1"),
      { arrivalLaterMinutes: 30, ...shifts(0, 0), ...elapsed(820, 0), flightMinutesDelta: 20 },
    ],
    [
      "move earlier and later apart",
      connecting("LIS 06:50 1 FRA 11:20 1", "FRA 13:20 1 JFK 15:45 1"),
      { ...shifts(-20, -5), ...elapsed(835, 15) },
    ],
    [
      "lead nowhere when a flight is withdrawn in the middle",
      connecting(undefined, "withdrawn"),
      { journeyArrivalShiftMinutes: "?withdrawn", journeyElapsedDeltaMinutes: 0, originChanged: false },
    ],
  ])("%s", (_, change, expected) => {
    expect(factValues(change)).toMatchObject(expected);
  });

  test.each([
    ["LIS", "JFK", false, false],
    ["OPO", "JFK", true, false],
    ["LIS", "EWR", false, true],
  ])("from %s to %s", (origin, destination, originChanged, destinationChanged) => {
    const change = connecting(`${origin} 07:10 FRA 11:20 1`, `FRA 13:20 1 ${destination} 15:50`);
    const airportChanged = originChanged || destinationChanged;
    expect(factValues(change)).toMatchObject({ originChanged, destinationChanged, airportChanged });
  });
});

/** By how many minutes the journey begins and ends later; less than none is earlier. */
function shifts(departure: number, arrival: number): Record<string, number> {
  return {
    journeyDepartureShiftMinutes: departure,
    journeyDepartureEarlierMinutes: Math.max(0, -departure),
    journeyDepartureLaterMinutes: Math.max(0, departure),
    journeyArrivalShiftMinutes: arrival,
    journeyArrivalEarlierMinutes: Math.max(0, -arrival),
    journeyArrivalLaterMinutes: Math.max(0, arrival),
  };
}

function elapsed(journeyElapsedMinutes: number, journeyElapsedDeltaMinutes: number): Record<string, number> {
  return { journeyElapsedMinutes, journeyElapsedDeltaMinutes };
}

describe("landings and distances", () => {
  const gone = [{ FlightKey: "Flight1", SegmentRefs: "Segment1 Segment2" }];
  const becomingOf = (flight: "first" | "second", becomes: string) => ({
    ...(flight === "first" ? connecting(becomes) : connecting(undefined, becomes)),
    changedFlights: gone,
  });
  const direct = "LH7 LIS 07:10 1 JFK 15:50 1";
  const oneLess = { stopCountDelta: -1, flightActions: ["LH1167 LIS-FRA + LH400 FRA-JFK replaced"] };

  test("two flights by one: one landing less, no connection, nothing withdrawn", () => {
    expect(factValues(becomingOf("second", direct))).toMatchObject({
      ...oneLess,
      connectionsAdded: false,
      removedFlightCount: 0,
      replaced: true,
      cancelled: false,
      journeyArrivalShiftMinutes: 0,
      departureShiftMinutes: 0,
      improvement: true,
    });
    expect(factValues(becomingOf("first", direct))).toMatchObject(oneLess);
  });

  test("a withdrawn flight is not covered by one that leads elsewhere", () => {
    const expected = { removedFlightCount: 1, journeyArrivalShiftMinutes: "?withdrawn" };

    expect(factValues(becomingOf("first", "LH7 LIS 07:10 1 BOS 15:50 1"))).toMatchObject(expected);
  });

  test("one flight by two: one landing more", () => {
    const change = "LH7 LIS 07:10 JFK 15:50 > LH1 LIS 07:10 FRA 11:20 + LH2 FRA 13:20 JFK 15:50";

    expect(factValues(change)).toMatchObject({
      stopCountDelta: 1,
      connectionsAdded: true,
      flightActions: ["LH7 LIS-JFK replaced-by-several"],
      journeyElapsedDeltaMinutes: 0,
      flightMinutesDelta: -120,
      improvement: false,
    });
  });

  const later = (overrides: Json = {}) => details(null, "FRA 11:30", overrides);

  test.each<[string, number, Json, unknown]>([
    ["more miles", 1000, later({ FlightDetail: { AirMilesFlown: 1100 } }), 100],
    ["fewer miles", 1000, later({ FlightDetail: { AirMilesFlown: 900 } }), -100],
    ["miles that are not stated again", 1000, later(), 0],
    ["miles that were never stated", 0, later(), "?unknown-miles"],
    ["miles to another airport, until they are stated", 1000, details(null, "HHN 11:20"), "?unknown-miles"],
  ])("measure the difference: %s", (_, miles, becomes, milesDelta) => {
    const booked = { FlightDetail: { AirMilesFlown: miles } };
    const segments = [aSegment("Segment1", "LH7", "LIS 07:10", "FRA 11:20", booked)];
    expect(factValues({ segments, changes: { Segment1: [becomes] } })).toMatchObject({ milesDelta });
  });
});

describe("overnightAdded", () => {
  test.each([
    ["06-14 11:20", "06-14 23:59", false],
    ["06-14 23:59", "06-15 05:00", true],
    ["06-15 00:00", "06-15 05:00", true],
    ["06-14 23:30", "06-15 04:59", false],
    ["06-14 22:30", "06-15 04:30", true],
    ["06-14 22:31", "06-15 04:30", false],
    ["06-15 00:01", "06-15 06:01", true],
    ["06-15 00:01", "06-15 06:00", false],
    ["06-15 05:00", "06-15 23:00", false],
    ["06-14 18:00", "06-15 00:00", false],
    ["06-14 11:20", "06-16 05:00", true],
  ])("of a wait at FRA from %s to %s", (arrival, departure, overnightAdded) => {
    const change = connecting(`LIS 07:10 1 FRA ${arrival} 1`, `FRA ${departure} 1 JFK 06-16 15:50 1`);

    expect(factValues(change)).toMatchObject({ overnightAdded });
  });

  test("is not said of a night that was booked", () => {
    const onwards = "LH400 FRA 06-15 08:20 1 JFK 10:50 1 > FRA 09:20 1 JFK 11:50 1";

    expect(factValues(flights(["LIS 19:10 1 FRA 23:20 1", onwards]))).toMatchObject({ overnightAdded: false });
  });

  test("is unknown while a time of the wait is", () => {
    expect(factValues(connecting("LIS 08:10 1 -"))).toMatchObject({ overnightAdded: "?unknown-arrival" });
  });
});

describe("flights listed in another order than they are flown", () => {
  test("are put in order when that leads from airport to airport", () => {
    expect(factValues({ ...connecting(), journeys: [["Segment2", "Segment1"]] })).toMatchObject({
      journeyElapsedMinutes: 820,
    });
    const swapped = connecting("LH400 FRA 13:20 1 JFK 15:50 1", "LH1167 LIS 07:10 1 FRA 11:20 1");
    expect(factValues(swapped)).toMatchObject({
      changedFlightCount: 0,
      departureShiftMinutes: 0,
      journeyArrivalShiftMinutes: 0,
      connectionBroken: false,
      flightsReordered: false,
    });
  });

  test("stay as they are listed when the first one is moved behind its connection", () => {
    expect(factValues(connecting("LIS 14:10 1 FRA 18:20 1"))).toMatchObject({
      departureShiftMinutes: 420,
      connectionBroken: true,
      journeyArrivalShiftMinutes: 0,
      flightsReordered: true,
    });
  });
});
