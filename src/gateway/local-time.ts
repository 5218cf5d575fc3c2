import { localDateOf, localTimeOf } from "../contract/local-date-time.ts";

/** A printed local time at an airport, without a zone. */
export interface LocalTime {
  /** yyyy-mm-dd */
  readonly date: string;
  /** hh:mm:ss */
  readonly time: string;
}

/** Reads `YYYY-MM-DDTHH:MM` with or without seconds; null when it is no date and time of the calendar. */
export function readLocalTime(text: string): LocalTime | null {
  const [, dateText = null, timeText = null] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)$/.exec(text) ?? [];
  const date = localDateOf(dateText);
  const time = localTimeOf(timeText);
  return date === null || time === null ? null : { date, time };
}

/**
 * The local time so many minutes later (negative: earlier), carried over midnight. In a zone these are real minutes, also
 * across the night on which its clocks change; of a time that occurs twice the first is meant. Without a zone they are
 * minutes on the printed clock.
 */
export function addMinutes(local: LocalTime, minutes: number, timeZone: string | null = null): LocalTime {
  if (timeZone === null) return fromMilliseconds(millisecondsOf(local) + minutes * 60_000);
  const instant = instantOf(local, timeZone) + minutes * 60_000;
  return fromMilliseconds(instant + offsetMs(timeZone, instant));
}

/** Minutes on the printed clock from one local time to another, as if both were in one zone. */
export function printedMinutesBetween(from: LocalTime, to: LocalTime): number {
  return Math.round((millisecondsOf(to) - millisecondsOf(from)) / 60_000);
}

/** Minutes that really pass between two local times in their zones; a time that occurs twice is read as its first. */
export function elapsedMinutes(from: LocalTime, fromZone: string, to: LocalTime, toZone: string): number {
  return Math.round((instantOf(to, toZone) - instantOf(from, fromZone)) / 60_000);
}

/** What the clocks of a zone show so many minutes after a local time in another zone. */
export function localTimeAfter(from: LocalTime, fromZone: string, minutes: number, toZone: string): LocalTime {
  const instant = instantOf(from, fromZone) + minutes * 60_000;
  return fromMilliseconds(instant + offsetMs(toZone, instant));
}

/** A length of time as gateways write it: `3 H 10 M`. */
export function durationText(minutes: number): string {
  return `${Math.floor(minutes / 60)} H ${minutes % 60} M`;
}

/** Minutes of a length of time such as `3 H 10 M`, `1 Hrs 0 Min` or `45 M`; null for any other text. */
export function readDuration(text: unknown): number | null {
  if (typeof text !== "string") return null;
  const [, hours, minutes] = /^\s*(?:(\d{1,3})\s*H[A-Z]*)?\s*(?:(\d{1,4})\s*M[A-Z]*)?\s*$/i.exec(text) ?? [];
  if (hours === undefined && minutes === undefined) return null;
  return Number(hours ?? 0) * 60 + Number(minutes ?? 0);
}

function millisecondsOf(local: LocalTime): number {
  return Date.parse(`${local.date}T${local.time}Z`);
}

function fromMilliseconds(at: number): LocalTime {
  const text = new Date(at).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 19) };
}

/** The instant of a local time, in milliseconds; a time that occurs twice is read as its first. */
export function instantOf(local: LocalTime, timeZone: string): number {
  const printed = millisecondsOf(local);
  const guess = printed - offsetMs(timeZone, printed);
  return printed - offsetMs(timeZone, guess);
}

/** What the zone's clocks show at an instant, less UTC. */
function offsetMs(timeZone: string, instant: number): number {
  const quarter = Math.floor(instant / quarterHourMs);
  const key = `${timeZone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = readOffsetMs(timeZone, quarter * quarterHourMs);
    if (offsets.size >= offsetsMax) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

/** Clocks are changed at full quarters of an hour (tz database, since 1972), so an offset holds for one at least. */
const quarterHourMs = 15 * 60_000;

/** By zone and quarter: flights of a day share few of them, and asking Intl takes a hundred times as long. */
const offsets = new Map<string, number>();
const offsetsMax = 20_000;

function readOffsetMs(timeZone: string, instant: number): number {
  const parts = formatOf(timeZone).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((entry) => entry.type === type)?.value ?? "";
  const shown = `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}Z`;
  return Date.parse(shown) - instant;
}

/** Formats by zone: making one takes far longer than using it, and there are few zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}
