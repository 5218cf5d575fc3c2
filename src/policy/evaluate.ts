import { spanOf } from "../itinerary/span.ts";
import type { Fact } from "../kernel/fact.ts";
import { formatAmount } from "../travel/money.ts";
import type { ConditionInputs, ReadValue } from "./condition-inputs.ts";
import { definitionOf, isVariableName, placeholderPattern, typeOfName, type VariableName } from "./condition-names.ts";
import {
  type CheckTrace,
  type ConditionTrace,
  evaluateCondition,
  isDecided,
  type Truth,
  type Undecided,
} from "./evaluate-condition.ts";
import { describeUnknown, describeUnknownFact } from "./fact-labels.ts";
import { describeLimits } from "./limit-words.ts";
import {
  defaultReviewPriority,
  defaultReviewQueue,
  defaultRuleName,
  evaluationReasonCodes,
  type Policy,
  type PolicyAction,
  type PolicyRule,
} from "./policy.ts";

export interface PolicyVerdict extends Outcome {
  /** The rule that decided, the first one that could not be decided, or `default`. */
  readonly rule: string;
  /** At least one; the first one decided. */
  readonly reasons: readonly VerdictReason[];
  /** Facts that keep a relevant rule undecided; empty if the outcome is settled. */
  readonly unknownFacts: readonly string[];
}

export interface VerdictReason {
  /** The code of the rule, or one of evaluation itself. */
  readonly code: string;
  readonly text: string;
}

export interface RuleTrace {
  readonly rule: string;
  readonly action: PolicyAction;
  readonly outcome: "matched" | "not-matched" | "unknown" | "disabled";
  readonly reads: Readonly<Record<string, Fact<ReadValue>>>;
  readonly checks: readonly CheckTrace[];
}

type Outcome = Pick<PolicyRule, "action" | "reviewQueue" | "priority" | "wait">;

interface UndecidedRule {
  readonly rule: PolicyRule;
  readonly because: Undecided;
}

/**
 * Evaluates the rules in order. The first that matches decides; without one, a person does. A rule that unknown facts
 * leave undecided may match or not. If all possible outcomes are the same action in the same queue, the unknown does
 * not matter; otherwise a person decides and sees which facts are missing.
 * Pure; never throws. Making a known fact unknown can turn an automatic action into a review, never the reverse.
 * @param trace collects each rule up to the one that decided; null to skip.
 */
export function evaluatePolicy(policy: Policy, inputs: ConditionInputs, trace: RuleTrace[] | null): PolicyVerdict {
  const { matched, undecided } = tryRules(policy.rules, inputs, trace);

  const settled: Outcome = matched ?? defaultOutcome;
  const priority = mostUrgent([settled, ...undecided.map(({ rule }) => rule)]);
  if (undecided.every(({ rule }) => leadsToSame(rule, settled))) {
    return {
      action: settled.action,
      reviewQueue: settled.reviewQueue,
      priority: settled.action === "review" ? priority : null,
      wait: settled.wait,
      rule: matched?.name ?? defaultRuleName,
      reasons: [matched === null ? describeDefault(policy) : describeMatch(matched, inputs, policy.thresholds)],
      unknownFacts: [],
    };
  }

  // The rules that would change the outcome come first: they are why a person is asked.
  const ranked = [
    ...undecided.filter(({ rule }) => !leadsToSame(rule, settled)),
    ...undecided.filter(({ rule }) => leadsToSame(rule, settled)),
  ];
  return {
    action: "review",
    reviewQueue: defaultReviewQueue,
    priority,
    wait: null,
    rule: ranked[0]?.rule.name ?? defaultRuleName,
    reasons: describeAllUndecided(ranked, inputs),
    unknownFacts: [...new Set(ranked.flatMap(({ because }) => because.unknownFacts))],
  };
}

const defaultOutcome: Outcome = {
  action: "review",
  reviewQueue: defaultReviewQueue,
  priority: defaultReviewPriority,
  wait: null,
};

function tryRules(
  rules: readonly PolicyRule[],
  inputs: ConditionInputs,
  trace: RuleTrace[] | null,
): { matched: PolicyRule | null; undecided: readonly UndecidedRule[] } {
  const undecided: UndecidedRule[] = [];
  for (const rule of rules) {
    const looked: ConditionTrace | null = trace === null ? null : { checks: [], reads: {} };
    const truth = rule.enabled ? evaluateCondition(rule.condition, inputs, looked) : null;
    if (looked !== null) trace?.push({ rule: rule.name, action: rule.action, outcome: outcomeOf(truth), ...looked });
    if (truth === null) continue;
    if (!isDecided(truth)) undecided.push({ rule, because: truth });
    else if (truth) return { matched: rule, undecided };
  }
  return { matched: null, undecided };
}

