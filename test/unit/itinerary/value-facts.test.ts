import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { valueFacts, valueParts } from "../../../src/itinerary/value-facts.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { sumOfDecimals } from "../../../src/travel/money.ts";
import type { Json, OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

const unflown: Parameters<typeof valueParts>[1] = { departedFlightCount: known(0), held: known(false) };

function facts(options: OrderViewOptions, state = unflown): Record<string, unknown> {
  return plain(computeTopic(valueFacts, valueParts(aProposedChange(options).records, state)));
}

function priced(amount: unknown, currency: unknown = "EUR", fee: unknown = "NA"): Json {
  return {
    TotalPrice: { BookingCurrencyPrice: amount, EquivCurrencyPrice: "1" },
    BookingCurrencyCode: currency,
    Penalty: { CancelationFee: { Before: { BookingCurrencyPrice: fee } } },
  };
}

describe("valueFacts", () => {
  test("keep the digits of an amount as they were sent", () => {
    expect(facts({ order: priced("486.10", "EUR", "0.1000000000000000055") })).toMatchObject({
      orderValue: "486.10",
      currency: "EUR",
      cancellationFee: "0.1000000000000000055",
      expectedRefund: "486.10",
    });
  });

  test("add up the elements of an order, exactly", () => {
    const other = { OrderID: "QX7R2M1A", GdsBookingReference: "TPSKD2", ...priced("0.2", "EUR", "5") };

    expect(facts({ order: priced("0.10", "EUR", "7.50"), otherOrders: [other] })).toMatchObject({
      orderValue: "0.30",
      cancellationFee: "12.50",
      currency: "EUR",
    });
  });

  test("do not add up two currencies", () => {
    const other = { OrderID: "QX7R2M1A", GdsBookingReference: "TPSKD2", ...priced("10", "USD") };

    expect(facts({ order: priced("10"), otherOrders: [other] })).toMatchObject({
      orderValue: "?differs-by-reference",
      currency: "?differs-by-reference",
      expectedRefund: "?differs-by-reference",
    });
  });

  test.each<[string, Json, Record<string, unknown>]>([
    ["a fee of NA", priced("10"), { orderValue: "10", cancellationFee: "?unavailable-cancellation-fee" }],
    [
      "no price",
      { BookingCurrencyCode: "EUR" },
      { orderValue: "?missing-total-price", expectedRefund: "?missing-total-price" },
    ],
    ["no currency", priced("10", ""), { orderValue: "10", currency: "?missing-currency" }],
    ["no penalty", { ...priced("10"), Penalty: undefined }, { cancellationFee: "?missing-cancellation-fee" }],
  ])("are read with %s", (_, order, expected) => {
    expect(facts({ order })).toMatchObject(expected);
  });

  test("expect nothing that is unknown: a used part, a departure in doubt, an unpaid order", () => {
    const order = priced("10");

    expect(facts({ order }, { ...unflown, departedFlightCount: known(1) })["expectedRefund"]).toBe("?partly-flown");
    expect(facts({ order }, { ...unflown, departedFlightCount: unknown("between-departures") })["expectedRefund"]).toBe(
      "?between-departures",
    );
    expect(facts({ order }, { ...unflown, held: known(true) })["expectedRefund"]).toBe("?not-paid");
    expect(facts({ order }, { ...unflown, held: unknown("missing-payment-status") })["expectedRefund"]).toBe(
      "?missing-payment-status",
    );
  });

  test("do not take the fee of a voluntary cancellation from the refund", () => {
    expect(facts({ order: priced("100", "EUR", "60") })["expectedRefund"]).toBe("100");
  });

  test("leave what the gateway does not state unknown", () => {
    expect(facts({})).toMatchObject({
      pointOfSale: "?not-stated",
      merchantOfRecord: "?not-stated",
      customerClass: "?not-stated",
    });
  });
});

describe("sumOfDecimals", () => {
  test.each<[readonly string[], string | null]>([
    [["0.1", "0.2"], "0.3"],
    [["1.05", "2"], "3.05"],
    [["-0.5", "0.25"], "-0.25"],
    [["1", "-1.00"], "0.00"],
    [["99999999999999999999.99", "0.01"], "100000000000000000000.00"],
    [[], "0"],
    [["1", "NA"], null],
    [["1e3"], null],
    [["."], null],
  ])("of %j is %s", (amounts, sum) => {
    expect(sumOfDecimals(amounts)).toBe(sum);
  });

  test("agrees with whole cents, in any order", () => {
    const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    const printed = (amount: number) =>
      `${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 8 }), (amounts) => {
        const sum = amounts.reduce((total, amount) => total + amount, 0);
        expect(sumOfDecimals(amounts.map(printed))).toBe(printed(sum));
        expect(sumOfDecimals(amounts.toReversed().map(printed))).toBe(printed(sum));
      }),
    );
  });
});
