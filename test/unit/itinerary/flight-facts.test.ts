import { describe, expect, test } from "vitest";
import { factValues, itineraryOf } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import { aSegment, details, type Json, type OrderViewOptions } from "../../builders/order-view.ts";

const usual = "LIS 07:10 1 FRA 11:20 1";
const departure = "LIS 07:10 1";
const arrival = "FRA 11:20 1";

/** LH1167 LIS–FRA, with values of its own, and a change of some of them. */
function becoming(booked: Json, proposed: Json): Record<string, unknown> {
  return factValues({
    segments: [aSegment("Segment1", "LH1167", departure, arrival, booked)],
    changes: { Segment1: [details(departure, arrival, proposed)] },
  });
}

const aircraft = (code: string) => ({ Equipment: { AircraftCode: code } });
const brand = (brandId: string) => ({ BrandId: brandId });

describe("aircraft", () => {
  const unknown = "?unknown-aircraft";

  /** Whether another aircraft flies, one of another family, and one of a lower class. */
  test.each<[string, string, unknown, unknown, unknown]>([
    ["320", "320", false, false, false],
    ["320", "32N", true, false, false],
    ["320", "321", true, false, false],
    ["320", "738", true, true, false],
    ["320", "359", true, true, false],
    ["359", "320", true, true, true],
    ["320", "E90", true, true, true],
    ["E90", "AT7", true, true, true],
    ["AT7", "DH4", true, true, false],
    ["AT7", "BUS", true, true, true],
    ["320", "ZZ9", true, unknown, unknown],
    ["ZZ9", "320", true, unknown, unknown],
    ["ZZ9", "359", true, unknown, unknown],
    ["ZZ9", "ZZ9", false, false, false],
    ["", "320", false, false, false],
    ["320", "", false, false, false],
  ])("are compared: %j to %j", (before, after, aircraftChanged, aircraftFamilyChanged, aircraftClassLowered) => {
    const expected = { aircraftChanged, aircraftFamilyChanged, aircraftClassLowered };

    expect(becoming(aircraft(before), aircraft(after))).toMatchObject(expected);
  });
});

describe("aircraft and terminals alone", () => {
  const booked = { ...aircraft("320"), ...brand("ECOLIGHT") };
  const proposedAs = ({ from = departure, to = arrival, ...proposed }: Json & { from?: string; to?: string }) =>
    factValues({
      segments: [aSegment("Segment1", "LH1167", departure, arrival, booked)],
      changes: { Segment1: [details(from, to, { ...booked, ...proposed })] },
    })["aircraftOrTerminalOnly"];
  const swapped = aircraft("321");

  const soldAs = (AirlineID: string, FlightNumber: string | null) => ({
    ...swapped,
    MarketingCarrier: { AirlineID, FlightNumber },
  });

  test.each<[string, Json & { from?: string; to?: string }, unknown]>([
    ["another aircraft", swapped, true],
    ["another terminal at departure", { from: "LIS 07:10 2" }, true],
    ["another terminal at arrival", { to: "FRA 11:20 2" }, true],
    ["both", { ...aircraft("AT7"), from: "LIS 07:10 2" }, true],
    ["the same flight", {}, false],
    ["a minute more", { ...swapped, from: "LIS 07:11 1" }, false],
    ["another date of arrival", { ...swapped, to: "FRA 06-15 11:20 1" }, false],
    ["another airport", { ...swapped, to: "HHN 11:20 1" }, false],
    ["another number", soldAs("LH", "1169"), false],
    ["another carrier", soldAs("UA", "1167"), false],
    ["another operating carrier", { ...swapped, OperatingCarrier: { AirlineID: "EN" } }, false],
    ["another brand", { ...swapped, ...brand("ECOBASIC") }, false],
    ["a stop", { ...swapped, FlightDetail: { Stops: { Value: 1 } } }, false],
    ["a number that is not stated", soldAs("LH", null), "?unknown-flight-number"],
  ])("are what changes, or not: %s", (_, proposed, expected) => {
    expect(proposedAs(proposed)).toBe(expected);
  });

  test("do not change where two flights come for one", () => {
    const two = [details(departure, "MUC 09:20", swapped), details("MUC 10:20", arrival, swapped)];
    const segments = [aSegment("Segment1", "LH1167", departure, arrival, booked)];

    expect(factValues({ segments, changes: { Segment1: two } })["aircraftOrTerminalOnly"]).toBe(false);
  });
});

