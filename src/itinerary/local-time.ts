import { type Fact, known, unknown } from "../kernel/fact.ts";
import { airportOf } from "./airports.ts";
import type { LocalPoint } from "./itinerary.ts";

/** Which time zone rules are in use, such as 2025c. Stored with decisions so that they can be replayed. */
export const timeZoneDataVersion: string = process.versions["tz"] ?? "unknown";

/**
 * The instants that a printed local time may mean, in milliseconds since 1970, ascending. Exact: one. Ambiguous: the two
 * of an hour that occurs twice. Nonexistent: the two that a skipped hour would be under the rules before and after.
 */
export interface LocalInstants {
  readonly quality: "exact" | "ambiguous" | "nonexistent";
  readonly candidates: readonly number[];
}

type PlaceAndTime = Pick<LocalPoint, "airport" | "date" | "time">;

/**
 * The instants of a local date and time at an airport. Unknown reasons: `unknown-time` (a part is missing or no date or
 * time), `unknown-airport` (not in the table).
 */
export function instantsOf({ airport, date, time }: PlaceAndTime): Fact<LocalInstants> {
  if (airport === null || date === null || time === null) return unknown("unknown-time");
  const key = `${airport} ${date} ${time}`;
  const cached = instantsByPoint.get(key);
  if (cached !== undefined) return cached;
  const found = findInstants(airport, date, time);
  if (instantsByPoint.size >= cachedPointsMax) instantsByPoint.clear();
  instantsByPoint.set(key, found);
  return found;
}

/** Every fact asks for the same few points again; finding one costs some microseconds. */
const instantsByPoint = new Map<string, Fact<LocalInstants>>();
const cachedPointsMax = 10_000;

function findInstants(code: string, date: string, time: string): Fact<LocalInstants> {
  const printed = printedTime(date, time);
  if (printed === null) return unknown("unknown-time");
  const airport = airportOf(code);
  return airport === null ? unknown("unknown-airport") : known(instantsIn(airport.zone, printed));
}

/**
 * The one instant of a local date and time at an airport. Besides the reasons of {@link instantsOf}: `ambiguous-time`
 * and `nonexistent-time`.
 */
export function instantOf(point: PlaceAndTime): Fact<number> {
  const instants = instantsOf(point);
  if (!instants.known) return instants;
  const { quality, candidates } = instants.value;
  return quality === "exact" ? known(candidates[0]!) : unknown(`${quality}-time`);
}

/** Whether an airport is that many minutes ahead of UTC at a local date and time. Not when one of them is not known. */
export function isOffsetAt(point: PlaceAndTime, minutes: number | null): boolean {
  const instants = instantsOf(point);
  if (!instants.known || minutes === null) return false;
  const printed = Date.parse(`${point.date}T${point.time}:00Z`);
  return instants.value.candidates.some((instant) => printed - instant === minutes * 60_000);
}

/** The local date and time of an instant at an airport, to the minute; null when the airport is not in the table. */
export function localTimeAt(airport: string, instant: number): { readonly date: string; readonly time: string } | null {
  const zone = airportOf(airport)?.zone;
  if (zone === undefined || !Number.isFinite(instant) || Math.abs(instant) > latestInstant) return null;
  const printed = new Date(instant + offsetMs(zone, instant)).toISOString();
  return { date: printed.slice(0, 10), time: printed.slice(11, 16) };
}

/** A local date and time read as if it were UTC: what is printed on a ticket, comparable within one place. */
function printedTime(date: string, time: string): number | null {
  const printed = Date.parse(`${date}T${time.slice(0, 5)}:00Z`);
  return Number.isNaN(printed) || printed < earliestPrinted || printed > latestInstant ? null : printed;
}

// Some zones were off by seconds until 1972, which would break whole minutes; nothing is booked beyond either end.
const earliestPrinted = Date.UTC(1980, 0, 1);
const latestInstant = Date.UTC(2200, 0, 1);

/**
 * Tries the offsets in force a day before and a day after. No zone changes its offset twice within three days, so one of
 * them is in force at the time itself, and both are around a change.
 */
function instantsIn(zone: string, printed: number): LocalInstants {
  const day = Math.floor(printed / dayMs);
  const offset = offsetAtMidnight(zone, day - 1);
  if (offset === offsetAtMidnight(zone, day + 2)) return { quality: "exact", candidates: [printed - offset] };
  const before = printed - offsetMs(zone, printed - dayMs);
  const after = printed - offsetMs(zone, printed + dayMs);
  if (before === after) return { quality: "exact", candidates: [before] };
  const candidates = [before, after].sort((a, b) => a - b);
  const real = candidates.filter((instant) => instant + offsetMs(zone, instant) === printed);
  if (real.length === 1) return { quality: "exact", candidates: real };
  return { quality: real.length === 0 ? "nonexistent" : "ambiguous", candidates };
}

const dayMs = 86_400_000;

/** How far a zone is ahead of UTC at midnight UTC, so many days after 1970-01-01. */
function offsetAtMidnight(zone: string, day: number): number {
  const key = `${zone} ${day}`;
  const cached = offsetsByDay.get(key);
  if (cached !== undefined) return cached;
  const offset = offsetMs(zone, day * dayMs);
  if (offsetsByDay.size >= cachedOffsetsMax) offsetsByDay.clear();
  offsetsByDay.set(key, offset);
  return offset;
}

/** Orders are about the same days in the same zones; asking a formatter costs some microseconds. */
const offsetsByDay = new Map<string, number>();
const cachedOffsetsMax = 10_000;

/** How far a zone is ahead of UTC at an instant, in milliseconds. */
function offsetMs(zone: string, instant: number): number {
  const wholeSecond = Math.floor(instant / 1000) * 1000;
  const [, month, day, year, hour, minute, second] = printedParts.exec(formatterOf(zone).format(wholeSecond)) ?? [];
  return (
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) - wholeSecond
  );
}

const printedParts = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;

/** A formatter costs about 50 µs to make and there are fewer than 500 zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const cached = formatters.get(zone);
  if (cached !== undefined) return cached;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(zone, formatter);
  return formatter;
}
