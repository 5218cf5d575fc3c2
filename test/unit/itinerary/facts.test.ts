import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { connectionTimesVersion, defaultConnectionTimes } from "../../../src/itinerary/connection-times.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { type ChangeFacts, factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import type { Itinerary } from "../../../src/itinerary/itinerary.ts";
import { type Proposal, readProposal } from "../../../src/itinerary/proposal.ts";
import {
  aMinorDelay,
  anOrderView,
  aSegment,
  details,
  flightValues,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";

interface Baselines {
  readonly booked?: Itinerary;
  readonly accepted?: Itinerary;
  readonly now?: string;
}

function assess(
  options: OrderViewOptions,
  baselines: Baselines = {},
): { proposal: Proposal; facts: ChangeFacts; line: string } {
  const reading = readOrderView(aMinorDelay(options));
  if (!reading.ok) throw new Error(reading.problem.message);
  const proposal = readProposal(reading.view, "QX7R2M1A")!;
  const booked = baselines.booked ?? proposal.current;
  const facts = computeFacts({
    booked,
    accepted: baselines.accepted ?? booked,
    proposal,
    passengers: reading.view.passengers,
    now: new Date(baselines.now ?? "2027-01-01T00:00:00Z"),
  });
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  return { proposal, facts, line: describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys }) };
}

/** Facts as plain values; an unknown one as `?reason`. */
function values(options: OrderViewOptions, baselines?: Baselines): Record<string, unknown> {
  const { facts } = assess(options, baselines);
  return Object.fromEntries(
    Object.entries({ ...facts }).map(([name, fact]) => [name, fact.known ? fact.value : `?${fact.reason}`]),
  );
}

/** One flight, and what becomes of it. */
function one(departure: string, arrival: string, ...becomes: Json[]): OrderViewOptions {
  return {
    segments: [aSegment("Segment1", "LH1167", departure, arrival)],
    ...(becomes.length > 0 ? { changes: { Segment1: becomes } } : { changes: {} }),
  };
}

/** LIS–FRA–JFK with one hour to connect, all at terminal 1; details for the first flight. */
function connecting(...becomes: Json[]): OrderViewOptions {
  return {
    segments: [
      aSegment("Segment1", "LH1167", "LIS 2027-06-14 07:10 1", "FRA 2027-06-14 11:20 1"),
      aSegment("Segment2", "LH400", "FRA 2027-06-14 13:20 1", "JFK 2027-06-14 15:50 1"),
    ],
    journeys: [["Segment1", "Segment2"]],
    changes: becomes.length > 0 ? { Segment1: becomes } : {},
  };
}

const usual = one("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20");
const duration = (text: string) => ({ FlightDetail: { FlightDuration: { Value: text } } });

describe("computeFacts", () => {
  test("computes every fact of the catalogue, of the type stated there", () => {
    const { facts } = assess({});

    expect(Object.keys(facts).sort()).toEqual(Object.keys(factCatalogue).sort());
    for (const [name, { type }] of Object.entries(factCatalogue)) {
      const fact = facts[name as keyof ChangeFacts];
      if (!fact.known) continue;
      if (type === "int") expect(Number.isSafeInteger(fact.value)).toBe(true);
      else if (type === "bool") expect(typeof fact.value).toBe("boolean");
      else if (type === "list<string>") expect(Array.isArray(fact.value)).toBe(true);
      else expect(typeof fact.value).toBe("string");
    }
  });

  test("finds nothing where nothing changes", () => {
    expect(values(usual)).toMatchObject({
      changedFlightCount: 0,
      departureEarlierMinutes: 0,
      departureLaterMinutes: 0,
      arrivalEarlierMinutes: 0,
      arrivalLaterMinutes: 0,
      retimedOnly: false,
      flightNumberOnly: false,
      replaced: false,
      cancelled: false,
      dateChanged: false,
      dataSuspect: false,
    });
  });
});

