/**
 * Money as whole minor units (cents), because sums of decimals in doubles do not add up to the cent.
 * Amounts of a booking stay far below 2^53 minor units.
 */
export type MinorUnits = number;

/** Digits behind the point that a currency has: 2 for EUR, 0 for JPY. A code that is none counts as 2. */
export function minorDigitsOf(currency: string): number {
  const known = minorDigits.get(currency);
  if (known !== undefined) return known;
  const digits = lookUpMinorDigits(currency);
  if (minorDigits.size < currenciesCached) minorDigits.set(currency, digits);
  return digits;
}

/** `412.5` → `USD 412.50`. Digits that are stated are never dropped. */
export function formatMoney(amount: string, currency: string | null): string {
  const digits = formatAmount(amount, currency);
  return currency === null ? `${digits} (currency not stated)` : `${currency} ${digits}`;
}

/** `412.5` → `412.50`, with the digits that the currency has: 2 if it is unknown. */
export function formatAmount(amount: string, currency: string | null): string {
  const [whole = "", fraction = ""] = amount.split(".");
  const minorDigits = currency === null ? 2 : minorDigitsOf(currency);
  return `${whole}${fraction === "" && minorDigits === 0 ? "" : `.${fraction.padEnd(minorDigits, "0")}`}`;
}

/** What was looked up before: making a format takes far longer than anything else about a price. */
const minorDigits = new Map<string, number>();
/** More than there are currencies; what callers send beside them is not kept. */
const currenciesCached = 400;

function lookUpMinorDigits(currency: string): number {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** The decimal number with the same digits: `41250` minor units of 2 digits are `412.5`. */
export function toDecimal(amount: MinorUnits, minorDigits: number): number {
  return Number(toDecimalText(amount, minorDigits));
}

/** With all its digits: `412.50`. */
export function toDecimalText(amount: MinorUnits | bigint, minorDigits: number): string {
  const digits = String(amount < 0 ? -amount : amount).padStart(minorDigits + 1, "0");
  const whole = digits.slice(0, digits.length - minorDigits);
  const sign = amount < 0 ? "-" : "";
  return minorDigits === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(digits.length - minorDigits)}`;
}

/** Reads a number or decimal text, rounded half up to the minor unit; null when it is no amount. */
export function toMinorUnits(value: unknown, minorDigits: number): MinorUnits | null {
  const text = typeof value === "number" ? value.toFixed(6) : typeof value === "string" ? value.trim() : "";
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text) ?? [];
  if (whole === "") return null;
  const minorAmount = Number(whole + fraction.padEnd(minorDigits, "0").slice(0, minorDigits));
  const rounded = minorAmount + (Number(fraction[minorDigits] ?? 0) >= 5 ? 1 : 0);
  return sign === "-" ? 0 - rounded : rounded;
}

/** A share in percent, rounded half up to the minor unit. */
export function percentOf(amount: MinorUnits, percent: number): MinorUnits {
  return Math.round((amount * percent) / 100);
}

/** Parts that differ by at most one minor unit and add up exactly. */
export function splitEvenly(amount: MinorUnits, parts: number): readonly MinorUnits[] {
  const share = Math.floor(amount / parts);
  const larger = amount - share * parts;
  return Array.from({ length: parts }, (_, index) => share + (index < larger ? 1 : 0));
}

/** Whether {@link sumOfDecimals} can add it. */
export function isDecimal(amount: string): boolean {
  return decimalText.test(amount.trim());
}

/** Adds amounts of money as decimal text, digit by digit; null when one of them is no decimal number. */
export function sumOfDecimals(amounts: readonly string[]): string | null {
  let units = 0n;
  let places = 0;
  for (const amount of amounts) {
    const match = decimalText.exec(amount.trim());
    if (match === null) return null;
    const [, sign = "", whole = "", fraction = ""] = match;
    if (fraction.length > places) {
      units *= 10n ** BigInt(fraction.length - places);
      places = fraction.length;
    }
    const value = BigInt(whole + fraction.padEnd(places, "0"));
    units += sign === "-" ? -value : value;
  }
  return toDecimalText(units, places);
}

/** -1, 0 or 1 as the first is less than, equal to or more than the second; null when one of them is no decimal number. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 | null {
  const negated = b.trim().startsWith("-") ? b.trim().slice(1) : `-${b.trim()}`;
  const difference = sumOfDecimals([a, negated]);
  if (difference === null) return null;
  if (!/[1-9]/.test(difference)) return 0;
  return difference.startsWith("-") ? -1 : 1;
}

/** As long as any amount is; bounds the work on a hostile one. */
const decimalText = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/;
