import { assertNever } from "../kernel/app-error.ts";
import type { Fact } from "../kernel/fact.ts";
import type { ReadValue } from "./condition-inputs.ts";
import type { PolicyDecision } from "./decide.ts";
import type { RuleTrace } from "./evaluate.ts";
import type { CheckTrace } from "./evaluate-condition.ts";
import { defaultReviewQueue, defaultRuleName } from "./policy.ts";

/** A decision in words and in codes. */
export interface Explanation {
  /** What is to be done comes first, then why. */
  readonly sentences: readonly string[];
  /** The one that decided comes first; each once. */
  readonly reasonCodes: readonly string[];
}

/**
 * A decision in plain sentences: what is to be done, why, what the deciding rule read, which accepting rule failed and on
 * what, and which unknown facts did not matter. Made from the decision alone, so a stored one can be explained later.
 */
export function explainDecision(decision: PolicyDecision): Explanation {
  const { action, rule, reasons, trace } = decision;
  const decidedBy = trace.find((entry) => entry.rule === rule && entry.outcome === "matched");
  const having = (outcome: RuleTrace["outcome"]) => trace.filter((entry) => entry.outcome === outcome);
  const isSettled = decidedBy !== undefined || rule === defaultRuleName;

  const sentences = [explainAction(decision, isSettled), ...reasons.map(({ text }) => text)];
  if (decidedBy !== undefined) sentences.push(...explainChecks(decidedBy));
  if (action !== "accept") {
    sentences.push(
      ...having("not-matched")
        .filter((entry) => entry.action === "accept")
        .flatMap(explainMiss),
    );
  }
  if (isSettled) sentences.push(...having("unknown").map(explainHarmlessUnknown));
  return { sentences, reasonCodes: [...new Set(reasons.map(({ code }) => code))] };
}

const guardPrefix = "guard:";

function explainAction({ action, queue, priority, until, rule }: PolicyDecision, isSettled: boolean): string {
  const because = explainCause(rule, isSettled);
  switch (action) {
    case "accept":
      return `Accept the change: ${because}.`;
    case "cancel":
      return `Cancel the order: ${because}.`;
    case "review":
      return `A person decides, in queue '${queue ?? defaultReviewQueue}' with priority ${priority ?? "unset"}: ${because}.`;
    case "ask-traveller":
      return `Ask the traveller: ${because}.`;
    case "wait":
      return `Wait${until === null ? "" : ` until ${until}`}: ${because}.`;
    case "none":
      return `Do nothing: ${because}.`;
    default:
      return assertNever(action);
  }
}

function explainCause(rule: string, isSettled: boolean): string {
  if (rule.startsWith(guardPrefix)) {
    return `the guard '${rule.slice(guardPrefix.length)}', which no policy can switch off, asks for it`;
  }
  if (!isSettled) return "the outcome depends on something that is unknown";
  return rule === defaultRuleName ? "no rule matched" : `rule '${rule}' matched`;
}

function explainChecks({ rule, checks, reads }: RuleTrace): string[] {
  if (checks.length === 0) return [];
  return [`Rule '${rule}' checked: ${[...new Set(checks.map((check) => describeCheck(check, reads)))].join("; ")}.`];
}

/** Evaluation stops as soon as a rule cannot match any more, so its last check is the one that failed. */
function explainMiss({ rule, checks, reads }: RuleTrace): string[] {
  const last = checks.at(-1);
  return last === undefined ? [] : [`Rule '${rule}' did not match: ${describeCheck(last, reads)}.`];
}

function explainHarmlessUnknown({ rule, reads }: RuleTrace): string {
  const missing = Object.entries(reads).flatMap(([name, fact]) =>
    fact.known ? [] : [`${name} is unknown (${fact.reason})`],
  );
  const because = missing.length === 0 ? "a check failed" : missing.join(", ");
  return `Rule '${rule}' could not be decided, which changes nothing here: ${because}.`;
}

const comparisonWords: Readonly<Record<string, string>> = {
  "<=": "at most",
  ">=": "at least",
  "<": "less than",
  ">": "more than",
  "==": "exactly",
  "!=": "other than",
};

/** "departureLaterMinutes is 20 (limit: at most 30)"; a check of any other shape with the values that it read. */
function describeCheck({ check, outcome }: CheckTrace, reads: RuleTrace["reads"]): string {
  const comparison = /^([\w.]+) (<=|>=|<|>|==|!=) (-?[\d.]+)$/.exec(check);
  if (comparison !== null) {
    const [, name = "", operator = "", limit = ""] = comparison;
    return `${describeRead(name, reads[name])} (limit: ${comparisonWords[operator] ?? operator} ${limit})`;
  }
  if (Object.hasOwn(reads, check)) return describeRead(check, reads[check]);
  const words: readonly string[] = check.match(/[\w.]+/g) ?? [];
  const read = Object.entries(reads).filter(([name]) => words.includes(name));
  const values = read.map(([name, fact]) => describeRead(name, fact)).join(", ");
  return `${check} is ${outcome}${values === "" ? "" : ` (${values})`}`;
}

function describeRead(name: string, fact: Fact<ReadValue> | undefined): string {
  if (fact === undefined) return `${name} was not read`;
  if (!fact.known) return `${name} is unknown (${fact.reason})`;
  if (typeof fact.value === "object") return `${name} is [${fact.value.join(", ")}]`;
  return `${name} is ${String(fact.value)}`;
}