describe("times", () => {
  test("move earlier and later apart", () => {
    const facts = values(
      one("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", details("LIS 2027-06-14 06:55", "FRA 2027-06-14 11:25")),
    );

    expect(facts).toMatchObject({
      departureEarlierMinutes: 15,
      departureLaterMinutes: 0,
      arrivalEarlierMinutes: 0,
      arrivalLaterMinutes: 5,
      retimedOnly: true,
      dateChanged: false,
    });
  });

  test("that cross midnight change the date, however little they move", () => {
    const facts = values(one("LIS 2027-06-14 18:00", "FRA 2027-06-14 23:50", details(null, "FRA 2027-06-15 00:10")));

    expect(facts).toMatchObject({ arrivalLaterMinutes: 20, dateChanged: true });
  });

  test("that are unknown make what depends on them unknown, and nothing else", () => {
    expect(
      values(one("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", details("LIS 2027-06-14 07:30", null))),
    ).toMatchObject({
      departureLaterMinutes: 20,
      arrivalLaterMinutes: "?unknown-arrival",
      journeyArrivalLaterMinutes: "?unknown-arrival",
      dateChanged: "?unknown-arrival",
      timeAmbiguous: "?unknown-arrival",
      dataSuspect: "?unknown-arrival",
      retimedOnly: true,
      replaced: false,
    });
  });

  test("are differences of instants over a change to summer time", () => {
    // The clock in Frankfurt goes from 02:00 to 03:00 on 28 March 2027.
    const facts = values(
      one("FRA 2027-03-28 01:30", "LIS 2027-03-28 03:30", details("FRA 2027-03-28 03:30", "LIS 2027-03-28 04:30")),
    );

    expect(facts).toMatchObject({ departureLaterMinutes: 60, arrivalLaterMinutes: 60 });
  });

  test("that are ambiguous are unknown when the two meanings differ", () => {
    const facts = values(
      one("LHR 2026-10-25 00:30", "LIS 2026-10-25 03:10", details("LHR 2026-10-25 01:30", "LIS 2026-10-25 04:10")),
    );

    expect(facts).toMatchObject({
      departureLaterMinutes: "?ambiguous-time",
      departureEarlierMinutes: 0,
      timeAmbiguous: true,
    });
  });

  test("that are ambiguous and untouched have not moved", () => {
    const facts = values(one("LHR 2026-10-25 01:30", "LIS 2026-10-25 04:10", details(null, "LIS 2026-10-25 04:15")));

    expect(facts).toMatchObject({ departureLaterMinutes: 0, departureEarlierMinutes: 0, arrivalLaterMinutes: 5 });
  });

  test("that do not exist are unknown and suspect", () => {
    const facts = values(
      one("LHR 2026-03-29 00:30", "LIS 2026-03-29 03:10", details("LHR 2026-03-29 01:30", "LIS 2026-03-29 04:10")),
    );

    expect(facts).toMatchObject({ departureLaterMinutes: "?nonexistent-time", timeAmbiguous: true, dataSuspect: true });
  });

  test("at an airport that is not known are unknown", () => {
    const facts = values(
      one("XXX 2027-06-14 07:10", "FRA 2027-06-14 11:20", details("XXX 2027-06-14 07:30", "FRA 2027-06-14 11:40")),
    );

    expect(facts).toMatchObject({ departureLaterMinutes: "?unknown-airport", arrivalLaterMinutes: 20 });
  });

  test("over the date line move by instants", () => {
    const facts = values(
      one("AKL 2027-06-01 10:00", "HNL 2027-05-31 20:30", details("AKL 2027-06-01 11:00", null, duration("8 H 30 M"))),
    );

    expect(facts).toMatchObject({
      departureLaterMinutes: 60,
      arrivalLaterMinutes: 60,
      dateChanged: false,
      dataSuspect: false,
    });
  });

  test("of several flights: the largest move counts, and journeys by their ends", () => {
    const facts = values(connecting(details("LIS 2027-06-14 07:00 1", "FRA 2027-06-14 11:50 1")));

    expect(facts).toMatchObject({
      departureEarlierMinutes: 10,
      journeyDepartureEarlierMinutes: 10,
      arrivalLaterMinutes: 30,
      journeyArrivalLaterMinutes: 0,
    });
  });
});

