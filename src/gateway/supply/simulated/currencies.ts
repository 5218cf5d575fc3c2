import { type MinorUnits, minorDigitsOf } from "../../../travel/money.ts";

/** What one US dollar is in the currencies that the world sells in. Fixed, so that prices are the same on every day. */
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

/** Cents of a US dollar in another currency, rounded to its minor unit. */
export function fromCents(cents: number, currency: string): MinorUnits {
  return Math.round((cents / 100) * (perDollar[currency] ?? 1) * 10 ** minorDigitsOf(currency));
}

/** The same for fares, which are whole units of the currency, as airlines file them; never less than one. */
export function fareFromCents(cents: number, currency: string): MinorUnits {
  const unit = 10 ** minorDigitsOf(currency);
  return Math.max(1, Math.round(fromCents(cents, currency) / unit)) * unit;
}
