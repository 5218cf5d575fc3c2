import { describe, expect, test } from "vitest";
import { isContactable, noOwnAddresses } from "../../../src/contract/addressee.ts";
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
        contactable: isContactable(view.contacts, noOwnAddresses),
        services: records.flatMap((record) => record.services),
        serviceDefinitions: view.serviceDefinitions,
        soldTo: records.flatMap((record) => (record.soldTo === undefined ? [] : [record.soldTo])),
        travelDate,
      }),
    ),
  );
}

/** An order with one booked service of a code. */
function withService(code: string, status = "SUCCESS", values: Json = {}): OrderViewOptions {
  const definition = { ServiceDefinitionID: "SD1", ServiceType: "SSR", ServiceCode: code, ...values };
  const lists = { ServiceDefinition: [definition] };
  return {
    order: { OfferItem: [{ OfferItemID: "SRV-OfferItem-1", Status: status, ServiceDefinitionRef: "SD1" }] },
    dataLists: { ServiceDefinitionList: lists },
  };
}

type Passengers = NonNullable<OrderViewOptions["passengers"]>;

describe("travellerFacts", () => {
  const untyped = "?unknown-passenger-type";
  const none = "?no-passengers";
  const noTypes = { groupSize: untyped, hasInfant: untyped, hasChild: untyped };
  const nobody = { passengerCount: none, groupSize: none, hasInfant: none, hasChild: none, assistanceRequested: none };

  test.each<[string, Passengers, Record<string, unknown>]>([
    ["a family", ["ADT", "CHD", "INF"], { passengerCount: 3, groupSize: 2, hasInfant: true, hasChild: true }],
    ["an infant with a seat", ["ADT", "INS"], { passengerCount: 2, groupSize: 2, hasInfant: true, hasChild: false }],
    ["a child alone", ["CHD"], { passengerCount: 1, hasInfant: false, hasChild: true }],
    ["an infant alone", ["INF"], { groupSize: 0 }],
    ["a type that the interface document does not know, beside an adult", ["ADT", "C09"], noTypes],
    ["such a type alone", ["YTH"], { passengerCount: 1 }],
    ["such a type alone, of 16 years", [{ PTC: "YTH", BirthDate: "2011-06-14" }], { passengerCount: 1 }],
    ["types in lower case", ["adt", "chd"], { hasChild: true }],
    ["a passenger of no type", [{}], { passengerCount: 1, ...noTypes }],
    ["a passenger of no type beside an adult", ["ADT", {}], { hasInfant: untyped }],
    ["nobody", [], nobody],
  ])("describe %s", (_, passengers, expected) => {
    expect(facts({ passengers })).toMatchObject(expected);
  });

  const bornIn2018 = (PTC: string): Passengers => ["ADT", { PTC, BirthDate: "2018-02-02" }];
  const unreadable = { PTC: "ADT", BirthDate: "05/03/2015" };

  test.each<[Passengers, unknown]>([
    [["ADT", "CHD", "INF"], false],
    [["CHD"], true],
    [["INF"], true],
    [["YTH"], untyped],
    [[{ PTC: "YTH", BirthDate: "2011-06-14" }], false],
    [["adt", "chd"], false],
    [[{}], untyped],
    [[{ BirthDate: "1990-01-01" }], false],
    [["ADT", {}], false],
    [[], none],
    // Whoever else travels.
    ...["UNN", "umn", "UM", "UMNR", "UNN08", "UM/11", "CHD UNN", "Unaccompanied child"].map(
      (type): [Passengers, boolean] => [bornIn2018(type), true],
    ),
    ...["UMR08", "UAM", "UMCH", "UNMR"].map((type): [Passengers, boolean] => [["ADT", type], true]),
    ...["CHD", "CNN", "C09", "SRC", "YTH"].map((type): [Passengers, boolean] => [["ADT", type], false]),
    // IATA does not list these.
    ...["U08", "UN8", "UMX", "MINOR", "ZZZ"].map((type): [Passengers, string] => [["ADT", type], untyped]),
    // An adult of no stated age is taken for one, and a child stays a child, whatever its age.
    [["ADT"], false],
    [[{ PTC: "CHD", BirthDate: "1990-01-01" }], true],
    // A date of birth that cannot be read leaves it open whether an adult is grown.
    [[unreadable], "?unreadable-birth-date"],
    [[unreadable, "ADT"], false],
  ])("for the passengers %j it is %j that an unaccompanied minor travels", (passengers, unaccompaniedMinor) => {
    expect(facts({ passengers })).toMatchObject({ unaccompaniedMinor });
  });

  test.each<[string, string | null, boolean]>([
    ["2011-06-15", dayOfTravel, true],
    ["2011-06-14", dayOfTravel, false],
    ["2012-02-29", "2028-02-28", true],
    ["2012-02-29", "2028-02-29", false],
    ["2012-02-29", "2028-03-01", false],
    // 2100 is no leap year, so 29 February 2084 has its 16th birthday on the day after 28 February.
    ["2084-02-29", "2100-02-28", true],
    ["2084-02-29", "2100-03-01", false],
    ["2020-01-01", null, false],
  ])("an adult born on %s is a minor on %s: %s", (BirthDate, travelDate, unaccompaniedMinor) => {
    expect(facts({ passengers: [{ PTC: "ADT", BirthDate }] }, travelDate)).toMatchObject({ unaccompaniedMinor });
  });

  test("where a gateway does not state needs of assistance, silence is unknown, and a need that is stated counts", () => {
    const silent = facts({ passengers: ["ADT"] }, dayOfTravel, false);
    expect(silent).toMatchObject({ assistanceRequested: "?not-stated", assistanceKinds: "?not-stated" });
    expect(facts(withService("WCHC"), dayOfTravel, false)).toMatchObject({ assistanceRequested: true });
  });

  test("a type counts from the notification as well", () => {
    const [shown, notified] = [["ADT"], ["ADT", "UM"]].map((passengers) => aProposedChange({ passengers }).view);
    const noServices = { services: [], serviceDefinitions: [] };
    const { unaccompaniedMinor } = computeTopic(
      travellerFacts,
      travellerParts({
        passengers: shown!.passengers,
        notified: { passengers: notified!.passengers, ...noServices },
        statesAssistance: true,
        contactable: false,
        travelDate: dayOfTravel,
        ...noServices,
      }),
    );

    expect(unaccompaniedMinor).toEqual({ known: true, value: true });
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

  const wheelchairReason = (Reason: string): OrderViewOptions => ({
    passengers: [{ PTC: "ADT", Preference: { WheelChairPreference: { Reason } } }],
  });

  test.each<[string, OrderViewOptions, boolean]>([
    ["a wheelchair", wheelchairReason("WCHR"), true],
    ...["Nein", "Non.", "não", "Keine", "None", ""].map((no): [string, OrderViewOptions, boolean] => [
      `a reason that says "${no}"`,
      wheelchairReason(no),
      false,
    ]),
    ["a service of assistance", withService("WCHC"), true],
    ["one that failed, and is needed all the same", withService("SSR BLND", "FAILED"), true],
    ["another service", withService("VGML"), false],
  ])("assistance is asked for by %s: %s", (_, options, assistanceRequested) => {
    expect(facts(options)).toMatchObject({ assistanceRequested });
  });

  const eachWith = (...codes: string[]) => ({
    passengers: codes.map((SSRCode) => ({ PTC: "ADT", SsrRequest: [{ SSRCode }] })),
  });

  test.each<[string, OrderViewOptions, unknown]>([
    ["a wheelchair", withService("WCHC"), ["wheelchair"]],
    ["a blind passenger", withService("SSR BLND"), ["blind passenger"]],
    ["a no that goes on with another need", wheelchairReason("None, but needs oxygen"), ["oxygen"]],
    ["a no that is none", wheelchairReason("No steps"), ["wheelchair"]],
    ["a meal", withService("VGML"), []],
    ["several passengers", eachWith("MEDA", "DEAF", "WCHR", "WCHS"), ["medical case", "deaf passenger", "wheelchair"]],
    ["one that is known and one that is not", withRequests("MEDA", "ZZZZ"), ["medical case"]],
    ["one that is not known", withRequests("ZZZZ"), "?unknown-request"],
    ["nobody", { passengers: [] }, "?no-passengers"],
  ])("what is asked for is named, each kind once: %s", (_, options, assistanceKinds) => {
    expect(facts(options)).toMatchObject({ assistanceKinds });
  });

  const child = { PTC: "CHD", FirstName: "Tim", LastName: "Costa" };
  const adult = { PTC: "ADT", FirstName: "Ana", LastName: "Silva" };
  const alone = { unaccompaniedMinor: true };
  const wheelchair = { assistanceKinds: ["wheelchair"] };
  const nothing = { unaccompaniedMinor: false, assistanceKinds: [] };

  test.each<[Passengers, Record<string, unknown>]>([
    [["ADT", { ...child, FirstName: "TIM MSTR(UM08)" }], alone],
    [["ADT", { ...child, FirstName: "TIM MSTR(UMNR/08)" }], alone],
    [["ADT", { ...child, FirstName: "TIM UMNR" }], alone],
    [["ADT", { ...child, FirstName: "TIM MSTR UM" }], alone],
    [["ADT", { ...child, LastName: "SILVA(UM09)" }], alone],
    [["ADT", { ...child, NameTitle: "UM" }], alone],
    [["ADT", { ...child, NameTitle: "umnr" }], alone],
    [[{ ...adult, FirstName: "ANA (WCHR)" }], wheelchair],
    [[{ ...adult, FirstName: "ANA MRS WCHS" }], wheelchair],
    [[{ ...adult, LastName: "SILVA [rolstoel]" }], wheelchair],
    [[{ ...adult, FirstName: "ANA MRS CHAISE ROULANTE" }], wheelchair],
    [[{ ...adult, MiddleName: "Silla de ruedas" }], wheelchair],
    ...["Hye Um", "Minor Blind", "Jan Maas", "Umberto Meda", "Ana (Bia) Deaf", "Need Held"].map(
      (name): [Passengers, Record<string, unknown>] => [[{ PTC: "ADT", ...namesIn(name), NameTitle: "Mr" }], nothing],
    ),
  ])("the names of %j are read as they are: %j", (passengers, expected) => {
    expect(facts({ passengers })).toMatchObject(expected);
  });

  test("a fare for an unaccompanied minor makes one, whatever the passengers are", () => {
    const order = { OfferItem: [{ OfferItemID: "1", PassengerType: "UNN", PassengerQuantity: 1 }] };

    expect(facts({ order, passengers: ["ADT", "ADT"] })).toMatchObject({ unaccompaniedMinor: true });
  });

  const fare = (PassengerType: string, PassengerQuantity: number) => ({ PassengerType, PassengerQuantity });

  test.each<[string, Json[], number]>([
    ["a fare for more than are listed", [fare("ADT", 12)], 12],
    ["one that names no type", [{ PassengerQuantity: "12" }], 12],
    ["fares for two types", [fare("ADT", 8), fare("CHD", 4), fare("INF", 2)], 12],
    ["two fares of one type, one for each direction", [fare("ADT", 6), fare("ADT", 6)], 6],
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

/** The last word is the last name. */
function namesIn(name: string): Json {
  const at = name.lastIndexOf(" ");
  return { FirstName: name.slice(0, at), LastName: name.slice(at + 1) };
}

function withRequests(...codes: string[]): OrderViewOptions {
  return { passengers: [{ PTC: "ADT", SsrRequest: codes.map((SSRCode) => ({ SSRCode })) }] };
}
