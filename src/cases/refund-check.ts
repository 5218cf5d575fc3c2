import type { OrderRecord } from "../contract/order-view.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { compareDecimals, formatAmount, formatMoney, sumOfDecimals } from "../travel/money.ts";
import type { EffectResult, ExpectedRefund, RefundVerdict } from "./effect.ts";

/**
 * Returns what an involuntary cancel of these references should refund: all that was paid, because the airline broke
 * the contract. Null if a part is or may be flown, since nobody states the used part's value, or if prices are missing
 * or differ in currency.
 */
export function expectedRefund(
  records: readonly OrderRecord[],
  references: readonly string[],
  { departedFlightCount, held }: Pick<ChangeFacts, "departedFlightCount" | "held">,
): ExpectedRefund | null {
  if (!held.known || !departedFlightCount.known || departedFlightCount.value > 0) return null;
  const cancelled = records.filter((record) => record.gdsBookingReferences.some((own) => references.includes(own)));
  const prices = cancelled.flatMap(({ totalPrice }) => (totalPrice.known ? [totalPrice.value] : []));
  const currency = prices[0]?.currency ?? null;
  if (currency === null || prices.length < cancelled.length) return null;
  if (prices.some((price) => price.currency !== currency)) return null;
  if (held.value) return { amount: "0", currency, basis: "not-paid" };
  const amount = sumOfDecimals(prices.map((price) => price.amount));
  return amount === null ? null : { amount, currency, basis: "unused-price" };
}

/**
 * Compares the stated refund of a successful cancel with the expected one. The interface states no currency for a
 * refund, so the price's is assumed, and the reason says so.
 * @param results null if no response was read: a status or a person confirmed the cancel.
 */
export function checkRefund(expected: ExpectedRefund | null, results: readonly EffectResult[] | null): RefundVerdict {
  if ((results ?? []).every((result) => amountOf(result) === null)) return withoutAmount(expected);
  const refunded = statedRefund(results ?? []);
  if (refunded === null || expected === null) return { check: "unknown", alarm: null };
  const tolerance = refundTolerance(expected.currency);
  const atLeast = sumOfDecimals([expected.amount, `-${tolerance}`]);
  const atMost = sumOfDecimals([expected.amount, tolerance]);
  if (atLeast !== null && compareDecimals(refunded, atLeast) === -1)
    return { check: "lower", alarm: lowerRefundReason(refunded, expected) };
  if (atMost !== null && compareDecimals(refunded, atMost) === 1) return { check: "higher", alarm: null };
  return { check: "as-expected", alarm: null };
}

/** The sum over the references, as decimal text; null if one of them has no amount. */
export function statedRefund(results: readonly EffectResult[]): string | null {
  const stated = results.map(amountOf);
  return stated.length === 0 || stated.includes(null) ? null : sumOfDecimals(stated.map((amount) => amount ?? ""));
}

/** Returns the amount of the reference, else the sum of its tickets if all are stated. */
function amountOf({ refundAmount, refundPaxWiseFare }: EffectResult): string | null {
  if (refundAmount !== null) return sumOfDecimals([refundAmount]);
  const amounts = refundPaxWiseFare.flatMap(({ amount }) => (amount === null ? [] : [amount]));
  return amounts.length === 0 || amounts.length < refundPaxWiseFare.length ? null : sumOfDecimals(amounts);
}

function withoutAmount(expected: ExpectedRefund | null): RefundVerdict {
  if (expected?.basis === "not-paid") return { check: "as-expected", alarm: null };
  const expectation = expected === null ? "" : `; ${formatMoney(expected.amount, expected.currency)} is expected`;
  const text = `The booking is cancelled, but the gateway states no refund${expectation}. Ask the airline for the amount.`;
  return { check: "unknown", alarm: { code: "refund-not-stated", text } };
}

function lowerRefundReason(refunded: string, expected: ExpectedRefund) {
  const text = `The gateway refunds ${formatAmount(refunded, expected.currency)}, but ${formatMoney(expected.amount, expected.currency)} was paid and nothing is flown. It states no currency, so ${expected.currency} is assumed. Claim the rest from the airline, or note why the amount is correct.`;
  return { code: "refund-lower", text };
}

/** How far a refund may differ from the expected one, as decimal text: about one euro, for rounding. */
export function refundTolerance(currency: string): string {
  return tolerances[currency] ?? "1";
}

/** For currencies whose unit is worth far less or more than a euro. */
const tolerances: Readonly<Record<string, string | undefined>> = {
  BHD: "0.5",
  CLP: "1000",
  COP: "5000",
  CZK: "25",
  DKK: "10",
  HUF: "400",
  IDR: "20000",
  INR: "100",
  ISK: "150",
  JOD: "0.5",
  JPY: "150",
  KRW: "1500",
  KWD: "0.5",
  MXN: "20",
  NOK: "10",
  OMR: "0.5",
  PHP: "50",
  PKR: "300",
  RUB: "100",
  SEK: "10",
  THB: "40",
  TND: "3",
  TRY: "50",
  TWD: "30",
  VND: "25000",
  ZAR: "20",
};
