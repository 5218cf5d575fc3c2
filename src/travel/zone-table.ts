import { z } from "zod";
import { AppError } from "../kernel/app-error.ts";
import { digestOfValue } from "../kernel/digest.ts";

/** How far each time zone is ahead of UTC, by one release of the tz database. */
export interface TimeZones {
  /** The release and a digest of the offsets, such as `2026f-3b0c1f9d2a4e5f60`. Stored with decisions. */
  readonly version: string;
  /** Of the tz database, such as `2026f`. */
  readonly release: string;
  /** When the source of the table published it, yyyy-mm-dd. */
  readonly published: string;
  /** Whether a zone is known, by any of its names. */
  readonly has: (zone: string) => boolean;
  /**
   * In milliseconds.
   * @throws AppError `zones.unknown`
   */
  readonly offsetMs: (zone: string, instant: number) => number;
}

/** A table as a file keeps it. */
export type ZoneTable = z.infer<typeof zoneTable>;
export type ZoneOffsets = z.infer<typeof zoneOffsets>;
export type YearlyChange = z.infer<typeof yearlyChange>;

/** Offsets are known from this year on; before, many zones were off by seconds, and nothing was booked. */
export const firstYear = 1980;
/** Nothing is booked beyond. */
const lastYear = 2200;

export const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

const offset = z
  .int()
  .min(-18 * 60)
  .max(18 * 60);
const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);
const yearlyChange = z.tuple([
  z.string().regex(/^\d{2}-\d{2}$/),
  z.enum(weekdays),
  z.string().regex(/^\d{2}:\d{2}$/),
  offset,
]);
const zoneOffsets = z.strictObject({
  /** At the start of 1980. Offsets are minutes ahead of UTC. */
  start: offset,
  /** Instants in UTC, in order, with the offset that begins there. */
  changes: z.array(z.tuple([instant, offset])),
  /** What repeats from a year on: the first such weekday of UTC on or after a day, at a time, and the offset that begins. */
  yearly: z.strictObject({ from: z.int().min(firstYear), changes: z.array(yearlyChange).min(1) }).optional(),
});
const zoneTable = z.strictObject({
  release: z.string().regex(/^20\d{2}[a-z]{1,2}$/),
  published: z.iso.date(),
  source: z.string(),
  zones: z.record(z.string(), zoneOffsets),
  /** Further names, with the zone that has had the same offsets since 1980. */
  links: z.record(z.string(), z.string()),
});

/**
 * Reads a table.
 * @throws AppError `zones.invalid` with the first problem: another form, a link to nothing, changes that are not in order
 */
export function readZoneTable(document: unknown): ZoneTable {
  const read = zoneTable.safeParse(document);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalid(`${issue?.path.join(".") || "The document"}: ${issue?.message ?? "is no table of time zones"}`);
  }
  const { zones, links } = read.data;
  for (const [name, target] of Object.entries(links)) {
    if (!Object.hasOwn(zones, target)) throw invalid(`${name} is linked to ${target}, which the table lacks`);
  }
  for (const [name, { changes }] of Object.entries(zones)) {
    const isOrdered = changes.every(
      ([at], i) => Number.isFinite(minutesAt(at)) && (i === 0 || changes[i - 1]![0] < at),
    );
    if (!isOrdered) throw invalid(`${name}: the changes are not in the order of time`);
  }
  return read.data;
}

function invalid(problem: string): AppError {
  return new AppError("zones.invalid", `This is no table of time zones: ${problem}.`);
}

/** Works with a table whose form was checked. */
export function timeZonesOf({ release, published, zones, links }: ZoneTable): TimeZones {
  const names = new Map([
    ...Object.keys(zones).map((name) => [name.toLowerCase(), name] as const),
    ...Object.entries(links).map(([name, target]) => [name.toLowerCase(), target] as const),
  ]);
  const courses = new Map<string, OffsetCourse>();

  function courseOf(zone: string): OffsetCourse {
    const known = courses.get(zone);
    if (known !== undefined) return known;
    const name = names.get(zone.toLowerCase());
    if (name === undefined) throw new AppError("zones.unknown", `Time zone ${zone} is not known.`);
    const course = courseFrom(zones[name]!);
    courses.set(zone, course);
    return course;
  }

  return {
    version: `${release}-${digestOf({ zones, links })}`,
    release,
    published,
    has: (zone) => names.has(zone.toLowerCase()),
    offsetMs: (zone, at) => offsetOf(courseOf(zone), at),
  };
}

/** Whatever order the file has. Each zone is written by the engine: a general digest of so much would delay each start. */
function digestOf({ zones, links }: Pick<ZoneTable, "zones" | "links">): string {
  const lines = Object.entries(zones).map(([name, { start, changes, yearly }]) =>
    JSON.stringify([name, start, changes, yearly?.from, yearly?.changes]),
  );
  return digestOfValue([lines.sort(), links]).slice(0, 16);
}

/** Offsets over time, in milliseconds. The first one holds before all changes. */
interface OffsetCourse {
  readonly changes: readonly number[];
  readonly offsets: readonly number[];
}

function courseFrom({ start, changes, yearly }: ZoneOffsets): OffsetCourse {
  const all = [...changes.map(([at, minutes]) => [minutesAt(at), minutes] as const)];
  for (let year = yearly?.from ?? lastYear + 1; year <= lastYear; year += 1) {
    for (const change of yearly?.changes ?? []) all.push([minutesAt(yearlyInstant(year, change)), change[3]]);
  }
  return {
    changes: all.map(([at]) => at * minuteMs),
    offsets: [start, ...all.map(([, minutes]) => minutes)].map((minutes) => minutes * minuteMs),
  };
}

/** When a yearly change happens, as yyyy-mm-ddThh:mm in UTC. */
export function yearlyInstant(year: number, [day, weekday, time]: YearlyChange): string {
  const earliest = new Date(`${year}-${day}T${time}:00Z`);
  const days = (weekdays.indexOf(weekday) - earliest.getUTCDay() + 7) % 7;
  return new Date(earliest.getTime() + days * 86_400_000).toISOString().slice(0, 16);
}

function minutesAt(at: string): number {
  return Date.parse(`${at}:00Z`) / minuteMs;
}

const minuteMs = 60_000;

function offsetOf({ changes, offsets }: OffsetCourse, at: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (changes[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return offsets[low]!;
}
