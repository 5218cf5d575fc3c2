import { describe, expect, test } from "vitest";
import type { OrderView } from "../../../src/contract/order-view.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { type NotifiedParts, orderPartsOf } from "../../../src/itinerary/facts-input.ts";
import { noticeFacts } from "../../../src/itinerary/notice-facts.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import { aMinorDelay, type Json, type OrderViewOptions } from "../../builders/order-view.ts";

const orderId = "QX7R2M1A";

function ordered(options: OrderViewOptions): NotifiedParts {
  const reading = readOrderView(aMinorDelay(options));
  if (!reading.ok) throw new Error(reading.problem.message);
  const view: OrderView = reading.view;
  return { ...orderPartsOf(view, orderId), flights: readProposal(view, orderId)! };
}

function differences(shown: NotifiedParts, notified: NotifiedParts) {
  return computeTopic(noticeFacts, { shown, notified });
}

/** The facts of a status, beside a notification. */
function facts(status: OrderViewOptions, notification: OrderViewOptions = {}) {
  return differences(ordered(status), ordered(notification));
}

function traveller(overrides: Json = {}): Json {
  return {
    PassengerID: "T1",
    PTC: "ADT",
    FirstName: "Anna Maria",
    LastName: "Smith",
    BirthDate: "1990-03-04",
    ...overrides,
  };
}

function travellers(...list: readonly Json[]): OrderViewOptions {
  return { dataLists: { PassengerList: { Passengers: list } } };
}

const yes = { known: true, value: true };
const no = { known: true, value: false };

