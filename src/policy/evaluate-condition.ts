import { assertNever } from "../kernel/app-error.ts";
import type { Fact } from "../kernel/fact.ts";
import type { Condition } from "./condition.ts";
import type { ConditionInputs, ReadValue } from "./condition-inputs.ts";
import type { VariableName } from "./condition-names.ts";

/** True, false, or undecided because of what is named. */
export type Truth = boolean | Undecided;

export interface Undecided {
  /** The unknown facts that keep it undecided. */
  readonly unknownFacts: readonly VariableName[];
  /** What failed while computing, in words. */
  readonly failures: readonly string[];
}

/** One comparison of a condition and how it came out. */
export interface CheckTrace {
  /** CEL text. */
  readonly check: string;
  readonly outcome: "true" | "false" | "unknown";
}

export interface ConditionResult {
  readonly truth: Truth;
  /** The checks that were made, in order. Those that could no longer matter were not made. */
  readonly checks: readonly CheckTrace[];
  /** The values that they read. */
  readonly reads: Readonly<Record<string, Fact<ReadValue>>>;
}

/**
 * Evaluates a condition by Kleene's three-valued logic: an unknown on one side of `&&` or `||` does not matter when the
 * other side decides, and a choice between two equal outcomes does not need its test. A check that reads an unknown fact
 * is undecided, whatever else it reads. Never throws, and gives the same result for the same inputs.
 */
export function evaluateCondition(condition: Condition, inputs: ConditionInputs): ConditionResult {
  const checks: CheckTrace[] = [];
  const reads: Record<string, Fact<ReadValue>> = {};

  const evaluate = (node: Condition): Truth => {
    switch (node.kind) {
      case "and":
        return evaluateJunction(node.left, node.right, false);
      case "or":
        return evaluateJunction(node.left, node.right, true);
      case "not": {
        const operand = evaluate(node.operand);
        return isDecided(operand) ? !operand : operand;
      }
      case "choice":
        return evaluateChoice(node);
      case "check": {
        const truth = runCheck(node, inputs);
        for (const name of node.reads) reads[name] = inputs.read(name);
        checks.push({ check: node.text, outcome: isDecided(truth) ? (truth ? "true" : "false") : "unknown" });
        return truth;
      }
      default:
        return assertNever(node);
    }
  };

  /** `deciding` is the value that settles it whatever the other side is: false for and, true for or. */
  const evaluateJunction = (leftNode: Condition, rightNode: Condition, deciding: boolean): Truth => {
    const left = evaluate(leftNode);
    if (left === deciding) return deciding;
    const right = evaluate(rightNode);
    if (right === deciding) return deciding;
    return mergeUndecided(left, right) ?? !deciding;
  };

  const evaluateChoice = (node: Condition & { kind: "choice" }): Truth => {
    const test = evaluate(node.test);
    if (isDecided(test)) return evaluate(test ? node.whenTrue : node.whenFalse);
    const whenTrue = evaluate(node.whenTrue);
    const whenFalse = evaluate(node.whenFalse);
    if (isDecided(whenTrue) && whenTrue === whenFalse) return whenTrue;
    return mergeUndecided(test, whenTrue, whenFalse) ?? test;
  };

  const truth = evaluate(condition);
  return { truth, checks, reads };
}

export function isDecided(truth: Truth): truth is boolean {
  return typeof truth === "boolean";
}

function runCheck(node: Condition & { kind: "check" }, inputs: ConditionInputs): Truth {
  const unknownFacts = node.reads.filter((name) => !inputs.read(name).known);
  if (unknownFacts.length > 0) return { unknownFacts, failures: [] };
  if (!inputs.spend(stepsOf(node, inputs))) {
    return { unknownFacts: [], failures: [`'${node.text}' was not computed: the policy needs too many steps`] };
  }
  try {
    const value = node.run(inputs.celContext);
    if (typeof value === "boolean") return value;
    return { unknownFacts: [], failures: [`'${node.text}' gave no truth value`] };
  } catch (error) {
    return { unknownFacts: [], failures: [`'${node.text}' failed: ${summaryOf(error)}`] };
  }
}

/** A list costs what its length says, once for each node that may walk over it. */
function stepsOf({ size, reads }: Condition & { kind: "check" }, inputs: ConditionInputs): number {
  const elements = reads.reduce((sum, name) => {
    const fact = inputs.read(name);
    return fact.known && typeof fact.value === "object" ? sum + fact.value.length : sum;
  }, 1);
  return size * elements;
}

/** The first line: the library appends a drawing of the place, which the text of the check already names. */
function summaryOf(error: unknown): string {
  return error instanceof Error ? error.message.split("\n", 1)[0]! : "an error";
}

/** Everything that keeps any of them undecided; null when all are decided. */
function mergeUndecided(...truths: readonly Truth[]): Undecided | null {
  const undecided = truths.filter((truth): truth is Undecided => !isDecided(truth));
  if (undecided.length === 0) return null;
  return {
    unknownFacts: [...new Set(undecided.flatMap(({ unknownFacts }) => unknownFacts))],
    failures: [...new Set(undecided.flatMap(({ failures }) => failures))],
  };
}
