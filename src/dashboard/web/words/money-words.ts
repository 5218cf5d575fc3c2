import { minorDigitsOf } from "../../../travel/money.ts";

/** `412.5` → `USD 412.50`. Digits that are stated are never dropped. */
export function formatMoney(amount: string, currency: string | null): string {
  const [whole = "", fraction = ""] = amount.split(".");
  const minorDigits = currency === null ? 2 : minorDigitsOf(currency);
  const digits = `${whole}${fraction === "" && minorDigits === 0 ? "" : `.${fraction.padEnd(minorDigits, "0")}`}`;
  return currency === null ? `${digits} (currency not stated)` : `${currency} ${digits}`;
}

interface Money {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
}

// Made once: a list has many rows.
const rounded = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** `USD 1,413`, where there is little room. */
export function formatRoundly({ amount, currency }: Money): string {
  return `${currency} ${rounded.format(Number(amount))}`;
}

/** `3 travellers, order value USD 1412.50` */
export function describeWorth(passengerCount: number | null, value: Money | null): string {
  const who =
    passengerCount === null
      ? "Number of travellers not known"
      : `${passengerCount} ${passengerCount === 1 ? "traveller" : "travellers"}`;
  return `${who}, order value ${value === null ? "not known" : formatMoney(value.amount, value.currency)}`;
}
