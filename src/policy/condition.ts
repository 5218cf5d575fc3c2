import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { AppError } from "../kernel/app-error.ts";
import {
  isVariableName,
  type NameType,
  namespaces,
  typeOfName,
  type VariableName,
  variableNames,
} from "./condition-names.ts";
import {
  type ConditionProblem,
  describeCelError,
  describeNonBoolean,
  describeUnknownFunction,
  describeUnknownName,
} from "./condition-problems.ts";
import { type Comparison, comparisonIn, dottedName, operandsOf, readsOf, sizeOf, writeOut } from "./condition-tree.ts";

/**
 * A condition, split where three-valued logic matters. CEL has two truth values and errors, and its `||` and `&&`
 * swallow errors. An unknown must survive them, so Skedchange evaluates these operators and CEL only what is between
 * them, a *check*, on known values.
 */
export type Condition =
  | { readonly kind: "and"; readonly left: Condition; readonly right: Condition }
  | { readonly kind: "or"; readonly left: Condition; readonly right: Condition }
  | { readonly kind: "not"; readonly operand: Condition }
  | {
      readonly kind: "choice";
      readonly test: Condition;
      readonly whenTrue: Condition;
      readonly whenFalse: Condition;
    }
  | {
      readonly kind: "check";
      readonly text: string;
      /** Number of nodes: a measure of the work. */
      readonly size: number;
      /** The names that it reads, each once, in order of appearance. */
      readonly reads: readonly VariableName[];
      /** Null if it is anything but a name beside a value. */
      readonly comparison: Comparison | null;
      /** Whole numbers in the context are BigInt, `order` and `legal` objects. @throws CEL errors, such as overflow. */
      readonly run: (context: Record<string, unknown>) => unknown;
    };

export type CompileConditionResult =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly problems: readonly ConditionProblem[] };

/** Bounds that keep the evaluation of any condition small; a readable rule stays far below them. */
const conditionLimits = { maxAstNodes: 400, maxDepth: 32, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 4 };

/** Methods on a value. Regular expressions are missing, because their run time is unbounded. */
const methods: readonly string[] = [
  "startsWith",
  "endsWith",
  "contains",
  "size",
  "exists",
  "all",
  "getDayOfWeek",
  "getHours",
];

/** Methods that take a variable and a condition on it. */
const quantifiers: readonly string[] = ["exists", "all"];

const functions: readonly string[] = ["size", "timestamp"];

/** The policy's thresholds: conditions by their name after `within.`. */
export type ThresholdConditions = ReadonlyMap<string, Condition>;

/**
 * Parses a condition, checks its names and types against the fact catalogue, and splits it. Reports all unknown names
 * at once; types are checked once all names are known.
 */
export type CompileCondition = (text: string) => CompileConditionResult;

export function createConditionCompiler(thresholds: ThresholdConditions): CompileCondition {
  const environment = createEnvironment([...thresholds.keys()]);
  return (text) => compileIn(environment, thresholds, text);
}

export const compileCondition: CompileCondition = createConditionCompiler(new Map());

function compileIn(environment: Environment, thresholds: ThresholdConditions, text: string): CompileConditionResult {
  const thresholdNames = [...thresholds.keys()];
  try {
    const parsed = environment.parse(text);

    const problems = [
      ...findUnsupported(parsed.ast, { thresholdNames, bound: [] }),
      ...findMisplacedThresholds(parsed.ast),
    ];
    if (problems.length > 0) return { ok: false, problems };

    const { valid, type, error } = parsed.check();
    if (!valid) return { ok: false, problems: [describeCelError(error, text)] };
    if (type !== "bool") return { ok: false, problems: [describeNonBoolean(type ?? "unknown")] };

    return { ok: true, condition: toCondition(parsed.ast, environment, thresholds) };
  } catch (error) {
    return { ok: false, problems: [describeCelError(error, text)] };
  }
}

/** Compiles a condition of the program itself. @throws if it does not compile, which is a defect. */
export function conditionOf(text: string): Condition {
  const compiled = compileCondition(text);
  if (compiled.ok) return compiled.condition;
  throw new AppError(
    "policy.condition_defect",
    `'${text}': ${compiled.problems.map(({ message }) => message).join(" ")}`,
  );
}

/** Joins conditions with "and"; none gives `true`. */
export function allOf(conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions;
  if (first === undefined) return conditionOf("true");
  return others.reduce((left, right): Condition => ({ kind: "and", left, right }), first);
}

function createEnvironment(thresholdNames: readonly string[]): Environment {
  const created = new Environment({ limits: conditionLimits });
  const members: Record<string, Record<string, string>> = {};
  for (const name of variableNames) {
    const type = celTypeOf(typeOfName(name));
    const [first = name, member] = name.split(".");
    if (member === undefined) created.registerVariable(name, type);
    else (members[first] ??= {})[member] = type;
  }
  if (thresholdNames.length > 0) {
    members["within"] = Object.fromEntries(thresholdNames.map((name) => [name, "bool"]));
  }
  for (const [name, schema] of Object.entries(members)) created.registerVariable(name, { schema });
  return created;
}

/** CEL compares an amount of money as a number. */
function celTypeOf(type: NameType): string {
  if (type === "timestamp") return "google.protobuf.Timestamp";
  return type === "decimal" ? "double" : type;
}

interface NamesInScope {
  readonly thresholdNames: readonly string[];
  readonly bound: readonly string[];
}

