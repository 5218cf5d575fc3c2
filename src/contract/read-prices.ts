import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import type { offerItem } from "./elements/offer-item.ts";
import { booleanOf, decimalOf, member, memberOf, textOf } from "./lenient-value.ts";
import type { Money } from "./order-view.ts";
import type { Stated } from "./stated.ts";
import type { StatedOrderElement } from "./stated-view.ts";

/**
 * May omit services that the payment includes, so do not compare the two.
 * @see interface document, "Money object"
 */
export function readTotalPrice(order: StatedOrderElement): Fact<Money> {
  return readMoney("total-price", order, order?.TotalPrice);
}

/** Before departure. @see interface document, "Order / offer object", Penalty */
export function readCancellationFee(order: StatedOrderElement): Fact<Money> {
  const fee = memberOf(order?.Penalty, "CancelationFee", "CancellationFee");
  return readMoney("cancellation-fee", order, member(fee, "Before"));
}

/** A money object or a bare number, in the currency of the booking. */
function readMoney(name: string, order: StatedOrderElement, value: unknown): Fact<Money> {
  const sent = isRecord(value) ? member(value, "BookingCurrencyPrice") : value;
  const amount = decimalOf(sent);
  if (amount === null) return unknown(textOf(sent) === null ? `missing-${name}` : `unavailable-${name}`);
  return known({ amount, currency: textOf(order?.BookingCurrencyCode)?.toUpperCase() ?? null });
}

/** Whether all fare items are refundable. Unknown if one does not state it. */
export function readRefundable(offerItems: readonly Stated<typeof offerItem>[]): Fact<boolean> {
  const flags = offerItems.filter(isFareItem).map((item) => booleanOf(item?.Refundable));
  const [first, ...others] = flags;
  if (first === undefined || first === null || others.includes(null)) return unknown("missing-refundable");
  return others.every((flag) => flag === first) ? known(first) : unknown("mixed-refundability");
}

/** Service items in the same list have none of these members. */
function isFareItem(item: Stated<typeof offerItem>): boolean {
  return [item?.Refundable, item?.FareComponent, item?.FareDetail].some((part) => part !== undefined);
}