describe("airports", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["LHR", "LHR", { airportChanged: false, airportChangedInCity: false, airportMoveKm: 0 }],
    ["LHR", "LGW", { airportChanged: true, airportChangedInCity: true, airportMoveKm: 41 }],
    ["JFK", "EWR", { airportChanged: true, airportChangedInCity: true, airportMoveKm: 35 }],
    ["LHR", "MAN", { airportChanged: true, airportChangedInCity: false, airportMoveKm: 243 }],
    ["FRA", "HHN", { airportChanged: true, airportChangedInCity: false }],
    ["LHR", "QQQ", { airportChanged: true, airportChangedInCity: false, airportMoveKm: "?unknown-airport" }],
  ])("are compared: %s to %s", (before, after, expected) => {
    expect(factValues(`${before} 07:10 DXB 19:20 > ${after} 07:10 DXB 19:20`)).toMatchObject(expected);
  });

  test("in one city and in another are not all in the city", () => {
    const change = "LHR 07:10 JFK 10:20 > LGW 07:10 BOS 10:20";

    expect(factValues(change)).toMatchObject({ airportChangedInCity: false });
  });
});

test.each([
  ["1", "1", false],
  ["1", "2", true],
  ["", "2", false],
  ["1", "", false],
  ["", "", false],
])("terminals are compared: %j to %j", (before, after, terminalChanged) => {
  const from = (terminal: string) => `LIS 07:10 ${terminal}`.trim();

  expect(factValues(`${from(before)} ${arrival} > ${from(after)} ${arrival}`)).toMatchObject({ terminalChanged });
});

describe("carriers", () => {
  const operatedBy = (carrier: string | null) => ({
    OperatingCarrier: { AirlineID: carrier, Name: null, FlightNumber: null },
  });

  test.each<[string | null, string | null, boolean, string[]]>([
    [null, null, false, ["LH"]],
    [null, "LH", false, ["LH"]],
    ["LH", null, false, ["LH"]],
    [null, "EN", true, ["EN"]],
    ["EN", null, true, ["LH"]],
    ["EN", "EN", false, ["EN"]],
  ])("operated by %j and then by %j, where null is the marketing carrier", (before, after, expected, carriers) => {
    expect(becoming(operatedBy(before), operatedBy(after))).toMatchObject({
      operatingCarrierChanged: expected,
      marketingCarrierChanged: false,
      marketingCarriers: ["LH"],
      operatingCarriers: carriers,
    });
  });

  test.each<[string | null, Record<string, unknown>]>([
    ["UA", { marketingCarrierChanged: true, flightNumberChanged: false }],
    [null, { marketingCarrierChanged: "?unknown-carrier", marketingCarriers: "?unknown-carrier" }],
  ])("sold by LH and then by %j, where null is nobody known", (AirlineID, expected) => {
    expect(becoming({}, { MarketingCarrier: { AirlineID, FlightNumber: "1167" } })).toMatchObject(expected);
  });
});

describe("cabins and booking classes", () => {
  /** One flight that was booked in one cabin and class and is now listed in another. */
  function moved(before: [string, string], after: [string, string]): Record<string, unknown> {
    const inCabin = ([CabinType, RBD]: [string, string]): OrderViewOptions => ({
      ...flights(usual),
      order: {
        OfferItem: [{ OfferItemID: "O1", FareComponent: [{ SegmentRefs: "Segment1", FareBasis: { RBD, CabinType } }] }],
      },
    });
    return factValues(inCabin(after), { booked: itineraryOf(inCabin(before)) });
  }

  test.each<[string, string, unknown]>([
    ["F", "C", true],
    ["C", "F", false],
    ["C", "W", true],
    ["W", "C", false],
    ["W", "Y", true],
    ["Y", "W", false],
    ["C", "J", false],
    ["Y", "M", false],
    ["Business", "economy", true],
    ["PremiumEconomy", "Economy", true],
    ["5", "5", false],
    ["5", "Y", "?unknown-cabin"],
    ["C", "5", "?unknown-cabin"],
    ["C", "", "?unknown-cabin"],
  ])("from %j to %j", (before, after, expected) => {
    expect(moved([before, "Q"], [after, "Q"])["cabinDowngraded"]).toBe(expected);
  });

  test.each<[string, string, unknown]>([
    ["Q", "Q", false],
    ["Q", "V", true],
    ["Q", "", "?unknown-booking-class"],
  ])("class %j and then %j in the same cabin", (before, after, expected) => {
    expect(moved(["Y", before], ["Y", after])).toMatchObject({ rbdChanged: expected, cabinDowngraded: false });
  });

  test("of several flights in the place of one are unknown", () => {
    const unknown = { cabinDowngraded: "?unknown-cabin", rbdChanged: "?unknown-booking-class" };

    expect(factValues(`${usual} > LH1 LIS 07:10 1 MUC 09:00 + LH2 MUC 10:00 FRA 11:20 1`)).toMatchObject(unknown);
  });
});

