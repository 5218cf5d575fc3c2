/**
 * Reads yyyy-mm-dd from `2027-03-14`, `20270314` or a date with a time behind it. Null for anything else behind it,
 * such as `+1`, and for a day that is not in the calendar.
 */
export function localDateOf(text: string | null): string | null {
  const match = text === null ? null : /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\d{1,2}:?\d{2}.*)?$/s.exec(text);
  if (match === null) return null;
  const [, year = "", month = "", day = ""] = match;
  const isInCalendar = Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
  return isInCalendar ? `${year}-${month}-${day}` : null;
}

/** 0 if there is no such month. */
function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads hh:mm:ss from `07:30:00`, `7:30`, `0730` or `073000`. Ignores a fraction of a second; for a zone see {@link
 * utcOffsetOf}. Null for AM and PM, because half a day must not be lost.
 */
export function localTimeOf(text: string | null): string | null {
  const match = text === null ? null : (clockTime.exec(text) ?? /^(\d{2})(\d{2})(\d{2})?$/.exec(text));
  if (match === null) return null;
  const [, hours = "", minutes = "", seconds = "00"] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${hours.padStart(2, "0")}:${minutes}:${seconds}`;
}

const clockTime = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\d:])(?!\s*[ap]\.?m)/i;

/**
 * Returns the minutes ahead of UTC that are written behind a time: 0 for `10:10:00Z`, 120 for `10:10+02:00`; null if
 * something else is written there, undefined if nothing is.
 */
export function utcOffsetOf(time: string): number | null | undefined {
  const [, behind = ""] = /^\d{1,2}(?::?\d{2}){1,2}(?:[.,]\d+)?\s*(.*)$/s.exec(time.trim()) ?? [];
  if (behind === "") return undefined;
  if (/^(?:Z|UTC|GMT)$/i.test(behind)) return 0;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(behind) ?? [];
  return hours === undefined ? null : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/**
 * Reads yyyy-mm-ddThh:mm:ss from `2027-03-14T07:30:00`, or with a blank between. Ignores a zone, because gateways state
 * none.
 */
export function localDateTimeOf(text: string | null): string | null {
  const date = localDateOf(text);
  const time = localTimeOf(/[T ](\d.*)$/s.exec(text ?? "")?.[1] ?? null);
  return date === null || time === null ? null : `${date}T${time}`;
}
