import { type Fact, known, unknown } from "../kernel/fact.ts";

/** Three-valued "or": true if one is true, else unknown if one is unknown, else false. */
export function anyOf(facts: Iterable<Fact<boolean>>): Fact<boolean> {
  let missing: Fact<boolean> | null = null;
  for (const fact of facts) {
    if (!fact.known) missing ??= fact;
    else if (fact.value) return fact;
  }
  return missing ?? known(false);
}

/** Three-valued "and": false if one is false, else unknown if one is unknown, else true. */
export function allOf(facts: Iterable<Fact<boolean>>): Fact<boolean> {
  return not(anyOf([...facts].map(not)));
}

export function not(fact: Fact<boolean>): Fact<boolean> {
  return fact.known ? known(!fact.value) : fact;
}

/** Whether two values differ: false if neither is stated, unknown if only one is. */
export function differs<T>(
  a: T | null,
  b: T | null,
  reason: string,
  isSame: (a: T, b: T) => boolean = isEqual,
): Fact<boolean> {
  if (a === null && b === null) return known(false);
  return a === null || b === null ? unknown(reason) : known(!isSame(a, b));
}

/** Whether a stated value is replaced by another stated one. */
export function isRestated<T>(a: T | null, b: T | null, isSame: (a: T, b: T) => boolean = isEqual): boolean {
  return a !== null && b !== null && !isSame(a, b);
}

function isEqual<T>(a: T, b: T): boolean {
  return a === b;
}

/** Returns what all `Order` elements state; unknown if one is unknown, `differs-by-reference` if they differ. */
export function agreed<T>(facts: readonly Fact<T>[]): Fact<T> {
  const [first = unknown("missing-order"), ...others] = facts;
  const missing = facts.find((fact) => !fact.known);
  if (missing !== undefined || !first.known) return missing ?? first;
  const same = others.every((fact) => fact.known && fact.value === first.value);
  return same ? first : unknown("differs-by-reference");
}

/** A number between two bounds, which are equal unless a local time has two meanings. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export function difference(a: Range, b: Range): Range {
  return { low: a.low - b.high, high: a.high - b.low };
}

/** The largest number, at least `atLeast`. Unknown if one is unknown, `ambiguous-time` if the bounds disagree. */
export function largestOf(ranges: readonly Fact<Range>[], atLeast: number): Fact<number> {
  return extreme(ranges, { low: atLeast, high: atLeast }, Math.max);
}

/** The smallest number, at most `atMost`. Unknown if one is unknown, `ambiguous-time` if the bounds disagree. */
export function smallestOf(ranges: readonly Fact<Range>[], atMost: number): Fact<number> {
  return extreme(ranges, { low: atMost, high: atMost }, Math.min);
}

/**
 * The number farthest from 0, with its sign; 0 without numbers, and the smaller of two equally far. Unknown if one is
 * unknown, `ambiguous-time` if one that may be the farthest has two values.
 */
export function farthestOf(ranges: readonly Fact<Range>[]): Fact<number> {
  let farthest = 0;
  let ambiguous = 0;
  for (const range of ranges) {
    if (!range.known) return range;
    const { low, high } = range.value;
    if (low !== high) ambiguous = Math.max(ambiguous, Math.abs(low), Math.abs(high));
    else if (Math.abs(low) > Math.abs(farthest) || low === -Math.abs(farthest)) farthest = low;
  }
  return ambiguous > 0 && ambiguous >= Math.abs(farthest) ? unknown("ambiguous-time") : known(farthest);
}

function extreme(ranges: readonly Fact<Range>[], start: Range, choose: (a: number, b: number) => number): Fact<number> {
  let chosen = start;
  for (const range of ranges) {
    if (!range.known) return range;
    const { low, high } = range.value;
    chosen = { low: choose(chosen.low, low), high: choose(chosen.high, high) };
  }
  return chosen.low === chosen.high ? known(chosen.low) : unknown("ambiguous-time");
}
