import { describe, expect, test } from "vitest";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { bookOrder } from "../../../src/gateway/book-order.ts";
import { segmentKeysOf, ticketsOf } from "../../../src/gateway/order-content.ts";
import { type OrderRequest, orderRequestSchema } from "../../../src/gateway/order-request.ts";
import { statusBody } from "../../../src/gateway/order-view-body.ts";
import { toMinorUnits } from "../../../src/travel/money.ts";
import { bookedAt, gatewayOrder, inbound, outbound } from "../../builders/gateway-order.ts";

const party = [{ ptc: "ADT" }, { ptc: "ADT" }, { ptc: "CHD" }, { ptc: "INF" }] as const;

describe("a booked order", () => {
  test("needs nothing to be asked for", () => {
    const order = bookOrder(orderRequestSchema.parse({}), bookedAt);

    expect(order.orderId).toMatch(/^[A-Z2-9]{8}$/);
    expect(order.references).toMatchObject([{ pnrStatus: "CONFIRMED", scheduleChangeStatus: "", flags: null }]);
    expect(order.content.DataLists.FlightSegmentList.FlightSegment).toMatchObject([
      { SegmentKey: "Segment1", Departure: { AirportCode: "LIS", Date: "2027-02-04" } },
    ]);
  });

  test("is the same order for the same request", () => {
    expect(gatewayOrder()).toEqual(gatewayOrder());
  });

  test.each<[string, OrderRequest]>([
    ["one adult, one way", { flights: [outbound] }],
    ["a family on a round trip", { passengers: [...party] }],
    ["held, not ticketed", { ticketed: false }],
    ["in a currency without cents", { currency: "JPY", baseFare: "16501" }],
    ["two references with a journey each", { gdsBookingReferences: ["AAA111", "BBB222"] }],
    ["an operating carrier that nobody states", { flights: [{ ...outbound, operatingCarrier: null }] }],
    ["an airport that is not known", { flights: [{ ...outbound, to: "XXB" }] }],
  ])("satisfies the strict order view: %s", (_, overrides) => {
    const parsed = orderViewResponseSchema.safeParse(statusBody(gatewayOrder(overrides), undefined));

    expect(parsed.error?.issues).toBeUndefined();
  });

  test("has prices that add up to the cent, from taxes to what was paid", () => {
    const { content } = gatewayOrder({ passengers: [...party], baseFare: "123.45" });
    const cents = (money: unknown): number => toMinorUnits((money as Money).BookingCurrencyPrice, 2)!;
    const order = content.Order[0] as unknown as PricedOrder;

    for (const item of order.OfferItem) {
      const { Price } = item.FareDetail;
      expect(Price.Taxes.reduce((sum, tax) => sum + cents(tax), 0)).toBe(cents(Price.TaxAmount));
      expect(cents(Price.BaseAmount) + cents(Price.TaxAmount)).toBe(cents(Price.TotalAmount));
      expect(cents(Price.TotalAmount) * item.PassengerQuantity).toBe(cents(item.TotalPriceDetail.TotalAmount));
    }
    const items = order.OfferItem.reduce((sum, item) => sum + cents(item.TotalPriceDetail.TotalAmount), 0);
    expect(items).toBe(cents(order.TotalPrice));
    expect(cents(order.BasePrice) + cents(order.TaxPrice)).toBe(cents(order.TotalPrice));
    const { Payment } = content.Payments as { Payment: { Amount: string }[] };
    expect(toMinorUnits(Payment[0]?.Amount, 2)).toBe(cents(order.TotalPrice));
  });

  test("carries card values as substitutes only", () => {
    const { content } = gatewayOrder();

    expect(content.Payments).toMatchObject({
      Payment: [
        {
          Method: {
            PaymentCard: {
              CardNumber: expect.stringMatching(/^card_number_[0-9a-f]{16}$/),
              SeriesCode: expect.stringMatching(/^cvv_/),
              CardHolderName: expect.stringMatching(/^card_holder_name_/),
            },
          },
        },
      ],
    });
  });

  test("has fare tokens for each of its segments", () => {
    const { content } = gatewayOrder({ flights: [outbound, { ...inbound, cabin: "C", rbd: "J" }] });

    expect(content.Order[0]?.OfferItem[0]?.FareComponent?.[0]).toMatchObject({
      SegmentRefs: "Segment1 Segment2",
      FareBasis: { FareBasisCode: { Code: "QNR7AV JNR7AV" }, RBD: "Q J", CabinType: "Y C" },
    });
  });

  test("knows how long a flight really takes where it knows the airports", () => {
    const { content } = gatewayOrder();
    const lengths = content.DataLists.FlightSegmentList.FlightSegment.map(
      (segment) => segment.FlightDetail?.FlightDuration?.Value,
    );

    expect(lengths).toEqual(["3 H 10 M", "3 H 15 M"]);
    const unknown = gatewayOrder({ flights: [{ ...outbound, to: "XXB" }] });
    expect(unknown.content.DataLists.FlightSegmentList.FlightSegment[0]?.FlightDetail?.FlightDuration?.Value).toBe("");
  });

  test("takes flights that connect as one journey, and the way back as another", () => {
    const connecting = {
      ...inbound,
      from: "FRA",
      to: "OSL",
      departure: "2027-03-14T13:00",
      arrival: "2027-03-14T15:05",
    };
    const journeys = (flights: OrderRequest["flights"]) =>
      gatewayOrder({ flights }).content.DataLists.FlightList.Flight.map((flight) => flight.SegmentReferences);

    expect(journeys([outbound, connecting])).toEqual(["Segment1 Segment2"]);
    expect(journeys([outbound, inbound])).toEqual(["Segment1", "Segment2"]);
    expect(journeys([outbound, { ...connecting, departure: "2027-03-15T11:19" }])).toEqual(["Segment1 Segment2"]);
    expect(journeys([outbound, { ...connecting, departure: "2027-03-15T11:20" }])).toEqual(["Segment1", "Segment2"]);
    expect(journeys([outbound, { ...connecting, to: "LIS" }])).toEqual(["Segment1", "Segment2"]);
  });

  test("gives each booking reference its own journey, Order element and tickets", () => {
    const { content } = gatewayOrder({ gdsBookingReferences: ["AAA111", "BBB222"] });

    expect(content.Order.map((order) => order.GdsBookingReference)).toEqual(["AAA111", "BBB222"]);
    expect(segmentKeysOf(content, "AAA111")).toEqual(["Segment1"]);
    expect(segmentKeysOf(content, "BBB222")).toEqual(["Segment2"]);
    expect(ticketsOf(content, "BBB222")).toHaveLength(1);
  });

  test("splits a party over references that share the flights", () => {
    const { content } = gatewayOrder({
      flights: [outbound],
      gdsBookingReferences: ["AAA111", "BBB222"],
      passengers: [{}, {}, {}],
    });

    expect(segmentKeysOf(content, "BBB222")).toEqual(["Segment1"]);
    expect(content.TicketDocInfos?.TicketDocInfo.map((ticket) => ticket.GdsBookingReference)).toEqual([
      "AAA111",
      "AAA111",
      "BBB222",
    ]);
  });

  test("without tickets is PENDING, unpaid and has no documents", () => {
    const order = gatewayOrder({ ticketed: false });

    expect(order.references[0]?.pnrStatus).toBe("PENDING");
    expect(order.content.Payments).toBeUndefined();
    expect(order.content.TicketDocInfos).toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    [
      "a zone in a time",
      { flights: [{ ...outbound, departure: "2027-03-14T07:10Z" }] },
      "must be a local date and time",
    ],
    ["a flight to where it leaves from", { flights: [{ ...outbound, to: "LIS" }] }, "must differ"],
    ["a journey that names no flight", { flights: [outbound], journeys: [[1]] }, "must name every position"],
    ["ten passengers", { passengers: Array.from({ length: 10 }, () => ({})) }, "at most 9"],
    ["a reference twice", { gdsBookingReferences: ["AAA111", "AAA111"] }, "names a reference twice"],
    [
      "a flight of a foreign reference",
      { gdsBookingReferences: ["AAA111"], flights: [{ ...outbound, gdsBookingReference: "BBB222" }] },
      "is not among the order's gdsBookingReferences",
    ],
    [
      "a reference without a flight",
      { gdsBookingReferences: ["AAA111", "BBB222"], flights: [{ ...outbound, gdsBookingReference: "BBB222" }] },
      "has no flight for AAA111",
    ],
    ["a member that does not exist", { orderID: "X" }, "Unrecognized key"],
  ])("refuses %s", (_, request, message) => {
    const parsed = orderRequestSchema.safeParse(request);

    expect(parsed.success).toBe(false);
    expect(parsed.error?.message).toContain(message);
  });
});

interface Money {
  readonly BookingCurrencyPrice: number;
}
interface PricedOrder {
  readonly TotalPrice: Money;
  readonly BasePrice: Money;
  readonly TaxPrice: Money;
  readonly OfferItem: readonly {
    readonly PassengerQuantity: number;
    readonly TotalPriceDetail: { readonly TotalAmount: Money };
    readonly FareDetail: {
      readonly Price: Readonly<Record<"TotalAmount" | "BaseAmount" | "TaxAmount", Money>> & { readonly Taxes: Money[] };
    };
  }[];
}
