import type { Fact } from "../kernel/fact.ts";

/** A check of a rule as it came out, with the values that it read. */
export interface ReadCheck {
  readonly check: string;
  readonly outcome: string;
  readonly reads: Readonly<Record<string, Fact<unknown>>>;
}

/** How the reader names and prints what a rule reads. */
export interface ReadWords {
  label(name: string): string;
  value(name: string, value: unknown): string;
}

/**
 * Says what a check found: `Departs later: 1 h 15 min; the limit is 45 min`, `Only times changed: yes`. Anything but a
 * single fact or a comparison of one with a value is said as it is written, with what it read.
 */
export function describeCheck({ check, outcome, reads }: ReadCheck, words: ReadWords): string {
  const read = (name: string): string => {
    const fact = reads[name];
    if (fact === undefined || !fact.known) return "unknown";
    return words.value(name, fact.value);
  };
  const [, name = check, comparison, limit] =
    /^([A-Za-z][\w.]*)(?: (<=|<|>=|>|==|!=) (\S+|"[^"]*"))?$/.exec(check) ?? [];
  if (!Object.hasOwn(reads, name)) return describeWritten({ check, outcome, reads }, words, read);
  const found = `${words.label(name)}: ${read(name)}`;
  if (comparison === undefined || limit === undefined) return found;
  const asked = words.value(name, valueOf(limit));
  return comparison === "<="
    ? `${found}; the limit is ${asked}`
    : `${found}; the rule asks for ${askedWords[comparison]}${asked}`;
}

/**
 * The checks that say what there was. Of a rule that matched: those that found something, not the many that only say that
 * something was not so. Of one that cannot be decided: those that cannot. Of another: the last, which settled it.
 */
export function decisiveChecks<Check extends Pick<ReadCheck, "check" | "outcome">>(
  checks: readonly Check[],
  reads: ReadCheck["reads"],
  outcome: string,
): readonly Check[] {
  const decisive = checks.filter((each) => {
    if (outcome === "unknown") return each.outcome === "unknown";
    return outcome === "matched" && findsSomething(each, reads);
  });
  return decisive.length === 0 ? checks.slice(-1) : decisive;
}

function findsSomething({ check }: Pick<ReadCheck, "check">, reads: ReadCheck["reads"]): boolean {
  return Object.entries(reads).some(([name, fact]) => isIn(check, name) && fact.known && !isNothing(fact.value));
}

function describeWritten(
  { check, outcome, reads }: ReadCheck,
  words: ReadWords,
  read: (name: string) => string,
): string {
  const values = Object.keys(reads)
    .filter((name) => isIn(check, name))
    .map((name) => `${words.label(name)}: ${read(name)}`);
  return `${check} is ${outcome}${values.length === 0 ? "" : ` (${values.join("; ")})`}`;
}

const askedWords: Readonly<Record<string, string>> = {
  "<": "less than ",
  ">=": "at least ",
  ">": "more than ",
  "==": "",
  "!=": "anything but ",
};

/** A value as a condition writes it. */
function valueOf(written: string): unknown {
  if (written === "true" || written === "false") return written === "true";
  if (written.startsWith('"')) return written.slice(1, -1);
  return Number.isNaN(Number(written)) ? written : Number(written);
}

function isIn(check: string, name: string): boolean {
  return check.split(/[^\w.]+/).includes(name);
}

function isNothing(value: unknown): boolean {
  return [false, 0, null, "none"].includes(value as never) || (Array.isArray(value) && value.length === 0);
}
