import { type Condition, conditionOf } from "./condition.ts";
import { definitionOf, isVariableName, typeOfName, type VariableName } from "./condition-names.ts";

/**
 * What can be told of conditions from how they are written and from what is known of the facts that they read. Nothing
 * here is guessed: what it says holds for any change, also where facts are unknown, since a condition is true only when
 * all that it rests on is known. What it does not find may still be so.
 */

/** The conditions that must all hold for a condition to hold. */
export function partsOf(condition: Condition): readonly Condition[] {
  return condition.kind === "and" ? [...partsOf(condition.left), ...partsOf(condition.right)] : [condition];
}

/** A text that is equal for conditions that say the same in the same order. */
export function textOf(condition: Condition): string {
  const known = texts.get(condition);
  if (known !== undefined) return known;
  const text = writeText(condition);
  texts.set(condition, text);
  return text;
}

/** Every condition is compared with those of all the rules before it, and a start reads all the shipped policies. */
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

/**
 * Earlier conditions of which one holds wherever `later` does, as their positions; null when none are found, or when
 * `later` can never hold anyway.
 */
export function findCover(later: Condition, earlier: readonly Condition[]): readonly number[] | null {
  const ways = waysToHold(later).map(withImplied);
  const possible = ways.filter((way) => contradictionIn(way) === null);
  if (possible.length === 0) return null;
  const expanded = earlier.map(inward);
  const covering = possible.map((way) => expanded.findIndex((condition) => holdsWherever(way, condition)));
  return covering.includes(-1) ? null : [...new Set(covering)];
}

/** Two parts that can never hold together, as text, twice the same when one can never hold; null when none are found. */
export function findContradiction(condition: Condition): readonly [string, string] | null {
  const found = waysToHold(condition).map((way) => contradictionIn(withImplied(way)));
  return found.includes(null) ? null : (found[0] ?? null);
}

/** Ways of a condition to hold beyond which it is taken as a whole. */
const waysMax = 64;

/** Each way in which a condition can hold, as the parts that then do. */
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

/** The same with each "not" moved in to the checks: what is not (a or b) is not a and not b. Three truth values keep that. */
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

/** A condition that holds, and what was written that says so. */
interface Held {
  readonly condition: Condition;
  readonly written: string;
}

/** Parts that hold together, with all that facts among them imply. */
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

/** Each is compiled once: every rule of every policy asks. */
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

/** What a condition that reads nothing always gives; null when it reads something. */
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

/** A condition that no value of its fact meets. */
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

/** `name <= 30` as the range in which the name may be; whole numbers, so that a strict limit is the next number. */
function rangeOf(condition: Condition): NumberRange | null {
  const known = ranges.get(condition);
  if (known !== undefined) return known;
  const range = readRange(condition);
  ranges.set(condition, range);
  return range;
}

const ranges = new WeakMap<Condition, NumberRange | null>();

function readRange(condition: Condition): NumberRange | null {
  const isNegated = condition.kind === "not";
  const check = isNegated ? condition.operand : condition;
  if (check.kind !== "check") return null;
  const [, name = "", written = "", digits = ""] = /^([\w.]+) (<=|>=|<|>|==) (-?\d+)$/.exec(check.text) ?? [];
  if (!isVariableName(name) || typeOfName(name) !== "int") return null;
  const operator = isNegated ? opposites[written] : written;
  const limit = Number(digits);
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

const opposites: Readonly<Record<string, string | undefined>> = { "<=": ">", ">": "<=", ">=": "<", "<": ">=" };

interface TextCondition {
  readonly name: VariableName;
  readonly value: string;
  readonly isEqual: boolean;
}

/** `name == "text"`, or its opposite. */
function textConditionOf(condition: Condition): TextCondition | null {
  const isNegated = condition.kind === "not";
  const check = isNegated ? condition.operand : condition;
  if (check.kind !== "check") return null;
  const [, name = "", operator = "", value = ""] = /^([\w.]+) (==|!=) "([^"\\]*)"$/.exec(textOf(check)) ?? [];
  if (!isVariableName(name) || typeOfName(name) !== "string") return null;
  return { name, value, isEqual: (operator === "==") !== isNegated };
}

/** Whether `a` can only hold where `b` does. */
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
