import { localDateOf, localTimeOf } from "../contract/local-date-time.ts";
import { instantsIn, offsetMs } from "../travel/zones.ts";

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

function millisecondsOf(local: LocalTime): number {
  return Date.parse(`${local.date}T${local.time}Z`);
}

function fromMilliseconds(at: number): LocalTime {
  const text = new Date(at).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 19) };
}

/**
 * The instant of a local time, in milliseconds. A time that occurs twice is read as its first, one that is skipped as if the
 * clocks had not gone forward.
 */
export function instantOf(local: LocalTime, timeZone: string): number {
  const { quality, candidates } = instantsIn(timeZone, millisecondsOf(local));
  return (quality === "nonexistent" ? candidates.at(-1) : candidates[0])!;
}
