import { describe, expect, test } from "vitest";
import { airOfferServiceList } from "../../../src/contract/operations/air-offer-service-list.ts";
import { airPostBookingAncillary } from "../../../src/contract/operations/air-post-booking-ancillary.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import { anOfferRequest } from "../../builders/offer-requests.ts";
import { anErrorResponse, anOrderRequest } from "../../builders/order-view-operations.ts";
import { withValueAt } from "../../builders/value-at.ts";
import { danglingReferences } from "../../harness/dangling-references.ts";

const operations = [airOfferServiceList, airPostBookingAncillary] as const;
const root = "AirServiceListRQ";
const example = exampleOf(airOfferServiceList).response;

describe("the service list operations", () => {
  test.each(operations.map((operation): [string, Operation] => [operation.name, operation]))(
    "%s has an example whose references all lead somewhere",
    (_, operation) => {
      const response = exampleOf(operation).response as Record<string, Parameters<typeof danglingReferences>[1]>;

      expect(danglingReferences("AirServiceListRS", response["AirServiceListRS"]!)).toEqual([]);
    },
  );
});

describe("a request of AirOfferServiceList", () => {
  test("is refused when it names an order, with the operation to use instead", () => {
    expect(airOfferServiceList.readRequest(anOrderRequest(root))).toEqual({
      ok: false,
      problem: {
        code: "request.names_order",
        path: "/AirServiceListRQ/Query/OrderID",
        message: "The request names an order and no offer: send it to AirPostBookingAncillary.",
        businessCode: 29,
      },
    });
  });
});

describe("a request of AirPostBookingAncillary", () => {
  test("may state the booking reference as text", () => {
    expect(airPostBookingAncillary.readRequest(anOrderRequest(root, { GdsBookingReference: "LHSKD1" }))).toEqual({
      ok: true,
      query: { orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] },
    });
  });

  test.each<[string, unknown, string, string]>([
    ["names offers", anOfferRequest(root), "request.names_offer", "/AirServiceListRQ/Query/Offer"],
    ["is no object", null, "request.no_root", "/AirServiceListRQ"],
    ["names no order", anOrderRequest(root, { OrderID: "" }), "request.no_order_id", "/AirServiceListRQ/Query/OrderID"],
    [
      "names no booking",
      anOrderRequest(root, { GdsBookingReference: [] }),
      "request.no_booking_reference",
      "/AirServiceListRQ/Query/GdsBookingReference",
    ],
  ])("is refused when it %s", (_, body, code, path) => {
    expect(airPostBookingAncillary.readRequest(body)).toMatchObject({
      ok: false,
      problem: { code, path, businessCode: 29 },
    });
  });
});

