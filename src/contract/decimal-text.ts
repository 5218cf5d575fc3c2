/**
 * Returns a decimal number in plain notation with the digits as sent: `1e-7` is 0.0000001, `+5` is 5, `-0` is 0, and
 * 1.50 stays. Null for another text or an absurd exponent.
 */
export function decimalTextOf(text: string): string | null {
  if (plainDecimal.test(text)) return text;
  const match = decimalGrammar.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  if (whole === "" && fraction === "") return null;
  const shift = Number(exponent);
  if (Math.abs(shift) > shiftMax) return null;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const wholeLength = Math.max(point, 1);
  const shifted = withoutLeadingZeros(padded.slice(0, wholeLength));
  const behindPoint = padded.slice(wholeLength);
  const plain = behindPoint === "" ? shifted : `${shifted}.${behindPoint}`;
  return sign === "-" && /[1-9]/.test(plain) ? `-${plain}` : plain;
}

/** The usual form, which needs no conversion. */
const plainDecimal = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const decimalGrammar = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/;

/** Beyond the exponents of doubles, 308 and -324. */
const shiftMax = 400;

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}
