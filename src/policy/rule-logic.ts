import type { Condition } from "./condition.ts";
import { isVariableName, typeOfName } from "./condition-names.ts";

/** The conditions that must all hold for a condition to hold. */
export function partsOf(condition: Condition): readonly Condition[] {
  return condition.kind === "and" ? [...partsOf(condition.left), ...partsOf(condition.right)] : [condition];
}

/** A text that is equal for conditions that say the same in the same order. */
export function textOf(condition: Condition): string {
  switch (condition.kind) {
    case "and":
      return `(${textOf(condition.left)} && ${textOf(condition.right)})`;
    case "or":
      return `(${textOf(condition.left)} || ${textOf(condition.right)})`;
    case "not":
      return `!${textOf(condition.operand)}`;
    case "choice":
      return `(${textOf(condition.test)} ? ${textOf(condition.whenTrue)} : ${textOf(condition.whenFalse)})`;
    case "check":
      return condition.text.replaceAll("'", '"');
  }
}

/** Whether `earlier` holds wherever `later` does, as far as it can be told from how they are written. */
export function isCoveredBy(later: Condition, earlier: Condition): boolean {
  const stated = partsOf(later);
  const holds = (condition: Condition): boolean => {
    switch (condition.kind) {
      case "and":
        return holds(condition.left) && holds(condition.right);
      case "or":
        return (
          holds(condition.left) || holds(condition.right) || stated.some((part) => textOf(part) === textOf(condition))
        );
      case "check":
        return condition.text === "true" || stated.some((part) => isStricter(part, condition));
      default:
        return stated.some((part) => textOf(part) === textOf(condition));
    }
  };
  return holds(earlier);
}

/** Two parts that can never hold together, as text; null when none are found. */
export function findContradiction(condition: Condition): readonly [string, string] | null {
  const parts = partsOf(condition);
  for (const [position, a] of parts.entries()) {
    if (textOf(a) === "false") return ["false", "false"];
    for (const b of parts.slice(position + 1)) {
      if (areOpposite(a, b)) return [textOf(a), textOf(b)];
    }
  }
  return null;
}

interface Comparison {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

/** `name <= 30` as the range in which the name may be; whole numbers, so that a strict limit is the next number. */
function comparisonOf(condition: Condition): Comparison | null {
  if (condition.kind !== "check") return null;
  const [, name = "", operator = "", written = ""] = /^([\w.]+) (<=|>=|<|>|==) (-?\d+)$/.exec(condition.text) ?? [];
  if (!isVariableName(name) || typeOfName(name) !== "int") return null;
  const limit = Number(written);
  switch (operator) {
    case "<=":
      return { name, low: Number.NEGATIVE_INFINITY, high: limit };
    case "<":
      return { name, low: Number.NEGATIVE_INFINITY, high: limit - 1 };
    case ">=":
      return { name, low: limit, high: Number.POSITIVE_INFINITY };
    case ">":
      return { name, low: limit + 1, high: Number.POSITIVE_INFINITY };
    default:
      return { name, low: limit, high: limit };
  }
}

/** Whether `a` can only hold where `b` does. */
function isStricter(a: Condition, b: Condition): boolean {
  if (textOf(a) === textOf(b)) return true;
  const [first, second] = [comparisonOf(a), comparisonOf(b)];
  if (first === null || second === null || first.name !== second.name) return false;
  return first.low >= second.low && first.high <= second.high;
}

function areOpposite(a: Condition, b: Condition): boolean {
  if (a.kind === "not" && textOf(a.operand) === textOf(b)) return true;
  if (b.kind === "not" && textOf(b.operand) === textOf(a)) return true;
  const [first, second] = [comparisonOf(a), comparisonOf(b)];
  if (first === null || second === null || first.name !== second.name) return false;
  return first.high < second.low || second.high < first.low;
}
