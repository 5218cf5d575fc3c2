import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refundOf } from "../../../src/gateway/refund.ts";
import { settleChange } from "../../../src/gateway/settle-change.ts";
import { flySegments } from "../../../src/gateway/tickets.ts";
import { toMinorUnits } from "../../../src/travel/money.ts";
import { changedOrder, gatewayOrder, inbound, outbound } from "../../builders/gateway-order.ts";

const at = new Date("2027-01-06T10:00:00Z");

describe("a refund", () => {
  test("of unflown tickets is everything that was paid", () => {
    const order = gatewayOrder({ passengers: [{}, { ptc: "CHD" }] });

    expect(refundOf(order, "LHSKD1")).toMatchObject({
      amount: 721.88,
      currency: "USD",
      text: "Full refund of all tickets to the original form of payment.",
      tickets: [
        { amount: 412.5, amountText: "412.50" },
        { amount: 309.38, amountText: "309.38" },
      ],
    });
  });

  test("leaves out the used part: half of a round trip, and the odd cent with the flight that was flown", () => {
    const order = flySegments(gatewayOrder({ baseFare: "100.01" }), ["Segment1"]);

    expect(refundOf(order, "LHSKD1")).toMatchObject({
      amount: 125.01,
      text: "Refund of the tickets to the original form of payment, less the used part: 1 of 2 flights.",
      tickets: [{ amount: 125.01 }],
    });
  });

  test("of a ticket that was flown wholly is nothing, and the ticket is used", () => {
    const order = flySegments(gatewayOrder(), ["Segment1", "Segment2"]);

    expect(order.tickets).toMatchObject([{ state: "used", flownSegmentKeys: ["Segment1", "Segment2"] }]);
    expect(refundOf(order, "LHSKD1")).toMatchObject({ amount: 0, tickets: [] });
  });

  test("is made once: the tickets are refunded, no longer listed, and recorded with their change", () => {
    const changed = changedOrder();

    const settled = settleChange(changed, "rejected", ["LHSKD1"], at);

    expect(settled.order.tickets).toMatchObject([{ state: "refunded" }]);
    expect(settled.order.content.TicketDocInfos?.TicketDocInfo).toEqual([]);
    expect(settled.refunds).toEqual([
      {
        orderId: "QX7R2M1A",
        ticketNumber: changed.tickets[0]?.ticketNumber,
        gdsBookingReference: "LHSKD1",
        changeId: changed.change.id,
        amount: "412.50",
        currency: "USD",
        refundedAt: at,
      },
    ]);
    expect(refundOf(settled.order, "LHSKD1")).toMatchObject({ amount: 0, tickets: [] });
  });

  test("pays a document of the whole order back with the first reference only", () => {
    const order = gatewayOrder({ flights: [outbound], gdsBookingReferences: ["AAA111", "BBB222"], passengers: [{}] });
    const whole = {
      ...order,
      tickets: order.tickets.slice(0, 1).map((one) => ({ ...one, gdsBookingReference: null })),
    };

    const { results, refunds } = settleChange(changedOrder(whole), "rejected", ["AAA111", "BBB222"], at);

    expect(refunds).toHaveLength(1);
    expect(results.map((result) => result.refund?.tickets.length)).toEqual([1, 0]);
  });

  test("of currencies without cents has none", () => {
    const order = gatewayOrder({ currency: "JPY", baseFare: "10001" });

    expect(refundOf(flySegments(order, ["Segment2"]), "LHSKD1")).toMatchObject({
      currency: "JPY",
      tickets: [{ amountText: expect.stringMatching(/^\d+$/) }],
    });
  });

  test("adds up to the cent, and with the used part to the price, for any fare, party and flown flights", () => {
    const passenger = fc.constantFrom({ ptc: "ADT" as const }, { ptc: "CHD" as const }, { ptc: "INF" as const });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999 }),
        fc.array(passenger, { minLength: 1, maxLength: 9 }),
        fc.subarray(["Segment1", "Segment2"]),
        (cents, passengers, flown) => {
          const order = gatewayOrder({
            passengers,
            flights: [outbound, inbound],
            baseFare: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`,
          });
          const inCents = (amount: unknown): number => toMinorUnits(amount, 2) ?? Number.NaN;
          const unflown = ["Segment1", "Segment2"].filter((key) => !flown.includes(key));

          const refund = refundOf(flySegments(order, flown), "LHSKD1");
          const other = refundOf(flySegments(order, unflown), "LHSKD1");

          expect(inCents(refund.amount)).toBe(refund.tickets.reduce((sum, { amount }) => sum + inCents(amount), 0));
          expect(inCents(refund.amount) + inCents(other.amount)).toBe(
            inCents(order.content.Order[0]?.TotalPrice?.BookingCurrencyPrice),
          );
        },
      ),
    );
  });
});
