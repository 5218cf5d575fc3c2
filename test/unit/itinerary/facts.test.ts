import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { connectionTimesVersion, defaultConnectionTimes } from "../../../src/itinerary/connection-times.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import { factValues, itineraryOf } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import {
  anOrderView,
  aSegment,
  details,
  flightValues,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

const usual = "LIS 07:10 FRA 11:20";

test("every fact of the catalogue is computed, of the type stated there", () => {
  const facts = factValues({});

  expect(Object.keys(facts).sort()).toEqual(Object.keys(factCatalogue).sort());
  for (const [name, { type }] of Object.entries(factCatalogue)) {
    const value = facts[name];
    if (typeof value === "string" && value.startsWith("?")) continue;
    if (type === "int") expect(Number.isSafeInteger(value)).toBe(true);
    else if (type === "bool") expect(typeof value).toBe("boolean");
    else if (type === "list<string>") expect(Array.isArray(value)).toBe(true);
    else expect(typeof value).toBe("string");
  }
});

test("nothing is found where nothing changes", () => {
  const still = { retimedOnly: false, flightNumberOnly: false, replaced: false, cancelled: false, dateChanged: false };

  expect(factValues(usual)).toMatchObject({ changedFlightCount: 0, ...moved(0, 0), ...still, dataSuspect: false });
});

/** By how many minutes the departure and the arrival are later; less than none is earlier. */
function moved(departure: number, arrival: number): Record<string, number> {
  return {
    departureEarlierMinutes: Math.max(0, -departure),
    departureLaterMinutes: Math.max(0, departure),
    arrivalEarlierMinutes: Math.max(0, -arrival),
    arrivalLaterMinutes: Math.max(0, arrival),
  };
}

const unknownArrival = Object.fromEntries(
  ["arrivalLaterMinutes", "journeyArrivalLaterMinutes", "dateChanged", "timeAmbiguous", "dataSuspect"].map((name) => [
    name,
    "?unknown-arrival",
  ]),
);

describe("times", () => {
  test.each<[string, string, Record<string, unknown>]>([
    [
      "move earlier and later apart",
      "LIS 07:10 FRA 11:20 > LIS 06:55 FRA 11:25",
      { ...moved(-15, 5), retimedOnly: true, dateChanged: false },
    ],
    [
      "that cross midnight change the date, however little they move",
      "LIS 18:00 FRA 23:50 > - FRA 06-15 00:10",
      { arrivalLaterMinutes: 20, dateChanged: true },
    ],
    [
      "that are unknown make what depends on them unknown, and nothing else",
      "LIS 07:10 FRA 11:20 > LIS 07:30 -",
      { departureLaterMinutes: 20, ...unknownArrival, retimedOnly: true, replaced: false },
    ],
    [
      // The clock in Frankfurt goes from 02:00 to 03:00 on 28 March 2027.
      "are differences of instants over a change to summer time",
      "FRA 03-28 01:30 LIS 03:30 > FRA 03:30 LIS 04:30",
      moved(60, 60),
    ],
    [
      "that are ambiguous are unknown when the two meanings differ",
      "LHR 2026-10-25 00:30 LIS 03:10 > LHR 01:30 LIS 04:10",
      { departureLaterMinutes: "?ambiguous-time", departureEarlierMinutes: 0, timeAmbiguous: true },
    ],
    ["that are ambiguous and untouched have not moved", "LHR 2026-10-25 01:30 LIS 04:10 > - LIS 04:15", moved(0, 5)],
    [
      "that do not exist are unknown and suspect",
      "LHR 2026-03-29 00:30 LIS 03:10 > LHR 01:30 LIS 04:10",
      { departureLaterMinutes: "?nonexistent-time", timeAmbiguous: true, dataSuspect: true },
    ],
    [
      "at an airport that is not known are unknown",
      "XXX 07:10 FRA 11:20 > XXX 07:30 FRA 11:40",
      { departureLaterMinutes: "?unknown-airport", arrivalLaterMinutes: 20 },
    ],
  ])("%s", (_, change, expected) => {
    expect(factValues(change)).toMatchObject(expected);
  });

  test("over the date line move by instants", () => {
    const stated = { FlightDetail: { FlightDuration: { Value: "8 H 30 M" } } };
    const changes = { Segment1: [details("AKL 06-01 11:00", null, stated)] };

    expect(factValues({ ...flights("AKL 06-01 10:00 HNL 05-31 20:30"), changes })).toMatchObject({
      ...moved(60, 60),
      dateChanged: false,
      dataSuspect: false,
    });
  });

  test("of several flights: the largest move counts, and journeys by their ends", () => {
    expect(factValues(connecting("LIS 07:00 1 FRA 11:50 1"))).toMatchObject({
      departureEarlierMinutes: 10,
      journeyDepartureEarlierMinutes: 10,
      arrivalLaterMinutes: 30,
      journeyArrivalLaterMinutes: 0,
    });
  });
});

