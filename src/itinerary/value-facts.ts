import type { Money, OrderRecord } from "../contract/order-view.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isDecimal, sumOfDecimals } from "../travel/money.ts";
import { factsFrom } from "./fact-definition.ts";

const { text, decimal } = factsFrom<ValueParts>();

/**
 * Facts about money. Amounts are text with the digits as sent; conditions read them as a `double`, exact enough for a
 * limit. Amounts of several `Order` elements are added; in different currencies they are `differs-by-reference`.
 * @see interface document, "Money object" and "Order / offer object"
 */
export const valueFacts = {
  orderValue: decimal(
    "TotalPrice of the order in the currency of the booking. Seats and services may not be included.",
    ({ orderValue }) => orderValue,
  ),
  currency: text("Code of the currency of orderValue, such as EUR.", ({ currency }) => currency),
  cancellationFee: decimal(
    "What a voluntary cancellation before departure would cost. It is not taken from a refund after a schedule change. NA is unknown.",
    ({ records }) => sumOf(records.map((record) => record.cancellationFee)),
  ),
  expectedRefund: decimal(
    "What an involuntary cancellation should give back: the whole value of a paid order of which nothing is flown. Unknown when it is partly flown, since the used part counts, or only held.",
    expectedRefund,
  ),
  pointOfSale: text("Country of sale. The gateway does not state it, so it is always unknown: not-stated.", () =>
    unknown("not-stated"),
  ),
  merchantOfRecord: text(
    "Who charged the traveller, agency or carrier. The gateway does not state it: always unknown.",
    () => unknown("not-stated"),
  ),
  customerClass: text("The agency's own class of the customer. The gateway does not state it: always unknown.", () =>
    unknown("not-stated"),
  ),
};

export interface ValueParts extends ReturnType<typeof valueParts> {}

/** @param records all `Order` elements of the order. */
export function valueParts(
  records: readonly OrderRecord[],
  { departedFlightCount, held }: { readonly departedFlightCount: Fact<number>; readonly held: Fact<boolean> },
) {
  const { orderValue, currency } = totalPriceOf(records);
  return { records, orderValue, currency, departedFlightCount, held };
}

export function totalPriceOf(records: readonly OrderRecord[]) {
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
  if (stated.length === 1 && isDecimal(stated[0]!.amount)) return known(stated[0]!.amount.trim());
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

function expectedRefund({ orderValue, departedFlightCount, held }: ValueParts): Fact<string> {
  if (!departedFlightCount.known) return departedFlightCount;
  if (departedFlightCount.value > 0) return unknown("partly-flown");
  if (!held.known) return held;
  return held.value ? unknown("not-paid") : orderValue;
}