describe("the passengers differ", () => {
  const booked = travellers(traveller(), traveller({ PassengerID: "T2", FirstName: "Ben" }));
  const differ = (...list: readonly Json[]) => facts(travellers(...list), booked).passengersDiffer;
  const ben = traveller({ PassengerID: "T2", FirstName: "Ben" });

  test("not when the status lists the same, in whatever order and under whatever keys", () => {
    expect(differ(ben, traveller({ PassengerID: "ADT1", FirstName: "ANNA-MARIA", NameTitle: "Mrs" }))).toEqual(no);
  });

  test.each<[string, readonly Json[]]>([
    ["one more", [traveller(), ben, traveller({ FirstName: "Carl" })]],
    ["one less", [traveller()]],
    ["another name", [traveller(), { ...ben, LastName: "Jones" }]],
    ["another date of birth", [traveller(), { ...ben, BirthDate: "1990-03-05" }]],
    ["another type", [traveller(), { ...ben, PTC: "CHD" }]],
  ])("when the status lists %s", (_, list) => {
    expect(differ(...list)).toEqual(yes);
  });

  const born = { BirthDate: "1990-03-04" };
  const named = (LastName: string, FirstName: string, overrides: Json = {}) =>
    traveller({ LastName, FirstName, ...born, ...overrides });

  test.each<[string, Json, Json]>([
    ["composed and decomposed", named("M\u00fcller", "Ana"), named("Mu\u0308ller", "Ana")],
    ["with e for the umlaut", named("Müller", "Jörg"), named("MUELLER", "JOERG")],
    ["without the umlaut", named("Müller", "Jörg"), named("MULLER", "JORG")],
    ["with letters that A to Z lacks", named("Groß", "Søren Łukasz"), named("GROSS", "SOREN LUKASZ")],
    ["of the north", named("Ångström", "Bjørn"), named("AANGSTROEM", "BJOERN")],
    ["of the south", named("Muñoz", "João"), named("MUNOZ", "JOAO")],
    ["with an apostrophe", named("O’Brien-Smith", "Ana"), named("OBRIEN SMITH", "ANA")],
    ["with a title", named("Silva", "ANA MRS"), named("Silva", "Ana")],
    ["with a title before", named("Silva", "Dr. Ana"), named("Silva", "Ana")],
    ["with a title and no blank", named("Silva", "ANAMRS"), named("Silva", "Ana")],
    ["with a type", named("Silva", "ANA MISS CHD"), named("Silva", "Ana")],
    ["in one text", named("SILVA/ANA MRS", ""), named("Silva", "Ana")],
    ["with the middle name merged", named("Silva", "Ana Maria"), named("Silva", "Ana", { MiddleName: "Maria" })],
    ["with the middle name joined", named("Silva", "ANAMARIA"), named("Silva", "Ana", { MiddleName: "Maria" })],
    ["with a middle name in one view", named("Silva", "Ana"), named("Silva", "Ana", { MiddleName: "Maria" })],
    ["as CHD and CNN", named("Silva", "Ana", { PTC: "CHD" }), named("Silva", "Ana", { PTC: "CNN" })],
    ["as CHD and C09", named("Silva", "Ana", { PTC: "CHD" }), named("Silva", "Ana", { PTC: "C09" })],
  ])("not when one is written in two ways: %s", (_, one, other) => {
    expect(facts(travellers(one), travellers(other)).passengersDiffer).toEqual(no);
    expect(facts(travellers(other), travellers(one)).passengersDiffer).toEqual(no);
  });

  test.each<[string, Json, Json]>([
    ["spelled in two ways that are not each other", named("MUELLER", "ANNA"), named("MULLER", "ANNA")],
    ["of another date of birth", named("Müller", "Ana"), named("MUELLER", "ANA", { BirthDate: "1990-03-05" })],
    ["of another type", named("Müller", "Ana"), named("MUELLER", "ANA", { PTC: "CHD" })],
    ["with another age", named("Silva", "Ana", { PTC: "C09" }), named("Silva", "Ana", { PTC: "C10" })],
    ["unaccompanied", named("Silva", "Ana", { PTC: "CHD" }), named("Silva", "Ana", { PTC: "UNN" })],
    [
      "with another middle name",
      named("Silva", "Ana", { MiddleName: "Maria" }),
      named("Silva", "Ana", { MiddleName: "Isabel" }),
    ],
    ["who is the son", named("Silva", "Jose Sr"), named("Silva", "Jose Jr")],
    ["whose name ends like a title", named("Silva", "Adams"), named("Silva", "Ada")],
  ])("when one may be another person: %s", (_, one, other) => {
    expect(facts(travellers(one), travellers(other)).passengersDiffer).toEqual(yes);
    expect(facts(travellers(other), travellers(one)).passengersDiffer).toEqual(yes);
  });

  test("when two would have to be matched to one", () => {
    const [umlaut, e, plain] = [named("Müller", "Anna"), named("MUELLER", "ANNA"), named("MULLER", "ANNA")];
    const between = (status: readonly Json[], notification: readonly Json[]) =>
      facts(travellers(...status), travellers(...notification)).passengersDiffer;

    expect(between([umlaut, e], [umlaut])).toEqual(yes);
    expect(between([e, plain], [plain, e])).toEqual(no);
    expect(between([e, e], [e, plain])).toEqual(yes);
    expect(between([umlaut, umlaut], [e, plain])).toEqual(no);
    expect(between([umlaut, e], [umlaut, plain])).toEqual(yes);
  });

  test("when names or dates of birth are those of another passenger", () => {
    const family = (adult: Json, child: Json) =>
      travellers(traveller({ PTC: "ADT", ...adult }), traveller({ PTC: "CHD", ...child }));
    const [eva, tim] = [{ FirstName: "Eva" }, { FirstName: "Tim" }];
    const [old, young] = [{ BirthDate: "1980-01-01" }, { BirthDate: "2018-01-01" }];

    expect(facts(family(tim, eva), family(eva, tim)).passengersDiffer).toEqual(yes);
    expect(facts(family(young, old), family(old, young)).passengersDiffer).toEqual(yes);
    expect(facts(family(eva, tim), family(eva, tim)).passengersDiffer).toEqual(no);
  });

  test("perhaps when each view states a date of birth of another passenger", () => {
    const [dated, undated] = [{ BirthDate: "1990-03-04" }, { BirthDate: "" }];
    const status = travellers(traveller(dated), traveller({ FirstName: "Ben", ...undated }));
    const notification = travellers(traveller(undated), traveller({ FirstName: "Ben", ...dated }));

    expect(facts(status, notification).passengersDiffer).toEqual({ known: false, reason: "in-one-view" });
    expect(facts(status, status).passengersDiffer).toEqual(no);
  });

  test.each(["05/03/1990", "unknown", { Year: 1990 }])("perhaps when a date of birth is %j", (BirthDate) => {
    const unreadable = { known: false, reason: "unreadable-birth-date" };

    expect(differ(traveller(), { ...ben, BirthDate })).toEqual(unreadable);
    expect(facts(booked, travellers(traveller(), { ...ben, BirthDate })).passengersDiffer).toEqual(unreadable);
  });

  test("not when only one of the two states dates of birth", () => {
    expect(differ(traveller({ BirthDate: "" }), { ...ben, BirthDate: "" })).toEqual(no);
  });

  const nameless = (name: Json) => ({ ...name, FirstName: "", LastName: "" });

  test("perhaps when only the notification states names", () => {
    expect(differ(nameless(traveller()), nameless(ben))).toEqual({ known: false, reason: "names-in-one-view" });
  });

  test("not when the notification states no names, types or dates of birth", () => {
    expect(facts(booked, travellers(nameless(traveller()), nameless(ben))).passengersDiffer).toEqual(no);
    expect(facts(booked, travellers({ PassengerID: "T1" }, { PassengerID: "T2" })).passengersDiffer).toEqual(no);
    expect(facts(booked, travellers({ PassengerID: "T1" })).passengersDiffer).toEqual(yes);
  });

  test("not when the status lists nobody", () => {
    expect(differ()).toEqual(no);
  });
});