/** LIS–FRA–JFK with two hours to connect, all at terminal 1, and what becomes of the first flight. */
function connecting(first: string): OrderViewOptions {
  return flights([`LIS 07:10 1 FRA 11:20 1 > ${first}`, "LH400 FRA 13:20 1 JFK 15:50 1"]);
}

describe("three itineraries", () => {
  const booked = itineraryOf(usual);

  test.each<[string, string, Record<string, unknown>]>([
    [
      "a drift in small steps is measured from the booked flights and from the accepted ones",
      "LIS 07:55 FRA 12:05",
      { departureLaterMinutes: 45, sinceAcceptedDepartureLaterMinutes: 20, sinceAcceptedDepartureEarlierMinutes: 0 },
    ],
    [
      "a change back to the original moves nothing from the booked flights",
      "LIS 07:10 FRA 11:20",
      { changedFlightCount: 0, departureLaterMinutes: 0, sinceAcceptedDepartureEarlierMinutes: 25 },
    ],
  ])("%s", (_, becomes, expected) => {
    const accepted = "LIS 07:35 FRA 11:45";

    expect(factValues(`${accepted} > ${becomes}`, { booked, accepted: itineraryOf(accepted) })).toMatchObject(expected);
  });

  test("flights replaced since, under other keys, still compare with what was booked", () => {
    const replaced = {
      segments: [
        aSegment("A", "LH1793", "LIS 06:00 1", "MUC 10:00 1"),
        aSegment("B", "LH101", "MUC 11:30 1", "FRA 12:30 1"),
      ],
      journeys: [["A", "B"]],
      changes: { B: [details("MUC 12:00 1", "FRA 13:00 1")] },
    };

    expect(factValues(replaced, { booked })).toMatchObject({
      replaced: true,
      changedFlightCount: 1,
      departureEarlierMinutes: 70,
      arrivalLaterMinutes: 100,
      connectionsAdded: true,
    });
    expect(factValues(replaced)).toMatchObject({ replaced: false, arrivalLaterMinutes: 30, connectionsAdded: false });
  });

  const missed = { cancelled: "?removed-or-unknown", partiallyCancelled: "?removed-or-unknown" };

  test.each([
    ["2027-03-15", "is taken for flown", { cancelled: false, departureLaterMinutes: 10 }],
    ["2027-03-01", "is missed", { ...missed, departureLaterMinutes: "?withdrawn" }],
  ])("on %s a journey of 14 March that is not listed any more %s", (now, _, expected) => {
    const back = {
      segments: [aSegment("Segment2", "LH1172", "FRA 03-21 17:30", "LIS 03-21 19:45")],
      changes: { Segment2: [details("FRA 03-21 17:40", "LIS 03-21 19:55")] },
    };

    expect(factValues(back, { booked: itineraryOf({ changes: {} }), now: `${now}T00:00:00Z` })).toMatchObject(expected);
  });
});

