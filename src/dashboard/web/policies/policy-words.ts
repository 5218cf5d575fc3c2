import { diffArrays } from "diff";
import type { PolicyRule } from "../api/responses.ts";
import { formatDuration } from "../labels/moments.ts";
import { describeDecision, describeQueue } from "../labels/state-words.ts";

/** What a rule does: `Needs review (Legal review), priority 2`. */
export function describeRuleAction({ action, reviewQueue, priority, wait }: PolicyRule): string {
  const decision = describeOutcome(reviewQueue === null ? action : `${action}:${reviewQueue}`);
  if (wait !== null) {
    const [after, before] = [wait.minutesAfterChange, wait.minutesBeforeDeparture].map((minutes) =>
      formatDuration(minutes * 60),
    );
    return `${decision} until ${after} after the change, or ${before} before departure`;
  }
  return priority === null ? decision : `${decision}, priority ${priority}`;
}

/** `review:agent` → `Needs review (Agents)`. */
export function describeOutcome(outcome: string): string {
  const [action = "", queue] = outcome.split(":");
  return queue === undefined ? describeDecision(action) : `${describeDecision(action)} (${describeQueue(queue)})`;
}

export interface RulesComparison {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** The fewest rules that must move to get the new order. */
  readonly reordered: readonly string[];
}

/** Compares rules by name. */
export function compareRules(before: readonly PolicyRule[], after: readonly PolicyRule[]): RulesComparison {
  const old = new Map(before.map((rule) => [rule.name, rule]));
  const names = after.map(({ name }) => name);
  const inBoth = before.map(({ name }) => name).filter((name) => names.includes(name));
  const order = diffArrays(
    inBoth,
    names.filter((name) => old.has(name)),
  );
  return {
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !names.includes(name)),
    changed: after
      .filter((rule) => old.has(rule.name) && JSON.stringify(rule) !== JSON.stringify(old.get(rule.name)))
      .map(({ name }) => name),
    reordered: order.filter(({ added }) => added).flatMap(({ value }) => value),
  };
}
