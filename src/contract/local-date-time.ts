/**
 * A local date as yyyy-mm-dd, from `2027-03-14`, `20270314` or a date with a time behind it; null when it is none.
 * The calendar is checked: the 30th of February is no date.
 */
export function localDateOf(text: string | null): string | null {
  const match = text === null ? null : /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ].*)?$/.exec(text);
  if (match === null) return null;
  const date = `${match[1]}-${match[2]}-${match[3]}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date) ? null : date;
}

/**
 * A local time as hh:mm:ss, from `07:30:00`, `7:30`, `0730` or `073000`; null when it is none. A fraction of a second and a
 * zone behind it are not looked at. With AM or PM behind it, it is none: half a day must not be lost.
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
 * A local date and time as yyyy-mm-ddThh:mm:ss, from `2027-03-14T07:30:00` or with a blank between; null when it is none.
 * A zone behind it is not looked at, because gateways state none.
 */
export function localDateTimeOf(text: string | null): string | null {
  const date = localDateOf(text);
  const time = localTimeOf(/[T ](\d.*)$/s.exec(text ?? "")?.[1] ?? null);
  return date === null || time === null ? null : `${date}T${time}`;
}
