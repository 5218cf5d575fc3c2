import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { connectionTimesVersion, defaultConnectionTimes } from "../../../src/itinerary/connection-times.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import { factValues, itineraryOf, oneFlight } from "../../builders/fact-values.ts";
import {
  anOrderView,
  aSegment,
  details,
  flightValues,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

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

const usual = oneFlight("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20");
const duration = (text: string) => ({ FlightDetail: { FlightDuration: { Value: text } } });

describe("computeFacts", () => {
  test("computes every fact of the catalogue, of the type stated there", () => {
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

  test("finds nothing where nothing changes", () => {
    expect(factValues(usual)).toMatchObject({
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

/** By how many minutes the departure and the arrival are earlier and later. */
function moved(departure: [number, number], arrival: [number, number]): Record<string, number> {
  const [departureEarlierMinutes, departureLaterMinutes] = departure;
  const [arrivalEarlierMinutes, arrivalLaterMinutes] = arrival;
  return { departureEarlierMinutes, departureLaterMinutes, arrivalEarlierMinutes, arrivalLaterMinutes };
}

const unknownArrival = Object.fromEntries(
  ["arrivalLaterMinutes", "journeyArrivalLaterMinutes", "dateChanged", "timeAmbiguous", "dataSuspect"].map((name) => [
    name,
    "?unknown-arrival",
  ]),
);

describe("times", () => {
  test.each<[string, [string, string], [string | null, string | null], Record<string, unknown>]>([
    [
      "move earlier and later apart",
      ["LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"],
      ["LIS 2027-06-14 06:55", "FRA 2027-06-14 11:25"],
      { ...moved([15, 0], [0, 5]), retimedOnly: true, dateChanged: false },
    ],
    [
      "that cross midnight change the date, however little they move",
      ["LIS 2027-06-14 18:00", "FRA 2027-06-14 23:50"],
      [null, "FRA 2027-06-15 00:10"],
      { arrivalLaterMinutes: 20, dateChanged: true },
    ],
    [
      "that are unknown make what depends on them unknown, and nothing else",
      ["LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"],
      ["LIS 2027-06-14 07:30", null],
      { departureLaterMinutes: 20, ...unknownArrival, retimedOnly: true, replaced: false },
    ],
    [
      // The clock in Frankfurt goes from 02:00 to 03:00 on 28 March 2027.
      "are differences of instants over a change to summer time",
      ["FRA 2027-03-28 01:30", "LIS 2027-03-28 03:30"],
      ["FRA 2027-03-28 03:30", "LIS 2027-03-28 04:30"],
      moved([0, 60], [0, 60]),
    ],
    [
      "that are ambiguous are unknown when the two meanings differ",
      ["LHR 2026-10-25 00:30", "LIS 2026-10-25 03:10"],
      ["LHR 2026-10-25 01:30", "LIS 2026-10-25 04:10"],
      { departureLaterMinutes: "?ambiguous-time", departureEarlierMinutes: 0, timeAmbiguous: true },
    ],
    [
      "that are ambiguous and untouched have not moved",
      ["LHR 2026-10-25 01:30", "LIS 2026-10-25 04:10"],
      [null, "LIS 2026-10-25 04:15"],
      moved([0, 0], [0, 5]),
    ],
    [
      "that do not exist are unknown and suspect",
      ["LHR 2026-03-29 00:30", "LIS 2026-03-29 03:10"],
      ["LHR 2026-03-29 01:30", "LIS 2026-03-29 04:10"],
      { departureLaterMinutes: "?nonexistent-time", timeAmbiguous: true, dataSuspect: true },
    ],
    [
      "at an airport that is not known are unknown",
      ["XXX 2027-06-14 07:10", "FRA 2027-06-14 11:20"],
      ["XXX 2027-06-14 07:30", "FRA 2027-06-14 11:40"],
      { departureLaterMinutes: "?unknown-airport", arrivalLaterMinutes: 20 },
    ],
  ])("%s", (_, before, after, expected) => {
    expect(factValues(oneFlight(...before, details(...after)))).toMatchObject(expected);
  });

  test("over the date line move by instants", () => {
    const facts = factValues(
      oneFlight(
        "AKL 2027-06-01 10:00",
        "HNL 2027-05-31 20:30",
        details("AKL 2027-06-01 11:00", null, duration("8 H 30 M")),
      ),
    );

    expect(facts).toMatchObject({
      departureLaterMinutes: 60,
      arrivalLaterMinutes: 60,
      dateChanged: false,
      dataSuspect: false,
    });
  });

  test("of several flights: the largest move counts, and journeys by their ends", () => {
    const facts = factValues(connecting(details("LIS 2027-06-14 07:00 1", "FRA 2027-06-14 11:50 1")));

    expect(facts).toMatchObject({
      departureEarlierMinutes: 10,
      journeyDepartureEarlierMinutes: 10,
      arrivalLaterMinutes: 30,
      journeyArrivalLaterMinutes: 0,
    });
  });
});

describe("three itineraries", () => {
  const booked = itineraryOf(usual);

  const accepted = itineraryOf(oneFlight("LIS 2027-06-14 07:35", "FRA 2027-06-14 11:45"));
  const becoming = (departure: string, arrival: string) =>
    oneFlight("LIS 2027-06-14 07:35", "FRA 2027-06-14 11:45", details(departure, arrival));

  test.each<[string, string, string, Record<string, unknown>]>([
    [
      "a drift in small steps is measured from the booked flights and from the accepted ones",
      "LIS 2027-06-14 07:55",
      "FRA 2027-06-14 12:05",
      { departureLaterMinutes: 45, sinceAcceptedDepartureLaterMinutes: 20, sinceAcceptedDepartureEarlierMinutes: 0 },
    ],
    [
      "a change back to the original moves nothing from the booked flights",
      "LIS 2027-06-14 07:10",
      "FRA 2027-06-14 11:20",
      { changedFlightCount: 0, departureLaterMinutes: 0, sinceAcceptedDepartureEarlierMinutes: 25 },
    ],
  ])("%s", (_, departure, arrival, expected) => {
    expect(factValues(becoming(departure, arrival), { booked, accepted })).toMatchObject(expected);
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

    expect(factValues(replaced, { booked })).toMatchObject({
      replaced: true,
      changedFlightCount: 1,
      departureEarlierMinutes: 70,
      arrivalLaterMinutes: 100,
      connectionsAdded: true,
    });
    expect(factValues(replaced)).toMatchObject({ replaced: false, arrivalLaterMinutes: 30, connectionsAdded: false });
  });

  test("a journey that was flown before is not missed", () => {
    const both = itineraryOf({ changes: {} });
    const later: OrderViewOptions = {
      segments: [aSegment("Segment2", "LH1172", "FRA 2027-03-21 17:30", "LIS 2027-03-21 19:45")],
      changes: { Segment2: [details("FRA 2027-03-21 17:40", "LIS 2027-03-21 19:55")] },
    };

    expect(factValues(later, { booked: both, now: "2027-03-15T00:00:00Z" })).toMatchObject({
      cancelled: false,
      departureLaterMinutes: 10,
    });
    expect(factValues(later, { booked: both, now: "2027-03-01T00:00:00Z" })).toMatchObject({
      cancelled: "?removed-or-unknown",
      partiallyCancelled: "?removed-or-unknown",
      departureLaterMinutes: "?withdrawn",
    });
  });
});

describe("minutesToDeparture", () => {
  const delayed = oneFlight(
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
    expect(factValues(delayed, { now })["minutesToDeparture"]).toBe(minutes);
  });

  test("goes on to the next flight once one is flown", () => {
    expect(factValues({ changes: {} }, { now: "2027-03-20T16:30:00Z" })["minutesToDeparture"]).toBe(1440);
  });

  test("is unknown when a departure is", () => {
    expect(
      factValues(oneFlight("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", { Departure: { Time: null } }))[
        "minutesToDeparture"
      ],
    ).toBe("?unknown-departure");
  });
});

describe("withdrawn flights", () => {
  const unknown = { cancelled: "?removed-or-unknown", partiallyCancelled: "?removed-or-unknown" };
  const endless = { arrivalLaterMinutes: "?withdrawn", journeyArrivalLaterMinutes: "?withdrawn", retimedOnly: false };
  const middle = { ...connecting(), changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "Segment2" }] };

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

describe("what makes a flight", () => {
  function becomes(detail: Json) {
    return factValues(oneFlight("LIS 2027-06-14 07:10 1", "FRA 2027-06-14 11:20 1", detail));
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
    const facts = factValues(
      oneFlight(
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
    const booked = itineraryOf(usual);
    const upgraded = { ...booked, segments: booked.segments.map((segment) => ({ ...segment, cabinType: "C" })) };
    const delayed = oneFlight("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", details(null, "FRA 2027-06-14 11:30"));

    expect(factValues(delayed, { booked })).toMatchObject({ retimedOnly: true });
    expect(factValues(delayed, { booked: upgraded })).toMatchObject({ retimedOnly: false });
  });
});

describe("connections", () => {
  test("that now leave from another airport are broken", () => {
    expect(factValues(connecting(details(null, "HHN 2027-06-14 08:20")))).toMatchObject({
      connectionBroken: true,
      brokenConnections: ["no flight HHN-FRA"],
      connections: [],
      connectingAirports: [],
    });
  });

  test("are not looked for between journeys", () => {
    expect(factValues({ changes: {} })).toMatchObject({
      hasConnection: false,
      connectionBroken: false,
      connectingAirports: [],
    });
  });

  test("name the version of their defaults", () => {
    expect(defaultConnectionTimes.version).toBe(connectionTimesVersion);
  });
});

test.each([
  ["2011-06-15", true],
  ["2011-06-14", false],
])("an adult born on %s is a minor on the day of travel: %s", (BirthDate, unaccompaniedMinor) => {
  expect(factValues({ ...usual, passengers: [{ PTC: "ADT", BirthDate }] })).toMatchObject({ unaccompaniedMinor });
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
