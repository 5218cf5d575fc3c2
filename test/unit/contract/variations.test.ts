import { describe, expect, test } from "vitest";
import { readErrors } from "../../../src/contract/gateway-errors.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import type { Operation, OperationName } from "../../../src/contract/operations/operation.ts";
import { operationNames } from "../../../src/contract/operations/registry.ts";
import type { OrderRecord, OrderView } from "../../../src/contract/order-view.ts";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { createNormaliser } from "../../../src/contract/tolerant.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import { aMinorDelay, anOrderView, aSegment, bytesOf, type Json } from "../../builders/order-view.ts";
import { withValueAt } from "../../builders/value-at.ts";

/**
 * What gateways send where the interface document says something else, one test for each, in the order of the notes on the
 * contract: part 6 and parts 2.2 and 2.3. Each shows what is made of it, in the order view and, where the operations are
 * concerned, in their requests and responses.
 */

function readView(body: unknown): OrderView {
  const reading = readNotification(bytesOf(body));
  if (!reading.ok) throw new Error(`${reading.problem.code} ${reading.problem.path}`);
  return reading.view;
}

function readOrder(order: Json): OrderRecord {
  return readView(anOrderView({ order })).orders[0]!;
}

const normaliseOrderView = createNormaliser(orderViewResponseSchema);

/** A value of the normalised order view, by its path below `OrderViewRS`. */
function normalisedAt(body: unknown, path: string): unknown {
  return valueAt(normaliseOrderView(body), `OrderViewRS/${path}`);
}

function normalisedOrder(order: Json, path: string): unknown {
  return normalisedAt(anOrderView({ order }), `Order/0/${path}`);
}

function operation(name: OperationName): Operation {
  return everyOperation.find((candidate) => candidate.name === name)!;
}

/** What an operation reads of its own example after one value was replaced. */
function resultWith(name: OperationName, path: string, value: unknown): unknown {
  const { responseRoot, interpret } = operation(name);
  const reading = interpret(withValueAt(exampleOf(operation(name)).response, `${responseRoot}/${path}`, value));
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.result;
}

function exampleResult(name: OperationName): unknown {
  const reading = operation(name).interpret(exampleOf(operation(name)).response);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.result;
}

function exampleAt(name: OperationName, path: string): unknown {
  const { responseRoot } = operation(name);
  return valueAt(exampleOf(operation(name)).response, `${responseRoot}/${path}`);
}

function valueAt(json: unknown, path: string): unknown {
  return path.split("/").reduce((value: unknown, key) => (value as Json | undefined)?.[key], json);
}

