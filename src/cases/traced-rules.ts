import type { Fact } from "../kernel/fact.ts";

/** One rule of a decision of the policy. Decisions of people have no rules. */
export interface TracedRule {
  readonly rule: string;
  readonly action: string;
  readonly outcome: string;
  readonly reads: Readonly<Record<string, Fact<unknown>>>;
  readonly checks: readonly { readonly check: string; readonly outcome: string }[];
}

/** Empty if the decision is of a person, or has no trace. */
export function rulesOf(trace: unknown): readonly TracedRule[] {
  return Array.isArray(trace) ? trace.filter(isTracedRule) : [];
}

function isTracedRule(entry: unknown): entry is TracedRule {
  if (entry === null || typeof entry !== "object") return false;
  const { rule, action, outcome, checks, reads } = entry as Partial<Record<keyof TracedRule, unknown>>;
  return (
    [rule, action, outcome].every((part) => typeof part === "string") &&
    Array.isArray(checks) &&
    typeof reads === "object"
  );
}

/**
 * The rule that would have acted and came nearest to it, because it got through the most checks: what stopped it is what
 * made the difference. Null if none got beyond its first check.
 */
export function nearestMiss(rules: readonly TracedRule[]): TracedRule | null {
  const missed = rules.filter(
    ({ action, outcome, checks }) => action !== "review" && outcome === "not-matched" && checks.length > 1,
  );
  return missed.reduce<TracedRule | null>(
    (nearest, rule) => (nearest !== null && nearest.checks.length > rule.checks.length ? nearest : rule),
    null,
  );
}