describe("three itineraries", () => {
  const booked = assess(usual).proposal.current;

  test("a drift in small steps is measured from the booked flights and from the accepted ones", () => {
    const now = one(
      "LIS 2027-06-14 07:35",
      "FRA 2027-06-14 11:45",
      details("LIS 2027-06-14 07:55", "FRA 2027-06-14 12:05"),
    );
    const accepted = assess(one("LIS 2027-06-14 07:35", "FRA 2027-06-14 11:45")).proposal.current;

    expect(values(now, { booked, accepted })).toMatchObject({
      departureLaterMinutes: 45,
      sinceAcceptedDepartureLaterMinutes: 20,
      sinceAcceptedDepartureEarlierMinutes: 0,
    });
  });

  test("a change back to the original moves nothing from the booked flights", () => {
    const now = one(
      "LIS 2027-06-14 07:35",
      "FRA 2027-06-14 11:45",
      details("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
    );
    const accepted = assess(one("LIS 2027-06-14 07:35", "FRA 2027-06-14 11:45")).proposal.current;

    expect(values(now, { booked, accepted })).toMatchObject({
      changedFlightCount: 0,
      departureLaterMinutes: 0,
      sinceAcceptedDepartureEarlierMinutes: 25,
    });
  });

  test("flights replaced since, under other keys, still compare with what was booked", () => {
    const replaced = {
      segments: [
        aSegment("A", "LH1793", "LIS 2027-06-14 06:00 1", "MUC 2027-06-14 10:00 1"),
        aSegment("B", "LH101", "MUC 2027-06-14 11:30 1", "FRA 2027-06-14 12:30 1"),
      ],
      journeys: [["A", "B"]],
      changes: { B: [details("MUC 2027-06-14 12:00 1", "FRA 2027-06-14 13:00 1")] },
    };

    expect(values(replaced, { booked })).toMatchObject({
      replaced: true,
      changedFlightCount: 1,
      departureEarlierMinutes: 70,
      arrivalLaterMinutes: 100,
      connectionsAdded: true,
    });
    expect(values(replaced)).toMatchObject({ replaced: false, arrivalLaterMinutes: 30, connectionsAdded: false });
  });

  test("a journey that was flown before is not missed", () => {
    const both = assess({ changes: {} }).proposal.current;
    const later: OrderViewOptions = {
      segments: [aSegment("Segment2", "LH1172", "FRA 2027-03-21 17:30", "LIS 2027-03-21 19:45")],
      changes: { Segment2: [details("FRA 2027-03-21 17:40", "LIS 2027-03-21 19:55")] },
    };

    expect(values(later, { booked: both, now: "2027-03-15T00:00:00Z" })).toMatchObject({
      cancelled: false,
      departureLaterMinutes: 10,
    });
    expect(values(later, { booked: both, now: "2027-03-01T00:00:00Z" })).toMatchObject({
      cancelled: "?removed-or-unknown",
      partiallyCancelled: "?removed-or-unknown",
      departureLaterMinutes: "?withdrawn",
    });
  });
});

describe("minutesToDeparture", () => {
  const delayed = one(
    "LIS 2027-06-14 07:10",
    "FRA 2027-06-14 11:20",
    details("LIS 2027-06-14 09:10", "FRA 2027-06-14 13:20"),
  );

  test.each([
    // Lisbon is on UTC+1 in June: booked 06:10Z, proposed 08:10Z.
    ["2027-06-14T05:10:00Z", 60],
    ["2027-06-14T06:10:00Z", 0],
    ["2027-06-14T07:10:00Z", -60],
    ["2027-06-14T09:10:00Z", -180],
  ])("counts at %s from the booked departure: %i", (now, minutes) => {
    expect(values(delayed, { now })["minutesToDeparture"]).toBe(minutes);
  });

  test("goes on to the next flight once one is flown", () => {
    expect(values({ changes: {} }, { now: "2027-03-20T16:30:00Z" })["minutesToDeparture"]).toBe(1440);
  });

  test("is unknown when a departure is", () => {
    expect(
      values(one("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", { Departure: { Time: null } }))["minutesToDeparture"],
    ).toBe("?unknown-departure");
  });
});

describe("withdrawn flights", () => {
  test("are cancelled when the status says so", () => {
    expect(values({ pnrStatus: "CANCELLED", changes: {} })).toMatchObject({
      cancelled: true,
      partiallyCancelled: false,
      changedFlightCount: 2,
    });
  });

  test("are removed or unknown otherwise: no time of theirs is known", () => {
    expect(values({ changes: {}, changedFlights: [{ FlightKey: "Flight1" }] })).toMatchObject({
      cancelled: "?removed-or-unknown",
      partiallyCancelled: "?removed-or-unknown",
      departureLaterMinutes: "?withdrawn",
      journeyArrivalLaterMinutes: "?withdrawn",
      changedFlightCount: 1,
      retimedOnly: false,
    });
  });

  test("in the middle of a journey leave it without an end", () => {
    expect(
      values({ ...connecting(), changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "Segment2" }] }),
    ).toMatchObject({
      cancelled: false,
      arrivalLaterMinutes: "?withdrawn",
      journeyArrivalLaterMinutes: "?withdrawn",
      retimedOnly: false,
    });
  });

  test("are in doubt when the status is CANCELLED and yet something is offered", () => {
    expect(values({ pnrStatus: "CANCELLED" })["cancelled"]).toBe("?cancelled-with-offer");
  });
});

