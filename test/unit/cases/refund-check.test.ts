import { describe, expect, test } from "vitest";
import type { EffectResult, ExpectedRefund } from "../../../src/cases/effect.ts";
import { checkRefund, expectedRefund, refundTolerance } from "../../../src/cases/refund-check.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { compareDecimals } from "../../../src/travel/money.ts";
import type { Json, OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

const paid = { departedFlightCount: known(0), held: known(false) };

function expected(
  options: OrderViewOptions,
  references: readonly string[],
  facts: Parameters<typeof expectedRefund>[2],
) {
  return expectedRefund(aProposedChange(options).records, references, facts);
}

function priced(amount: unknown, currency = "EUR"): Json {
  return { TotalPrice: { BookingCurrencyPrice: amount }, BookingCurrencyCode: currency };
}

function other(reference: string, price: Json): Json {
  return { OrderID: "QX7R2M1A", GdsBookingReference: reference, ...price };
}

function refundedOf(refundAmount: string | null, paxWise: readonly (string | null)[] = []): EffectResult {
  return {
    gdsBookingReferences: ["LHSKD1"],
    status: "SUCCESS",
    errorMessage: "",
    refundAmount,
    refundText: null,
    refundPaxWiseFare: paxWise.map((amount, index) => ({ ticketNumber: `09821000000${index}`, amount })),
  };
}

const dueBack: ExpectedRefund = { amount: "412.50", currency: "EUR", basis: "unused-price" };

describe("the expected refund", () => {
  test("is all that was paid for the references that are cancelled, to the last digit", () => {
    const options = {
      gdsBookingReference: "LHSKD1",
      order: priced("412.10"),
      otherOrders: [other("TPSKD2", priced("0.2")), other("IBSKD3", priced("70"))],
    };

    expect(expected(options, ["LHSKD1", "TPSKD2"], paid)).toEqual({
      amount: "412.30",
      currency: "EUR",
      basis: "unused-price",
    });
  });

  test("of a held order is nothing, because nothing was paid", () => {
    const held = { ...paid, held: known(true) };

    expect(expected({ gdsBookingReference: "LHSKD1", order: priced("412.10") }, ["LHSKD1"], held)).toMatchObject({
      amount: "0",
      basis: "not-paid",
    });
  });

  test.each<[string, OrderViewOptions, Parameters<typeof expectedRefund>[2]]>([
    ["a part is flown", { order: priced("10") }, { ...paid, departedFlightCount: known(1) }],
    ["nobody knows whether one is", { order: priced("10") }, { ...paid, departedFlightCount: unknown("x") }],
    ["nobody knows whether it was paid", { order: priced("10") }, { ...paid, held: unknown("x") }],
    ["the price is missing", { order: { TotalPrice: undefined } }, paid],
    ["the currency is missing", { order: priced("10", "") }, paid],
    ["there are two currencies", { order: priced("10"), otherOrders: [other("LHSKD1", priced("10", "USD"))] }, paid],
  ])("is unknown when %s", (_name, options, facts) => {
    expect(expected({ gdsBookingReference: "LHSKD1", ...options }, ["LHSKD1"], facts)).toBeNull();
  });
});

describe("a refund that the gateway names", () => {
  test.each([
    ["412.50", "as-expected"],
    ["411.50", "as-expected"],
    ["411.49", "lower"],
    ["413.50", "as-expected"],
    ["413.51", "higher"],
    ["412.5000000000000000000001", "as-expected"],
    ["0", "lower"],
    ["-5", "lower"],
  ])("of %s beside 412.50 EUR is %s", (amount, check) => {
    expect(checkRefund(dueBack, [refundedOf(amount)]).check).toBe(check);
  });

  test("that is lower raises an alarm with both amounts, and says that the currency is assumed", () => {
    const { alarm } = checkRefund(dueBack, [refundedOf("100.00")]);

    expect(alarm?.code).toBe("refund-lower");
    expect(alarm?.text).toContain("100.00");
    expect(alarm?.text).toContain("EUR 412.50");
    expect(alarm?.text).toContain("no currency");
  });

  test("is the sum over the references", () => {
    expect(checkRefund(dueBack, [refundedOf("400.00"), refundedOf("12.50")])).toEqual({
      check: "as-expected",
      alarm: null,
    });
  });

  test("is that of the tickets when only those are stated", () => {
    expect(checkRefund(dueBack, [refundedOf(null, ["400", "12.50"])]).check).toBe("as-expected");
    expect(checkRefund(dueBack, [refundedOf(null, ["400", null])]).check).toBe("unknown");
  });

  test("for one of two references cannot be compared, which is no alarm", () => {
    expect(checkRefund(dueBack, [refundedOf("412.50"), refundedOf(null)])).toEqual({ check: "unknown", alarm: null });
  });

  test("without an expectation cannot be compared, which is no alarm", () => {
    expect(checkRefund(null, [refundedOf("412.50")])).toEqual({ check: "unknown", alarm: null });
  });

  test.each([
    ["no amount at all", [refundedOf(null)]],
    ["no response to read one from", null],
  ])("as %s is for somebody to find out", (_name, results) => {
    expect(checkRefund(dueBack, results)).toMatchObject({ check: "unknown", alarm: { code: "refund-not-stated" } });
    expect(checkRefund(null, results)).toMatchObject({ check: "unknown", alarm: { code: "refund-not-stated" } });
  });

  test("as no amount is right for an order that was not paid", () => {
    const nothing = { amount: "0", currency: "EUR", basis: "not-paid" } as const;

    expect(checkRefund(nothing, [refundedOf(null)])).toEqual({ check: "as-expected", alarm: null });
  });

  test("may be off by about a euro, in any currency", () => {
    expect(refundTolerance("EUR")).toBe("1");
    expect(refundTolerance("JPY")).toBe("150");
    expect(refundTolerance("KWD")).toBe("0.5");
  });
});

describe("comparing decimals", () => {
  test.each([
    ["1", "1.000", 0],
    ["0.1", "0.10000000000000000000001", -1],
    ["-1", "-2", 1],
    ["-0", "0", 0],
    ["12345678901234567890.1", "12345678901234567890.2", -1],
  ] as const)("%s and %s gives %i", (a, b, order) => {
    expect(compareDecimals(a, b)).toBe(order);
  });

  test("gives nothing when one is no decimal", () => {
    expect(compareDecimals("NA", "1")).toBeNull();
    expect(compareDecimals("1", "NA")).toBeNull();
  });
});
