import { AppError } from "../kernel/app-error.ts";
import { digestOfValue } from "../kernel/digest.ts";

/** How far each time zone is ahead of UTC, by one release of the tz database. */
export interface TimeZones {
  /** The release and a digest of the offsets, such as `2026f-3b0c1f9d2a4e5f60`. Stored with decisions. */
  readonly version: string;
  /** The release of the tz database, such as `2026f`. */
  readonly release: string;
  /** When the source of the table published it, yyyy-mm-dd. */
  readonly published: string;
  readonly table: ZoneTable;
  /** Whether a zone is known, by any of its names. */
  readonly has: (zone: string) => boolean;
  /**
   * In milliseconds.
   * @throws AppError `zones.unknown`
   */
  readonly offsetMs: (zone: string, instant: number) => number;
}

/** A table as a file keeps it. */
export interface ZoneTable {
  readonly release: string;
  readonly published: string;
  readonly source: string;
  readonly zones: Readonly<Record<string, ZoneOffsets>>;
  /** Further names, with the zone that has had the same offsets since 1980. */
  readonly links: Readonly<Record<string, string>>;
}

/** Offsets are minutes ahead of UTC. */
export interface ZoneOffsets {
  /** At the start of 1980. */
  readonly start: number;
  /** Instants in UTC, in order, with the offset that begins there. */
  readonly changes: readonly (readonly [at: string, offset: number])[];
  /** What repeats from a year on. */
  readonly yearly?: { readonly from: number; readonly changes: readonly YearlyChange[] } | undefined;
}

/** The first such weekday of UTC on or after a day (mm-dd), at a time (hh:mm), and the offset that begins there. */
export type YearlyChange = readonly [day: string, weekday: Weekday, time: string, offset: number];
export type Weekday = (typeof weekdays)[number];

/** Offsets are known from this year on; before, many zones were off by seconds, and nothing was booked. */
export const firstYear = 1980;
/** Nothing is booked beyond. */
const lastYear = 2200;

export const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** Works with a table whose form was checked. */
export function timeZonesOf(table: ZoneTable): TimeZones {
  const { release, published, zones, links } = table;
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
    table,
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

export function minutesAt(at: string): number {
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