describe("what makes a flight", () => {
  function becomes(detail: Json) {
    return values(one("LIS 2027-06-14 07:10 1", "FRA 2027-06-14 11:20 1", detail));
  }

  test.each<[string, Json, Record<string, unknown>]>([
    [
      "another number",
      { MarketingCarrier: { FlightNumber: "99" } },
      { flightNumberChanged: true, flightNumberOnly: true, replaced: true },
    ],
    [
      "another number and a stop",
      { MarketingCarrier: { FlightNumber: "99" }, FlightDetail: { Stops: { Value: 1 } } },
      { flightNumberOnly: false, stopsAdded: true, replaced: true },
    ],
    [
      "another time and a stop",
      { ...details(null, "FRA 2027-06-14 11:25 1"), FlightDetail: { Stops: { Value: 1 } } },
      { retimedOnly: false, stopsAdded: true },
    ],
    [
      "another number and time",
      { ...details(null, "FRA 2027-06-14 11:25 1"), MarketingCarrier: { FlightNumber: "99" } },
      { flightNumberChanged: true, flightNumberOnly: false, retimedOnly: false, replaced: true },
    ],
    [
      "another marketing carrier",
      { MarketingCarrier: { AirlineID: "EN" } },
      { marketingCarrierChanged: true, replaced: true, flightNumberOnly: false },
    ],
    [
      "another operating carrier",
      { OperatingCarrier: { AirlineID: "EN" } },
      { operatingCarrierChanged: true, replaced: false, changedFlightCount: 1 },
    ],
    [
      "no operating carrier",
      { OperatingCarrier: { AirlineID: null } },
      { operatingCarrierChanged: false, changedFlightCount: 0 },
    ],
    [
      "an unknown marketing carrier",
      { MarketingCarrier: { AirlineID: null } },
      { marketingCarrierChanged: "?unknown-carrier", replaced: "?unknown-carrier" },
    ],
    [
      "another aircraft",
      { Equipment: { AircraftCode: "321" } },
      { aircraftChanged: true, changedFlightCount: 1, retimedOnly: false },
    ],
    ["no stated aircraft", { Equipment: { AircraftCode: "" } }, { aircraftChanged: false, changedFlightCount: 0 }],
    [
      "another terminal",
      { Arrival: { Terminal: { Name: "2" } } },
      { terminalChanged: true, airportChanged: false, changedFlightCount: 1 },
    ],
    ["a blank terminal", { Arrival: { Terminal: { Name: "" } } }, { terminalChanged: false, changedFlightCount: 0 }],
    [
      "another airport",
      details(null, "HHN 2027-06-14 11:20"),
      { airportChanged: true, replaced: true, terminalChanged: false },
    ],
    ["an unknown airport", { Arrival: { AirportCode: null } }, { airportChanged: "?unknown-airport" }],
    [
      "a stop",
      { FlightDetail: { Stops: { Value: 1 } } },
      { stopsAdded: true, connectionsAdded: false, changedFlightCount: 1 },
    ],
  ])("decides whether it is another one: %s", (_, detail, expected) => {
    expect(becomes(detail)).toMatchObject(expected);
  });

  test("several flights for one are a replacement, and bring their connections", () => {
    const facts = values(
      one(
        "LIS 2027-06-14 07:10",
        "FRA 2027-06-14 11:20",
        flightValues("LH1793", "LIS 2027-06-14 07:10", "MUC 2027-06-14 11:10"),
        flightValues("LH101", "MUC 2027-06-14 13:10", "FRA 2027-06-14 14:10"),
      ),
    );

    expect(facts).toMatchObject({
      replaced: true,
      retimedOnly: false,
      flightNumberChanged: true,
      marketingCarrierChanged: false,
      connectionsAdded: true,
      connectingAirports: ["MUC"],
      hasConnection: true,
      shortestConnectionMinutes: 120,
      departureLaterMinutes: 0,
      arrivalLaterMinutes: 170,
    });
  });

  test("another cabin is more than another time", () => {
    const booked = assess(usual).proposal.current;
    const upgraded = { ...booked, segments: booked.segments.map((segment) => ({ ...segment, cabinType: "C" })) };
    const delayed = one("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", details(null, "FRA 2027-06-14 11:30"));

    expect(values(delayed, { booked })).toMatchObject({ retimedOnly: true });
    expect(values(delayed, { booked: upgraded })).toMatchObject({ retimedOnly: false });
  });
});

