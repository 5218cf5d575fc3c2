import { type Fact, known, unknown } from "../kernel/fact.ts";
import { airportOf } from "./airports.ts";
import { activeTimeZones, instantsIn, type LocalInstants, printedIn } from "./zones.ts";

/** What is printed on a ticket. */
export interface PlaceAndTime {
  /** IATA code. */
  readonly airport: string | null;
  /** yyyy-mm-dd */
  readonly date: string | null;
  /** hh:mm, with or without seconds. */
  readonly time: string | null;
  /** The time as stated and the airport's own, if they contradict: `11:35 UTC, and FRA is at +1`. Else missing. */
  readonly contradiction?: string;
  /** What is stated of a date or time that cannot be read: `“11:35 XYZ” as Arrival.Time`. Else missing. */
  readonly unreadTime?: string;
  /** Set if stated durations contradict the time zone of the airport: what the time means is not known then. */
  readonly isZoneContradicted?: true;
}

/**
 * The instants of a local date and time at an airport. Unknown reasons: `unknown-time` (a part is missing or no date or
 * time), `unreadable-time` (one is stated that cannot be read), `offset-contradicted` (a time is stated that contradicts the airport's clock), `zone-contradicted`,
 * `unknown-airport` (not in the table).
 */
export function instantsOf({
  airport,
  date,
  time,
  contradiction,
  unreadTime,
  isZoneContradicted,
}: PlaceAndTime): Fact<LocalInstants> {
  if (contradiction !== undefined) return unknown("offset-contradicted");
  if (unreadTime !== undefined) return unknown("unreadable-time");
  if (airport === null || date === null || time === null) return unknown("unknown-time");
  if (isZoneContradicted === true) return unknown("zone-contradicted");
  const key = `${airport} ${date} ${time}`;
  const known = knownPoints();
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const found = findInstants(airport, date, time);
  if (known.size >= cachedPointsMax) known.clear();
  known.set(key, found);
  return found;
}

/** Every fact asks for the same few points again; finding one costs some microseconds. By the active time zones. */
const instantsByPoint = new WeakMap<object, Map<string, Fact<LocalInstants>>>();
const cachedPointsMax = 10_000;

function knownPoints(): Map<string, Fact<LocalInstants>> {
  const timeZones = activeTimeZones();
  const known = instantsByPoint.get(timeZones) ?? new Map<string, Fact<LocalInstants>>();
  if (known.size === 0) instantsByPoint.set(timeZones, known);
  return known;
}

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
  return minutes !== null && offsetsAt(point).includes(minutes);
}

/** How many minutes an airport is ahead of UTC at a local date and time: two if that occurs twice, none if unknown. */
export function offsetsAt(point: PlaceAndTime): readonly number[] {
  const instants = instantsOf(point);
  if (!instants.known) return [];
  const printed = Date.parse(`${point.date}T${point.time}:00Z`);
  return [...new Set(instants.value.candidates.map((instant) => (printed - instant) / 60_000))];
}

/** The local date and time of an instant at an airport, to the minute; null when the airport is not in the table. */
export function localTimeAt(airport: string, instant: number): { readonly date: string; readonly time: string } | null {
  const zone = airportOf(airport)?.zone;
  if (zone === undefined || !Number.isFinite(instant) || Math.abs(instant) > latestInstant) return null;
  const printed = printedIn(zone, instant).toISOString();
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