function findUnsupported(node: ASTNode, names: NamesInScope): ConditionProblem[] {
  const refuse = (message: string): ConditionProblem[] => [{ offset: node.start, message }];
  switch (node.op) {
    case "id":
      return isVariableName(node.args) || names.bound.includes(node.args)
        ? []
        : refuse(describeUnknownName(node.args, names.thresholdNames));
    case "value":
      return ["bigint", "number", "string", "boolean"].includes(typeof node.args)
        ? []
        : refuse("Only whole numbers, decimals, strings, true and false can be written in a condition.");
    case "call":
      if (!functions.includes(node.args[0])) return refuse(describeUnknownFunction(node.args[0], allFunctions));
      return [
        ...node.args[1].flatMap((argument) => findUnsupported(argument, names)),
        ...(node.args[0] === "timestamp" ? findWrongTimestamp(node.args[1]) : []),
      ];
    case "rcall":
      return findUnsupportedInMethod(node.args, refuse, names);
    case ".": {
      const name = dottedName(node);
      if (name === null) return refuse(describeNoMembers());
      const isKnown = name.startsWith("within.")
        ? names.thresholdNames.includes(name.slice("within.".length))
        : isVariableName(name);
      return isKnown ? [] : refuse(describeUnknownName(name, names.thresholdNames));
    }
    case "map":
    case ".?":
    case "[?]":
      return refuse(describeNoMembers());
    default:
      return operandsOf(node).flatMap((operand) => findUnsupported(operand, names));
  }
}

const allFunctions: readonly string[] = [...new Set([...methods, ...functions])];

function describeNoMembers(): string {
  return "Facts have no members and conditions no maps. Compare the facts themselves; see docs/facts.md.";
}

function findWrongTimestamp([written]: readonly ASTNode[]): ConditionProblem[] {
  const isInstant = written?.op === "value" && typeof written.args === "string" && instantPattern.test(written.args);
  if (isInstant && !Number.isNaN(Date.parse(String(written.args)))) return [];
  return [{ offset: written?.start ?? 0, message: 'Write an instant as timestamp("2026-12-24T00:00:00Z").' }];
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Thresholds are conditions of their own, so they are allowed only where a condition is. */
function findMisplacedThresholds(node: ASTNode): ConditionProblem[] {
  switch (node.op) {
    case "&&":
    case "||":
    case "!_":
    case "?:":
      return operandsOf(node).flatMap(findMisplacedThresholds);
    case ".":
      return [];
    default:
      return findThresholds(node).map(({ start }) => ({
        offset: start,
        message: "Thresholds stand alone, joined by && and ||: write within.<name>, or !within.<name>.",
      }));
  }
}

function findThresholds(node: ASTNode): ASTNode[] {
  if (dottedName(node)?.startsWith("within.") === true) return [node];
  return operandsOf(node).flatMap(findThresholds);
}

function findUnsupportedInMethod(
  [method, receiver, methodArguments]: [string, ASTNode, ASTNode[]],
  refuse: (message: string) => ConditionProblem[],
  names: NamesInScope,
): ConditionProblem[] {
  if (!methods.includes(method)) return refuse(describeUnknownFunction(method, allFunctions));
  const inReceiver = findUnsupported(receiver, names);
  if (!quantifiers.includes(method)) {
    return [...inReceiver, ...methodArguments.flatMap((argument) => findUnsupported(argument, names))];
  }
  // Nesting multiplies run times, so that no bound on the text would bound the work.
  if (names.bound.length > 0)
    return refuse(`The function ${method}(...) cannot stand inside another exists(...) or all(...).`);
  const [variable, ...predicate] = methodArguments;
  if (variable?.op !== "id") return inReceiver;
  if (isVariableName(variable.args) || namespaces.includes(variable.args)) {
    return refuse(`'${variable.args}' is the name of a fact. Give the variable of ${method}(...) another name.`);
  }
  const inside = { ...names, bound: [variable.args] };
  return [...inReceiver, ...predicate.flatMap((argument) => findUnsupported(argument, inside))];
}

function toCondition(node: ASTNode, environment: Environment, thresholds: ThresholdConditions): Condition {
  const below = (operand: ASTNode) => toCondition(operand, environment, thresholds);
  switch (node.op) {
    case "&&":
      return { kind: "and", left: below(node.args[0]), right: below(node.args[1]) };
    case "||":
      return { kind: "or", left: below(node.args[0]), right: below(node.args[1]) };
    case "!_":
      return { kind: "not", operand: below(node.args) };
    case "?:": {
      const [test, whenTrue, whenFalse] = node.args;
      return { kind: "choice", test: below(test), whenTrue: below(whenTrue), whenFalse: below(whenFalse) };
    }
    default: {
      const threshold = dottedName(node)?.replace(/^within\./, "") ?? "";
      return thresholds.get(threshold) ?? toCheck(node, environment);
    }
  }
}

/**
 * The library evaluates only whole texts, so each check is written out in full and parsed again. Writing that out rejects
 * a policy whose meaning changed by it.
 */
function toCheck(node: ASTNode, environment: Environment): Condition {
  const text = writeOut(node);
  const check = { kind: "check", text, reads: [...new Set(readsOf(node))], comparison: comparisonIn(node) } as const;
  // Most checks are a single fact, which needs no library.
  if (node.op === "id") return { ...check, size: 1, run: (context) => context[text] };
  const parsed = environment.parse(text);
  if (writeOut(parsed.ast) !== text || !parsed.check().valid) {
    throw new AppError("policy.check_not_separable", `The check '${text}' cannot be taken out of its condition.`);
  }
  return { ...check, size: sizeOf(node), run: parsed };
}
