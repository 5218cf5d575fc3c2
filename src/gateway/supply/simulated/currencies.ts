import { type MinorUnits, minorDigitsOf } from "../../../travel/money.ts";

/** Fixed, so that prices stay the same. */
const perDollar: Readonly<Record<string, number>> = {
  AED: 3.67,
  AUD: 1.52,
  CAD: 1.38,
  CHF: 0.88,
  EUR: 0.92,
  GBP: 0.79,
  INR: 83.5,
  JPY: 150,
  USD: 1,
};

/** ISO 4217. */
export const currencies: readonly string[] = Object.keys(perDollar);

/** Rounded to the minor unit. */
export function fromCents(cents: number, currency: string): MinorUnits {
  return Math.round((cents / 100) * (perDollar[currency] ?? 1) * 10 ** minorDigitsOf(currency));
}

/** Fares are whole units of the currency, as airlines file them, and at least one. */
export function fareFromCents(cents: number, currency: string): MinorUnits {
  const unit = 10 ** minorDigitsOf(currency);
  return Math.max(1, Math.round(fromCents(cents, currency) / unit)) * unit;
}
