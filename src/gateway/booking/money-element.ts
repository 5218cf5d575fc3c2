import { type MinorUnits, minorDigitsOf, toDecimal } from "../../travel/money.ts";

/** With the same equivalent currency. */
export function moneyIn(
  currency: string,
): (amount: MinorUnits) => { BookingCurrencyPrice: number; EquivCurrencyPrice: number } {
  const minorDigits = minorDigitsOf(currency);
  return (amount) => ({
    BookingCurrencyPrice: toDecimal(amount, minorDigits),
    EquivCurrencyPrice: toDecimal(amount, minorDigits),
  });
}
