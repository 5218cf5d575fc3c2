import { sumOfDecimals } from "../travel/money.ts";
import type { ExpectedRefund } from "./effect.ts";

export interface CancelRefund {
  readonly expected: Pick<ExpectedRefund, "amount" | "currency"> | null;
  /** Decimal text; null if the gateway did not name the whole amount. */
  readonly stated: string | null;
}

export interface RefundTotal {
  /** Null: of orders whose price, and so whose currency, is unknown. */
  readonly currency: string | null;
  readonly orders: number;
  /** How many of these orders have no stated amount. */
  readonly unstated: number;
  /** Decimal text; null if nothing was stated, or without a currency, because such amounts cannot be added. */
  readonly stated: string | null;
  readonly expected: string | null;
}

/** By currency of the price, since the interface states none for a refund. */
export function totalRefunds(refunds: readonly CancelRefund[]): readonly RefundTotal[] {
  const currencies = new Set(refunds.map(({ expected }) => expected?.currency ?? null));
  return [...currencies]
    .map((currency) => {
      const some = refunds.filter(({ expected }) => (expected?.currency ?? null) === currency);
      const stated = some.flatMap((refund) => refund.stated ?? []);
      return {
        currency,
        orders: some.length,
        unstated: some.length - stated.length,
        stated: currency === null || stated.length === 0 ? null : sumOfDecimals(stated),
        expected: currency === null ? null : sumOfDecimals(some.flatMap(({ expected }) => expected?.amount ?? [])),
      };
    })
    .sort((a, b) => Number(a.currency === null) - Number(b.currency === null));
}
