/** IMF-fixdate, the only form that senders may write (RFC 9110 section 5.6.7). */
const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Callers cap the wait, so more digits make no difference. */
const secondsDigitsMax = 10;

/** In ms; null if missing or not in a form of RFC 9110 section 10.2.3; 0 for a past date. Callers must cap it. */
export function readRetryAfterMs(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text.slice(0, secondsDigitsMax)) * 1_000;
  if (!imfFixdate.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