describe("connections", () => {
  const arriving = (time: string, terminal = "1") =>
    details("LIS 2027-06-14 07:15 1", `FRA 2027-06-14 ${time} ${terminal}`);

  test.each<[string, Json, unknown, unknown]>([
    // Two international flights at one terminal need 75 minutes.
    ["of exactly the minimum hold", arriving("12:05"), 75, false],
    ["under the minimum are broken", arriving("12:06"), 74, true],
    ["at another terminal need half an hour more", arriving("11:35", "2"), 105, false],
    ["at another terminal under that are broken", arriving("11:36", "2"), 104, true],
    ["at a blank terminal count as at another one", arriving("11:36", ""), 104, true],
    ["that leave before the arrival are broken", arriving("13:30"), -10, true],
  ])("%s", (_, detail, shortestConnectionMinutes, connectionBroken) => {
    expect(values(connecting(detail))).toMatchObject({
      shortestConnectionMinutes,
      connectionBroken,
      hasConnection: true,
    });
  });

  test("no shorter than booked at the same terminals are not broken, however short", () => {
    const options = connecting();
    const segments = [
      aSegment("Segment1", "LH1167", "LIS 2027-06-14 07:10", "FRA 2027-06-14 12:40"),
      options.segments![1]!,
    ];
    const same = { ...options, segments, changes: { Segment1: [details("LIS 2027-06-14 07:05", null)] } };
    const shorter = { ...options, segments, changes: { Segment1: [details(null, "FRA 2027-06-14 12:41")] } };
    const longer = { ...options, segments, changes: { Segment1: [details(null, "FRA 2027-06-14 12:39")] } };

    expect(values({ ...options, segments, changes: {} })).toMatchObject({
      shortestConnectionMinutes: 40,
      connectionBroken: false,
    });
    expect(values(longer)).toMatchObject({ shortestConnectionMinutes: 41, connectionBroken: false });
    expect(values(shorter)).toMatchObject({ shortestConnectionMinutes: 39, connectionBroken: true });
    expect(values(same)).toMatchObject({
      connectionBroken: "?unknown-arrival",
      shortestConnectionMinutes: "?unknown-arrival",
    });
  });

  test("that now leave from another airport are broken", () => {
    expect(values(connecting(details(null, "HHN 2027-06-14 08:20")))).toMatchObject({
      connectionBroken: true,
      brokenConnections: ["no flight HHN-FRA"],
      connections: [],
      connectingAirports: [],
    });
  });

  test.each([
    ["domestic to domestic", "MUC", "FRA", "HAM", 45],
    ["domestic to international", "MUC", "FRA", "LIS", 75],
    ["international to domestic", "LIS", "FRA", "MUC", 90],
    ["international to international", "LIS", "FRA", "CDG", 75],
    ["into the United States", "LIS", "JFK", "LHR", 105],
    ["into Canada and on", "LIS", "YYZ", "YUL", 105],
    ["within the United States", "MIA", "JFK", "BOS", 45],
  ])("%s take the default minimum", (_, origin, over, destination, minimum) => {
    const at = (minutes: number) => {
      const departure = new Date(Date.UTC(2027, 5, 15, 0, 0) + minutes * 60_000).toISOString();
      const segments = [
        aSegment("S1", "XX1", `${origin} 2027-06-14 10:00 1`, `${over} 2027-06-14 12:00 1`),
        aSegment("S2", "XX2", `${over} 2027-06-15 18:00 1`, `${destination} 2027-06-16 10:00 1`),
      ];
      const becomes = {
        S1: [details(null, `${over} 2027-06-15 00:00 1`)],
        S2: [
          details(
            `${over} ${departure.slice(0, 10)} ${departure.slice(11, 16)} 1`,
            `${destination} 2027-06-15 23:00 1`,
          ),
        ],
      };
      return values({ segments, journeys: [["S1", "S2"]], changes: becomes })["connectionBroken"];
    };

    expect(at(minimum)).toBe(false);
    expect(at(minimum - 1)).toBe(true);
  });

  test("of 24 hours are stopovers", () => {
    const segments = (time: string) => [
      aSegment("S1", "LH1", "LIS 2027-06-14 07:10 1", "FRA 2027-06-14 11:20 1"),
      aSegment("S2", "LH2", `FRA 2027-06-15 ${time} 1`, "JFK 2027-06-15 15:50 1"),
    ];
    const options = { journeys: [["S1", "S2"]], changes: {} };

    expect(values({ ...options, segments: segments("11:19") })).toMatchObject({
      hasConnection: true,
      shortestConnectionMinutes: 1439,
    });
    expect(values({ ...options, segments: segments("11:20") })).toMatchObject({
      hasConnection: false,
      shortestConnectionMinutes: 1_000_000,
    });
  });

  test("are not looked for between journeys", () => {
    expect(values({ changes: {} })).toMatchObject({
      hasConnection: false,
      connectionBroken: false,
      connectingAirports: [],
    });
  });

  test("name the version of their defaults", () => {
    expect(defaultConnectionTimes.version).toBe(connectionTimesVersion);
  });
});

