import { describe, expect, test } from "@jest/globals";
import { factValues, itineraryOf, oneFlight } from "../../builders/fact-values.ts";
import { aSegment, details, flightValues, type Json, type OrderViewOptions } from "../../builders/order-view.ts";

const departure = "LIS 2027-06-14 07:10 1";
const arrival = "FRA 2027-06-14 11:20 1";

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
  test.each<[string, string, Record<string, unknown>]>([
    ["320", "320", { aircraftChanged: false, aircraftFamilyChanged: false, aircraftClassLowered: false }],
    ["320", "32N", { aircraftChanged: true, aircraftFamilyChanged: false, aircraftClassLowered: false }],
    ["320", "321", { aircraftChanged: true, aircraftFamilyChanged: false, aircraftClassLowered: false }],
    ["320", "738", { aircraftChanged: true, aircraftFamilyChanged: true, aircraftClassLowered: false }],
    ["320", "359", { aircraftChanged: true, aircraftFamilyChanged: true, aircraftClassLowered: false }],
    ["359", "320", { aircraftChanged: true, aircraftFamilyChanged: true, aircraftClassLowered: true }],
    ["320", "E90", { aircraftFamilyChanged: true, aircraftClassLowered: true }],
    ["E90", "AT7", { aircraftFamilyChanged: true, aircraftClassLowered: true }],
    ["AT7", "DH4", { aircraftFamilyChanged: true, aircraftClassLowered: false }],
    ["AT7", "BUS", { aircraftFamilyChanged: true, aircraftClassLowered: true }],
    ["320", "ZZ9", { aircraftFamilyChanged: "?unknown-aircraft", aircraftClassLowered: "?unknown-aircraft" }],
    ["ZZ9", "320", { aircraftFamilyChanged: "?unknown-aircraft", aircraftClassLowered: "?unknown-aircraft" }],
    ["ZZ9", "359", { aircraftFamilyChanged: "?unknown-aircraft", aircraftClassLowered: "?unknown-aircraft" }],
    ["ZZ9", "ZZ9", { aircraftChanged: false, aircraftFamilyChanged: false, aircraftClassLowered: false }],
    ["", "320", { aircraftChanged: false, aircraftFamilyChanged: false, aircraftClassLowered: false }],
    ["320", "", { aircraftChanged: false, aircraftFamilyChanged: false, aircraftClassLowered: false }],
  ])("are compared: %j to %j", (before, after, expected) => {
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

  test.each([
    { what: "another aircraft", proposed: swapped },
    { what: "another terminal at departure", proposed: { from: "LIS 2027-06-14 07:10 2" } },
    { what: "another terminal at arrival", proposed: { to: "FRA 2027-06-14 11:20 2" } },
    { what: "both", proposed: { ...aircraft("AT7"), from: "LIS 2027-06-14 07:10 2" } },
  ])("$what is a change of aircraft or terminal only", ({ proposed }) => {
    expect(proposedAs(proposed)).toBe(true);
  });

  test.each([
    { what: "the same flight", proposed: {} },
    { what: "a minute more", proposed: { ...swapped, from: "LIS 2027-06-14 07:11 1" } },
    { what: "another date of arrival", proposed: { ...swapped, to: "FRA 2027-06-15 11:20 1" } },
    { what: "another airport", proposed: { ...swapped, to: "HHN 2027-06-14 11:20 1" } },
    {
      what: "another number",
      proposed: { ...swapped, MarketingCarrier: { AirlineID: "LH", FlightNumber: "1169" } },
    },
    {
      what: "another carrier",
      proposed: { ...swapped, MarketingCarrier: { AirlineID: "UA", FlightNumber: "1167" } },
    },
    { what: "another operating carrier", proposed: { ...swapped, OperatingCarrier: { AirlineID: "EN" } } },
    { what: "another brand", proposed: { ...swapped, ...brand("ECOBASIC") } },
    { what: "a stop", proposed: { ...swapped, FlightDetail: { Stops: { Value: 1 } } } },
  ])("$what is not such a change", ({ proposed }) => {
    expect(proposedAs(proposed)).toBe(false);
  });

  test("what is not stated leaves it unknown, and two flights for one are another change", () => {
    expect(proposedAs({ ...swapped, MarketingCarrier: { AirlineID: "LH", FlightNumber: null } })).toBe(
      "?unknown-flight-number",
    );
    expect(
      factValues({
        segments: [aSegment("Segment1", "LH1167", departure, arrival, booked)],
        changes: {
          Segment1: [
            details(departure, "MUC 2027-06-14 09:20", swapped),
            details("MUC 2027-06-14 10:20", arrival, swapped),
          ],
        },
      })["aircraftOrTerminalOnly"],
    ).toBe(false);
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
    const from = (airport: string) => `${airport} 2027-06-14 07:10`;

    expect(
      factValues(oneFlight(from(before), "DXB 2027-06-14 19:20", details(from(after), "DXB 2027-06-14 19:20"))),
    ).toMatchObject(expected);
  });

  test("in one city and in another are not all in the city", () => {
    const booked = oneFlight(
      "LHR 2027-06-14 07:10",
      "JFK 2027-06-14 10:20",
      details("LGW 2027-06-14 07:10", "BOS 2027-06-14 10:20"),
    );

    expect(factValues(booked)["airportChangedInCity"]).toBe(false);
  });
});

