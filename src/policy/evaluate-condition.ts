import { assertNever } from "../kernel/app-error.ts";
import type { Fact } from "../kernel/fact.ts";
import type { Condition } from "./condition.ts";
import type { ConditionInputs, ReadValue } from "./condition-inputs.ts";
import type { VariableName } from "./condition-names.ts";

export type Truth = boolean | Undecided;

export interface Undecided {
  readonly unknownFacts: readonly VariableName[];
  readonly failures: readonly string[];
}

export interface CheckTrace {
  readonly check: string;
  readonly outcome: "true" | "false" | "unknown";
}

export interface ConditionTrace {
  /** The evaluated checks, in order. Checks that could no longer matter are missing. */
  readonly checks: CheckTrace[];
  readonly reads: Record<string, Fact<ReadValue>>;
}

/**
 * Evaluates a condition in Kleene's three-valued logic: an unknown on one side of `&&` or `||` does not matter if the
 * other side decides, and a choice between equal outcomes does not need its test. A check with an unknown fact is
 * undecided. Pure; never throws.
 * @param trace collects what was read; null to skip.
 */
export function evaluateCondition(node: Condition, inputs: ConditionInputs, trace: ConditionTrace | null): Truth {
  switch (node.kind) {
    case "and":
      return evaluateJunction(node, false, inputs, trace);
    case "or":
      return evaluateJunction(node, true, inputs, trace);
    case "not": {
      const operand = evaluateCondition(node.operand, inputs, trace);
      return isDecided(operand) ? !operand : operand;
    }
    case "choice":
      return evaluateChoice(node, inputs, trace);
    case "check": {
      const truth = runCheck(node, inputs);
      if (trace !== null) {
        for (const name of node.reads) trace.reads[name] = inputs.read(name);
        trace.checks.push({ check: node.text, outcome: isDecided(truth) ? (truth ? "true" : "false") : "unknown" });
      }
      return truth;
    }
    default:
      return assertNever(node);
  }
}

/** @param deciding the value that settles it whatever the other side is: false for and, true for or. */
function evaluateJunction(
  node: Condition & { kind: "and" | "or" },
  deciding: boolean,
  inputs: ConditionInputs,
  trace: ConditionTrace | null,
): Truth {
  const left = evaluateCondition(node.left, inputs, trace);
  if (left === deciding) return deciding;
  const right = evaluateCondition(node.right, inputs, trace);
  if (right === deciding) return deciding;
  return isDecided(left) && isDecided(right) ? !deciding : (mergeUndecided(left, right) ?? !deciding);
}

function evaluateChoice(
  node: Condition & { kind: "choice" },
  inputs: ConditionInputs,
  trace: ConditionTrace | null,
): Truth {
  const test = evaluateCondition(node.test, inputs, trace);
  if (isDecided(test)) return evaluateCondition(test ? node.whenTrue : node.whenFalse, inputs, trace);
  const whenTrue = evaluateCondition(node.whenTrue, inputs, trace);
  const whenFalse = evaluateCondition(node.whenFalse, inputs, trace);
  if (isDecided(whenTrue) && whenTrue === whenFalse) return whenTrue;
  return mergeUndecided(test, whenTrue, whenFalse) ?? test;
}

export function isDecided(truth: Truth): truth is boolean {
  return typeof truth === "boolean";
}

function runCheck(node: Condition & { kind: "check" }, inputs: ConditionInputs): Truth {
  let elements = 1;
  for (const name of node.reads) {
    const fact = inputs.read(name);
    if (!fact.known) return { unknownFacts: node.reads.filter((other) => !inputs.read(other).known), failures: [] };
    if (typeof fact.value === "object") elements += fact.value.length;
  }
  // A list costs its length for each node that may iterate over it.
  if (!inputs.spend(node.size * elements)) {
    return { unknownFacts: [], failures: [`'${node.text}' was not computed: the policy needs too many steps`] };
  }
  try {
    const value = node.run(inputs.celContext(node.reads));
    if (typeof value === "boolean") return value;
    return { unknownFacts: [], failures: [`'${node.text}' gave no truth value`] };
  } catch (error) {
    return { unknownFacts: [], failures: [`'${node.text}' failed: ${summaryOf(error)}`] };
  }
}

/** Returns the first line: the library appends a drawing of the place, which the check's text already shows. */
function summaryOf(error: unknown): string {
  return error instanceof Error ? error.message.split("\n", 1)[0]! : "an error";
}

/** Returns everything that keeps any of them undecided; null if all are decided. */
function mergeUndecided(...truths: readonly Truth[]): Undecided | null {
  const undecided = truths.filter((truth): truth is Undecided => !isDecided(truth));
  if (undecided.length === 0) return null;
  return {
    unknownFacts: [...new Set(undecided.flatMap(({ unknownFacts }) => unknownFacts))],
    failures: [...new Set(undecided.flatMap(({ failures }) => failures))],
  };
}
