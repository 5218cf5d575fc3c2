import { z } from "zod";
import { AppError } from "../kernel/app-error.ts";
import { readZoneTable } from "./read-zone-table.ts";
import {
  firstYear,
  weekdays,
  type YearlyChange,
  yearlyInstant,
  type ZoneOffsets,
  type ZoneTable,
} from "./zone-table.ts";

const packedZones = z.looseObject({ version: z.string(), zones: z.array(z.string()), links: z.array(z.string()) });

/** Whether a document is `data/packed/latest.json` of the npm package moment-timezone. */
export function isPackedZones(document: unknown): boolean {
  return packedZones.safeParse(document).success;
}

/**
 * Makes a table of it. The package lists each change until the end of 2037. What repeats in its last years is taken as a
 * rule, which holds from the first year that it fits, for ever. A zone without such a rule keeps its last offset.
 * @param published yyyy-mm-dd
 * @throws AppError `zones.invalid`
 */
export function unpackZones(document: unknown, published: string, source: string): ZoneTable {
  const { version: release, zones: rows, links: pairs } = packedZones.parse(document);
  const unpacked = new Map(rows.map(unpackRow));
  const names = new Map([...unpacked.keys()].map((name) => [name, name]));
  for (const pair of pairs) {
    const [target = "", name = ""] = pair.split("|");
    names.set(name, target);
  }
  // Of zones with equal offsets since 1980, the first by name stands for all.
  const zones: Record<string, ZoneOffsets> = {};
  const links: Record<string, string> = {};
  const firstOf = new Map<string, string>();
  for (const [name, target] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const offsets = unpacked.get(target);
    if (offsets === undefined)
      throw new AppError("zones.invalid", `${name} is linked to ${target}, which is not there.`);
    const content = JSON.stringify(offsets);
    const first = firstOf.get(content);
    if (first === undefined) {
      firstOf.set(content, name);
      zones[name] = offsets;
    } else links[name] = first;
  }
  return readZoneTable({ release, published, source, zones, links });
}

/** The last that ISO 8601 writes with four digits. */
const lastYear = 9999;

/** `Name|abbreviations|offsets|index of the offset of each period|minutes between the changes|…`, in base 60. */
function unpackRow(row: string): readonly [name: string, offsets: ZoneOffsets] {
  const [name = "", , packedOffsets = "", indices = "", packedChanges = ""] = row.split("|");
  const behind = packedOffsets.split(" ").map(fromBase60);
  const offsets = [...indices].map((index, i) => {
    const minutesBehind = behind[digitOf(index)];
    if (minutesBehind === undefined) {
      const problem = `period ${i + 1} has offset ${digitOf(index)}, and only ${behind.length} are listed`;
      throw new AppError("zones.invalid", `${name}: ${problem}.`);
    }
    // Not -minutesBehind, which is -0 for UTC.
    return 0 - Math.round(minutesBehind);
  });
  let minutes = 0;
  const changes = packedChanges
    .split(" ")
    .filter((part) => part !== "")
    .map((part, i): Change => {
      minutes += fromBase60(part);
      const at = new Date(Math.round(minutes * 60) * 1_000);
      if (!(Math.abs(at.getUTCFullYear()) <= lastYear)) {
        throw new AppError("zones.invalid", `${name}: change ${i + 1} lies beyond the year ${lastYear}.`);
      }
      return [at.toISOString(), offsets[i + 1]!];
    });
  return [name, toZoneOffsets(offsets[0]!, changes)];
}

/** An instant in UTC, and the offset that begins there, in minutes. */
type Change = readonly [at: string, offset: number];

function toZoneOffsets(first: number, all: readonly Change[]): ZoneOffsets {
  const earlier = all.filter(([at]) => yearOf(at) < firstYear);
  const start = earlier.at(-1)?.[1] ?? first;
  const changes: Change[] = [];
  let last = start;
  for (const [at, offset] of all.slice(earlier.length)) {
    // What changes only the abbreviation, or the name of the season, changes no clock.
    if (offset === last) continue;
    changes.push([at.slice(0, 16), offset]);
    last = offset;
  }
  const yearly = yearlyRule(changes);
  if (yearly === null) return { start, changes };
  return { start, changes: changes.filter(([at]) => yearOf(at) < yearly.from), yearly };
}

/** From here on the present rules hold in all zones that have one, and a day in March or later falls on every weekday. */
const ruleFrom = 2028;
const ruleUntil = 2037;

/** Returns what repeats each year, and since when; null if nothing does. */
function yearlyRule(changes: readonly Change[]): NonNullable<ZoneOffsets["yearly"]> | null {
  const inYear = (year: number): readonly Change[] => changes.filter(([at]) => yearOf(at) === year);
  const count = inYear(ruleUntil).length;
  if (count === 0) return null;
  const years = Array.from({ length: ruleUntil - ruleFrom + 1 }, (_, i) => inYear(ruleFrom + i));
  const rule = inYear(ruleUntil).map(([at, offset], i): YearlyChange => {
    const days = years.map((ofYear) => ofYear[i]?.[0].slice(5, 10) ?? "12-31").sort();
    return [days[0]!, weekdays[new Date(`${at}Z`).getUTCDay()]!, at.slice(11, 16), offset];
  });
  const fits = (year: number): boolean => {
    const expected = rule.map((change): Change => [yearlyInstant(year, change), change[3]]);
    return JSON.stringify(expected) === JSON.stringify(inYear(year));
  };
  let from = ruleUntil + 1;
  while (from > firstYear && fits(from - 1)) from -= 1;
  return from > ruleFrom ? null : { from, changes: rule };
}

function yearOf(at: string): number {
  return Number(at.slice(0, 4));
}

function fromBase60(text: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const above = [...whole].reduce((sum, digit) => sum * 60 + digitOf(digit), 0);
  return sign * [...fraction].reduce((sum, digit, i) => sum + digitOf(digit) / 60 ** (i + 1), above);
}

/** 0-9, a-z, A-X. */
function digitOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code > 96) return code - 87;
  return code > 64 ? code - 29 : code - 48;
}
