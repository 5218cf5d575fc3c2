import { remembered } from "./words-in.ts";

/**
 * Reads yyyy-mm-dd from `2027-03-14`, `20270314` or a date with a time behind it. Null for anything else behind it,
 * such as `+1`, and for a day that is not in the calendar.
 */
export function localDateOf(text: string | null): string | null {
  return text === null ? null : dateIn(text);
}

/** A view states the same few dates and times again and again. */
const dateIn = remembered((text): string | null => {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\d{1,2}:?\d{2}.*)?$/s.exec(text);
  if (match === null) return null;
  const [, year = "", month = "", day = ""] = match;
  const isInCalendar = Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
  return isInCalendar ? `${year}-${month}-${day}` : null;
});

/** 0 if there is no such month. */
function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads hh:mm:ss from `07:30:00`, `7:30`, `0730`, `073000`, `7h30` or `7:30 AM`. Ignores a fraction of a second; for a
 * zone see {@link utcOffsetsOf}.
 */
export function localTimeOf(text: string | null): string | null {
  const clock = text === null ? null : clockOf(text);
  if (clock === null) return null;
  const hours = clock.half === undefined ? clock.hours : in24Hours(clock.hours, clock.half);
  if (hours === null || hours > 23 || Number(clock.minutes) > 59 || Number(clock.seconds) > 59) return null;
  return `${String(hours).padStart(2, "0")}:${clock.minutes}:${clock.seconds}`;
}

interface Clock {
  readonly hours: number;
  readonly minutes: string;
  readonly seconds: string;
  /** The half of the day, by a clock of twelve hours. */
  readonly half: string | undefined;
  readonly behind: string;
}

const clockOf = remembered((text): Clock | null => {
  const match = clockTime.exec(text.trim());
  if (match === null) return null;
  const [, hours, minutes, seconds, compactHours, compactMinutes, compactSeconds, half, behind = ""] = match;
  return {
    hours: Number(hours ?? compactHours),
    minutes: minutes ?? compactMinutes ?? "",
    seconds: seconds ?? compactSeconds ?? "00",
    half: half?.toLowerCase(),
    behind: behind.trim(),
  };
});

const clockTime =
  /^(?:(\d{1,2})[:h](\d{2})(?::(\d{2}))?|(\d{2})(\d{2})(\d{2})?)(?:[.,]\d+)?(?![\d:.,])\s*(?:([ap])\.?m\b\.?)?(.*)$/is;

/** Returns null for 13 PM. */
function in24Hours(hours: number, half: string): number | null {
  return hours < 1 || hours > 12 ? null : (hours % 12) + (half === "p" ? 12 : 0);
}

/**
 * Returns how many minutes ahead of UTC the zone behind a time may be: `[0]` for `10:10:00Z`, `[120]` for `10:10+02:00`
 * and `10:10 CEST`, several for the name of several zones, such as IST; none if something else is written there.
 * Undefined if nothing is, or that the time is local.
 */
export function utcOffsetsOf(time: string): readonly number[] | undefined {
  const behind = clockOf(time)?.behind ?? "";
  if (behind === "") return undefined;
  const zone = behind.replace(/^\((.*)\)$/s, "$1").toUpperCase();
  if (/^(?:|L|LT|LCL|LOC|LOCAL(?: TIME)?|H|HRS?|HOURS|UHR)$/.test(zone)) return undefined;
  const [, sign, hours, minutes = "0"] = /^(?:UTC|GMT)?([+-])(\d{2})(?::?(\d{2}))?$/.exec(zone) ?? [];
  if (hours === undefined) return offsetsByZone.get(zone) ?? [];
  return [(sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))];
}

/** As {@link utcOffsetsOf}, where nothing else can tell which of several zones is meant: then null. */
export function utcOffsetOf(time: string): number | null | undefined {
  const offsets = utcOffsetsOf(time);
  return offsets === undefined ? undefined : offsets.length === 1 ? offsets[0]! : null;
}

/** Abbreviations as `date` and airlines write them, with every offset in minutes that they stand for. */
const offsetsByZone: ReadonlyMap<string, readonly number[]> = new Map(
  [
    ...["Z 0", "UTC 0", "GMT 0", "ZULU 0", "WET 0", "WEST 60", "CET 60", "CEST 120", "MEZ 60", "MESZ 120", "EET 120"],
    ...["EEST 180", "MSK 180", "TRT 180", "BST 60 360", "IST 60 120 330", "GST 240", "PKT 300", "SAST 120", "CAT 120"],
    ...["EAT 180", "WAT 60", "ICT 420", "WIB 420", "SGT 480", "MYT 480", "HKT 480", "PHT 480", "CST -360 480"],
    ...[
      "JST 540",
      "KST 540",
      "AWST 480",
      "ACST 570",
      "ACDT 630",
      "AEST 600",
      "AEDT 660",
      "NZST 720",
      "NZDT 780",
      "AST -240 180",
    ],
    ...["ADT -180", "NST -210", "NDT -150", "EST -300", "EDT -240", "CDT -300", "MST -420", "MDT -360", "PST -480"],
    ...["PDT -420", "AKST -540", "AKDT -480", "HST -600", "BRT -180", "ART -180", "CLT -240", "CLST -180", "COT -300"],
    "PET -300",
  ].map((row) => {
    const [zone = "", ...offsets] = row.split(" ");
    return [zone, offsets.map(Number)] as const;
  }),
);

/**
 * Reads yyyy-mm-ddThh:mm:ss from `2027-03-14T07:30:00`, or with a blank between. Ignores a zone, because gateways state
 * none.
 */
export function localDateTimeOf(text: string | null): string | null {
  const date = localDateOf(text);
  const time = localTimeOf(/[T ](\d.*)$/s.exec(text ?? "")?.[1] ?? null);
  return date === null || time === null ? null : `${date}T${time}`;
}