describe("the booking references differ", () => {
  test.each<[string, OrderViewOptions, object]>([
    ["are the same in another order", { gdsBookingReference: "BBB222 AAA111" }, no],
    ["are one more", { gdsBookingReference: "AAA111 BBB222 CCC333" }, yes],
    ["are one less", { gdsBookingReference: "AAA111" }, yes],
    ["are others", { gdsBookingReference: "DDD444" }, yes],
    ["are not stated", { gdsBookingReference: "" }, no],
  ])("when those of the status %s", (_, status, expected) => {
    expect(facts(status, { gdsBookingReference: "AAA111 BBB222" }).referencesDiffer).toEqual(expected);
  });
});

describe("the price differs", () => {
  const priced = (price: unknown, currency = "EUR"): OrderViewOptions => ({
    order: { BookingCurrencyCode: currency, TotalPrice: { BookingCurrencyPrice: price } },
  });

  test.each<[string, OrderViewOptions, object]>([
    ["the same amount with other digits", priced("240.00"), no],
    ["a cent more", priced(240.01), yes],
    ["another currency", priced(240, "USD"), yes],
    ["none", { order: { TotalPrice: {} } }, no],
    ["another amount without a currency", priced(241, ""), yes],
    ["one that cannot be read", priced("on request"), { known: false, reason: "unavailable-total-price" }],
  ])("when the status states %s", (_, status, expected) => {
    expect(facts(status, priced(240)).priceDiffers).toEqual(expected);
  });
});

describe("the flights differ", () => {
  const details = (Details: Json): OrderViewOptions => ({ changes: { Segment1: [Details] } });
  const arrival = { Arrival: { AirportCode: "FRA", Date: "2027-03-14", Time: "11:40:00" } };

  test.each<[string, Json, object]>([
    ["the same", arrival, no],
    ["a minute", { Arrival: { ...arrival.Arrival, Time: "11:41:00" } }, yes],
    [
      "a duration that cannot be read",
      { ...arrival, FlightDetail: { FlightDuration: { Value: "five hours" } } },
      { known: false, reason: "in-one-view" },
    ],
    ["another aircraft", { ...arrival, Equipment: { AircraftCode: "DH4" } }, yes],
    [
      "a brand that the notification does not",
      { ...arrival, BrandId: "LIGHT" },
      { known: false, reason: "in-one-view" },
    ],
  ])("when the status proposes %s", (_, proposed, expected) => {
    expect(facts(details(proposed), details(arrival)).flightsDiffer).toEqual(expected);
  });
});

