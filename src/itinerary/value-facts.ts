import type { Money, OrderRecord } from "../contract/order-view.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { sumOfDecimals } from "../travel/money.ts";
import type { FactDefinition, FactsOf } from "./fact-definition.ts";

/**
 * Facts about money. Amounts are text with the digits as sent; conditions read them as a `double`, exact enough for a
 * limit. Amounts of several `Order` elements are added; in different currencies they are `differs-by-reference`.
 * @see interface document, "Money object" and "Order / offer object"
 */
export const valueFactCatalogue = {
  orderValue: {
    type: "decimal",
    description: "TotalPrice of the order in the currency of the booking. Seats and services may not be included.",
  },
  currency: { type: "string", description: "Code of the currency of orderValue, such as EUR." },
  cancellationFee: {
    type: "decimal",
    description:
      "What a voluntary cancellation before departure would cost. It is not taken from a refund after a schedule change. NA is unknown.",
  },
  expectedRefund: {
    type: "decimal",
    description:
      "What an involuntary cancellation should give back: the whole value of a paid order of which nothing is flown. Unknown when it is partly flown, since the used part counts, or only held.",
  },
  pointOfSale: {
    type: "string",
    description: "Country of sale. The gateway does not state it, so it is always unknown: not-stated.",
  },
  merchantOfRecord: {
    type: "string",
    description: "Who charged the traveller, agency or carrier. The gateway does not state it: always unknown.",
  },
  customerClass: {
    type: "string",
    description: "The agency's own class of the customer. The gateway does not state it: always unknown.",
  },
} as const satisfies Record<string, FactDefinition>;

export type ValueFacts = FactsOf<typeof valueFactCatalogue>;

/** @param records all `Order` elements of the order. */
export function valueFacts(
  records: readonly OrderRecord[],
  state: { readonly departedFlightCount: Fact<number>; readonly held: Fact<boolean> },
): ValueFacts {
  const { orderValue, currency } = totalPriceOf(records);
  return {
    orderValue,
    currency,
    cancellationFee: sumOf(records.map((record) => record.cancellationFee)),
    expectedRefund: expectedRefund(orderValue, state),
    pointOfSale: unknown("not-stated"),
    merchantOfRecord: unknown("not-stated"),
    customerClass: unknown("not-stated"),
  };
}

export function totalPriceOf(records: readonly OrderRecord[]): Pick<ValueFacts, "orderValue" | "currency"> {
  const totals = records.map((record) => record.totalPrice);
  return { orderValue: sumOf(totals), currency: currencyOf(totals) };
}

function sumOf(amounts: readonly Fact<Money>[]): Fact<string> {
  const stated: Money[] = [];
  for (const amount of amounts) {
    if (!amount.known) return amount;
    stated.push(amount.value);
  }
  if (stated.length === 0) return unknown("missing-order");
  if (new Set(stated.map(({ currency }) => currency)).size > 1) return unknown("differs-by-reference");
  if (stated.length === 1 && sumOfDecimals([stated[0]!.amount]) !== null) return known(stated[0]!.amount.trim());
  const sum = sumOfDecimals(stated.map(({ amount }) => amount));
  return sum === null ? unknown("not-an-amount") : known(sum);
}

function currencyOf(amounts: readonly Fact<Money>[]): Fact<string> {
  const currencies = new Set<string>();
  for (const amount of amounts) {
    if (!amount.known) return amount;
    if (amount.value.currency === null) return unknown("missing-currency");
    currencies.add(amount.value.currency);
  }
  const [currency] = currencies;
  if (currency === undefined) return unknown("missing-order");
  return currencies.size > 1 ? unknown("differs-by-reference") : known(currency);
}

function expectedRefund(
  orderValue: Fact<string>,
  { departedFlightCount, held }: Parameters<typeof valueFacts>[1],
): Fact<string> {
  if (!departedFlightCount.known) return departedFlightCount;
  if (departedFlightCount.value > 0) return unknown("partly-flown");
  if (!held.known) return held;
  return held.value ? unknown("not-paid") : orderValue;
}
