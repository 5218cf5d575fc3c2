/**
 * Instants are shown in the time zone of the browser, by its own clock. Local airport times are not instants: the server
 * computes with them, and here they are printed as they are (`formatLocalDate`).
 */

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const longFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** `today 13:28`, `yesterday 13:28`, `24 Nov 13:28`; with the year if it is another one. */
export function formatInstant(instant: Date, now: Date): string {
  return `${nameDay(instant, now)} ${timeFormat.format(instant)}`;
}

function nameDay(instant: Date, now: Date): string {
  const inDays = (days: number): string =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toDateString();
  const day = instant.toDateString();
  if (day === inDays(0)) return "today";
  if (day === inDays(-1)) return "yesterday";
  if (day === inDays(1)) return "tomorrow";
  return (instant.getFullYear() === now.getFullYear() ? dayFormat : dayOfYearFormat).format(instant);
}

/** `21 Nov 2026, 09:12:03` */
export function formatInstantLong(instant: Date): string {
  return longFormat.format(instant);
}

/** `21 Nov 2026, 10:12:03 in Europe/Berlin (UTC+1), 2026-11-21 09:12:03 UTC`, for who must be sure. */
export function formatExactly(instant: Date): string {
  return `${formatInstantLong(instant)} in ${nameZone(instant)}, ${formatUtc(instant)}`;
}

/** Read once: a list names it for each of its times. */
export const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone of the browser, as it is at the instant: `Europe/Berlin (UTC+1)`. */
export function nameZone(at: Date, zone = browserZone, minutesBehind = at.getTimezoneOffset()): string {
  if (zone === "UTC") return zone;
  const size = Math.abs(minutesBehind);
  const minutes = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  const offset = size === 0 ? "" : `${minutesBehind < 0 ? "+" : "−"}${Math.floor(size / 60)}${minutes}`;
  return `${zone} (UTC${offset})`;
}

function formatUtc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const localDateFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const localDateFormatWithYear = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** `yyyy-mm-dd` → `Sun 6 Dec`. Other text is returned unchanged. */
export function formatLocalDate(date: string, withYear = false): string {
  const parsed = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(parsed.getTime())) return date;
  return (withYear ? localDateFormatWithYear : localDateFormat).format(parsed).replace(",", "");
}

/** `in 15 days`, `in 5 h`, `in 20 min`, `departed` */
export function formatTimeLeft(instant: Date, now: Date): string {
  const minutes = Math.floor((instant.getTime() - now.getTime()) / 60_000);
  if (minutes < 0) return "departed";
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `in ${hours} h`;
  return `in ${Math.floor(hours / 24)} days`;
}

/** `in 5 min`, `now`, `3 min overdue` */
export function formatDue(instant: Date, now: Date): string {
  const seconds = Math.round((instant.getTime() - now.getTime()) / 1000);
  if (seconds >= 0) return `in ${formatDuration(seconds)}`;
  return seconds > -60 ? "now" : `${formatDuration(-seconds)} overdue`;
}

/** `45 s`, `3 min`, `2 h 5 min`, `3 d 4 h` */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** `+31 min`, `−1 h 5 min`; null for 0. */
export function formatShift(minutes: number): string | null {
  if (minutes === 0) return null;
  const size = Math.abs(minutes);
  const text = size < 60 ? `${size} min` : `${Math.floor(size / 60)} h${size % 60 === 0 ? "" : ` ${size % 60} min`}`;
  return `${minutes > 0 ? "+" : "−"}${text}`;
}

/** The format of `datetime-local` fields: `2026-11-21T09:12`. */
export function toLocalInput(instant: Date): string {
  const pad = (part: number): string => String(part).padStart(2, "0");
  const date = `${instant.getFullYear()}-${pad(instant.getMonth() + 1)}-${pad(instant.getDate())}`;
  return `${date}T${pad(instant.getHours())}:${pad(instant.getMinutes())}`;
}

/** Reads the text of such a field, in the zone of the browser, or ISO 8601 with a zone. Null if it is neither. */
export function parseInstant(text: string): Date | null {
  const instant = new Date(text);
  return text === "" || Number.isNaN(instant.getTime()) ? null : instant;
}

/** `4:07`, `1:02:09` */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const pad = (part: number): string => String(part).padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  return hours === 0 ? `${minutes}:${pad(whole % 60)}` : `${hours}:${pad(minutes)}:${pad(whole % 60)}`;
}
