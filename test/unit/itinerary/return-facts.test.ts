import { describe, expect, test } from "@jest/globals";
import { returnFacts } from "../../../src/itinerary/return-facts.ts";
import { aSegment, details, type Json, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

function facts(options: OrderViewOptions, now = "2027-01-01T00:00:00Z"): Record<string, unknown> {
  return plain(returnFacts(aProposedChange(options).pairs, new Date(now)));
}

/** LIS–FRA on 14 June, back on 21 June; details of the two flights. */
function aReturn(changes: Readonly<Record<string, readonly Json[]>> = {}): OrderViewOptions {
  return {
    segments: [
      aSegment("S1", "LH1167", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
      aSegment("S2", "LH1172", "FRA 2027-06-21 17:30", "LIS 2027-06-21 19:45"),
    ],
    changes,
  };
}

describe("returnCoherent", () => {
  const arriving = (time: string) => aReturn({ S1: [details(null, `FRA 2027-06-21 ${time}`)] });

  test.each([
    ["15:45", true],
    ["15:46", false],
    ["17:31", false],
  ])(
    "the outbound arriving at %s before a return at 17:30 from the same airport, where connecting takes 105 minutes: %s",
    (time, coherent) => {
      expect(facts(arriving(time))).toMatchObject({ returnCoherent: coherent });
    },
  );

  test.each([
    ["16:15", ["75 min remain at FRA between two journeys and 1 h 45 min are needed"]],
    ["17:30", ["0 min remain at FRA between two journeys and 1 h 45 min are needed"]],
    ["17:55", ["the next journey leaves FRA 25 min before they arrive"]],
    ["15:45", []],
  ])("an outbound arriving at %s says how little remains before the return at 17:30: %j", (time, words) => {
    expect(facts(arriving(time))).toMatchObject({ overlappingJourneys: words });
  });

  test("names both airports where the next journey leaves from another one", () => {
    const arrivingAt = (local: string) => ({
      segments: [
        aSegment("S1", "LH1167", "LIS 2027-06-14 07:10", "LHR 2027-06-14 10:20"),
        aSegment("S2", "BA8762", "LGW 2027-06-14 18:30", "LIS 2027-06-14 20:45"),
      ],
      changes: { S1: [details(null, `LHR ${local}`)] },
    });

    expect(facts(arrivingAt("2027-06-14 18:30"))).toMatchObject({
      overlappingJourneys: ["0 min remain from LHR to LGW between two journeys and 4 h are needed"],
    });
    expect(facts(arrivingAt("2027-06-14 19:00"))).toMatchObject({
      overlappingJourneys: ["the next journey leaves LGW 30 min before they arrive at LHR"],
    });
  });

  test("compares instants, and where the airport changes asks for no more time than was booked", () => {
    const honolulu = (time: string) => ({
      segments: [
        aSegment("S1", "NZ10", "AKL 2027-06-01 10:00", "HNL 2027-05-31 20:30"),
        aSegment("S2", "NZ9", "PPT 2027-05-31 21:00", "AKL 2027-06-02 02:00"),
      ],
      changes: { S1: [details(null, `HNL 2027-05-31 ${time}`)] },
    });

    // Honolulu and Papeete are both 10 hours behind UTC.
    expect(facts(honolulu("20:30"))).toMatchObject({ returnCoherent: true });
    expect(facts(honolulu("20:31"))).toMatchObject({ returnCoherent: false });
  });

  test.each([
    ["13:00", true],
    ["13:01", false],
  ])("an arrival at CDG at %s before a way back from ORY at 17:00, which takes four hours: %s", (time, coherent) => {
    const segments = [
      aSegment("S1", "AF1125", "LIS 2027-06-01 07:10", "CDG 2027-06-01 10:40"),
      aSegment("S2", "TO7654", "ORY 2027-06-01 17:00", "LIS 2027-06-01 18:30"),
    ];
    const view = { segments, changes: { S1: [details(null, `CDG 2027-06-01 ${time}`)] } };

    expect(facts(view)).toMatchObject({ returnCoherent: coherent });
  });

  test("finds the order of travel, however journeys are listed", () => {
    const { segments } = aReturn();

    expect(facts({ segments: segments!.toReversed(), changes: {} })).toMatchObject({ returnCoherent: true });
  });

  test("holds for one journey, and leaves a withdrawn one out", () => {
    const [outbound] = aReturn().segments!;
    const cancelled = { ...aReturn(), changedFlights: [{ FlightKey: "Flight1" }] };

    expect(facts({ segments: [outbound!], changes: {} })).toMatchObject({ returnCoherent: true, stayNightsDelta: 0 });
    expect(facts(cancelled)).toMatchObject({ returnCoherent: true, stayNightsDelta: "?withdrawn" });
  });

  test("is unknown while a time is", () => {
    expect(facts(aReturn({ S1: [{ Arrival: { Time: null } }] }))).toMatchObject({
      returnCoherent: "?unknown-arrival",
      stayNightsDelta: 0,
    });
    expect(facts(aReturn({ S1: [{ Arrival: { Date: null } }] }))).toMatchObject({
      stayNightsDelta: "?unknown-arrival",
    });
    expect(facts(aReturn({ S2: [{ Departure: { Date: null } }] }))).toMatchObject({
      stayNightsDelta: "?unknown-departure",
    });
  });
});

describe("stayNightsDelta", () => {
  test.each<[string, Readonly<Record<string, readonly Json[]>>, number]>([
    ["nothing", {}, 0],
    ["an arrival ten minutes later the same day", { S1: [details(null, "FRA 2027-06-14 11:30")] }, 0],
    ["an arrival after midnight", { S1: [details(null, "FRA 2027-06-15 00:05")] }, -1],
    ["an arrival a day earlier", { S1: [details("LIS 2027-06-13 07:10", "FRA 2027-06-13 11:20")] }, 1],
    ["a return two days later", { S2: [details("FRA 2027-06-23 17:30", "LIS 2027-06-23 19:45")] }, 2],
    [
      "both moved by a day",
      {
        S1: [details("LIS 2027-06-15 07:10", "FRA 2027-06-15 11:20")],
        S2: [details("FRA 2027-06-22 17:30", "LIS 2027-06-22 19:45")],
      },
      0,
    ],
  ])("changes only with a local date: %s", (_, changes, delta) => {
    expect(facts(aReturn(changes))).toMatchObject({ stayNightsDelta: delta });
  });

  test("is that of the stay which changes most", () => {
    const segments = [
      aSegment("S1", "LH1", "LIS 2027-06-01 07:10", "FRA 2027-06-01 11:20"),
      aSegment("S2", "LH2", "FRA 2027-06-10 07:10", "VIE 2027-06-10 09:20"),
      aSegment("S3", "LH3", "VIE 2027-06-20 07:10", "LIS 2027-06-20 11:20"),
    ];
    const changes = { S2: [details("FRA 2027-06-09 07:10", "VIE 2027-06-09 09:20")] };

    expect(facts({ segments, changes })).toMatchObject({ stayNightsDelta: -1 });
    expect(
      facts({ segments, changes: { S2: [details("FRA 2027-06-09 07:10", "VIE 2027-06-07 09:20")] } }),
    ).toMatchObject({ stayNightsDelta: 3 });
  });
});

describe("flights that have left", () => {
  const delayed = aReturn({ S1: [details("LIS 2027-06-14 09:10", "FRA 2027-06-14 13:20")] });

  test.each([
    // Lisbon is on UTC+1 in June: booked 06:10Z, proposed 08:10Z; the return leaves Frankfurt at 15:30Z.
    ["2027-06-14T06:09:59Z", 0, false],
    ["2027-06-14T06:10:00Z", "?between-departures", "?between-departures"],
    ["2027-06-14T08:09:59Z", "?between-departures", "?between-departures"],
    ["2027-06-14T08:10:00Z", 1, true],
    ["2027-06-21T15:29:59Z", 1, true],
    ["2027-06-21T15:30:00Z", 2, false],
  ])("at %s: %s, partly flown %s", (now, departedFlightCount, partlyFlown) => {
    expect(facts(delayed, now)).toMatchObject({ flightCount: 2, departedFlightCount, partlyFlown });
  });

  describe("of the journey that changes", () => {
    const wayBack = aReturn({ S2: [details("FRA 2027-06-21 18:30", "LIS 2027-06-21 20:45")] });

    test.each([
      ["the way out, before it leaves", delayed, "2027-06-14T06:09:59Z", false],
      ["the way out, between both departures", delayed, "2027-06-14T06:10:00Z", "?between-departures"],
      ["the way out, flown", delayed, "2027-06-14T08:10:00Z", true],
      ["the way back, with the way out flown", wayBack, "2027-06-15T00:00:00Z", false],
      ["the way back, right before it leaves", wayBack, "2027-06-21T15:29:59Z", false],
      ["the way back, flown", wayBack, "2027-06-21T16:30:00Z", true],
      ["nothing", aReturn(), "2027-06-15T00:00:00Z", false],
    ])("is known for %s", (_, change, now, changedJourneyBegun) => {
      expect(facts(change, now)).toMatchObject({ changedJourneyBegun });
    });

    test("is known for a connection of which the first flight is flown and the second one changes", () => {
      const segments = [
        aSegment("S1", "LH1", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
        aSegment("S2", "LH2", "FRA 2027-06-14 13:20", "VIE 2027-06-14 15:00"),
      ];
      const connection = {
        segments,
        journeys: [["S1", "S2"]],
        changes: { S2: [details("FRA 2027-06-14 14:20", "VIE 2027-06-14 16:00")] },
      };

      expect(facts(connection, "2027-06-14T06:09:59Z")).toMatchObject({ changedJourneyBegun: false });
      expect(facts(connection, "2027-06-14T06:10:00Z")).toMatchObject({ changedJourneyBegun: true });
    });

    test("is in doubt when a withdrawn flight of it should have left", () => {
      const withdrawn = { ...aReturn(), changedFlights: [{ FlightKey: "Flight1" }] };

      expect(facts(withdrawn, "2027-06-15T00:00:00Z")).toMatchObject({ changedJourneyBegun: "?removed-or-unknown" });
    });
  });

  test.each([
    ["2027-06-21T15:29:59Z", false],
    ["2027-06-21T15:30:00Z", true],
  ])("at %s are all of the trip: %s", (now, tripDeparted) => {
    expect(facts(delayed, now)).toMatchObject({ tripDeparted });
  });

  test("are all of the trip only by their booked and their proposed departures", () => {
    const postponed = aReturn({ S2: [details("FRA 2027-06-22 17:30", "LIS 2027-06-22 19:45")] });
    const advanced = aReturn({ S2: [details("FRA 2027-06-20 17:30", "LIS 2027-06-20 19:45")] });

    expect(facts(postponed, "2027-06-22T15:29:59Z")).toMatchObject({ tripDeparted: false });
    expect(facts(postponed, "2027-06-22T15:30:00Z")).toMatchObject({ tripDeparted: true });
    expect(facts(advanced, "2027-06-21T15:29:59Z")).toMatchObject({ tripDeparted: false });
    expect(facts(advanced, "2027-06-21T15:30:00Z")).toMatchObject({ tripDeparted: true });
  });

  test("are not all of the trip when one is withdrawn, and are when a flown one is not listed any more", () => {
    const withdrawn = { ...aReturn(), changedFlights: [{ FlightKey: "Flight2" }] };
    const { booked } = aProposedChange(aReturn());
    const { pairs } = aProposedChange({ segments: [aReturn().segments![1]!], changes: {} }, booked);

    expect(facts(withdrawn, "2027-07-01T00:00:00Z")).toMatchObject({ tripDeparted: false });
    expect(plain(returnFacts(pairs, new Date("2027-06-21T15:30:00Z")))).toMatchObject({ tripDeparted: true });
    expect(plain(returnFacts(pairs, new Date("2027-06-21T15:29:59Z")))).toMatchObject({ tripDeparted: false });
  });

  test("are in doubt as a whole only while no flight is known to be ahead", () => {
    const untimed = aReturn({ S2: [{ Departure: { Time: null } }] });

    expect(facts(untimed, "2027-06-15T00:00:00Z")).toMatchObject({ tripDeparted: false });
    expect(facts(untimed, "2027-06-22T00:00:00Z")).toMatchObject({ tripDeparted: "?unknown-departure" });
  });

  test("count when the view no longer lists them", () => {
    const { booked } = aProposedChange(aReturn());
    const onlyReturn = { segments: [aReturn().segments![1]!], changes: {} };
    const { pairs } = aProposedChange(onlyReturn, booked);

    expect(plain(returnFacts(pairs, new Date("2027-06-15T00:00:00Z")))).toMatchObject({
      flightCount: 2,
      departedFlightCount: 1,
      partlyFlown: true,
    });
  });

  test("are in doubt when they were withdrawn and their time has passed", () => {
    const withdrawn = { ...aReturn(), changedFlights: [{ FlightKey: "Flight1" }] };

    expect(facts(withdrawn, "2027-06-14T06:09:59Z")).toMatchObject({ departedFlightCount: 0 });
    expect(facts(withdrawn, "2027-06-14T06:10:00Z")).toMatchObject({ departedFlightCount: "?removed-or-unknown" });
  });

  test("are unknown when a departure is", () => {
    expect(facts(aReturn({ S2: [{ Departure: { Time: null } }] }), "2027-06-22T00:00:00Z")).toMatchObject({
      departedFlightCount: "?unknown-departure",
      partlyFlown: "?unknown-departure",
    });
  });
});

describe("the route", () => {
  test("is described by its countries and its longest distance", () => {
    const segments = [
      aSegment("S1", "LH1", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
      aSegment("S2", "LH2", "FRA 2027-06-14 13:20", "JFK 2027-06-14 15:50"),
    ];
    const { journeyDistanceKm, routeCountries, routes } = facts({ segments, journeys: [["S1", "S2"]], changes: {} });

    // Lisbon to New York, not by way of Frankfurt: about 5,400 km.
    expect(journeyDistanceKm).toBeGreaterThan(5_350);
    expect(journeyDistanceKm).toBeLessThan(5_450);
    expect(routeCountries).toEqual(["PT", "DE", "US"]);
    expect(routes).toEqual(["PT/LIS-US/JFK"]);
  });

  test("is unknown at airports that are not in the table", () => {
    const segments = [aSegment("S1", "LH1", "LIS 2027-06-14 07:10", "XXX 2027-06-14 11:20")];

    expect(facts({ segments, changes: {} })).toMatchObject({
      journeyDistanceKm: "?unknown-airport",
      routeCountries: "?unknown-airport",
      routes: "?unknown-airport",
    });
  });
});
