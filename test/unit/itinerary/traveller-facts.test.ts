import { describe, expect, test } from "@jest/globals";
import { travellerFacts } from "../../../src/itinerary/traveller-facts.ts";
import type { Json, OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

const dayOfTravel = "2027-06-14";

function facts(options: OrderViewOptions, travelDate: string | null = dayOfTravel): Record<string, unknown> {
  const { view, records } = aProposedChange(options);
  return plain(
    travellerFacts({
      passengers: view.passengers,
      contactable: view.contactable,
      services: records.flatMap((record) => record.services),
      serviceDefinitions: view.serviceDefinitions,
      travelDate,
    }),
  );
}

const adult = (birthDate: string) => ({ passengers: [{ PTC: "ADT", BirthDate: birthDate }] });

/** An order with one booked service of a code. */
function withService(code: string, status = "SUCCESS"): OrderViewOptions {
  const lists = { ServiceDefinition: [{ ServiceDefinitionID: "SD1", ServiceType: "SSR", ServiceCode: code }] };
  return {
    order: { OfferItem: [{ OfferItemID: "SRV-OfferItem-1", Status: status, ServiceDefinitionRef: "SD1" }] },
    dataLists: { ServiceDefinitionList: lists },
  };
}

describe("travellerFacts", () => {
  test.each<[string, NonNullable<OrderViewOptions["passengers"]>, Record<string, unknown>]>([
    [
      "a family",
      ["ADT", "CHD", "INF"],
      { passengerCount: 3, groupSize: 2, hasInfant: true, hasChild: true, unaccompaniedMinor: false },
    ],
    ["an infant with a seat", ["ADT", "INS"], { passengerCount: 2, groupSize: 2, hasInfant: true, hasChild: false }],
    ["a child alone", ["CHD"], { passengerCount: 1, hasInfant: false, hasChild: true, unaccompaniedMinor: true }],
    ["an infant alone", ["INF"], { groupSize: 0, unaccompaniedMinor: true }],
    [
      "a type that the interface document does not know, beside an adult",
      ["ADT", "C09"],
      {
        groupSize: "?unknown-passenger-type",
        hasInfant: "?unknown-passenger-type",
        hasChild: "?unknown-passenger-type",
        unaccompaniedMinor: false,
      },
    ],
    ["such a type alone", ["YTH"], { passengerCount: 1, unaccompaniedMinor: "?unknown-passenger-type" }],
    [
      "such a type alone, of 16 years",
      [{ PTC: "YTH", BirthDate: "2011-06-14" }],
      { passengerCount: 1, unaccompaniedMinor: false },
    ],
    ["types in lower case", ["adt", "chd"], { hasChild: true, unaccompaniedMinor: false }],
    [
      "a passenger of no type",
      [{}],
      {
        passengerCount: 1,
        groupSize: "?unknown-passenger-type",
        hasInfant: "?unknown-passenger-type",
        hasChild: "?unknown-passenger-type",
        unaccompaniedMinor: "?unknown-passenger-type",
      },
    ],
    ["a passenger of no type, with an age", [{ BirthDate: "1990-01-01" }], { unaccompaniedMinor: false }],
    [
      "a passenger of no type beside an adult",
      ["ADT", {}],
      { unaccompaniedMinor: false, hasInfant: "?unknown-passenger-type" },
    ],
    [
      "nobody",
      [],
      {
        passengerCount: "?no-passengers",
        groupSize: "?no-passengers",
        hasInfant: "?no-passengers",
        hasChild: "?no-passengers",
        unaccompaniedMinor: "?no-passengers",
        assistanceRequested: "?no-passengers",
      },
    ],
  ])("describe %s", (_, passengers, expected) => {
    expect(facts({ passengers })).toMatchObject(expected);
  });

  test.each(["UNN", "umn", "UM", "UMNR", "UNN08", "UM/11", "CHD UNN", "Unaccompanied child"])(
    "a passenger typed %s travels alone, whoever else does",
    (PTC) => {
      expect(facts({ passengers: ["ADT", { PTC, BirthDate: "2018-02-02" }] })).toMatchObject({
        unaccompaniedMinor: true,
      });
    },
  );

  test("a type counts from the notification as well", () => {
    const [shown, notified] = [
      aProposedChange({ passengers: ["ADT"] }),
      aProposedChange({ passengers: ["ADT", "UM"] }),
    ];
    const none = { services: [], serviceDefinitions: [] };
    const { unaccompaniedMinor } = travellerFacts({
      passengers: shown.view.passengers,
      notified: { passengers: notified.view.passengers, ...none },
      contactable: false,
      travelDate: dayOfTravel,
      ...none,
    });

    expect(unaccompaniedMinor).toEqual({ known: true, value: true });
  });

  test.each(["CHD", "CNN", "UMX", "YTH"])("a passenger typed %s beside an adult does not", (type) => {
    expect(facts({ passengers: ["ADT", type] })).toMatchObject({ unaccompaniedMinor: false });
  });

  test.each([
    ["2011-06-15", true],
    ["2011-06-14", false],
  ])("an adult born on %s is a minor on 14 June 2027: %s", (birthDate, unaccompaniedMinor) => {
    expect(facts(adult(birthDate))).toMatchObject({ unaccompaniedMinor });
  });

  test.each([
    ["2028-02-28", true],
    ["2028-02-29", false],
    ["2028-03-01", false],
  ])("who is born on 29 February 2012 is a minor on %s: %s", (travelDate, unaccompaniedMinor) => {
    expect(facts(adult("2012-02-29"), travelDate)).toMatchObject({ unaccompaniedMinor });
  });

  test("who completes a common year on 1 March is a minor until then", () => {
    // 2100 is no leap year, so 29 February 2084 has its 16th birthday on the day after 28 February.
    expect(facts(adult("2084-02-29"), "2100-02-28")).toMatchObject({ unaccompaniedMinor: true });
    expect(facts(adult("2084-02-29"), "2100-03-01")).toMatchObject({ unaccompaniedMinor: false });
  });

  test("an adult of no stated age, or on a day that is not known, is taken for one", () => {
    expect(facts({ passengers: ["ADT"] })).toMatchObject({ unaccompaniedMinor: false });
    expect(facts(adult("2020-01-01"), null)).toMatchObject({ unaccompaniedMinor: false });
  });

  test("a date of birth that cannot be read leaves it open whether an adult is grown", () => {
    const unreadable = { PTC: "ADT", BirthDate: "05/03/2015" };

    expect(facts({ passengers: [unreadable] })).toMatchObject({ unaccompaniedMinor: "?unreadable-birth-date" });
    expect(facts({ passengers: [unreadable, "ADT"] })).toMatchObject({ unaccompaniedMinor: false });
  });

  test("a child stays a child, whatever its age", () => {
    expect(facts({ passengers: [{ PTC: "CHD", BirthDate: "1990-01-01" }] })).toMatchObject({
      unaccompaniedMinor: true,
    });
  });

  test("ids that do not join the rest of the order do not matter", () => {
    const ids = (id: string, other: string): Json => ({ attributes: { PassengerID: other }, PassengerID: id });
    const passengers = [
      { PTC: "ADT", BirthDate: "1990-01-01", ...ids("T1", "ADT1") },
      { PTC: "CHD", ...ids("T1", "CHD2") },
      { PTC: "INF", ...ids("T9", "INF3") },
    ];

    expect(facts({ passengers })).toEqual(facts({ passengers: ["ADT", "CHD", "INF"] }));
  });

  test.each<[string, OrderViewOptions, boolean]>([
    ["a wheelchair", { passengers: [{ PTC: "ADT", Preference: { WheelChairPreference: { Reason: "WCHR" } } }] }, true],
    ["a blank reason", { passengers: [{ PTC: "ADT", Preference: { WheelChairPreference: { Reason: "" } } }] }, false],
    ["a service of assistance", withService("WCHC"), true],
    ["one that failed, and is needed all the same", withService("SSR BLND", "FAILED"), true],
    ["another service", withService("VGML"), false],
  ])("assistance is asked for by %s: %s", (_, options, assistanceRequested) => {
    expect(facts(options)).toMatchObject({ assistanceRequested });
  });

  test.each<[string, OrderViewOptions, unknown]>([
    ["a wheelchair", withService("WCHC"), ["wheelchair"]],
    ["a blind passenger", withService("SSR BLND"), ["blind passenger"]],
    ["a meal", withService("VGML"), []],
    [
      "several passengers",
      { passengers: ["MEDA", "DEAF", "WCHR", "WCHS"].map((SSRCode) => ({ PTC: "ADT", SsrRequest: [{ SSRCode }] })) },
      ["medical case", "deaf passenger", "wheelchair"],
    ],
    ["one that is known and one that is not", withRequests("MEDA", "ZZZZ"), ["medical case"]],
    ["one that is not known", withRequests("ZZZZ"), "?unknown-request"],
    ["nobody", { passengers: [] }, "?no-passengers"],
  ])("what is asked for is named, each kind once: %s", (_, options, assistanceKinds) => {
    expect(facts(options)).toMatchObject({ assistanceKinds });
  });

  test("a service that is listed and not booked asks for nothing", () => {
    const { dataLists } = withService("WCHC");

    expect(facts({ dataLists: dataLists! })).toMatchObject({ assistanceRequested: false });
  });

  test("the service for unaccompanied minors makes one, whatever the types say", () => {
    expect(facts({ ...withService("UMNR"), passengers: ["ADT"] })).toMatchObject({ unaccompaniedMinor: true });
  });

  test.each<[Json, boolean]>([
    [{ contactEmail: ["traveller@example.com"] }, true],
    [{ contactNumber: ["+351 21 000000"] }, true],
    [{}, false],
  ])("with %j they can be reached: %s", (dataLists, contactable) => {
    expect(facts({ dataLists })).toMatchObject({ contactable });
  });
});

function withRequests(...codes: string[]): OrderViewOptions {
  return { passengers: [{ PTC: "ADT", SsrRequest: codes.map((SSRCode) => ({ SSRCode })) }] };
}
