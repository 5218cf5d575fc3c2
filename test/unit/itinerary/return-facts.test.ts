import { describe, expect, test } from "vitest";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { returnFacts, returnParts } from "../../../src/itinerary/return-facts.ts";
import { itineraryOf } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import type { Json, OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

function facts(options: OrderViewOptions, now = "2027-01-01T00:00:00Z", booked = itineraryOf(options)) {
  return plain(computeTopic(returnFacts, returnParts(aProposedChange(options, booked).pairs, new Date(now))));
}

/** LIS–FRA on 14 June, back on 21 June, and what becomes of the two flights. */
function aReturn({ out, back }: { readonly out?: string; readonly back?: string } = {}): OrderViewOptions {
  const line = (booked: string, becomes: string | undefined) =>
    becomes === undefined ? booked : `${booked} > ${becomes}`;
  return flights(line("LH1167 LIS 07:10 FRA 11:20", out), line("LH1172 FRA 06-21 17:30 LIS 19:45", back));
}

/** That return with details that are no whole points. */
function stating(changes: Readonly<Record<string, readonly Json[]>>): OrderViewOptions {
  return { ...aReturn(), changes };
}

const without = (flight: string) => ({ ...aReturn(), changedFlights: [{ FlightKey: flight }] });

describe("returnCoherent", () => {
  test.each([
    ["15:45", true],
    ["15:46", false],
    ["17:31", false],
  ])(
    "the outbound arriving at %s before a return at 17:30 from the same airport, where connecting takes 105 minutes: %s",
    (time, returnCoherent) => {
      expect(facts(aReturn({ out: `- FRA 06-21 ${time}` }))).toMatchObject({ returnCoherent });
    },
  );

  test.each([
    ["16:15", ["75 min remain at FRA between two journeys and 1 h 45 min are needed"]],
    ["17:30", ["0 min remain at FRA between two journeys and 1 h 45 min are needed"]],
    ["17:55", ["the next journey leaves FRA 25 min before they arrive"]],
    ["15:45", []],
  ])("an outbound arriving at %s says how little remains before the return at 17:30: %j", (time, words) => {
    expect(facts(aReturn({ out: `- FRA 06-21 ${time}` }))).toMatchObject({ overlappingJourneys: words });
  });

  test.each([
    ["18:30", "0 min remain from LHR to LGW between two journeys and 4 h are needed"],
    ["19:00", "the next journey leaves LGW 30 min before they arrive at LHR"],
  ])("an arrival at LHR at %s before a journey from LGW at 18:30 names both airports: %s", (time, words) => {
    const change = flights(`LIS 07:10 LHR 10:20 > - LHR ${time}`, "BA8762 LGW 18:30 LIS 20:45");

    expect(facts(change)).toMatchObject({ overlappingJourneys: [words] });
  });

  // Honolulu and Papeete are both 10 hours behind UTC.
  test.each([
    ["20:30", true],
    ["20:31", false],
  ])(
    "an arrival at HNL at %s before a way on from PPT at 21:00, as booked half an hour later: %s",
    (time, coherent) => {
      const change = flights(
        `NZ10 AKL 06-01 10:00 HNL 05-31 20:30 > - HNL 05-31 ${time}`,
        "NZ9 PPT 05-31 21:00 AKL 06-02 02:00",
      );

      expect(facts(change)).toMatchObject({ returnCoherent: coherent });
    },
  );

  test.each([
    ["13:00", true],
    ["13:01", false],
  ])("an arrival at CDG at %s before a way back from ORY at 17:00, which takes four hours: %s", (time, coherent) => {
    const change = flights(`AF1125 LIS 06-01 07:10 CDG 10:40 > - CDG ${time}`, "TO7654 ORY 17:00 LIS 18:30");

    expect(facts(change)).toMatchObject({ returnCoherent: coherent });
  });

  test.each<[string, OrderViewOptions, Record<string, unknown>]>([
    [
      "finds the order of travel, however journeys are listed",
      { segments: aReturn().segments!.toReversed(), changes: {} },
      { returnCoherent: true },
    ],
    ["holds for one journey", flights("LIS 07:10 FRA 11:20"), { returnCoherent: true, stayNightsDelta: 0 }],
    ["leaves a withdrawn one out", without("Flight1"), { returnCoherent: true, stayNightsDelta: "?withdrawn" }],
    [
      "is unknown while a time is",
      stating({ Segment1: [{ Arrival: { Time: null } }] }),
      { returnCoherent: "?unknown-arrival", stayNightsDelta: 0 },
    ],
  ])("%s", (_, change, expected) => {
    expect(facts(change)).toMatchObject(expected);
  });
});

describe("stayNightsDelta", () => {
  test.each<[string, Parameters<typeof aReturn>[0], number]>([
    ["nothing", {}, 0],
    ["an arrival ten minutes later the same day", { out: "- FRA 11:30" }, 0],
    ["an arrival after midnight", { out: "- FRA 06-15 00:05" }, -1],
    ["an arrival a day earlier", { out: "LIS 06-13 07:10 FRA 11:20" }, 1],
    ["a return two days later", { back: "FRA 06-23 17:30 LIS 19:45" }, 2],
    ["both moved by a day", { out: "LIS 06-15 07:10 FRA 11:20", back: "FRA 06-22 17:30 LIS 19:45" }, 0],
  ])("changes only with a local date: %s", (_, change, stayNightsDelta) => {
    expect(facts(aReturn(change))).toMatchObject({ stayNightsDelta });
  });

  test.each<[string, OrderViewOptions, string]>([
    ["arrival", stating({ Segment1: [{ Arrival: { Date: null } }] }), "?unknown-arrival"],
    ["departure", stating({ Segment2: [{ Departure: { Date: null } }] }), "?unknown-departure"],
  ])("is unknown while the date of an %s is", (_, change, stayNightsDelta) => {
    expect(facts(change)).toMatchObject({ stayNightsDelta });
  });

  test.each([
    ["VIE 06-09 09:20", -1],
    ["VIE 06-07 09:20", 3],
  ])("is that of the stay which changes most, before or after %s: %i", (arrival, stayNightsDelta) => {
    const change = flights(
      "LH1 LIS 06-01 07:10 FRA 11:20",
      `LH2 FRA 06-10 07:10 VIE 09:20 > FRA 06-09 07:10 ${arrival}`,
      "LH3 VIE 06-20 07:10 LIS 11:20",
    );

    expect(facts(change)).toMatchObject({ stayNightsDelta });
  });
});

describe("flights that have left", () => {
  // Lisbon is on UTC+1 in June: the way out leaves at 06:10Z as booked and at 08:10Z as delayed, the return at 15:30Z.
  const delayed = aReturn({ out: "LIS 09:10 FRA 13:20" });
  const wayBack = aReturn({ back: "FRA 18:30 LIS 20:45" });
  const postponed = aReturn({ back: "FRA 06-22 17:30 LIS 19:45" });
  const advanced = aReturn({ back: "FRA 06-20 17:30 LIS 19:45" });
  const untimed = stating({ Segment2: [{ Departure: { Time: null } }] });
  const connection = flights(["LH1 LIS 07:10 FRA 11:20", "LH2 FRA 13:20 VIE 15:00 > FRA 14:20 VIE 16:00"]);
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
    const onlyBack = { segments: [aReturn().segments![1]!], changes: {} };

    expect(facts(onlyBack, `2027-06-${at}Z`, itineraryOf(aReturn()))).toMatchObject(expected);
  });
});

describe("the route", () => {
  test("is described by its countries and its longest distance", () => {
    const change = flights(["LH1 LIS 07:10 FRA 11:20", "LH2 FRA 13:20 JFK 15:50"]);
    const { journeyDistanceKm, routeCountries, routes } = facts(change);

    // Lisbon to New York, not by way of Frankfurt: about 5,400 km.
    expect(journeyDistanceKm).toBeGreaterThan(5_350);
    expect(journeyDistanceKm).toBeLessThan(5_450);
    expect(routeCountries).toEqual(["PT", "DE", "US"]);
    expect(routes).toEqual(["PT/LIS-US/JFK"]);
  });

  test("is unknown at airports that are not in the table", () => {
    const unknown = "?unknown-airport";
    const expected = { journeyDistanceKm: unknown, routeCountries: unknown, routes: unknown };

    expect(facts(flights("LH1 LIS 07:10 XXX 11:20"))).toMatchObject(expected);
  });
});
