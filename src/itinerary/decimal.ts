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
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return `${units < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${digits.slice(-places)}`}`;
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