describe("a response with services", () => {
  const expected = airOfferServiceList.interpret(example);

  test("is read with prices, definitions and expiry", () => {
    expect(expected).toMatchObject({
      ok: true,
      result: {
        shoppingResponseId: "1724067361311310318",
        serviceListResponseId: "1724067361311310319",
        aLaCarteOffer: {
          parameters: { totalItemQuantity: 3 },
          timeLimits: { offerExpiration: "2027-03-01T18:30:00" },
          aLaCarteOfferItem: [
            {
              offerItemId: "ServiceItem1",
              eligibility: { passengerRefs: ["T1", "T2"], segmentRefs: ["Segment1"] },
              price: {
                base: { bookingCurrencyPrice: "40", equivCurrencyPrice: "40" },
                tax: { bookingCurrencyPrice: "7.6", equivCurrencyPrice: "7.6" },
                total: { bookingCurrencyPrice: "47.6", equivCurrencyPrice: "47.6" },
              },
            },
            { offerItemId: "ServiceItem2" },
            { offerItemId: "ServiceItem3" },
          ],
        },
        serviceList: [
          {
            serviceId: "Service1",
            offerItemRefs: ["ServiceItem1", "ServiceItem2"],
            serviceDefinitionRef: "ServiceDefinition1",
          },
          { serviceId: "Service2", offerItemRefs: ["ServiceItem3"], serviceDefinitionRef: "ServiceDefinition2" },
        ],
        dataLists: {
          serviceDefinitionList: {
            serviceDefinition: [
              { serviceType: "BAG", serviceCode: "C01", serviceName: "Second checked bag up to 23 kg" },
              { serviceType: "MEAL", serviceCode: "VGML", serviceName: "Vegan meal" },
            ],
          },
          flightSegmentList: {
            flightSegment: [
              { segmentKey: "Segment1", marketingCarrier: { airlineId: "LH", flightNumber: "1167" } },
              { segmentKey: "Segment2" },
            ],
          },
        },
      },
    });
  });

  const offer = "AirServiceListRS/ALaCarteOffer";
  test.each<[string, unknown]>([
    ["without its root", example.AirServiceListRS],
    ["with the quantity as text", withValueAt(example, `${offer}/Parameters/TotalItemQuantity`, "3")],
    [
      "with amounts as text",
      withValueAt(example, `${offer}/ALaCarteOfferItem/0/Price/Tax/BookingCurrencyPrice`, "7.6"),
    ],
    [
      "with references as lists",
      withValueAt(example, `${offer}/ALaCarteOfferItem/0/Eligibility/PassengerRefs`, ["T1", "T2"]),
    ],
    [
      "with references separated by commas",
      withValueAt(example, "AirServiceListRS/ServiceList/0/OfferItemRefs", "ServiceItem1,ServiceItem2"),
    ],
    [
      "with a blank between date and time",
      withValueAt(example, `${offer}/TimeLimits/OfferExpiration`, "2027-03-01 18:30:00"),
    ],
    ["with an empty Errors", withValueAt(example, "AirServiceListRS/Errors", {})],
    ["with keys nobody knows", withValueAt(example, "AirServiceListRS/Extra", { a: 1 })],
  ])("means the same %s", (_, body) => {
    for (const operation of operations) expect(operation.interpret(body)).toEqual(operation.interpret(example));
  });

  test("keeps a bare price and the digits of an amount", () => {
    const price = {
      Base: "40.10",
      Tax: null,
      Total: { BookingCurrencyPrice: "12345678901234567.890", EquivCurrencyPrice: "NA" },
    };

    expect(
      airOfferServiceList.interpret(withValueAt(example, `${offer}/ALaCarteOfferItem/0/Price`, price)),
    ).toMatchObject({
      result: {
        aLaCarteOffer: {
          aLaCarteOfferItem: [
            {
              price: {
                base: { bookingCurrencyPrice: "40.10" },
                total: { bookingCurrencyPrice: "12345678901234567.890" },
              },
            },
            {},
            {},
          ],
        },
      },
    });
  });

  test("is a response although nothing can be bought", () => {
    const body = { AirServiceListRS: { Success: {}, ALaCarteOffer: { ALaCarteOfferItem: [] }, ServiceList: [] } };

    expect(airOfferServiceList.interpret(body)).toMatchObject({
      ok: true,
      result: { serviceList: [], aLaCarteOffer: { aLaCarteOfferItem: [] } },
    });
  });

  test("is rejected when it states errors, even beside services", () => {
    const errors = { Error: { Code: "28", Value: "PAX_MISMATCH_SERVICELIST" } };

    expect(airOfferServiceList.interpret(withValueAt(example, "AirServiceListRS/Errors", errors))).toMatchObject({
      ok: false,
      problem: {
        code: "gateway.rejected",
        path: "/AirServiceListRS/Errors",
        errors: [{ code: "28", text: "PAX_MISMATCH_SERVICELIST" }],
      },
    });
    expect(airPostBookingAncillary.interpret(anErrorResponse("AirServiceListRS"))).toMatchObject({
      problem: { code: "gateway.rejected" },
    });
  });

  test("is of use without Success, which is not always at its place", () => {
    const body = withValueAt(example, "AirServiceListRS/Success", undefined);

    const withSuccess = airPostBookingAncillary.interpret(example);

    expect(airPostBookingAncillary.interpret(body)).toEqual(withValueAt(withSuccess, "result/success", undefined));
  });

  test.each<[unknown, string, string]>([
    [null, "", "It is no JSON object."],
    [[], "", "It is no JSON object."],
    ["OK", "", "It is no JSON object."],
    [{}, "/ALaCarteOffer", "It holds no ALaCarteOffer."],
    [{ AirServiceListRS: { Success: {} } }, "/ALaCarteOffer", "It holds no ALaCarteOffer."],
    [{ AirServiceListRS: { Success: {}, ALaCarteOffer: "" } }, "/ALaCarteOffer", "It holds no ALaCarteOffer."],
  ])("is unusable in %j", (body, path, because) => {
    expect(airPostBookingAncillary.interpret(body)).toMatchObject({
      ok: false,
      problem: {
        code: "gateway.unusable_answer",
        path: path === "" ? expect.any(String) : `/AirServiceListRS${path}`,
        message: `The AirServiceListRS response cannot be used. ${because}`,
        errors: [],
      },
    });
  });

  test.each<[string, unknown]>([
    ["without a total quantity", withValueAt(example, `${offer}/Parameters`, undefined)],
    ["with the quantity as text", withValueAt(example, `${offer}/Parameters/TotalItemQuantity`, "3")],
    ["with a negative quantity", withValueAt(example, `${offer}/Parameters/TotalItemQuantity`, -1)],
    ["without Success", withValueAt(example, "AirServiceListRS/Success", undefined)],
    ["with a key nobody knows", withValueAt(example, "AirServiceListRS/Extra", {})],
    ["without its root", example.AirServiceListRS],
  ])("is not served %s", (_, body) => {
    expect(airOfferServiceList.responseSchema.safeParse(body).success).toBe(false);
    expect(airPostBookingAncillary.responseSchema.safeParse(body).success).toBe(false);
  });

  test.each<[string, string, unknown, string]>([
    ["an offer item", "ServiceList/0/OfferItemRefs", "ServiceItem1 ServiceItem9", "ServiceItem9"],
    ["a service definition", "ServiceList/1/ServiceDefinitionRef", "ServiceDefinition9", "ServiceDefinition9"],
    ["a passenger", "ALaCarteOffer/ALaCarteOfferItem/0/Eligibility/PassengerRefs", "T1 T3", "T3"],
    ["a segment", "ALaCarteOffer/ALaCarteOfferItem/2/Eligibility/SegmentRefs", "Segment3", "Segment3"],
  ])("shows a reference to %s that it does not hold", (_, path, references, key) => {
    const body = withValueAt(example, `AirServiceListRS/${path}`, references);

    expect(danglingReferences("AirServiceListRS", body.AirServiceListRS)).toEqual([
      { path: `/AirServiceListRS/${path}`, key },
    ]);
  });
});
