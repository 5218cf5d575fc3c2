import { describe, expect, test } from "@jest/globals";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { returnFacts, returnParts } from "../../../src/itinerary/return-facts.ts";
import { aSegment, details, type Json, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

function facts(options: OrderViewOptions, now = "2027-01-01T00:00:00Z"): Record<string, unknown> {
  return plain(computeTopic(returnFacts, returnParts(aProposedChange(options).pairs, new Date(now))));
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
  // Lisbon is on UTC+1 in June: the way out leaves at 06:10Z as booked and at 08:10Z as delayed, the return at 15:30Z.
  const delayed = aReturn({ S1: [details("LIS 2027-06-14 09:10", "FRA 2027-06-14 13:20")] });
  const wayBack = aReturn({ S2: [details("FRA 2027-06-21 18:30", "LIS 2027-06-21 20:45")] });
  const postponed = aReturn({ S2: [details("FRA 2027-06-22 17:30", "LIS 2027-06-22 19:45")] });
  const advanced = aReturn({ S2: [details("FRA 2027-06-20 17:30", "LIS 2027-06-20 19:45")] });
  const untimed = aReturn({ S2: [{ Departure: { Time: null } }] });
  const without = (flight: string) => ({ ...aReturn(), changedFlights: [{ FlightKey: flight }] });
  const connection = {
    segments: [
      aSegment("S1", "LH1", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
      aSegment("S2", "LH2", "FRA 2027-06-14 13:20", "VIE 2027-06-14 15:00"),
    ],
    journeys: [["S1", "S2"]],
    changes: { S2: [details("FRA 2027-06-14 14:20", "VIE 2027-06-14 16:00")] },
  };
  const between = "?between-departures";
  const unlisted = "?removed-or-unknown";

  test.each<[string, OrderViewOptions, string, string | number, string | boolean]>([
    ["none before the first one", delayed, "14T06:09:59", 0, false],
    ["in doubt from its booked departure", delayed, "14T06:10:00", between, between],
    ["in doubt until its proposed departure", delayed, "14T08:09:59", between, between],
    ["one from then on", delayed, "14T08:10:00", 1, true],
    ["one until the return leaves", delayed, "21T15:29:59", 1, true],
    ["two from then on", delayed, "21T15:30:00", 2, false],
    ["none when one was withdrawn before", without("Flight1"), "14T06:09:59", 0, false],
    ["in doubt when one was withdrawn that should have left", without("Flight1"), "14T06:10:00", unlisted, unlisted],
    ["unknown when a departure is", untimed, "22T00:00:00", "?unknown-departure", "?unknown-departure"],
  ])("are %s", (_, change, at, departedFlightCount, partlyFlown) => {
    expect(facts(change, `2027-06-${at}Z`)).toMatchObject({ flightCount: 2, departedFlightCount, partlyFlown });
  });

  test.each<[string, OrderViewOptions, string, string | boolean]>([
    ["the way out, before it leaves", delayed, "14T06:09:59", false],
    ["the way out, between both departures", delayed, "14T06:10:00", between],
    ["the way out, flown", delayed, "14T08:10:00", true],
    ["the way back, with the way out flown", wayBack, "15T00:00:00", false],
    ["the way back, right before it leaves", wayBack, "21T15:29:59", false],
    ["the way back, flown", wayBack, "21T16:30:00", true],
    ["the second flight, before the first one of the journey", connection, "14T06:09:59", false],
    ["the second flight, after the first one of the journey", connection, "14T06:10:00", true],
    ["a withdrawn flight that should have left", without("Flight1"), "15T00:00:00", unlisted],
    ["nothing", aReturn(), "15T00:00:00", false],
  ])("are of the journey that changes: %s", (_, change, at, changedJourneyBegun) => {
    expect(facts(change, `2027-06-${at}Z`)).toMatchObject({ changedJourneyBegun });
  });

  test.each<[string, OrderViewOptions, string, string | boolean]>([
    ["not before the last one", delayed, "21T15:29:59", false],
    ["from the departure of the last one", delayed, "21T15:30:00", true],
    ["not before it as it is postponed", postponed, "22T15:29:59", false],
    ["from its departure as it is postponed", postponed, "22T15:30:00", true],
    ["not before it as it was booked", advanced, "21T15:29:59", false],
    ["from its departure as it was booked", advanced, "21T15:30:00", true],
    ["not when one is withdrawn", without("Flight2"), "30T00:00:00", false],
    ["not while one is known to be ahead", untimed, "15T00:00:00", false],
    ["in doubt when none is known to be", untimed, "22T00:00:00", "?unknown-departure"],
  ])("are all of the trip: %s", (_, change, at, tripDeparted) => {
    expect(facts(change, `2027-06-${at}Z`)).toMatchObject({ tripDeparted });
  });

  test.each([
    ["15T00:00:00", { flightCount: 2, departedFlightCount: 1, partlyFlown: true, tripDeparted: false }],
    ["21T15:29:59", { tripDeparted: false }],
    ["21T15:30:00", { tripDeparted: true }],
  ])("count when the view no longer lists them, at %s", (at, expected) => {
    const { booked } = aProposedChange(aReturn());
    const { pairs } = aProposedChange({ segments: [aReturn().segments![1]!], changes: {} }, booked);
    expect(plain(computeTopic(returnFacts, returnParts(pairs, new Date(`2027-06-${at}Z`))))).toMatchObject(expected);
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