describe("travellers", () => {
  test.each<[string, NonNullable<OrderViewOptions["passengers"]>, Record<string, unknown>]>([
    ["a family", ["ADT", "CHD", "INF"], { passengerCount: 3, hasInfant: true, unaccompaniedMinor: false }],
    ["a child alone", ["CHD"], { passengerCount: 1, hasInfant: false, unaccompaniedMinor: true }],
    ["an adult of 15 on the day", [{ PTC: "ADT", BirthDate: "2011-06-15" }], { unaccompaniedMinor: true }],
    ["an adult of 16 on the day", [{ PTC: "ADT", BirthDate: "2011-06-14" }], { unaccompaniedMinor: false }],
    [
      "a passenger of no type",
      [{}],
      { passengerCount: 1, hasInfant: "?unknown-passenger-type", unaccompaniedMinor: "?unknown-passenger-type" },
    ],
    ["a passenger of no type beside an adult", ["ADT", {}], { unaccompaniedMinor: false }],
    [
      "a wheelchair",
      [{ PTC: "ADT", Preference: { WheelChairPreference: { Reason: "WCHR" } } }],
      { assistanceRequested: true },
    ],
    ["no passengers at all", [], { passengerCount: "?no-passengers", assistanceRequested: "?no-passengers" }],
  ])("are described: %s", (_, passengers, expected) => {
    expect(values({ ...usual, passengers })).toMatchObject(expected);
  });
});

