/** One rule of a decision of the policy. Decisions of people have no rules. */
export interface TracedRule {
  readonly rule: string;
  readonly action: string;
  readonly outcome: string;
  readonly reads: Readonly<Record<string, { readonly known: boolean }>>;
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
