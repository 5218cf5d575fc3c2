/** IMF-fixdate, the only form that RFC 9110 section 5.6.7 lets a sender write. */
const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Digits beyond this say nothing that a caller, who caps the wait anyway, would treat differently. */
const secondsDigitsMax = 10;

/**
 * How long an answer asks to be left alone, in milliseconds from `now`; null when it does not ask, or not in a form that
 * RFC 9110 section 10.2.3 knows. A date in the past is 0. The caller caps it: the number comes from outside.
 */
export function readRetryAfterMs(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text.slice(0, secondsDigitsMax)) * 1_000;
  if (!imfFixdate.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
