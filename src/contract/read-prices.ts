import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import { booleanOf, decimalOf, member, memberAt, memberOf, textOf } from "./lenient-value.ts";
import type { Money } from "./order-view.ts";

/**
 * May omit services that the payment includes, so do not compare the two.
 * @see interface document, "Money object"
 */
export function readTotalPrice(order: unknown): Fact<Money> {
  return readMoney("total-price", order, member(order, "TotalPrice"));
}

/** Before departure. @see interface document, "Order / offer object", Penalty */
export function readCancellationFee(order: unknown): Fact<Money> {
  const penalty = member(order, "Penalty");
  return readMoney(
    "cancellation-fee",
    order,
    memberAt(memberOf(penalty, "CancelationFee", "CancellationFee"), "Before"),
  );
}

/** A money object or a bare number, in the currency of the booking. */
function readMoney(name: string, order: unknown, value: unknown): Fact<Money> {
  const sent = isRecord(value) ? member(value, "BookingCurrencyPrice") : value;
  const amount = decimalOf(sent);
  if (amount === null) return unknown(textOf(sent) === null ? `missing-${name}` : `unavailable-${name}`);
  return known({ amount, currency: textOf(member(order, "BookingCurrencyCode"))?.toUpperCase() ?? null });
}

/** Whether all fare items are refundable. Unknown if one does not state it. */
export function readRefundable(offerItems: readonly unknown[]): Fact<boolean> {
  const flags = offerItems.filter(isFareItem).map((item) => booleanOf(member(item, "Refundable")));
  const [first, ...others] = flags;
  if (first === undefined || first === null || others.includes(null)) return unknown("missing-refundable");
  return others.every((flag) => flag === first) ? known(first) : unknown("mixed-refundability");
}

/** Service items in the same list have none of these members. */
function isFareItem(item: unknown): boolean {
  return ["Refundable", "FareComponent", "FareDetail"].some((key) => member(item, key) !== undefined);
}
