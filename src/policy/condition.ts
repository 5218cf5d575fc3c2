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
import { dottedName, operandsOf, readsOf, shapeOf, sizeOf, writeOut } from "./condition-tree.ts";

/**
 * A condition, taken apart where three-valued logic matters. CEL itself has two truth values and errors, and its `||`
 * and `&&` swallow errors; an unknown must survive them, so these operators are evaluated by us and everything between
 * them, a *check*, by CEL on known values only.
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
      /** The check as CEL text, for explanations. */
      readonly text: string;
      /** Number of nodes: a measure of the work to compute it. */
      readonly size: number;
      /** What it reads, each once, in order of appearance. */
      readonly reads: readonly VariableName[];
      /** Computes it. Whole numbers in the context are BigInt, `order` and `legal` are objects. May throw: CEL knows run-time errors such as overflow. */
      readonly run: (context: Record<string, unknown>) => unknown;
    };

export type CompileConditionResult =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly problems: readonly ConditionProblem[] };

/**
 * Bounds on one condition. They keep evaluation, and the recursion over it, small whatever a policy says; a readable
 * rule stays far below them.
 */
const conditionLimits = { maxAstNodes: 400, maxDepth: 32, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 4 };

/** Called on a value (`name.startsWith("X")`). Regular expressions are left out: their run time has no bound. */
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

/** Conditions that stand for a name after `within.`: the thresholds of the policy. */
export type ThresholdConditions = ReadonlyMap<string, Condition>;

const environment = createEnvironment([]);

/**
 * Parses a condition, checks its names and types against the fact catalogue, and takes it apart. Reports every name it
 * does not know at once; a type is checked when all names are known.
 */
export type CompileCondition = (text: string) => CompileConditionResult;

/** @param thresholds what `within.<name>` stands for. */
export function createConditionCompiler(thresholds: ThresholdConditions): CompileCondition {
  const typed = thresholds.size === 0 ? environment : createEnvironment([...thresholds.keys()]);
  return (text) => compileIn(typed, thresholds, text);
}

/** For conditions that read no threshold. */
export const compileCondition: CompileCondition = createConditionCompiler(new Map());

function compileIn(typed: Environment, thresholds: ThresholdConditions, text: string): CompileConditionResult {
  const thresholdNames = [...thresholds.keys()];
  try {
    const parsed = typed.parse(text);

    const problems = [
      ...findUnsupported(parsed.ast, { thresholdNames, bound: [] }),
      ...findMisplacedThresholds(parsed.ast),
    ];
    if (problems.length > 0) return { ok: false, problems };

    const { valid, type, error } = parsed.check();
    if (!valid) return { ok: false, problems: [describeCelError(error, text)] };
    if (type !== "bool") return { ok: false, problems: [describeNonBoolean(type ?? "unknown")] };

    return { ok: true, condition: toCondition(parsed.ast, thresholds) };
  } catch (error) {
    return { ok: false, problems: [describeCelError(error, text)] };
  }
}

/** A condition that the program writes itself: one that does not compile is a defect. */
export function conditionOf(text: string): Condition {
  const compiled = compileCondition(text);
  if (compiled.ok) return compiled.condition;
  throw new AppError(
    "policy.condition_defect",
    `'${text}': ${compiled.problems.map(({ message }) => message).join(" ")}`,
  );
}

/** Holds when all hold; `true` for none. */
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

/** An amount of money is compared as a number. */
function celTypeOf(type: NameType): string {
  if (type === "timestamp") return "google.protobuf.Timestamp";
  return type === "decimal" ? "double" : type;
}

interface NamesInScope {
  readonly thresholdNames: readonly string[];
  /** Variables of the quantifiers around the node. */
  readonly bound: readonly string[];
}

/** Names and constructs that conditions do not have. */
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

/** Thresholds are conditions of their own, so they can stand only where a condition can. */
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
  // One inside the other multiplies their run times, so that no bound on the text would bound the work.
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

function toCondition(node: ASTNode, thresholds: ThresholdConditions): Condition {
  switch (node.op) {
    case "&&":
      return { kind: "and", left: toCondition(node.args[0], thresholds), right: toCondition(node.args[1], thresholds) };
    case "||":
      return { kind: "or", left: toCondition(node.args[0], thresholds), right: toCondition(node.args[1], thresholds) };
    case "!_":
      return { kind: "not", operand: toCondition(node.args, thresholds) };
    case "?:": {
      const [test, whenTrue, whenFalse] = node.args;
      return {
        kind: "choice",
        test: toCondition(test, thresholds),
        whenTrue: toCondition(whenTrue, thresholds),
        whenFalse: toCondition(whenFalse, thresholds),
      };
    }
    case ".": {
      const name = dottedName(node) ?? "";
      return thresholds.get(name.slice("within.".length)) ?? toCheck(node);
    }
    default:
      return toCheck(node);
  }
}

/**
 * The library evaluates whole texts only, so a check becomes a text of its own. Should writing it out ever change its
 * meaning, the policy must not load: hence the comparison of both trees.
 */
function toCheck(node: ASTNode): Condition {
  const text = writeOut(node);
  // Most checks are a fact alone, and reading one needs no library.
  if (node.op === "id") {
    const name = node.args;
    return { kind: "check", text, size: 1, reads: readsOf(node), run: (context) => context[name] };
  }
  const parsed = environment.parse(text);
  if (shapeOf(parsed.ast) !== shapeOf(node) || !parsed.check().valid) {
    throw new AppError("policy.check_not_separable", `The check '${text}' cannot be taken out of its condition.`);
  }
  return { kind: "check", text, size: sizeOf(node), reads: [...new Set(readsOf(node))], run: parsed };
}