test.each<[string, string, unknown]>([
  ["LIGHT", "LIGHT", false],
  ["FLEX", "LIGHT", true],
  ["", "", false],
  ["FLEX", "", "?unknown-brand"],
  ["", "LIGHT", "?unknown-brand"],
])("brands are compared: %j and then %j", (before, after, brandChanged) => {
  expect(becoming(brand(before), brand(after))).toMatchObject({ brandChanged });
});

describe("married flights", () => {
  const group = (name: string) => ({ Code: { MarriageGroup: name } });

  const onwards = ["FRA 13:20 1", "JFK 15:50 1"] as const;
  const later = (name?: string) => [details(departure, "FRA 11:40 1", name === undefined ? {} : group(name))];

  test.each<[string, [string, string], Record<string, Json[]>, string[], unknown]>([
    ["keep their group", ["1", "1"], { Segment1: later() }, [], false],
    ["lose their group", ["1", "1"], { Segment1: later("") }, [], "?unknown-marriage-group"],
    ["are in two groups", ["1", "1"], { Segment1: later("2") }, [], true],
    [
      "are in another group together",
      ["1", "1"],
      { Segment1: later("2"), Segment2: [details(...onwards, group("2"))] },
      [],
      false,
    ],
    ["are removed one by one", ["1", "1"], {}, ["Segment2"], true],
    ["are removed together", ["1", "1"], {}, ["Segment1", "Segment2"], false],
    ["were never married", ["1", "2"], { Segment1: later("3") }, [], false],
    ["have no groups", ["", ""], { Segment1: later() }, [], false],
  ])("that %s are compared by their group", (_, [first, second], changes, removed, marriageBroken) => {
    const named = [...Object.keys(changes), ...removed];
    const view = {
      segments: [
        aSegment("Segment1", "LH1167", departure, arrival, group(first)),
        aSegment("Segment2", "LH400", ...onwards, group(second)),
      ],
      journeys: [["Segment1", "Segment2"]],
      changes,
      changedFlights: named.map((key) => ({ FlightKey: "Flight1", SegmentRefs: key })),
    };

    expect(factValues(view)).toMatchObject({ marriageBroken });
  });
});

describe("actions", () => {
  test("are listed for each flight", () => {
    const change = flights(
      `${usual} > LIS 07:30 1 FRA 11:20 1`,
      "LH1172 FRA 06-21 17:30 LIS 19:45 > LH1174 FRA 17:30 LIS 19:45",
      "LH1 LIS 07-01 07:10 FRA 11:20 > withdrawn",
      "LH2 FRA 07-08 07:10 LIS 09:20",
      "LH3 LIS 07-11 07:10 FRA 11:20 > LIS 07:10 2 -",
    );

    expect(factValues(change)).toMatchObject({
      flightActions: [
        "LH1167 LIS-FRA retimed",
        "LH1172 FRA-LIS replaced",
        "LH1 LIS-FRA removed",
        "LH2 FRA-LIS unchanged",
        // A terminal that is stated for the first time is no change.
        "LH3 LIS-FRA unchanged",
      ],
      removedFlightCount: 1,
      removedFlights: ["LH1 LIS-FRA"],
      addedFlightCount: 0,
    });
  });

  test("count a flight that comes in", () => {
    const two = flights(usual, "LH400 FRA 13:20 JFK 15:50");

    expect(factValues(two, { booked: itineraryOf(usual) })).toMatchObject({
      addedFlightCount: 1,
      removedFlightCount: 0,
      removedFlights: [],
      flightActions: ["LH1167 LIS-FRA unchanged", "LH400 FRA-JFK added"],
    });
  });

  test.each([
    ["the same times", "LIS 07:10 1 FRA 11:20 1", true],
    ["a minute more", "LIS 07:10 1 FRA 11:21 1", false],
  ])("of another number with %s: another number alone is %s", (_, times, flightNumberOnly) => {
    expect(factValues(`${usual} > LH1169 ${times}`)).toMatchObject({ flightNumberOnly });
  });
});

// LIS 07:10 is 06:10 UTC, which is FRA 08:10.
test.each([
  ["06-14 08:10", false],
  ["06-14 08:09", true],
  ["06-21 18:30", false],
])("flightsReordered of a return that leaves on %s: %s", (second, flightsReordered) => {
  const change = flights(usual, `LH1172 FRA 06-21 17:30 LIS 19:45 > FRA ${second} -`);

  expect(factValues(change)).toMatchObject({ flightsReordered });
});