describe("minutesToDeparture", () => {
  test.each([
    // Lisbon is on UTC+1 in June: booked 06:10Z, proposed 08:10Z.
    ["2027-06-14T05:10:00Z", 60],
    ["2027-06-14T06:10:00Z", 0],
    ["2027-06-14T07:10:00Z", -60],
    ["2027-06-14T09:10:00Z", -180],
  ])("counts at %s from the booked departure: %i", (now, minutesToDeparture) => {
    expect(factValues("LIS 07:10 FRA 11:20 > LIS 09:10 FRA 13:20", { now })).toMatchObject({ minutesToDeparture });
  });

  test("goes on to the next flight once one is flown", () => {
    expect(factValues({ changes: {} }, { now: "2027-03-20T16:30:00Z" })["minutesToDeparture"]).toBe(1440);
  });

  test("is unknown when a departure is", () => {
    const changes = { Segment1: [{ Departure: { Time: null } }] };

    expect(factValues({ ...flights(usual), changes })["minutesToDeparture"]).toBe("?unknown-departure");
  });
});

describe("withdrawn flights", () => {
  const unknown = { cancelled: "?removed-or-unknown", partiallyCancelled: "?removed-or-unknown" };
  const endless = { arrivalLaterMinutes: "?withdrawn", journeyArrivalLaterMinutes: "?withdrawn", retimedOnly: false };
  const middle = flights(["LIS 07:10 1 FRA 11:20 1", "LH400 FRA 13:20 1 JFK 15:50 1 > withdrawn"]);

  test.each<[string, OrderViewOptions, Record<string, unknown>]>([
    [
      "are cancelled when the status says so",
      { pnrStatus: "CANCELLED", changes: {} },
      { cancelled: true, partiallyCancelled: false, changedFlightCount: 2 },
    ],
    [
      "are removed or unknown otherwise: no time of theirs is known",
      { changes: {}, changedFlights: [{ FlightKey: "Flight1" }] },
      { ...unknown, ...endless, departureLaterMinutes: "?withdrawn", changedFlightCount: 1 },
    ],
    ["in the middle of a journey leave it without an end", middle, { cancelled: false, ...endless }],
    [
      "are in doubt when the status is CANCELLED and yet something is offered",
      { pnrStatus: "CANCELLED" },
      { cancelled: "?cancelled-with-offer" },
    ],
  ])("%s", (_, options, expected) => {
    expect(factValues(options)).toMatchObject(expected);
  });
});

/** LH1167 LIS–FRA at terminal 1, and new values of some of its members. */
function becomes(detail: Json): Record<string, unknown> {
  return factValues({ ...flights("LIS 07:10 1 FRA 11:20 1"), changes: { Segment1: [detail] } });
}