function outcomeOf(truth: Truth | null): RuleTrace["outcome"] {
  if (truth === null) return "disabled";
  if (!isDecided(truth)) return "unknown";
  return truth ? "matched" : "not-matched";
}

function leadsToSame(a: Outcome, b: Outcome): boolean {
  return (
    a.action === b.action &&
    a.reviewQueue === b.reviewQueue &&
    a.wait?.minutesAfterChange === b.wait?.minutesAfterChange &&
    a.wait?.minutesBeforeDeparture === b.wait?.minutesBeforeDeparture
  );
}

/** A case that may be urgent is treated as urgent. */
function mostUrgent(outcomes: readonly Outcome[]): number {
  const priorities = outcomes.flatMap(({ priority }) => (priority === null ? [] : [priority]));
  return priorities.length === 0 ? defaultReviewPriority : Math.min(...priorities);
}

function describeDefault(policy: Policy): VerdictReason {
  return {
    code: evaluationReasonCodes.noRuleMatched,
    text: `No rule of the policy '${policy.name}' matched, so an agent decides.`,
  };
}

function describeMatch(rule: PolicyRule, inputs: ConditionInputs, thresholds: Policy["thresholds"]): VerdictReason {
  const text = rule.explain ?? rule.description ?? `Rule '${rule.name}' matched.`;
  return { code: rule.reason, text: fillPlaceholders(text, inputs, thresholds) };
}

/** Rules that one contradiction leaves undecided are told by it, once. */
function describeAllUndecided(ranked: readonly UndecidedRule[], inputs: ConditionInputs): readonly VerdictReason[] {
  const reasons = new Map<string, VerdictReason>();
  for (const entry of ranked) {
    const reason = describeContradiction(entry, inputs) ?? describeUndecided(entry, inputs);
    if (!reasons.has(reason.text)) reasons.set(reason.text, reason);
  }
  return [...reasons.values()];
}

function describeContradiction(
  { because: { unknownFacts, failures } }: UndecidedRule,
  inputs: ConditionInputs,
): VerdictReason | null {
  const causes = new Set(unknownFacts.map((name) => inputs.read(name)).map((fact) => (fact.known ? "" : fact.reason)));
  const [cause = ""] = causes;
  if (causes.size !== 1 || failures.length > 0 || !contradictions.has(cause)) return null;
  const words = describeUnknown(cause);
  const text = `${words.charAt(0).toUpperCase()}${words.slice(1)}. Ask the airline which is right.`;
  return { code: evaluationReasonCodes.unknownFact, text };
}

/** Reasons of unknown facts that need neither the name of the fact nor that of the rule. */
const contradictions: ReadonlySet<string> = new Set(["cancelled-with-offer"]);

function describeUndecided({ rule, because }: UndecidedRule, inputs: ConditionInputs): VerdictReason {
  const facts = because.unknownFacts.map((name) => describeUnknownFact(name, inputs.read(name)));
  const code = facts.length > 0 ? evaluationReasonCodes.unknownFact : evaluationReasonCodes.ruleError;
  const causes = [...facts, ...because.failures].join(", ");
  return { code, text: `Rule '${rule.name}' (${rule.action}) cannot be decided: ${causes}.` };
}

/** Minutes that stand before their unit are written as people say them: `{arrivalLaterMinutes} minutes` as `2 h 25 min`. */
function fillPlaceholders(text: string, inputs: ConditionInputs, thresholds: Policy["thresholds"]): string {
  return text.replace(placeholderWithUnit, (written, name: string, unit: string = "") => {
    const limits = name.startsWith("within.") ? thresholds.get(name.slice("within.".length)) : undefined;
    if (limits !== undefined) return `${describeLimits(limits, inputs)}${unit}`;
    if (!isVariableName(name)) return written;
    const fact = inputs.read(name);
    if (!fact.known) return "unknown";
    const isTime =
      unit !== "" && definitionOf(name).unit === "min" && typeof fact.value === "number" && fact.value >= 0;
    return isTime ? spanOf(fact.value) : `${wordsOf(name, fact.value, inputs)}${unit}`;
  });
}

const placeholderWithUnit = new RegExp(`${placeholderPattern.source}( min(?:utes)?\\b)?`, "g");

function wordsOf(name: VariableName, value: ReadValue, inputs: ConditionInputs): string {
  if (typeof value === "object") return value.join(value.some((each) => each.includes(",")) ? "; " : ", ");
  if (typeOfName(name) !== "decimal") return String(value);
  const currency = inputs.read("currency");
  return formatAmount(String(value), currency.known ? String(currency.value) : null);
}