describe("fares and extras differ", () => {
  const seat = (SeatNumber: string): OrderViewOptions => ({
    order: { PaxSeatInfo: [{ SeatNumber, Origin: "LIS", Destination: "FRA", PaxRef: "T1", Status: "SUCCESS" }] },
  });
  const fee = (amount: unknown): OrderViewOptions => ({
    order: { Penalty: { ChangeFee: { Before: { BookingCurrencyPrice: amount } } } },
  });

  test("when another seat is listed, and perhaps when one is listed by only one of the two", () => {
    expect(facts(seat("12A"), seat("12A")).extrasDiffer).toEqual(no);
    expect(facts(seat("12C"), seat("12A")).extrasDiffer).toEqual(yes);
    expect(facts({ order: { PaxSeatInfo: [] } }, seat("12A")).extrasDiffer.known).toBe(false);
  });

  test("not when only the status lists any", () => {
    expect(facts(seat("12A"), { order: { PaxSeatInfo: [] } }).extrasDiffer).toEqual(no);
    expect(facts(fee(70), fee(undefined)).fareDiffers.known).toBe(true);
  });

  test("when another fee is stated", () => {
    expect(facts(fee(70), fee("70")).fareDiffers).toEqual(no);
    expect(facts(fee(80), fee(70)).fareDiffers).toEqual(yes);
  });
});

describe("a light notification", () => {
  /** The notification that names the order, with these members besides. */
  function light(more: Json = {}): NotifiedParts {
    const reading = readOrderView({ OrderViewRS: { Order: [{ OrderID: orderId, ...more }] } });
    if (!reading.ok) throw new Error(reading.problem.message);
    return { ...orderPartsOf(reading.view, orderId), flights: readProposal(reading.view, orderId)! };
  }
  const full: OrderViewOptions = {
    order: {
      TotalPrice: { BookingCurrencyPrice: 240 },
      PaxSeatInfo: [{ SeatNumber: "12A", Origin: "LIS", Destination: "FRA", PaxRef: "T1", Status: "SUCCESS" }],
      Penalty: { ChangeFee: { Before: { BookingCurrencyPrice: 70 } } },
    },
    ...travellers(traveller()),
  };

  test.each<[string, Json]>([
    ["only its id", {}],
    ["a reason", { ScheduleChangeStatus: "Initiated", PnrStatus: "SCHEDULE CHANGED" }],
    ["members that are null", { GdsBookingReference: null, OfferItem: null, ScheduleChange: null, PaxSeatInfo: null }],
    ["empty lists and texts", { GdsBookingReference: "", OfferItem: [], ScheduleChange: [], TotalPrice: {} }],
    ["flags", { AmendmentsActions: { Accept: "Y", Cancel: "Y", ReSchedule: "N" } }],
  ])("that states %s of an order differs in nothing from a full status", (_, more) => {
    expect(Object.values(differences(ordered(full), light(more)))).toEqual(Array(6).fill(no));
  });

  test("that states the reference of another booking differs", () => {
    expect(differences(ordered(full), light({ GdsBookingReference: "ZZZ999" })).referencesDiffer).toEqual(yes);
  });
});

test("a notification that lists the flights and shows no change differs in none", () => {
  expect(facts({}, { changes: {} }).flightsDiffer).toEqual(no);
});

test("without a notification nothing differs from it", () => {
  expect(Object.values(computeTopic(noticeFacts, null))).toEqual(Array(6).fill(no));
});
