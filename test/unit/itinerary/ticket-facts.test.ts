import { describe, expect, test } from "vitest";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { ticketFacts, ticketParts } from "../../../src/itinerary/ticket-facts.ts";
import type { Json, OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

function facts(options: OrderViewOptions, now = "2027-01-10T00:00:00Z"): Record<string, unknown> {
  const { proposal, records, view } = aProposedChange(options);
  return plain(computeTopic(ticketFacts, ticketParts(proposal, records, view.priceClasses, new Date(now))));
}

/** A second element of the same order with a booking reference of its own. */
function another(members: Json): Json {
  return { OrderID: "QX7R2M1A", GdsBookingReference: "TPSKD2", OrderStatus: "SUCCESS", ...members };
}

describe("statuses and flags", () => {
  test("are stated as they were sent", () => {
    expect(facts({ order: { OrderStatus: "BOOKED" } })).toMatchObject({
      ticketed: true,
      orderStatus: "BOOKED",
      paymentStatus: "PAID",
      pnrStatus: "SCHEDULE CHANGED",
      scheduleChangeStatus: "Initiated",
      acceptAllowed: true,
      cancelAllowed: true,
      rescheduleAllowed: false,
    });
  });

  test("that are missing are unknown, never N", () => {
    const missing = { OrderStatus: undefined, PaymentStatus: "" };

    expect(facts({ order: missing, pnrStatus: "", scheduleChangeStatus: "", flags: null })).toMatchObject({
      orderStatus: "?missing-order-status",
      paymentStatus: "?missing-payment-status",
      pnrStatus: "?missing-pnr-status",
      scheduleChangeStatus: "?missing-schedule-change-status",
      acceptAllowed: "?missing-flag",
      cancelAllowed: "?missing-flag",
      rescheduleAllowed: "?missing-flag",
    });
  });

  test("that differ between two booking references are unknown", () => {
    const flags = { ScheduleChange: [{ AmendmentsActions: { Accept: "N", Cancel: "Y", ReSchedule: "N" } }] };

    expect(facts({ otherOrders: [another({ OrderStatus: "BOOKED", ...flags })] })).toMatchObject({
      orderStatus: "?differs-by-reference",
      paymentStatus: "?missing-payment-status",
      acceptAllowed: "?differs-by-reference",
      cancelAllowed: true,
    });
  });
});

describe("held", () => {
  test.each<[string, OrderViewOptions, unknown]>([
    ["a ticketed order", {}, false],
    ["a ticketed order of which the payment is pending", { order: { PaymentStatus: "PENDING" } }, false],
    ["a paid order without a ticket", { ticketed: false }, false],
    ["an order with neither", { ticketed: false, order: { PaymentStatus: "NOT PAID" } }, true],
    ["an order on hold", { ticketed: false, order: { PaymentStatus: "", OrderStatus: "ON HOLD" } }, true],
    [
      "a payment status that nobody knows",
      { ticketed: false, order: { PaymentStatus: "X" } },
      "?unknown-payment-status",
    ],
    ["no payment status", { ticketed: false, order: { PaymentStatus: undefined } }, "?missing-payment-status"],
  ])("is determined for %s", (_, options, held) => {
    expect(facts(options)).toMatchObject({ held });
  });
});

describe("whether the booking stands", () => {
  test.each<[string, OrderViewOptions, unknown]>([
    ["a ticketed order", {}, true],
    ["a ticketed order that is not paid", { order: { PaymentStatus: "UNPAID" } }, "?ticketed-but-not-paid"],
    ["one of which the payment is pending", { order: { PaymentStatus: "PENDING" } }, "?ticketed-but-not-paid"],
    ["a ticketed order on hold", { order: { OrderStatus: "ON HOLD" } }, "?ticketed-but-not-paid"],
    ["an order on hold", { ticketed: false, order: { OrderStatus: "ON HOLD", PaymentStatus: "UNPAID" } }, true],
  ])("is known of %s", (_, options, bookingStands) => {
    expect(facts(options)).toMatchObject({ bookingStands });
  });
});

describe("the payment time limit", () => {
  const until = (limit: unknown): OrderViewOptions => ({
    ticketed: false,
    order: { PaymentStatus: "UNPAID", TimeLimits: { PaymentExpirationDateTime: limit } },
  });

  test.each([
    // 14:00 on 10 January is 00:00Z in Kiritimati (UTC+14), and 02:00Z of the next day at UTC-12.
    ["2027-01-09T23:59:00Z", 1, 1561],
    ["2027-01-10T00:00:00Z", 0, 1560],
    ["2027-01-10T00:00:01Z", -1, 1559],
    ["2027-01-11T02:00:00Z", -1560, 0],
    ["2027-01-11T02:01:00Z", -1561, -1],
  ])("counted at %s lies between %i and %i minutes away", (now, earliest, latest) => {
    expect(facts(until("2027-01-10 14:00:00"), now)).toMatchObject({
      paymentTimeLimitEarliestMinutes: earliest,
      paymentTimeLimitLatestMinutes: latest,
    });
  });

  test("of an order that is not held means nothing", () => {
    const limits = { TimeLimits: { PaymentExpirationDateTime: "2027-01-10 14:00:00" } };

    expect(facts({ order: limits })).toMatchObject({
      paymentTimeLimitEarliestMinutes: "?not-held",
      paymentTimeLimitLatestMinutes: "?not-held",
    });
  });

  test.each([[undefined], [""], ["soon"]])("of %j is unknown", (limit) => {
    expect(facts(until(limit))).toMatchObject({
      paymentTimeLimitEarliestMinutes: "?missing-payment-time-limit",
      paymentTimeLimitLatestMinutes: "?missing-payment-time-limit",
    });
  });

  test("is the earlier one of two references", () => {
    const options = until("2027-01-10 14:00:00");
    const sooner = { PaymentStatus: "UNPAID", TicketStatus: "NOT TICKETED" };
    const other = another({ ...sooner, TimeLimits: { PaymentExpirationDateTime: "2027-01-10 13:00:00" } });

    expect(facts({ ...options, otherOrders: [other] })).toMatchObject({ paymentTimeLimitEarliestMinutes: -60 });
  });
});

describe("fares", () => {
  const fare = (refundable: unknown, brand: string | undefined): Json => ({
    Refundable: refundable,
    FareComponent: [{ PriceClassRef: brand, SegmentRefs: "Segment1", FareBasis: { RBD: "Q", CabinType: "Y" } }],
  });
  const brands = {
    PriceClassList: {
      PriceClass: [
        { PriceClassID: "PCR_1", Name: "Light", Code: "LGT" },
        { PriceClassID: "PCR_2", Name: "", Code: "FLX" },
        { PriceClassID: "PCR_3", Name: "", Code: "" },
      ],
    },
  };

  test.each<[string, readonly unknown[], unknown]>([
    ["all refundable", ["true", "true"], true],
    ["none refundable", ["false", "false"], false],
    ["some refundable", ["true", "false"], "?mixed-refundability"],
  ])("are refundable only together: %s", (_, values, refundable) => {
    expect(facts({ order: { OfferItem: values.map((value) => fare(value, "PCR_1")) } })).toMatchObject({ refundable });
  });

  test.each<[string, readonly (string | undefined)[], unknown]>([
    ["a name", ["PCR_1", "PCR_1"], ["Light"]],
    ["a name and a code", ["PCR_1", "PCR_2"], ["Light", "FLX"]],
    ["neither", ["PCR_3"], "?missing-brand"],
    ["a brand that is not listed", ["PCR_9"], "?missing-brand"],
    ["no brand", [undefined], "?missing-brand"],
  ])("of brands with %s", (_, references, expected) => {
    const items = references.map((reference) => fare("true", reference));

    expect(facts({ order: { OfferItem: items }, dataLists: brands })).toMatchObject({ brands: expected });
  });
});