describe("statements of the interface document, widened", () => {
  test("'the service' identifier is the OfferID", () => {
    const reading = operation("AirFareRules").readRequest({
      FareRulesRQ: { Query: { Offer: [{ attributes: { ShoppingResponseId: "1", OfferID: "22" } }] } },
    });

    expect(reading).toEqual({ ok: true, query: { offers: [{ shoppingResponseId: "1", offerId: "22" }] } });
    expect(normalisedOrder({ OfferID: 1724067361311310 }, "OfferID")).toBe("1724067361311310");
  });

  test("ReshopOffers is a list of {ReshopOffer: []}, or a list of lists", () => {
    const lists = exampleAt("AirOrderReshop", "ReshopOffers") as unknown[][];

    expect(
      resultWith(
        "AirOrderReshop",
        "ReshopOffers",
        lists.map((ReshopOffer) => ({ ReshopOffer })),
      ),
    ).toEqual(exampleResult("AirOrderReshop"));
  });

  test("AirOrderReshop requires ShoppingResponseId only in price mode; the search mode takes an OrderID", () => {
    const search = { OrderReshopRQ: { Query: { OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1"] } } };

    expect(operation("AirOrderReshop").readRequest(search)).toMatchObject({
      ok: false,
      problem: { code: "request.exchange_search", path: "/OrderReshopRQ/ShoppingResponseId" },
    });
    expect(resultWith("AirOrderReshop", "OfferResponseId", undefined)).toHaveProperty("reshopOffers");
  });

  test("AgentMarkup, AgentDiscount, AgentHst are called Onfly…", () => {
    const amount = { BookingCurrencyPrice: 5, EquivCurrencyPrice: 6 };
    const documented = { AgentMarkup: amount, AgentDiscount: amount, AgentHst: amount };
    const onfly = { OnflyMarkup: amount, OnflyDiscount: amount, OnflyHst: amount };

    expect(normalisedOrder({ AgentMarkupInfo: onfly }, "AgentMarkupInfo")).toEqual(
      normalisedOrder({ AgentMarkupInfo: documented }, "AgentMarkupInfo"),
    );
    expect(normalisedOrder({ AgentMarkupInfo: onfly }, "AgentMarkupInfo")).toHaveProperty("AgentMarkup");
  });

  test.each([
    [true, true],
    ["true", true],
    ["false", false],
    ["0", false],
  ])("Refundable is a text, a boolean or 0: %j", (sent, expected) => {
    expect(readOrder({ OfferItem: [{ Refundable: sent, FareComponent: [] }] }).refundable).toEqual({
      known: true,
      value: expected,
    });
  });

  test("Payment.Amount is a text for cards and a number for cheques", () => {
    const payments = (Amount: unknown) => anOrderView({ view: { Payments: { Payment: [{ Type: "CHECK", Amount }] } } });

    expect(normalisedAt(payments(134.953532), "Payments/Payment/0/Amount")).toBe("134.953532");
    expect(normalisedAt(payments("134.953532"), "Payments/Payment/0/Amount")).toBe("134.953532");
  });

  test.each([
    ["a list", [{ PassengerRefs: "T1", SegmentRefs: "Segment1" }], ["Segment1"]],
    ["an object", { PassengerRefs: "T1", SegmentRefs: "Segment1" }, ["Segment1"]],
    ["missing", undefined, []],
  ])("OfferItem.Service is %s", (_, Service, segmentKeys) => {
    const item = { OfferItemID: "SRV-OfferItem-1", Status: "SUCCESS", ServiceDefinitionRef: "SRV1", Service };

    expect(readOrder({ OfferItem: [item] }).services[0]?.segmentKeys).toEqual(segmentKeys);
  });

  test("the prices of a service are bare numbers", () => {
    const priced = (Total: unknown) => ({ OfferItem: [{ OfferItemID: "SRV-OfferItem-1", Price: { Total } }] });

    expect(normalisedOrder(priced(38.6862), "OfferItem/0/Price/Total/BookingCurrencyPrice")).toBe("38.6862");
    expect(
      normalisedOrder(priced({ BookingCurrencyPrice: 38.6862 }), "OfferItem/0/Price/Total/BookingCurrencyPrice"),
    ).toBe("38.6862");
  });

  test.each([[1090], ["1090"]])("AirMilesFlown is a number or a text: %j", (AirMilesFlown) => {
    const segment = aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", {
      FlightDetail: { AirMilesFlown },
    });

    expect(readView(anOrderView({ segments: [segment] })).flightSegments[0]?.airMilesFlown).toBe(1090);
  });

  test.each([[75.5], ["75.5"]])("Penalty is a number or a text: %j", (BookingCurrencyPrice) => {
    expect(
      readOrder({ BookingCurrencyCode: "EUR", Penalty: { CancelationFee: { Before: { BookingCurrencyPrice } } } })
        .cancellationFee,
    ).toEqual({ known: true, value: { amount: "75.5", currency: "EUR" } });
  });

  test.each([[0.5], ["0.5"]])("the money of FopList is a number or a text: %j", (sent) => {
    const FopList = [{ FopKey: "FOP_1", CC: { Types: { VI: { F: { BookingCurrencyPrice: sent }, P: sent } } } }];

    expect(normalisedAt(anOrderView({ dataLists: { FopList } }), "DataLists/FopList/0/CC/Types/VI")).toEqual({
      F: { BookingCurrencyPrice: "0.5" },
      P: "0.5",
    });
  });

  test("ScheduleChangeStatus is set although the indicator says that nothing changed", () => {
    const order = readOrder({ ScheduleChangeIndicator: false, ScheduleChangeStatus: "Initiated" });

    expect(order).toMatchObject({
      scheduleChangeIndicator: { known: true, value: false },
      scheduleChangeStatus: { known: true, value: "Initiated" },
    });
  });

  test.each([
    ["missing", {}],
    ["blank", { ShoppingResponseId: "" }],
  ])("attributes.ShoppingResponseId of fare rules is called ResponseID: the other name is %s", (_, otherName) => {
    const reading = operation("AirFareRules").readRequest({
      FareRulesRQ: {
        attributes: { AuthToken: "secret" },
        Query: { Offer: { attributes: { ...otherName, ResponseID: "1724067361311310318", OfferID: "22" } } },
      },
    });

    expect(reading).toEqual({
      ok: true,
      query: { offers: [{ shoppingResponseId: "1724067361311310318", offerId: "22" }] },
    });
  });

  test("the booking that is left after a void is Result.BookingStatus CANCELED", () => {
    expect(JSON.stringify(resultWith("AirTicketVoid", "Result/BookingStatus", "CANCELED"))).toContain('"CANCELLED"');
  });

  test.each([
    ["Value", { Value: "PRICE_CHANGED", ShortText: "other" }],
    ["ShortText", { ShortText: "PRICE_CHANGED" }],
    ["a list", [{ Value: "PRICE_CHANGED" }]],
  ])("an error has its text in %s, whatever the operation", (_, Error) => {
    for (const { responseRoot, interpret } of everyOperation) {
      const body = { [responseRoot]: { Errors: { Error } } };

      expect(readErrors(body, responseRoot)).toEqual([{ code: null, text: "PRICE_CHANGED" }]);
      expect(interpret(body)).toMatchObject({ ok: false, problem: { code: "gateway.rejected" } });
    }
  });

  test("services and seats are submitted by operations that this contract does not have", () => {
    expect(operationNames).toHaveLength(15);
    expect(operationNames).not.toContain("AirPostOrderChange");
    expect(operationNames).not.toContain("AirOrderCreateV2");
  });

  test("a callback that is no order change notification is refused with a path, not read as one", () => {
    const callback = { PaymentStatus: "PAID", OrderID: "QX7R2M1A" };

    expect(readNotification(bytesOf(callback))).toMatchObject({
      ok: false,
      problem: { code: "ocn.not_an_order_view", path: "" },
    });
  });

  test("only the void operation has a host of its own", () => {
    expect(everyOperation.filter(({ host }) => host === "void").map(({ name }) => name)).toEqual(["AirTicketVoid"]);
  });
});

describe("rules that a receiver must not enforce", () => {
  test("passengers are called T1, ADT1 or ADT1 of attributes, and nothing needs to link them", () => {
    const passengers = [
      { PassengerID: "T1", attributes: { PassengerID: "ADT1" }, PTC: "ADT" },
      { PassengerID: "T2", attributes: { PassengerID: "CHD2" }, PTC: "CHD", PassengerRefID: "CHD1" },
    ];
    const view = readView(
      anOrderView({ passengers, order: { OfferItem: [{ Service: { PassengerRefs: "ADT1 CHD1" } }] } }),
    );

    expect(view.passengers.map(({ passengerId }) => passengerId)).toEqual(["T1", "T2"]);
    expect(view.orders).toHaveLength(1);
  });

  test("what was paid is not the total price", () => {
    const body = anOrderView({
      order: { BookingCurrencyCode: "EUR", TotalPrice: { BookingCurrencyPrice: 740.3 } },
      view: { Payments: { Payment: [{ Type: "CARD", Amount: "740.29" }] } },
    });

    expect(readView(body).orders[0]?.totalPrice).toEqual({ known: true, value: { amount: "740.3", currency: "EUR" } });
  });

  test.each([
    ["OrderStatus", "orderStatus"],
    ["PaymentStatus", "paymentStatus"],
    ["TicketStatus", "ticketStatus"],
    ["PnrStatus", "pnrStatus"],
  ] as const)("%s has values that no list knows", (key, name) => {
    expect(readOrder({ [key]: "Something new" })[name]).toEqual({ known: true, value: "SOMETHING NEW" });
  });

  test("ScheduleChangeStatus does not imply ScheduleChangeIndicator", () => {
    const { scheduleChangeIndicator } = readOrder({
      ScheduleChangeIndicator: undefined,
      ScheduleChangeStatus: "Initiated",
    });

    expect(scheduleChangeIndicator).toEqual({ known: false, reason: "missing-schedule-change-indicator" });
  });

  test("EffectiveExpireDate of a card is no date, and card numbers are tokens", () => {
    const Method = {
      PaymentCard: {
        CardNumber: "card_number_00ff",
        EffectiveExpireDate: { Effective: "", Expiration: "exp_year_00ff" },
      },
    };

    const body = anOrderView({ view: { Payments: { Payment: [{ Type: "CARD", Method }] } } });

    expect(readView(body).orders).toHaveLength(1);
    expect(normalisedAt(body, "Payments/Payment/0/Method/PaymentCard")).toEqual({
      CardNumber: "card_number_00ff",
      EffectiveExpireDate: { Expiration: "exp_year_00ff" },
    });
  });

  test.each([["Segment1 Segment2"], ["Segment1,Segment2"], ["Segment1, Segment2"], [["Segment1", "Segment2"]]])(
    "references are separated by blanks, commas or both, or are a list: %j",
    (SegmentRefs) => {
      const { changedFlights } = readOrder({ ScheduleChange: [{ FlightKey: "Flight1", SegmentRefs }] });

      expect(changedFlights).toEqual([{ flightKey: "Flight1", segmentKeys: ["Segment1", "Segment2"] }]);
    },
  );

  test.each([["2027-02-01 10:00:00"], ["2027-02-01T10:00:00"]])(
    "times of expiry have no zone, and a blank or a T: %s",
    (PaymentExpirationDateTime) => {
      expect(readOrder({ TimeLimits: { PaymentExpirationDateTime } }).paymentTimeLimit).toEqual({
        known: true,
        value: "2027-02-01T10:00:00",
      });
    },
  );
});

describe("an order view as gateways send it", () => {
  const segmentWith = (overrides: Json) =>
    readView(
      anOrderView({
        segments: [aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", overrides)],
      }),
    ).flightSegments[0]!;

  test("has no OrderViewRS around it", () => {
    expect(readView(aMinorDelay().OrderViewRS)).toEqual(readView(aMinorDelay()));
    expect(operation("AirReservationStatus").interpret(aMinorDelay().OrderViewRS).ok).toBe(true);
  });

  test("has lists of one where objects belong", () => {
    const { OrderViewRS } = aMinorDelay() as unknown as { OrderViewRS: { DataLists: Json } };
    const { FlightSegmentList } = OrderViewRS.DataLists as { FlightSegmentList: { FlightSegment: Json[] } };
    const FlightSegment = FlightSegmentList.FlightSegment.map((segment) => ({
      ...segment,
      Departure: [segment["Departure"]],
      MarketingCarrier: [segment["MarketingCarrier"]],
    }));
    const DataLists = [{ ...OrderViewRS.DataLists, FlightSegmentList: [{ FlightSegment }] }];

    expect(readView([{ OrderViewRS: [{ ...OrderViewRS, DataLists }] }])).toEqual(readView(aMinorDelay()));
  });

  test("has prices, durations and numbers of stops in lists of one", () => {
    const FlightDetail = { FlightDuration: [{ Value: "3 H 50 M" }], Stops: [{ Value: 1 }] };
    const segments = [aSegment("S1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", { FlightDetail })];
    const order = { TotalPrice: [{ BookingCurrencyPrice: 1090 }], BookingCurrencyCode: "USD" };

    const { orders, flightSegments, unread } = readView(anOrderView({ order, segments }));

    expect(orders[0]?.totalPrice).toEqual({ known: true, value: { amount: "1090", currency: "USD" } });
    expect(flightSegments[0]).toMatchObject({ flightDuration: "3 H 50 M", stops: 1 });
    expect(unread.values).toEqual([]);
  });

  test("has a list of one without the object around the list", () => {
    const { OrderViewRS } = aMinorDelay() as unknown as { OrderViewRS: { DataLists: Json } };
    const [passenger] = (OrderViewRS.DataLists["PassengerList"] as { Passengers: Json[] }).Passengers;
    const flat = { ...OrderViewRS, DataLists: { ...OrderViewRS.DataLists, PassengerList: [passenger] } };
    const whole = { ...flat, DataLists: { ...flat.DataLists, PassengerList: { Passengers: [passenger] } } };

    expect(readView({ OrderViewRS: flat })).toEqual(readView({ OrderViewRS: whole }));
  });

  test.each(["emailcontact", "EMAILCONTACT", "EmailContact"])("spells EmailContact as %s", (key) => {
    const Party = { Sender: { TravelAgencySender: { Contacts: { Contact: [{ [key]: "desk@example.com" }] } } } };

    expect(
      normalisedAt(anOrderView({ view: { Party } }), "Party/Sender/TravelAgencySender/Contacts/Contact/0/EmailContact"),
    ).toBe("desk@example.com");
  });

  test("has no Payments while the order is on hold", () => {
    expect(readView(anOrderView({ view: { Payments: undefined } })).orders).toHaveLength(1);
  });

  test("has its GdsBookingReference as one text", () => {
    expect(readOrder({ GdsBookingReference: "LHSKD1" }).gdsBookingReferences).toEqual(["LHSKD1"]);
  });

  test.each([
    ["OrderStatus", "orderStatus", "missing-order-status"],
    ["PaymentStatus", "paymentStatus", "missing-payment-status"],
    ["TicketStatus", "ticketStatus", "missing-ticket-status"],
    ["PnrStatus", "pnrStatus", "missing-pnr-status"],
    ["NeedToTicket", "needToTicket", "missing-need-to-ticket"],
    ["ScheduleChangeIndicator", "scheduleChangeIndicator", "missing-schedule-change-indicator"],
    ["ScheduleChangeStatus", "scheduleChangeStatus", "missing-schedule-change-status"],
  ] as const)("leaves %s out, or blank", (key, name, reason) => {
    expect(readOrder({ [key]: undefined })[name]).toEqual({ known: false, reason });
    expect(readOrder({ [key]: "" })[name]).toEqual({ known: false, reason });
  });

  test("has keys that the interface document does not have", () => {
    expect(readOrder({ OptionalServiceStatus: "SUCCESS", Anything: { New: [1] } })).toEqual(readOrder({}));
  });

  test.each([[486], [486.66], ["486.660"]])("has money as an integer, a decimal or a text: %j", (sent) => {
    expect(readOrder({ TotalPrice: { BookingCurrencyPrice: sent } }).totalPrice).toEqual({
      known: true,
      value: { amount: String(sent), currency: null },
    });
  });

  test("has a penalty of NA", () => {
    expect(
      readOrder({ Penalty: { CancelationFee: { Before: { BookingCurrencyPrice: "NA" } } } }).cancellationFee,
    ).toEqual({ known: false, reason: "unavailable-cancellation-fee" });
  });

  test.each([
    ["no seat", [], 0],
    ["one seat", [{ SeatNumber: "12A", SegmentNumber: 1, Origin: "LIS", PaxRef: "T1", Status: "SUCCESS" }], 1],
  ])("has %s in PaxSeatInfo", (_, PaxSeatInfo, seats) => {
    expect(readOrder({ PaxSeatInfo }).seats).toHaveLength(seats);
  });

  test("has fare items and service items in one list", () => {
    const order = readOrder({
      OfferItem: [
        { OfferItemID: "OFFERITEMID1", Refundable: "false", FareComponent: [{ SegmentRefs: "Segment1" }] },
        { OfferItemID: "SRV-OfferItem-1", Status: "FAILED", ServiceDefinitionRef: "SRV1" },
      ],
    });

    expect(order.fareComponents).toHaveLength(1);
    expect(order.services.map(({ status }) => status)).toEqual(["FAILED"]);
    expect(order.refundable).toEqual({ known: true, value: false });
  });

  test.each(["SegmentRefs", "SegmentReferences"])("names the segments of a changed flight with %s", (key) => {
    expect(readOrder({ ScheduleChange: [{ FlightKey: "Flight1", [key]: "Segment1" }] }).changedFlights).toEqual([
      { flightKey: "Flight1", segmentKeys: ["Segment1"] },
    ]);
  });

  test.each(["Passengers", "Passenger"])("lists its passengers under %s", (key) => {
    expect(
      readView(anOrderView({ dataLists: { PassengerList: { [key]: [{ PassengerID: "T1", PTC: "ADT" }] } } }))
        .passengers,
    ).toHaveLength(1);
  });

  test.each([[""], ["1"], ["B"]])("has the terminal %j", (Name) => {
    expect(segmentWith({ Departure: { AirportCode: "LIS", Terminal: { Name } } }).departure?.terminal).toBe(
      Name || null,
    );
  });

  test.each([
    ["name and code in each other's place", { AircraftCode: "Airbus A320 (sharklets)", Name: "32B" }, "32B"],
    ["the code in the name alone", { AircraftCode: "", Name: "dh4" }, "DH4"],
    ["a name and no code", { AircraftCode: "Airbus A320", Name: "" }, "Airbus A320"],
    ["neither", { AircraftCode: "", Name: "" }, null],
  ])("has %s for the aircraft", (_, Equipment, aircraft) => {
    expect(segmentWith({ Equipment }).aircraftCode).toBe(aircraft);
  });

  test.each([
    ["", null],
    ["O", "O"],
    ["I", "I"],
  ])("has the MarriageGroup %j", (MarriageGroup, expected) => {
    expect(segmentWith({ Code: { MarriageGroup } }).marriageGroup).toBe(expected);
  });

  test.each([["3 H 50 M"], ["1 Hrs 0 Min"]])("states the duration of a flight in words: %s", (Value) => {
    expect(segmentWith({ FlightDetail: { FlightDuration: { Value } } }).flightDuration).toBe(Value);
  });

  test("has the airline's own reference and a blank brand with a segment", () => {
    expect(segmentWith({ FlightDetail: { AirlinePnr: "ABC123" }, BrandId: "" }).brandId).toBeNull();
  });

  test("has a journey without a time", () => {
    const FlightList = { Flight: [{ FlightKey: "Flight1", Journey: { Time: "" }, SegmentReferences: "Segment1" }] };

    expect(readView(anOrderView({ dataLists: { FlightList } })).flights).toEqual([
      { flightKey: "Flight1", segmentKeys: ["Segment1"] },
    ]);
  });

  test("has several flights in one FlightReferences", () => {
    const OriginDestination = [{ OriginDestinationKey: "OD1", FlightReferences: "Flight1 Flight2" }];

    expect(
      readView(anOrderView({ dataLists: { OriginDestinationList: { OriginDestination } } })).originDestinations[0]
        ?.flightKeys,
    ).toEqual(["Flight1", "Flight2"]);
  });

  test.each([
    ["present but empty", { ScheduleChangeSegment: [] }],
    ["blank", ""],
    ["missing", undefined],
  ])("has a ScheduleChangeSegmentList that is %s", (_, ScheduleChangeSegmentList) => {
    expect(readView(anOrderView({ dataLists: { ScheduleChangeSegmentList } })).scheduleChangeSegments).toEqual([]);
  });

  test("has price classes with blank names and codes", () => {
    const PriceClass = [{ PriceClassID: "PCR_1", Name: "", Code: "" }];

    expect(readView(anOrderView({ dataLists: { PriceClassList: { PriceClass } } })).priceClasses).toEqual([
      { priceClassId: "PCR_1", name: null, code: null, descriptions: null },
    ]);
  });

  test("allows the text 'undefined' as a number of bags", () => {
    const BaggageAllowance = [{ BaggageAllowanceID: "BG_1", PieceAllowance: { TotalQuantity: "undefined" } }];

    expect(
      normalisedAt(
        anOrderView({ dataLists: { BaggageAllowanceList: { BaggageAllowance } } }),
        "DataLists/BaggageAllowanceList/BaggageAllowance/0/BaggageAllowanceID",
      ),
    ).toBe("BG_1");
  });

  test("has no ServiceDefinitionList, or service codes with blanks in them", () => {
    const ServiceDefinition = [{ ServiceDefinitionID: "SRV1", ServiceCode: "EXTRA BAG" }];
    const { serviceDefinitions } = readView(
      anOrderView({ dataLists: { ServiceDefinitionList: { ServiceDefinition } } }),
    );

    expect(readView(anOrderView()).serviceDefinitions).toEqual([]);
    expect(serviceDefinitions).toMatchObject([{ serviceDefinitionId: "SRV1", code: "EXTRA BAG" }]);
  });

  test.each([
    ["more ticket documents than passengers", 3],
    ["fewer ticket documents than passengers", 1],
  ])("lists %s", (_, count) => {
    const TicketDocInfo = Array.from({ length: count }, (_, i) => ({
      TicketDocument: { TicketDocNbr: `125210000000${i}`, Type: "TKT" },
      PassengerReference: "T1",
    }));

    expect(
      readView(anOrderView({ passengers: ["ADT", "ADT"], view: { TicketDocInfos: { TicketDocInfo } } }))
        .ticketDocuments,
    ).toHaveLength(count);
  });

  test("has contact data whose keys begin with a small letter", () => {
    expect(readView(anOrderView({ dataLists: { contactEmail: "a@example.com" } })).contacts.emails).toEqual([
      "a@example.com",
    ]);
    expect(readView(anOrderView({ dataLists: { ContactEmail: "a@example.com" } })).contacts.emails).toEqual([
      "a@example.com",
    ]);
  });

  test("has identifiers of 19 to 28 digits as numbers, and none of their digits is lost", () => {
    const body = JSON.stringify(anOrderView({ orderId: "@", gdsBookingReference: "#" }))
      .replace('"@"', "1724067361311310318")
      .replace('"#"', "1724067361311310318271234567");

    expect(readView(body).orders[0]).toMatchObject({
      orderId: "1724067361311310318",
      gdsBookingReferences: ["1724067361311310318271234567"],
    });
  });
});
