import { localDateOf, localTimeOf } from "../contract/local-date-time.ts";
import { firstInstantIn, offsetMs } from "../travel/zones.ts";

/** As printed, without a zone. */
export interface LocalTime {
  /** yyyy-mm-dd */
  readonly date: string;
  /** hh:mm:ss */
  readonly time: string;
}

/** Reads `YYYY-MM-DDTHH:MM`, with or without seconds. */
export function readLocalTime(text: string): LocalTime | null {
  const [, dateText = null, timeText = null] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)$/.exec(text) ?? [];
  const date = localDateOf(dateText);
  const time = localTimeOf(timeText);
  return date === null || time === null ? null : { date, time };
}

/** Of a departure or an arrival, however it is spelled; null if it states no date or no time. */
export function printedTimeOf(
  point: { readonly Date?: string | null | undefined; readonly Time?: string | null | undefined } | null | undefined,
): LocalTime | null {
  const date = localDateOf(point?.Date ?? null);
  const time = localTimeOf(point?.Time ?? null);
  return date === null || time === null ? null : { date, time };
}

/**
 * Negative for earlier. With a zone these are real minutes, also across a clock change; a time that occurs twice is its
 * first occurrence. Without a zone they are minutes on the printed clock.
 */
export function addMinutes(local: LocalTime, minutes: number, timeZone: string | null = null): LocalTime {
  if (timeZone === null) return fromMilliseconds(millisecondsOf(local) + minutes * 60_000);
  const instant = instantOf(local, timeZone) + minutes * 60_000;
  return fromMilliseconds(instant + offsetMs(timeZone, instant));
}

/** As if both were in one zone. */
export function printedMinutesBetween(from: LocalTime, to: LocalTime): number {
  return Math.round((millisecondsOf(to) - millisecondsOf(from)) / 60_000);
}

/** Real minutes; a time that occurs twice is its first occurrence. */
export function elapsedMinutes(from: LocalTime, fromZone: string, to: LocalTime, toZone: string): number {
  return Math.round((instantOf(to, toZone) - instantOf(from, fromZone)) / 60_000);
}

export function localTimeAfter(from: LocalTime, fromZone: string, minutes: number, toZone: string): LocalTime {
  const instant = instantOf(from, fromZone) + minutes * 60_000;
  return fromMilliseconds(instant + offsetMs(toZone, instant));
}

function millisecondsOf(local: LocalTime): number {
  return Date.parse(`${local.date}T${local.time}Z`);
}

function fromMilliseconds(at: number): LocalTime {
  const text = new Date(at).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 19) };
}

/**
 * In milliseconds. A time that occurs twice is its first occurrence; a skipped time is read as if the clocks had not
 * changed.
 */
export function instantOf(local: LocalTime, timeZone: string): number {
  return firstInstantIn(timeZone, millisecondsOf(local));
}
