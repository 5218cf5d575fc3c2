import { describe, expect, test } from "@jest/globals";
import { factValues } from "../../builders/fact-values.ts";
import { aSegment, details, flightValues, type Json, type OrderViewOptions } from "../../builders/order-view.ts";

/** LIS–FRA–JFK with two hours at FRA; details by segment. */
function connecting(changes: Readonly<Record<string, Json[]>>, overrides: Json = {}): OrderViewOptions {
  return {
    segments: [
      aSegment("Segment1", "LH1167", "LIS 2027-06-14 07:10 1", "FRA 2027-06-14 11:20 1", overrides),
      aSegment("Segment2", "LH400", "FRA 2027-06-14 13:20 1", "JFK 2027-06-14 15:50 1", overrides),
    ],
    journeys: [["Segment1", "Segment2"]],
    changes,
  };
}

describe("origin and destination", () => {
  /** Both flights as they become on that day, written as "LIS 07:10 1". */
  const becoming = (...[from, over, onwards, to]: readonly [string, string, string, string]) =>
    connecting({ Segment1: [details(onDay(from), onDay(over))], Segment2: [details(onDay(onwards), onDay(to))] });
  const onDay = (point: string) => point.replace(" ", " 2027-06-14 ");

  test.each<[string, OrderViewOptions, Record<string, unknown>]>([
    [
      "count, whatever the flights between do",
      becoming("LIS 07:10 1", "FRA 11:50 1", "FRA 13:30 1", "JFK 15:50 1"),
      { arrivalLaterMinutes: 30, ...shifts(0, 0), ...elapsed(820, 0), flightMinutesDelta: 20 },
    ],
    [
      "move earlier and later apart",
      becoming("LIS 06:50 1", "FRA 11:20 1", "FRA 13:20 1", "JFK 15:45 1"),
      { ...shifts(-20, -5), ...elapsed(835, 15) },
    ],
    [
      "lead nowhere when a flight is withdrawn in the middle",
      { ...connecting({}), changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "Segment2" }] },
      { journeyArrivalShiftMinutes: "?withdrawn", journeyElapsedDeltaMinutes: 0, originChanged: false },
    ],
  ])("%s", (_, options, expected) => {
    expect(factValues(options)).toMatchObject(expected);
  });

  test.each([
    ["LIS", "JFK", false, false],
    ["OPO", "JFK", true, false],
    ["LIS", "EWR", false, true],
  ])("from %s to %s", (origin, destination, originChanged, destinationChanged) => {
    const options = becoming(`${origin} 07:10`, "FRA 11:20 1", "FRA 13:20 1", `${destination} 15:50`);
    const airportChanged = originChanged || destinationChanged;
    expect(factValues(options)).toMatchObject({ originChanged, destinationChanged, airportChanged });
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
  const direct = [flightValues("LH7", "LIS 2027-06-14 07:10 1", "JFK 2027-06-14 15:50 1")];
  const gone = [{ FlightKey: "Flight1", SegmentRefs: "Segment1 Segment2" }];

  test("two flights by one: one landing less, no connection, nothing withdrawn", () => {
    expect(factValues({ ...connecting({ Segment2: direct }), changedFlights: gone })).toMatchObject({
      stopCountDelta: -1,
      connectionsAdded: false,
      removedFlightCount: 0,
      replaced: true,
      cancelled: false,
      journeyArrivalShiftMinutes: 0,
      departureShiftMinutes: 0,
      flightActions: ["LH1167 LIS-FRA + LH400 FRA-JFK replaced"],
      improvement: true,
    });
    expect(factValues({ ...connecting({ Segment1: direct }), changedFlights: gone })).toMatchObject({
      stopCountDelta: -1,
      flightActions: ["LH1167 LIS-FRA + LH400 FRA-JFK replaced"],
    });
  });

  test("a withdrawn flight is not covered by one that leads elsewhere", () => {
    const elsewhere = [flightValues("LH7", "LIS 2027-06-14 07:10 1", "BOS 2027-06-14 15:50 1")];

    expect(factValues({ ...connecting({ Segment1: elsewhere }), changedFlights: gone })).toMatchObject({
      removedFlightCount: 1,
      journeyArrivalShiftMinutes: "?withdrawn",
    });
  });

  test("one flight by two: one landing more", () => {
    const two = [
      flightValues("LH1", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
      flightValues("LH2", "FRA 2027-06-14 13:20", "JFK 2027-06-14 15:50"),
    ];
    const segments = [aSegment("Segment1", "LH7", "LIS 2027-06-14 07:10", "JFK 2027-06-14 15:50")];

    expect(factValues({ segments, changes: { Segment1: two } })).toMatchObject({
      stopCountDelta: 1,
      connectionsAdded: true,
      flightActions: ["LH7 LIS-JFK replaced-by-several"],
      journeyElapsedDeltaMinutes: 0,
      flightMinutesDelta: -120,
      improvement: false,
    });
  });

  test.each<[string, number, Json, unknown]>([
    ["more miles", 1000, details(null, "FRA 2027-06-14 11:30", { FlightDetail: { AirMilesFlown: 1100 } }), 100],
    ["fewer miles", 1000, details(null, "FRA 2027-06-14 11:30", { FlightDetail: { AirMilesFlown: 900 } }), -100],
    ["miles that are not stated again", 1000, details(null, "FRA 2027-06-14 11:30"), 0],
    ["miles that were never stated", 0, details(null, "FRA 2027-06-14 11:30"), "?unknown-miles"],
    ["miles to another airport, until they are stated", 1000, details(null, "HHN 2027-06-14 11:20"), "?unknown-miles"],
  ])("measure the difference: %s", (_, miles, becomes, milesDelta) => {
    const booked = { FlightDetail: { AirMilesFlown: miles } };
    const segments = [aSegment("Segment1", "LH7", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", booked)];
    expect(factValues({ segments, changes: { Segment1: [becomes] } })).toMatchObject({ milesDelta });
  });
});

describe("overnightAdded", () => {
  /** The second flight leaves FRA when told; the first one arrives there when told. */
  const waiting = (arrival: string, departure: string) =>
    factValues(
      connecting({
        Segment1: [details("LIS 2027-06-14 07:10 1", `FRA ${arrival} 1`)],
        Segment2: [details(`FRA ${departure} 1`, "JFK 2027-06-16 15:50 1")],
      }),
    )["overnightAdded"];

  test.each([
    ["2027-06-14 11:20", "2027-06-14 23:59", false],
    ["2027-06-14 23:59", "2027-06-15 05:00", true],
    ["2027-06-15 00:00", "2027-06-15 05:00", true],
    ["2027-06-14 23:30", "2027-06-15 04:59", false],
    ["2027-06-14 22:30", "2027-06-15 04:30", true],
    ["2027-06-14 22:31", "2027-06-15 04:30", false],
    ["2027-06-15 00:01", "2027-06-15 06:01", true],
    ["2027-06-15 00:01", "2027-06-15 06:00", false],
    ["2027-06-15 05:00", "2027-06-15 23:00", false],
    ["2027-06-14 18:00", "2027-06-15 00:00", false],
    ["2027-06-14 11:20", "2027-06-16 05:00", true],
  ])("of a wait from %s to %s", (arrival, departure, expected) => {
    expect(waiting(arrival, departure)).toBe(expected);
  });

  test("is not said of a night that was booked", () => {
    const segments = [
      aSegment("Segment1", "LH1167", "LIS 2027-06-14 19:10 1", "FRA 2027-06-14 23:20 1"),
      aSegment("Segment2", "LH400", "FRA 2027-06-15 08:20 1", "JFK 2027-06-15 10:50 1"),
    ];
    const changes = { Segment2: [details("FRA 2027-06-15 09:20 1", "JFK 2027-06-15 11:50 1")] };

    expect(factValues({ segments, journeys: [["Segment1", "Segment2"]], changes })["overnightAdded"]).toBe(false);
  });

  test("is unknown while a time of the wait is", () => {
    expect(factValues(connecting({ Segment1: [details("LIS 2027-06-14 08:10 1", null)] }))["overnightAdded"]).toBe(
      "?unknown-arrival",
    );
  });
});

describe("flights listed in another order than they are flown", () => {
  test("are put in order when that leads from airport to airport", () => {
    const options = connecting({});
    const swapped = {
      ...options,
      changes: {
        Segment1: [flightValues("LH400", "FRA 2027-06-14 13:20 1", "JFK 2027-06-14 15:50 1")],
        Segment2: [flightValues("LH1167", "LIS 2027-06-14 07:10 1", "FRA 2027-06-14 11:20 1")],
      },
    };

    expect(factValues({ ...options, journeys: [["Segment2", "Segment1"]] })).toMatchObject({
      journeyElapsedMinutes: 820,
    });
    expect(factValues(swapped)).toMatchObject({
      changedFlightCount: 0,
      departureShiftMinutes: 0,
      journeyArrivalShiftMinutes: 0,
      connectionBroken: false,
      flightsReordered: false,
    });
  });

  test("stay as they are listed when the first one is moved behind its connection", () => {
    expect(
      factValues(connecting({ Segment1: [details("LIS 2027-06-14 14:10 1", "FRA 2027-06-14 18:20 1")] })),
    ).toMatchObject({
      departureShiftMinutes: 420,
      connectionBroken: true,
      journeyArrivalShiftMinutes: 0,
      flightsReordered: true,
    });
  });
});