describe("what makes a flight", () => {
  const number = { MarketingCarrier: { FlightNumber: "99" } };
  const stop = { FlightDetail: { Stops: { Value: 1 } } };
  const later = details(null, "FRA 11:25 1");
  const soldBy = (AirlineID: string | null) => ({ MarketingCarrier: { AirlineID } });
  const operatedBy = (AirlineID: string | null) => ({ OperatingCarrier: { AirlineID } });
  const aircraft = (AircraftCode: string) => ({ Equipment: { AircraftCode } });
  const terminal = (Name: string) => ({ Arrival: { Terminal: { Name } } });

  test.each<[string, Json, Record<string, unknown>]>([
    ["another number", number, { flightNumberChanged: true, flightNumberOnly: true, replaced: true }],
    [
      "another number and a stop",
      { ...number, ...stop },
      { flightNumberOnly: false, stopsAdded: true, replaced: true },
    ],
    ["another time and a stop", { ...later, ...stop }, { retimedOnly: false, stopsAdded: true }],
    [
      "another number and time",
      { ...later, ...number },
      { flightNumberChanged: true, flightNumberOnly: false, retimedOnly: false, replaced: true },
    ],
    [
      "another marketing carrier",
      soldBy("EN"),
      { marketingCarrierChanged: true, replaced: true, flightNumberOnly: false },
    ],
    [
      "another operating carrier",
      operatedBy("EN"),
      { operatingCarrierChanged: true, replaced: false, changedFlightCount: 1 },
    ],
    ["no operating carrier", operatedBy(null), { operatingCarrierChanged: false, changedFlightCount: 0 }],
    [
      "an unknown marketing carrier",
      soldBy(null),
      { marketingCarrierChanged: "?unknown-carrier", replaced: "?unknown-carrier" },
    ],
    ["another aircraft", aircraft("321"), { aircraftChanged: true, changedFlightCount: 1, retimedOnly: false }],
    ["no stated aircraft", aircraft(""), { aircraftChanged: false, changedFlightCount: 0 }],
    ["another terminal", terminal("2"), { terminalChanged: true, airportChanged: false, changedFlightCount: 1 }],
    ["a blank terminal", terminal(""), { terminalChanged: false, changedFlightCount: 0 }],
    ["another airport", details(null, "HHN 11:20"), { airportChanged: true, replaced: true, terminalChanged: false }],
    ["an unknown airport", { Arrival: { AirportCode: null } }, { airportChanged: "?unknown-airport" }],
    ["a stop", stop, { stopsAdded: true, connectionsAdded: false, changedFlightCount: 1 }],
  ])("decides whether it is another one: %s", (_, detail, expected) => {
    expect(becomes(detail)).toMatchObject(expected);
  });

  test("several flights for one are a replacement, and bring their connections", () => {
    expect(factValues("LIS 07:10 FRA 11:20 > LH1793 LIS 07:10 MUC 11:10 + LH101 MUC 13:10 FRA 14:10")).toMatchObject({
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
    const booked = itineraryOf(usual);
    const upgraded = { ...booked, segments: booked.segments.map((segment) => ({ ...segment, cabinType: "C" })) };
    const delayed = "LIS 07:10 FRA 11:20 > - FRA 11:30";

    expect(factValues(delayed, { booked })).toMatchObject({ retimedOnly: true });
    expect(factValues(delayed, { booked: upgraded })).toMatchObject({ retimedOnly: false });
  });
});

describe("connections", () => {
  test("that now leave from another airport are broken", () => {
    expect(factValues(connecting("- HHN 08:20"))).toMatchObject({
      connectionBroken: true,
      brokenConnections: ["no flight HHN-FRA"],
      connections: [],
      connectingAirports: [],
    });
  });

  test("are not looked for between journeys", () => {
    const none = { hasConnection: false, connectionBroken: false, connectingAirports: [] };

    expect(factValues({ changes: {} })).toMatchObject(none);
  });

  test("name the version of their defaults", () => {
    expect(defaultConnectionTimes.version).toBe(connectionTimesVersion);
  });
});

test.each([
  ["2011-06-15", true],
  ["2011-06-14", false],
])("an adult born on %s is a minor on the day of travel: %s", (BirthDate, unaccompaniedMinor) => {
  const passengers = [{ PTC: "ADT", BirthDate }];

  expect(factValues({ ...flights(usual), passengers })).toMatchObject({ unaccompaniedMinor });
});

describe("properties", () => {
  const now = new Date("2027-01-01T00:00:00Z");
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
          gateway: interfaceDocument,
          now,
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
        const earlier = itineraryOf({ ...view(booked), changes: {} });
        const changed = { ...view(current), changes: { S0: elements } };
        const { view: read, proposal } = aProposedChange(changed);
        const baselines = { booked: earlier, accepted: earlier };
        const facts = computeFacts({
          ...baselines,
          proposal,
          passengers: read.passengers,
          gateway: interfaceDocument,
          now,
        });
        expect(describeChange({ ...proposal, booked: earlier, facts }).length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test("facts survive thousands of flights", () => {
    const segments = Array.from({ length: 3_000 }, (_, i) =>
      aSegment(`S${i}`, `XX${i}`, "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
    );
    const booked = itineraryOf(usual);
    // Of this process, since others may keep the machine busy.
    const started = process.cpuUsage();

    expect(factValues({ segments, changes: {} }, { booked })["changedFlightCount"]).toBe(1);
    expect(
      factValues({ segments, journeys: [segments.map((_, i) => `S${i}`)], changes: {} }, { booked })["cancelled"],
    ).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  });
});