describe("terminals", () => {
  test.each([
    ["1", "1", false],
    ["1", "2", true],
    ["", "2", false],
    ["1", "", false],
    ["", "", false],
  ])("from %j to %j", (before, after, expected) => {
    const from = (terminal: string) => `LIS 2027-06-14 07:10 ${terminal}`.trim();

    expect(factValues(oneFlight(from(before), arrival, details(from(after), arrival)))["terminalChanged"]).toBe(
      expected,
    );
  });
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

  test("another marketing carrier is a change, and an unknown one is unknown", () => {
    const soldBy = (carrier: string | null) => ({ MarketingCarrier: { AirlineID: carrier, FlightNumber: "1167" } });

    expect(becoming({}, soldBy("UA"))).toMatchObject({ marketingCarrierChanged: true, flightNumberChanged: false });
    expect(becoming({}, soldBy(null))).toMatchObject({
      marketingCarrierChanged: "?unknown-carrier",
      marketingCarriers: "?unknown-carrier",
    });
  });
});

describe("cabins and booking classes", () => {
  /** One flight that was booked in one cabin and class and is now listed in another. */
  function moved(before: [string, string], after: [string, string]): Record<string, unknown> {
    const inCabin = ([CabinType, RBD]: [string, string]): OrderViewOptions => ({
      ...oneFlight(departure, arrival),
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
    const two = [
      flightValues("LH1", departure, "MUC 2027-06-14 09:00"),
      flightValues("LH2", "MUC 2027-06-14 10:00", arrival),
    ];

    expect(factValues(oneFlight(departure, arrival, ...two))).toMatchObject({
      cabinDowngraded: "?unknown-cabin",
      rbdChanged: "?unknown-booking-class",
    });
  });
});

describe("brands", () => {
  test.each<[string, string, unknown]>([
    ["LIGHT", "LIGHT", false],
    ["FLEX", "LIGHT", true],
    ["", "", false],
    ["FLEX", "", "?unknown-brand"],
    ["", "LIGHT", "?unknown-brand"],
  ])("%j and then %j", (before, after, expected) => {
    expect(becoming(brand(before), brand(after))["brandChanged"]).toBe(expected);
  });
});

describe("married flights", () => {
  const group = (name: string) => ({ Code: { MarriageGroup: name } });

  function married(first: string, second: string, changes: Readonly<Record<string, Json[]>>, removed: string[] = []) {
    return factValues({
      segments: [
        aSegment("Segment1", "LH1167", departure, arrival, group(first)),
        aSegment("Segment2", "LH400", "FRA 2027-06-14 13:20 1", "JFK 2027-06-14 15:50 1", group(second)),
      ],
      journeys: [["Segment1", "Segment2"]],
      changes,
      changedFlights: [...Object.keys(changes), ...removed].map((key) => ({ FlightKey: "Flight1", SegmentRefs: key })),
    })["marriageBroken"];
  }
  const later = "FRA 2027-06-14 11:40 1";

  test.each<[string, unknown, unknown]>([
    ["keep their group", married("1", "1", { Segment1: [details(departure, later)] }), false],
    [
      "lose their group",
      married("1", "1", { Segment1: [details(departure, later, group(""))] }),
      "?unknown-marriage-group",
    ],
    ["are in two groups", married("1", "1", { Segment1: [details(departure, later, group("2"))] }), true],
    [
      "are in another group together",
      married("1", "1", {
        Segment1: [details(departure, later, group("2"))],
        Segment2: [details("FRA 2027-06-14 13:20 1", "JFK 2027-06-14 15:50 1", group("2"))],
      }),
      false,
    ],
    ["are removed one by one", married("1", "1", {}, ["Segment2"]), true],
    ["are removed together", married("1", "1", {}, ["Segment1", "Segment2"]), false],
    ["were never married", married("1", "2", { Segment1: [details(departure, later, group("3"))] }), false],
    ["have no groups", married("", "", { Segment1: [details(departure, later)] }), false],
  ])("that %s are compared by their group", (_, broken, expected) => {
    expect(broken).toBe(expected);
  });
});

describe("actions", () => {
  test("are listed for each flight", () => {
    const facts = factValues({
      segments: [
        aSegment("Segment1", "LH1167", departure, arrival),
        aSegment("Segment2", "LH1172", "FRA 2027-06-21 17:30", "LIS 2027-06-21 19:45"),
        aSegment("Segment3", "LH1", "LIS 2027-07-01 07:10", "FRA 2027-07-01 11:20"),
        aSegment("Segment4", "LH2", "FRA 2027-07-08 07:10", "LIS 2027-07-08 09:20"),
        aSegment("Segment5", "LH3", "LIS 2027-07-11 07:10", "FRA 2027-07-11 11:20"),
      ],
      changes: {
        Segment1: [details("LIS 2027-06-14 07:30 1", arrival)],
        Segment2: [flightValues("LH1174", "FRA 2027-06-21 17:30", "LIS 2027-06-21 19:45")],
        Segment5: [details("LIS 2027-07-11 07:10 2", null)],
      },
      changedFlights: ["1", "2", "3", "5"].map((key) => ({ FlightKey: `Flight${key}`, SegmentRefs: `Segment${key}` })),
    });

    expect(facts).toMatchObject({
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
    const two = {
      segments: [
        aSegment("Segment1", "LH1167", departure, arrival),
        aSegment("Segment2", "LH400", "FRA 2027-06-14 13:20", "JFK 2027-06-14 15:50"),
      ],
      changes: {},
    };

    expect(factValues(two, { booked: itineraryOf(oneFlight(departure, arrival)) })).toMatchObject({
      addedFlightCount: 1,
      removedFlightCount: 0,
      removedFlights: [],
      flightActions: ["LH1167 LIS-FRA unchanged", "LH400 FRA-JFK added"],
    });
  });

  test("another number alone is distinguished from everything else", () => {
    const renumbered = flightValues("LH1169", departure, arrival);
    const renumberedAndMoved = flightValues("LH1169", departure, "FRA 2027-06-14 11:21 1");

    expect(factValues(oneFlight(departure, arrival, renumbered))["flightNumberOnly"]).toBe(true);
    expect(factValues(oneFlight(departure, arrival, renumberedAndMoved))["flightNumberOnly"]).toBe(false);
  });
});

describe("flightsReordered", () => {
  const moving = (second: string) =>
    factValues({
      segments: [
        aSegment("Segment1", "LH1167", departure, arrival),
        aSegment("Segment2", "LH1172", "FRA 2027-06-21 17:30", "LIS 2027-06-21 19:45"),
      ],
      changes: { Segment2: [details(`FRA ${second}`, null)] },
    })["flightsReordered"];

  // LIS 07:10 is 06:10 UTC, which is FRA 08:10.
  test.each([
    ["2027-06-14 08:10", false],
    ["2027-06-14 08:09", true],
    ["2027-06-21 18:30", false],
  ])("of a return that leaves at %s", (second, expected) => {
    expect(moving(second)).toBe(expected);
  });
});
