import { describe, expect, test } from "@jest/globals";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { travellerFacts, travellerParts } from "../../../src/itinerary/traveller-facts.ts";
import type { Json, OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

const dayOfTravel = "2027-06-14";

function facts(
  options: OrderViewOptions,
  travelDate: string | null = dayOfTravel,
  statesAssistance = true,
): Record<string, unknown> {
  const { view, records } = aProposedChange(options);
  return plain(
    computeTopic(
      travellerFacts,
      travellerParts({
        passengers: view.passengers,
        statesAssistance,
        contactable: view.contactable,
        services: records.flatMap((record) => record.services),
        serviceDefinitions: view.serviceDefinitions,
        soldTo: records.flatMap((record) => (record.soldTo === undefined ? [] : [record.soldTo])),
        travelDate,
      }),
    ),
  );
}

const adult = (birthDate: string) => ({ passengers: [{ PTC: "ADT", BirthDate: birthDate }] });

/** An order with one booked service of a code. */
function withService(code: string, status = "SUCCESS", values: Json = {}): OrderViewOptions {
  const definition = { ServiceDefinitionID: "SD1", ServiceType: "SSR", ServiceCode: code, ...values };
  const lists = { ServiceDefinition: [definition] };
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

  test("where a gateway does not state needs of assistance, silence is unknown, and a need that is stated counts", () => {
    const none = facts({ passengers: ["ADT"] }, dayOfTravel, false);
    expect(none).toMatchObject({ assistanceRequested: "?not-stated", assistanceKinds: "?not-stated" });
    expect(facts(withService("WCHC"), dayOfTravel, false)).toMatchObject({ assistanceRequested: true });
  });

  test("a type counts from the notification as well", () => {
    const [shown, notified] = [
      aProposedChange({ passengers: ["ADT"] }),
      aProposedChange({ passengers: ["ADT", "UM"] }),
    ];
    const none = { services: [], serviceDefinitions: [] };
    const { unaccompaniedMinor } = computeTopic(
      travellerFacts,
      travellerParts({
        passengers: shown.view.passengers,
        notified: { passengers: notified.view.passengers, ...none },
        statesAssistance: true,
        contactable: false,
        travelDate: dayOfTravel,
        ...none,
      }),
    );

    expect(unaccompaniedMinor).toEqual({ known: true, value: true });
  });

  test.each(["CHD", "CNN", "C09", "SRC", "YTH"])("a passenger typed %s beside an adult does not", (type) => {
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
    ...["Nein", "Non.", "não", "Keine", "None"].map((no): [string, OrderViewOptions, boolean] => [
      `a reason that says ${no}`,
      { passengers: [{ PTC: "ADT", Preference: { WheelChairPreference: { Reason: no } } }] },
      false,
    ]),
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
    [
      "a no that goes on with another need",
      { passengers: [{ PTC: "ADT", Preference: { WheelChairPreference: { Reason: "None, but needs oxygen" } } }] },
      ["oxygen"],
    ],
    [
      "a no that is none",
      { passengers: [{ PTC: "ADT", Preference: { WheelChairPreference: { Reason: "No steps" } } }] },
      ["wheelchair"],
    ],
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

  test.each(["U08", "UN8", "UMX", "MINOR", "ZZZ"])(
    "a passenger typed %s, which IATA does not list, may, whoever else travels",
    (type) => {
      expect(facts({ passengers: ["ADT", type] })).toMatchObject({ unaccompaniedMinor: "?unknown-passenger-type" });
    },
  );

  test.each(["UMR08", "UAM", "UMCH", "UNMR"])("a passenger typed %s travels alone", (type) => {
    expect(facts({ passengers: ["ADT", type] })).toMatchObject({ unaccompaniedMinor: true });
  });

  test.each([
    ["FirstName", "TIM MSTR(UM08)"],
    ["FirstName", "TIM MSTR(UMNR/08)"],
    ["FirstName", "TIM UMNR"],
    ["FirstName", "TIM MSTR UM"],
    ["LastName", "SILVA(UM09)"],
    ["NameTitle", "UM"],
    ["NameTitle", "umnr"],
  ])("a passenger whose %s is %s travels alone", (member, name) => {
    const passenger = { PTC: "CHD", FirstName: "Tim", LastName: "Costa", [member]: name };

    expect(facts({ passengers: ["ADT", passenger] })).toMatchObject({ unaccompaniedMinor: true });
  });

  test.each([
    ["FirstName", "ANA (WCHR)"],
    ["FirstName", "ANA MRS WCHS"],
    ["LastName", "SILVA [rolstoel]"],
    ["FirstName", "ANA MRS CHAISE ROULANTE"],
    ["MiddleName", "Silla de ruedas"],
  ])("a passenger whose %s is %s needs a wheelchair", (member, name) => {
    const passenger = { PTC: "ADT", FirstName: "Ana", LastName: "Silva", [member]: name };

    expect(facts({ passengers: [passenger] })).toMatchObject({ assistanceKinds: ["wheelchair"] });
  });

  test.each([
    ["Hye", "Um"],
    ["Minor", "Blind"],
    ["Jan", "Maas"],
    ["Umberto", "Meda"],
    ["Ana (Bia)", "Deaf"],
    ["Need", "Held"],
  ])("the name %s %s says nothing of assistance", (FirstName, LastName) => {
    expect(facts({ passengers: [{ PTC: "ADT", FirstName, LastName, NameTitle: "Mr" }] })).toMatchObject({
      unaccompaniedMinor: false,
      assistanceKinds: [],
    });
  });

  test("a fare for an unaccompanied minor makes one, whatever the passengers are", () => {
    const order = { OfferItem: [{ OfferItemID: "1", PassengerType: "UNN", PassengerQuantity: 1 }] };

    expect(facts({ order, passengers: ["ADT", "ADT"] })).toMatchObject({ unaccompaniedMinor: true });
  });

  test.each<[string, Json[], number]>([
    ["a fare for more than are listed", [{ PassengerType: "ADT", PassengerQuantity: 12 }], 12],
    ["one that names no type", [{ PassengerQuantity: "12" }], 12],
    [
      "fares for two types",
      [
        { PassengerType: "ADT", PassengerQuantity: 8 },
        { PassengerType: "CHD", PassengerQuantity: 4 },
        { PassengerType: "INF", PassengerQuantity: 2 },
      ],
      12,
    ],
    [
      "two fares of one type, one for each direction",
      [
        { PassengerType: "ADT", PassengerQuantity: 6 },
        { PassengerType: "ADT", PassengerQuantity: 6 },
      ],
      6,
    ],
    ["no fare", [], 1],
  ])("the size of a group is at least that of %s", (_, fares, groupSize) => {
    const order = { OfferItem: fares.map((fare, at) => ({ OfferItemID: `${at}`, ...fare })) };

    expect(facts({ order, passengers: ["ADT"] })).toMatchObject({ groupSize });
  });

  test.each<[string, unknown]>([
    ["GRPS TCP15 SCHOOLTOUR", 15],
    ["SSR GRPS LH TCP 12", 12],
    ["GRPF LH GV15", 15],
    ["GRPF", "?group-of-unknown-size"],
    ["VGML", 1],
  ])("the request %s makes a group of %s", (request, groupSize) => {
    expect(facts({ passengers: [{ PTC: "ADT", SsrRequest: [request] }] })).toMatchObject({
      groupSize,
      passengerCount: groupSize,
    });
  });

  test("a traveller who is typed as a group stands for more than one", () => {
    expect(facts({ passengers: [{ PTC: "GRP" }] })).toMatchObject({
      groupSize: expect.stringMatching(/^\?/),
      passengerCount: "?group-of-unknown-size",
    });
  });

  test.each<[string, string]>([
    ["Unaccompanied Minor Service", "unaccompanied minor"],
    ["UM", "unaccompanied minor"],
    ["UM08", "unaccompanied minor"],
    ["Wheel chair to gate", "wheelchair"],
    ["Rollstuhlservice", "wheelchair"],
    ["Silla de ruedas", "wheelchair"],
    ["WCH", "wheelchair"],
    ["SSRWCHR", "wheelchair"],
    ["Oxygen on board", "oxygen"],
    ["Stretcher", "stretcher"],
    ["Medical assistance", "medical case"],
    ["Meet & Assist", "meet and assist"],
    ["Escort for child", "other assistance"],
    ["Assistance for blind passengers", "blind passenger"],
    ["Guide dog in cabin", "service animal"],
    ["PRM", "other assistance"],
  ])("a service named %s is for: %s", (name, kind) => {
    expect(facts(withService("0XX", "SUCCESS", { ServiceName: name }))).toMatchObject({ assistanceKinds: [kind] });
    expect(facts(withService(name))).toMatchObject({ assistanceKinds: [kind] });
  });

  test.each(["Vegan meal", "Travel assistance", "Medical insurance", "Handgepäck um 2 kg", "Blanket"])(
    "a service named %s is for nobody who needs help",
    (name) => {
      expect(facts(withService("0XX", "SUCCESS", { ServiceName: name }))).toMatchObject({ assistanceKinds: [] });
    },
  );

  test("a service that is listed, and that no booked one refers to, may be booked", () => {
    const { dataLists } = withService("WCHC");

    expect(facts({ dataLists: dataLists! })).toMatchObject({ assistanceRequested: "?service-without-reference" });
  });

  test.each<[string, Json]>([
    ["in other letters", { ServiceDefinitionRef: "sd1" }],
    ["among others", { ServiceDefinitionRef: "SD0 SD1" }],
  ])("a service that is referred to %s is booked", (_, item) => {
    const { dataLists } = withService("WCHC");
    const order = { OfferItem: [{ OfferItemID: "1", ...item }] };

    expect(facts({ order, dataLists: dataLists! })).toMatchObject({ assistanceRequested: true });
  });

  test("the key of a service says what it is, if nothing else does", () => {
    const order = { OfferItem: [{ OfferItemID: "1", Service: { OptinalServiceId: "WCHR" } }] };

    expect(facts({ order })).toMatchObject({ assistanceKinds: ["wheelchair"] });
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
