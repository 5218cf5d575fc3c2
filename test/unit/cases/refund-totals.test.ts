import { describe, expect, test } from "vitest";
import { totalRefunds } from "../../../src/cases/refund-totals.ts";

const eur = (amount: string) => ({ amount, currency: "EUR" });

describe("the total of refunds", () => {
  test("adds decimals by currency of the price, without rounding", () => {
    const refunds = [
      { expected: eur("0.10"), stated: "0.1" },
      { expected: eur("0.20"), stated: "0.20" },
      { expected: { amount: "15000", currency: "JPY" }, stated: "15000" },
    ];

    expect(totalRefunds(refunds)).toEqual([
      { currency: "EUR", orders: 2, unstated: 0, stated: "0.30", expected: "0.30" },
      { currency: "JPY", orders: 1, unstated: 0, stated: "15000", expected: "15000" },
    ]);
  });

  test("counts orders without a stated amount, which are not in the sum", () => {
    expect(
      totalRefunds([
        { expected: eur("100"), stated: "90" },
        { expected: eur("50"), stated: null },
      ]),
    ).toEqual([{ currency: "EUR", orders: 2, unstated: 1, stated: "90", expected: "150" }]);
    expect(totalRefunds([{ expected: eur("50"), stated: null }])).toMatchObject([{ stated: null, expected: "50" }]);
  });

  test("adds nothing where the currency is unknown, since the amounts may be in several", () => {
    expect(
      totalRefunds([
        { expected: null, stated: "100" },
        { expected: null, stated: "20000" },
        { expected: eur("1"), stated: "1" },
      ]),
    ).toEqual([
      { currency: "EUR", orders: 1, unstated: 0, stated: "1", expected: "1" },
      { currency: null, orders: 2, unstated: 0, stated: null, expected: null },
    ]);
  });
});
