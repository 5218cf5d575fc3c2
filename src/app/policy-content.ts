import type { PolicyContent } from "../dashboard/policy-ports.ts";
import type { Condition } from "../policy/condition.ts";
import { legalPresets, selectedPresets } from "../policy/legal/presets.ts";
import type { Policy } from "../policy/policy.ts";

/** Describes a policy for its page: its rules with the facts that each reads, and which laws are on. */
export function contentOf({ description, mode, rules, legalPresets: switches }: Policy): PolicyContent {
  const on = selectedPresets(switches);
  return {
    description,
    mode,
    rules: rules.map(({ condition, ...rule }) => ({ ...rule, reads: [...new Set(readsIn(condition))] })),
    laws: legalPresets.map((preset) => ({ id: preset.id, title: preset.title, isOn: on.includes(preset) })),
  };
}

function readsIn(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case "check":
      return condition.reads;
    case "not":
      return readsIn(condition.operand);
    case "choice":
      return [condition.test, condition.whenTrue, condition.whenFalse].flatMap(readsIn);
    case "and":
    case "or":
      return [condition.left, condition.right].flatMap(readsIn);
  }
}
