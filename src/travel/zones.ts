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

/**
 * The instants at which the clocks of a zone show a time, which is given as if it were UTC.
 *
 * Tries the offsets in force a day before and a day after. No zone changes its offset twice within three days, so one of
 * them is in force at the time itself, and both are around a change.
 */
export function instantsIn(zone: string, printed: number): LocalInstants {
  const day = Math.floor(printed / dayMs);
  const offset = offsetMs(zone, (day - 1) * dayMs);
  if (offset === offsetMs(zone, (day + 2) * dayMs)) return { quality: "exact", candidates: [printed - offset] };
  const before = printed - offsetMs(zone, printed - dayMs);
  const after = printed - offsetMs(zone, printed + dayMs);
  if (before === after) return { quality: "exact", candidates: [before] };
  const candidates = [before, after].sort((a, b) => a - b);
  const real = candidates.filter((instant) => instant + offsetMs(zone, instant) === printed);
  if (real.length === 1) return { quality: "exact", candidates: real };
  return { quality: real.length === 0 ? "nonexistent" : "ambiguous", candidates };
}

const dayMs = 86_400_000;

/** How far a zone is ahead of UTC at an instant, in milliseconds. */
export function offsetMs(zone: string, instant: number): number {
  const quarter = Math.floor(instant / quarterHourMs);
  const key = `${zone} ${quarter}`;
  const cached = offsets.get(key);
  if (cached !== undefined) return cached;
  const offset = readOffsetMs(zone, quarter * quarterHourMs);
  if (offsets.size >= cachedOffsetsMax) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/** Clocks are changed at full quarters of an hour (tz database, since 1972), so an offset holds for one at least. */
const quarterHourMs = 15 * 60_000;

/** Orders are about the same days in the same zones; asking a formatter costs some microseconds. */
const offsets = new Map<string, number>();
const cachedOffsetsMax = 20_000;

function readOffsetMs(zone: string, instant: number): number {
  const [, month, day, year, hour, minute, second] = printedParts.exec(formatterOf(zone).format(instant)) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) - instant;
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
