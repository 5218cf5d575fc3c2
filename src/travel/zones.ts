import { type TimeZones, timeZonesOf, type ZoneTable } from "./zone-table.ts";
import data from "./zones.json" with { type: "json" };

/** The table that this version brings. */
export const shippedTimeZones: TimeZones = timeZonesOf(data as unknown as ZoneTable);

let active = shippedTimeZones;

/** The time zones that offsets are computed with here and now. */
export function activeTimeZones(): TimeZones {
  return active;
}

/** Only the process itself sets them, when it starts and when an operator has loaded a newer table. */
export function activateTimeZones(timeZones: TimeZones): void {
  active = timeZones;
}

/** Computes with other time zones than the active ones, such as those of an earlier decision. Not for asynchronous work. */
export function withTimeZones<T>(timeZones: TimeZones, compute: () => T extends Promise<unknown> ? never : T): T {
  const before = active;
  active = timeZones;
  try {
    return compute();
  } finally {
    active = before;
  }
}

/**
 * How far a zone is ahead of UTC at an instant, in milliseconds.
 * @throws AppError `zones.unknown`
 */
export function offsetMs(zone: string, instant: number): number {
  return active.offsetMs(zone, instant);
}

/** Whether a zone is known, by any of its names. */
export function isTimeZone(name: string): boolean {
  return active.has(name);
}

/** The local date and time of an instant in a zone, read as if it were UTC. */
export function printedIn(zone: string, instant: number): Date {
  return new Date(instant + offsetMs(zone, instant));
}

/**
 * The instants that a printed local time may mean, in milliseconds since 1970, ascending. Exact: one. Ambiguous: the two
 * of an hour that occurs twice. Nonexistent: the two that a skipped hour would be under the rules before and after.
 */
export interface LocalInstants {
  readonly quality: "exact" | "ambiguous" | "nonexistent";
  readonly candidates: readonly number[];
}

/**
 * The instants at which the clocks of a zone show a time, which is given as if it were UTC.
 *
 * Tries the offsets in force a day before and a day after. No zone changes its offset twice within three days, so one of
 * them is in force at the time itself, and both are around a change.
 */
export function instantsIn(zone: string, printed: number): LocalInstants {
  const before = printed - offsetMs(zone, printed - dayMs);
  const after = printed - offsetMs(zone, printed + dayMs);
  if (before === after) return { quality: "exact", candidates: [before] };
  const candidates = [before, after].sort((a, b) => a - b);
  const real = candidates.filter((instant) => instant + offsetMs(zone, instant) === printed);
  if (real.length === 1) return { quality: "exact", candidates: real };
  return { quality: real.length === 0 ? "nonexistent" : "ambiguous", candidates };
}

const dayMs = 86_400_000;

/**
 * The instant at which the clocks of a zone first show a time, which is given as if it were UTC. A time that a change of the
 * clocks skips counts as much later as the clocks move.
 */
export function firstInstantIn(zone: string, printed: number): number {
  const { quality, candidates } = instantsIn(zone, printed);
  return (quality === "nonexistent" ? candidates.at(-1) : candidates[0])!;
}
