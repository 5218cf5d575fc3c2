import { localDateOf, localTimeOf, utcOffsetOf, utcOffsetsOf } from "./local-date-time.ts";

export interface StepInputs {
  /** yyyy-mm-ddThh:mm:ss as printed; the beginning of the day if no time is stated. */
  readonly at: string;
  /** The later reading, if day and month may be either way round: `05/12/2026`. */
  readonly otherAt?: string;
  /** Minutes ahead of UTC; null if no zone is stated, or none that can be read. */
  readonly utcOffset: number | null;
  /** Set if something else is written behind the date. */
  readonly isUnread?: true;
}

/**
 * Reads a point in time as systems and people write it: `2026-12-05T10:00:00Z`, `20261205T1000Z`, `05DEC2026 10:00`,
 * `5 December 2026`, `05.12.2026`, `05/12/2026`, or seconds or milliseconds since 1970. Null for anything else.
 */
export function momentOf(text: string): StepInputs | null {
  if (!/\d/.test(text)) return null;
  const since1970 = readSince1970(text);
  if (since1970 !== null) return { at: since1970, utcOffset: 0 };
  const [dates, behind] = datesIn(text.trim());
  const [at, otherAt] = dates
    .map(localDateOf)
    .filter((date) => date !== null)
    .sort();
  if (at === undefined) return null;
  const sent = behind.replace(/^[\s,T]+/i, "").replace(/^at\s+/i, "");
  const time = localTimeOf(sent);
  const moment = {
    at: `${at}T${time ?? "00:00:00"}`,
    utcOffset: time === null ? null : (utcOffsetOf(sent) ?? null),
    ...(sent !== "" && (time === null || utcOffsetsOf(sent)?.length === 0) ? { isUnread: true as const } : {}),
  };
  return otherAt === undefined || otherAt === at ? moment : { ...moment, otherAt: `${otherAt}T${time ?? "00:00:00"}` };
}

/** Reads seconds or milliseconds since 1970, from 2020 on, because other long numbers are no moments. */
function readSince1970(text: string): string | null {
  if (!/^(?:\d{10}|\d{13})$/.test(text)) return null;
  const moment = new Date(Number(text) * (text.length === 10 ? 1000 : 1));
  return moment.getUTCFullYear() < 2020 ? null : moment.toISOString().slice(0, 19);
}

/** Returns the dates that a text may begin with as yyyy-mm-dd, and what is behind. */
function datesIn(text: string): readonly [readonly string[], string] {
  const iso = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?!\d)(.*)$/s.exec(text);
  if (iso !== null) return [[`${iso[1]}-${iso[3]}-${iso[4]}`], iso[5]!];
  const named = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]*([a-z]{3,9})\.?[\s,-]*(\d{4}|\d{2})(?!\d)(.*)$/is.exec(text);
  if (named !== null) return [dated(named[3]!, monthNamed(named[2]!), named[1]!), named[4]!];
  const monthFirst = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)(.*)$/is.exec(text);
  if (monthFirst !== null) return [dated(monthFirst[3]!, monthNamed(monthFirst[1]!), monthFirst[2]!), monthFirst[4]!];
  const numeric = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d)(.*)$/s.exec(text);
  if (numeric === null) return [[], text];
  const [, first = "", separator, second = "", year = "", behind = ""] = numeric;
  const dayFirst = dated(year, Number(second), first);
  return [separator === "." ? dayFirst : [...dayFirst, ...dated(year, Number(first), second)], behind];
}

function dated(year: string, month: number, day: string): readonly string[] {
  const twoDigits = (part: string | number) => String(part).padStart(2, "0");
  return [`${year.length === 2 ? `20${year}` : year}-${twoDigits(month)}-${twoDigits(day)}`];
}

/** 0 for a word that is no month. */
function monthNamed(word: string): number {
  return months.findIndex((month) => word.toLowerCase().startsWith(month)) + 1;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
