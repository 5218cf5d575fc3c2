import { type Condition, conditionOf } from "./condition.ts";
import { definitionOf, isVariableName, typeOfName, type VariableName } from "./condition-names.ts";
import type { Comparison } from "./condition-tree.ts";

/**
 * Logic on conditions, from their trees and the catalogue's statements about facts. It never guesses: its results hold
 * for any change, even with unknown facts, since a condition is true only if everything it reads is known. It may miss
 * some results.
 */

export function partsOf(condition: Condition): readonly Condition[] {
  return condition.kind === "and" ? [...partsOf(condition.left), ...partsOf(condition.right)] : [condition];
}

/** Returns equal texts for conditions that say the same in the same order. */
export function textOf(condition: Condition): string {
  const known = texts.get(condition);
  if (known !== undefined) return known;
  const text = writeText(condition);
  texts.set(condition, text);
  return text;
}

/** Cached, because every condition is compared with those of all earlier rules, in all shipped policies at start. */
const texts = new WeakMap<Condition, string>();

function writeText(condition: Condition): string {
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

/** Returns positions of conditions of which one holds wherever `later` does; null if none, or if it never holds. */
export function findCover(later: Condition, earlier: readonly Condition[]): readonly number[] | null {
  const ways = waysToHold(later).map(withImplied);
  const possible = ways.filter((way) => contradictionIn(way) === null);
  if (possible.length === 0) return null;
  const expanded = earlier.map(inward);
  const covering = possible.map((way) => expanded.findIndex((condition) => holdsWherever(way, condition)));
  return covering.includes(-1) ? null : [...new Set(covering)];
}

/** Returns two parts that can never hold together, or one impossible part twice, as text; null if none are found. */
export function findContradiction(condition: Condition): readonly [string, string] | null {
  const found = waysToHold(condition).map((way) => contradictionIn(withImplied(way)));
  return found.includes(null) ? null : (found[0] ?? null);
}

/** With more ways to hold, a condition is taken as a whole. */
const waysMax = 64;

function waysToHold(condition: Condition): readonly (readonly Condition[])[] {
  const expanded = inward(condition);
  return expand(expanded) ?? [partsOf(expanded)];
}

function expand(condition: Condition): readonly (readonly Condition[])[] | null {
  if (condition.kind !== "and" && condition.kind !== "or") return [[condition]];
  const left = expand(condition.left);
  const right = expand(condition.right);
  if (left === null || right === null) return null;
  const ways = condition.kind === "or" ? [...left, ...right] : left.flatMap((a) => right.map((b) => [...a, ...b]));
  return ways.length > waysMax ? null : ways;
}

/** Moves each "not" in to the checks: not (a or b) is not a and not b. That is valid in three-valued logic. */
function inward(condition: Condition): Condition {
  switch (condition.kind) {
    case "and":
    case "or":
      return { ...condition, left: inward(condition.left), right: inward(condition.right) };
    case "not": {
      const { operand } = condition;
      if (operand.kind === "not") return inward(operand.operand);
      if (operand.kind !== "and" && operand.kind !== "or") return condition;
      const [left, right] = [operand.left, operand.right].map((side) => inward({ kind: "not", operand: side }));
      return { kind: operand.kind === "and" ? "or" : "and", left: left!, right: right! };
    }
    default:
      return condition;
  }
}

/** A condition that holds, and the written text that implies it. */
interface Held {
  readonly condition: Condition;
  readonly written: string;
}

function withImplied(parts: readonly Condition[]): readonly Held[] {
  const held = new Map(parts.map((part): [string, Held] => [textOf(part), { condition: part, written: textOf(part) }]));
  for (const { condition, written } of held.values()) {
    for (const implied of impliedBy(condition)) {
      const text = textOf(implied);
      if (!held.has(text)) held.set(text, { condition: implied, written });
    }
  }
  return [...held.values()];
}

function impliedBy(condition: Condition): readonly Condition[] {
  if (condition.kind !== "check" || !isVariableName(condition.text)) return [];
  const compiled = impliedByFact.get(condition.text) ?? (definitionOf(condition.text).implies ?? []).map(conditionOf);
  impliedByFact.set(condition.text, compiled);
  return compiled;
}

/** Cached: every rule of every policy needs it. */
const impliedByFact = new Map<VariableName, readonly Condition[]>();

/** Whether a condition holds where all of these do. @param condition with each "not" at its checks. */
function holdsWherever(held: readonly Held[], condition: Condition): boolean {
  if (constantOf(condition) === true || held.some((part) => isStricter(part.condition, condition))) return true;
  switch (condition.kind) {
    case "and":
      return holdsWherever(held, condition.left) && holdsWherever(held, condition.right);
    case "or":
      return holdsWherever(held, condition.left) || holdsWherever(held, condition.right);
    default:
      return false;
  }
}

function contradictionIn(held: readonly Held[]): readonly [string, string] | null {
  for (const [position, a] of held.entries()) {
    if (isImpossible(a.condition)) return [a.written, a.written];
    const b = held.slice(position + 1).find((other) => areOpposite(a.condition, other.condition));
    if (b !== undefined) return [a.written, b.written];
  }
  return null;
}

function constantOf(condition: Condition): boolean | null {
  if (condition.kind === "not") {
    const constant = constantOf(condition.operand);
    return constant === null ? null : !constant;
  }
  if (condition.kind !== "check" || condition.reads.length > 0) return null;
  try {
    return condition.run({}) === true;
  } catch {
    return null;
  }
}

function isImpossible(condition: Condition): boolean {
  if (constantOf(condition) === false) return true;
  const range = rangeOf(condition);
  if (range !== null) return range.high < (definitionOf(range.name).atLeast ?? Number.NEGATIVE_INFINITY);
  const text = textConditionOf(condition);
  const values = text === null ? undefined : definitionOf(text.name).values;
  return text !== null && text.isEqual && values !== undefined && !values.includes(text.value);
}

interface NumberRange {
  readonly name: VariableName;
  readonly low: number;
  readonly high: number;
}

/** Returns `name <= 30` as the range of the name. Numbers are whole, so a strict limit is the next number. */
function rangeOf(condition: Condition): NumberRange | null {
  const { name, operator, value } = comparisonOf(condition) ?? {};
  if (name === undefined || typeof value !== "bigint" || typeOfName(name) !== "int") return null;
  const limit = Number(value);
  switch (operator) {
    case "<=":
      return { name, low: Number.NEGATIVE_INFINITY, high: limit };
    case "<":
      return { name, low: Number.NEGATIVE_INFINITY, high: limit - 1 };
    case ">=":
      return { name, low: limit, high: Number.POSITIVE_INFINITY };
    case ">":
      return { name, low: limit + 1, high: Number.POSITIVE_INFINITY };
    case "==":
      return { name, low: limit, high: limit };
    default:
      return null;
  }
}

/** Returns what a comparison says, or the opposite of what a denied one says. */
function comparisonOf(condition: Condition): Comparison | null {
  const isNegated = condition.kind === "not";
  const check = isNegated ? condition.operand : condition;
  if (check.kind !== "check" || check.comparison === null || !isNegated) {
    return check.kind === "check" ? check.comparison : null;
  }
  return { ...check.comparison, operator: opposites[check.comparison.operator]! };
}

const opposites: Readonly<Record<string, string>> = {
  ...{ "<=": ">", ">": "<=", ">=": "<", "<": ">=" },
  ...{ "==": "!=", "!=": "==" },
};

interface TextCondition {
  readonly name: VariableName;
  readonly value: string;
  readonly isEqual: boolean;
}

function textConditionOf(condition: Condition): TextCondition | null {
  const { name, operator = "", value } = comparisonOf(condition) ?? {};
  if (name === undefined || typeof value !== "string" || typeOfName(name) !== "string") return null;
  return ["==", "!="].includes(operator) ? { name, value, isEqual: operator === "==" } : null;
}

/** Whether `a` can hold only where `b` does. */
function isStricter(a: Condition, b: Condition): boolean {
  if (textOf(a) === textOf(b)) return true;
  const [first, second] = [rangeOf(a), rangeOf(b)];
  if (first !== null && second !== null && first.name === second.name) {
    return first.low >= second.low && first.high <= second.high;
  }
  const [text, other] = [textConditionOf(a), textConditionOf(b)];
  if (text === null || other === null || text.name !== other.name) return false;
  return text.value === other.value ? text.isEqual === other.isEqual : text.isEqual && !other.isEqual;
}

function areOpposite(a: Condition, b: Condition): boolean {
  if (a.kind === "not" && textOf(a.operand) === textOf(b)) return true;
  if (b.kind === "not" && textOf(b.operand) === textOf(a)) return true;
  const [first, second] = [rangeOf(a), rangeOf(b)];
  if (first !== null && second !== null && first.name === second.name) {
    return first.high < second.low || second.high < first.low;
  }
  const [text, other] = [textConditionOf(a), textConditionOf(b)];
  if (text === null || other === null || text.name !== other.name) return false;
  return text.value === other.value ? text.isEqual !== other.isEqual : text.isEqual && other.isEqual;
}