describe("properties", () => {
  const time = fc
    .integer({ min: 0, max: 1439 })
    .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`);
  const day = fc.integer({ min: 10, max: 20 });
  const airport = fc.constantFrom("LIS", "FRA", "JFK", "AKL", "HNL", "LDH", "XXX");
  const flight = fc.record({ from: airport, to: airport, day, left: time, arrived: time });
  const point = (code: string, date: number, at: string) => `${code} 2027-10-${date} ${at}`;

  test("facts never throw, and an itinerary does not differ from itself", () => {
    fc.assert(
      fc.property(fc.array(flight, { minLength: 1, maxLength: 4 }), (flights) => {
        const segments = flights.map(({ from, to, day: date, left, arrived }, i) =>
          aSegment(`S${i}`, `XX${i + 1}`, point(from, date, left), point(to, date, arrived)),
        );
        const reading = readOrderView(anOrderView({ segments }));
        const proposal = readProposal(reading.ok ? reading.view : (null as never), "QX7R2M1A")!;
        const facts = computeFacts({
          booked: proposal.current,
          accepted: proposal.current,
          proposal,
          passengers: [],
          now: new Date("2027-01-01T00:00:00Z"),
        });
        expect(facts).toMatchObject({
          changedFlightCount: { known: true, value: 0 },
          departureLaterMinutes: { known: true, value: 0 },
          arrivalEarlierMinutes: { known: true, value: 0 },
          replaced: { known: true, value: false },
        });
      }),
      { numRuns: 200 },
    );
  });

  test("facts and descriptions never throw between any two itineraries", () => {
    const anyFlights = fc.array(flight, { maxLength: 4 });
    fc.assert(
      fc.property(anyFlights, anyFlights, anyFlights, fc.boolean(), (booked, current, becomes, oneJourney) => {
        const view = (flights: typeof booked): OrderViewOptions => {
          const segments = flights.map(({ from, to, day: date, left, arrived }, i) =>
            aSegment(`S${i}`, `XX${i + 1}`, point(from, date, left), point(to, date, arrived)),
          );
          return oneJourney ? { segments, journeys: [segments.map((_, i) => `S${i}`)] } : { segments };
        };
        const elements = becomes.map(({ from, to, day: date, left, arrived }) =>
          flightValues("YY9", point(from, date, left), point(to, date, arrived)),
        );
        const earlier = assess({ ...view(booked), changes: {} }).proposal.current;
        const { line } = assess({ ...view(current), changes: { S0: elements } }, { booked: earlier });
        expect(line.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test("facts survive thousands of flights", () => {
    const segments = Array.from({ length: 3_000 }, (_, i) =>
      aSegment(`S${i}`, `XX${i}`, "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
    );
    const booked = assess(usual).proposal.current;
    const started = performance.now();

    expect(values({ segments, changes: {} }, { booked })["changedFlightCount"]).toBe(1);
    expect(
      values({ segments, journeys: [segments.map((_, i) => `S${i}`)], changes: {} }, { booked })["cancelled"],
    ).toBe(false);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
