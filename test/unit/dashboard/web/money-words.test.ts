import { expect, test } from "vitest";
import { describeWorth, formatRoundly } from "../../../../src/dashboard/web/queue/money-words.ts";
import { formatMoney } from "../../../../src/travel/money.ts";

const usd = (amount: string) => ({ amount, currency: "USD" });

test.each([
  [3, usd("1412.5"), "3 travellers, order value USD 1412.50"],
  [1, usd("41200"), "1 traveller, order value USD 41200.00"],
  [null, usd("0.125"), "Number of travellers not known, order value USD 0.125"],
  [2, null, "2 travellers, order value not known"],
])("%p travellers and the value %p are described as %p", (passengerCount, value, described) => {
  expect(describeWorth(passengerCount, value)).toBe(described);
});

test("a value is rounded where there is little room", () => {
  expect(formatRoundly(usd("1412.5"))).toBe("USD 1,413");
});

test.each([
  ["412.5", "USD", "USD 412.50"],
  ["980", "USD", "USD 980.00"],
  ["980", "JPY", "JPY 980"],
  ["1.2345", "EUR", "EUR 1.2345"],
  ["12", null, "12.00 (currency not stated)"],
  ["12", "not a code", "not a code 12.00"],
])("the amount %s in %p is printed as '%s', without dropping a digit", (amount, currency, printed) => {
  expect(formatMoney(amount, currency)).toBe(printed);
});
