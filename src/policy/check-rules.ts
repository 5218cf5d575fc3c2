import type { Condition } from "./condition.ts";
import type { PolicyRule } from "./policy.ts";
import { findContradiction, findCover, partsOf, textOf } from "./rule-logic.ts";

export interface RuleFinding {
  readonly index: number;
  readonly key: "name" | "when" | "do" | "inform" | "reason" | "validUntil";
  /** An `error` keeps every policy from loading, `unreachable` (a rule that can never decide) only a new one. */
  readonly level: "error" | "unreachable" | "warning";
  readonly message: string;
}

export interface RuleDays {
  readonly validFrom: string | undefined;
  readonly validUntil: string | undefined;
}

/**
 * Returns rules that can never decide, that could cancel without what a cancel needs, or that are probably not meant as
 * written.
 * @param today yyyy-mm-dd, to find expired rules; null skips that.
 */
export function checkRules(
  rules: readonly PolicyRule[],
  days: readonly RuleDays[],
  today: string | null,
  hasValueLimit: boolean,
): readonly RuleFinding[] {
  return rules.flatMap((rule, index) => [
    ...checkValidity(days[index], today, index),
    ...checkReachable(rule, rules.slice(0, index), index),
    ...(rule.action === "cancel" ? checkCancel(rule, hasValueLimit, index) : []),
    ...checkInform(rule, index),
    ...checkReason(rule, rules.slice(0, index), index),
    ...checkNames(rule, rules.slice(0, index), index),
    ...checkNeverStated(rule, index),
  ]);
}

function checkValidity(days: RuleDays | undefined, today: string | null, index: number): RuleFinding[] {
  const { validFrom, validUntil } = days ?? {};
  if (validUntil === undefined) return [];
  if (validFrom !== undefined && validUntil < validFrom) {
    const message = `The rule is never valid: it ends on ${validUntil}, before it begins on ${validFrom}.`;
    return [{ index, key: "validUntil", level: "error", message }];
  }
  if (today === null || validUntil >= today) return [];
  const message = `The rule ended on ${validUntil} and decides nothing any more. Remove it, or move its end.`;
  return [{ index, key: "validUntil", level: "warning", message }];
}

function checkReachable(rule: PolicyRule, before: readonly PolicyRule[], index: number): RuleFinding[] {
  if (!rule.enabled) return [];
  const contradiction = findContradiction(rule.condition);
  if (contradiction !== null) {
    const [a, b] = contradiction;
    const because = a === b ? `it asks for '${a}', which is never so` : `it asks for '${a}' and for '${b}' at once`;
    return [{ index, key: "when", level: "unreachable", message: `The rule never matches: ${because}.` }];
  }
  const enabled = before.filter((earlier) => earlier.enabled);
  const cover = findCover(
    rule.condition,
    enabled.map(({ condition }) => condition),
  );
  const covering = (cover ?? []).map((position) => enabled[position]!);
  const [first] = covering;
  if (first === undefined) return [];
  const message = `The rule never decides: ${coveringReason(covering)}. Move it before '${first.name}', or remove it.`;
  return [{ index, key: "when", level: "unreachable", message }];
}

function coveringReason(covering: readonly PolicyRule[]): string {
  const names = covering.map(({ name }) => `'${name}'`);
  if (names.length > 1)
    return `whenever it matches, one of the rules ${names.join(", ")} before it has matched already`;
  return covering.every(({ condition }) => textOf(condition) === "true")
    ? `the rule ${names.join()} before it always matches`
    : `whenever it matches, the rule ${names.join()} before it has matched already`;
}

/** What a condition must require before it may cancel automatically, each as alternative conditions. */
const cancelNeeds: readonly { readonly need: string; readonly oneOf: readonly (readonly string[])[] }[] = [
  {
    need: 'the wish of the traveller (order.travellerAnswer == "refund") or nothing left to fly (cancelled && !partiallyCancelled)',
    oneOf: [['order.travellerAnswer == "refund"'], ["cancelled", "!partiallyCancelled"]],
  },
  { need: "a ticket (ticketed)", oneOf: [["ticketed"]] },
  { need: "an order of which nothing is flown (departedFlightCount == 0)", oneOf: [["departedFlightCount == 0"]] },
];

function checkCancel(rule: PolicyRule, hasValueLimit: boolean, index: number): RuleFinding[] {
  const stated = partsOf(rule.condition).map(textOf);
  const missing = cancelNeeds
    .filter(({ oneOf }) => !oneOf.some((conditions) => conditions.every((condition) => stated.includes(condition))))
    .map(({ need }) => need);
  if (!hasValueLimit) missing.push("a value limit (settings: orderValue: { EUR: 500 })");
  if (missing.length === 0) return [];
  const message = `Cancelling can't be undone and its refund is not known before, so a rule that cancels must ask for ${missing.join(", ")}. Join them with && in 'when', or write do: review.`;
  return [{ index, key: "do", level: "error", message }];
}

function checkInform({ action, inform }: PolicyRule, index: number): RuleFinding[] {
  if (inform === null || action === "accept" || action === "cancel") return [];
  const message = `'inform' counts only where the rule accepts or cancels, and this one does '${action}'.`;
  return [{ index, key: "inform", level: "warning", message }];
}

function checkReason(rule: PolicyRule, before: readonly PolicyRule[], index: number): RuleFinding[] {
  const other = before.find(({ reason, action }) => reason === rule.reason && action !== rule.action);
  if (other === undefined) return [];
  const message = `The reason '${rule.reason}' stands for ${other.action} in '${other.name}' and for ${rule.action} here, so statistics cannot tell them apart. Choose another.`;
  return [{ index, key: "reason", level: "warning", message }];
}

function checkNames(rule: PolicyRule, before: readonly PolicyRule[], index: number): RuleFinding[] {
  const bare = (name: string) => name.replaceAll("-", "");
  const other = before.find(({ name }) => name !== rule.name && bare(name) === bare(rule.name));
  if (other === undefined) return [];
  const message = `The names '${other.name}' and '${rule.name}' differ in hyphens only and are easily taken for each other.`;
  return [{ index, key: "name", level: "warning", message }];
}

const neverStated = ["pointOfSale", "merchantOfRecord", "customerClass"];

function checkNeverStated(rule: PolicyRule, index: number): RuleFinding[] {
  const names = [...new Set(readsOf(rule.condition))].filter((name) => neverStated.includes(name));
  if (names.length === 0) return [];
  const message = `The gateway never states ${names.join(", ")}, so the rule stays undecided and its cases go to a person.`;
  return [{ index, key: "when", level: "warning", message }];
}

function readsOf(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case "check":
      return condition.reads;
    case "not":
      return readsOf(condition.operand);
    case "choice":
      return [condition.test, condition.whenTrue, condition.whenFalse].flatMap(readsOf);
    default:
      return [...readsOf(condition.left), ...readsOf(condition.right)];
  }
}
