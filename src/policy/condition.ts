import { type ASTNode, TypeError as CelTypeError, Environment, ParseError } from "@marcbachmann/cel-js";
import { type FactName, factCatalogue } from "../itinerary/fact-catalogue.ts";
import type { FactType } from "../itinerary/fact-definition.ts";
import { AppError } from "../kernel/app-error.ts";
import { nearestName } from "./nearest-name.ts";

/** What a condition can read beside the facts: which gateway account the change came from, and the order. */
export const contextVariables = { source: "string", orderId: "string" } as const;

/** A name that a condition can read. */
export type VariableName = FactName | keyof typeof contextVariables;

/** Every name that a condition can read, facts first. */
export const variableNames: readonly string[] = [...Object.keys(factCatalogue), ...Object.keys(contextVariables)];

/** Matches `{factName}` in the texts that explain a rule; the name is the first group. */
export const placeholderPattern = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

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
      /** What it reads, each once, in order of appearance. */
      readonly reads: readonly VariableName[];
      /** Computes it. Numbers in the context are BigInt. May throw: CEL knows run-time errors such as overflow. */
      readonly run: (context: Record<string, unknown>) => unknown;
    };

/** Something wrong in a condition, at a character of its text. */
export interface ConditionProblem {
  readonly offset: number;
  readonly message: string;
}

export type CompileConditionResult =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly problems: readonly ConditionProblem[] };

/**
 * Bounds on one condition. They keep evaluation, and the recursion over it, small whatever a policy says; a readable
 * rule stays far below them.
 */
const conditionLimits = { maxAstNodes: 400, maxDepth: 32, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 4 };

/** Called on a value (`name.startsWith("X")`). Regular expressions are left out: their run time has no bound. */
const methods: readonly string[] = ["startsWith", "endsWith", "contains", "size", "exists", "all"];

/** Methods that take a variable and a condition on it. */
const quantifiers: readonly string[] = ["exists", "all"];

const functions: readonly string[] = ["size"];

const environment = createEnvironment();

/**
 * Parses a condition, checks its names and types against the fact catalogue, and takes it apart. Reports every name it
 * does not know at once; a type is checked when all names are known.
 */
export function compileCondition(text: string): CompileConditionResult {
  try {
    const parsed = environment.parse(text);

    const problems = findUnsupported(parsed.ast);
    if (problems.length > 0) return { ok: false, problems };

    const { valid, type, error } = parsed.check();
    if (!valid) return { ok: false, problems: [describeCelError(error, text)] };
    if (type !== "bool") return { ok: false, problems: [describeNonBoolean(type ?? "unknown")] };

    return { ok: true, condition: toCondition(parsed.ast) };
  } catch (error) {
    return { ok: false, problems: [describeCelError(error, text)] };
  }
}

function createEnvironment(): Environment {
  const created = new Environment({ limits: conditionLimits });
  for (const [name, { type }] of Object.entries(factCatalogue)) created.registerVariable(name, celTypeOf(type));
  for (const [name, type] of Object.entries(contextVariables)) created.registerVariable(name, type);
  return created;
}

/** An amount of money is compared as a number. */
function celTypeOf(type: FactType): Exclude<FactType, "decimal"> | "double" {
  return type === "decimal" ? "double" : type;
}

/** Names and constructs that conditions do not have. `bound` are the variables of the quantifiers around the node. */
function findUnsupported(node: ASTNode, bound: readonly string[] = []): ConditionProblem[] {
  const refuse = (message: string): ConditionProblem[] => [{ offset: node.start, message }];
  switch (node.op) {
    case "id":
      return isVariableName(node.args) || bound.includes(node.args) ? [] : refuse(describeUnknownName(node.args));
    case "value":
      return ["bigint", "number", "string", "boolean"].includes(typeof node.args)
        ? []
        : refuse("Only whole numbers, decimals, strings, true and false can be written in a condition.");
    case "call":
      return functions.includes(node.args[0])
        ? node.args[1].flatMap((argument) => findUnsupported(argument, bound))
        : refuse(describeUnknownFunction(node.args[0]));
    case "rcall":
      return findUnsupportedInMethod(node.args, refuse, bound);
    case "map":
    case ".":
    case ".?":
    case "[?]":
      return refuse("Facts have no members and conditions no maps. Compare the facts themselves; see docs/facts.md.");
    default:
      return operandsOf(node).flatMap((operand) => findUnsupported(operand, bound));
  }
}

function findUnsupportedInMethod(
  [method, receiver, methodArguments]: [string, ASTNode, ASTNode[]],
  refuse: (message: string) => ConditionProblem[],
  bound: readonly string[],
): ConditionProblem[] {
  if (!methods.includes(method)) return refuse(describeUnknownFunction(method));
  const inReceiver = findUnsupported(receiver, bound);
  if (!quantifiers.includes(method)) {
    return [...inReceiver, ...methodArguments.flatMap((argument) => findUnsupported(argument, bound))];
  }
  // One inside the other multiplies their run times, so that no bound on the text would bound the work.
  if (bound.length > 0)
    return refuse(`The function ${method}(...) cannot stand inside another exists(...) or all(...).`);
  const [variable, ...predicate] = methodArguments;
  if (variable?.op !== "id") return inReceiver;
  if (isVariableName(variable.args)) {
    return refuse(`'${variable.args}' is the name of a fact. Give the variable of ${method}(...) another name.`);
  }
  return [...inReceiver, ...predicate.flatMap((argument) => findUnsupported(argument, [variable.args]))];
}

/** The nodes directly below an operator, a call or a list. */
function operandsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
    case "map":
      return [];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case ".":
    case ".?":
      return [node.args[0]];
    case "!_":
    case "-_":
      return [node.args];
    default:
      return node.args;
  }
}

function toCondition(node: ASTNode): Condition {
  switch (node.op) {
    case "&&":
      return { kind: "and", left: toCondition(node.args[0]), right: toCondition(node.args[1]) };
    case "||":
      return { kind: "or", left: toCondition(node.args[0]), right: toCondition(node.args[1]) };
    case "!_":
      return { kind: "not", operand: toCondition(node.args) };
    case "?:": {
      const [test, whenTrue, whenFalse] = node.args;
      return {
        kind: "choice",
        test: toCondition(test),
        whenTrue: toCondition(whenTrue),
        whenFalse: toCondition(whenFalse),
      };
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
  const parsed = environment.parse(text);
  if (shapeOf(parsed.ast) !== shapeOf(node) || !parsed.check().valid) {
    throw new AppError("policy.check_not_separable", `The check '${text}' cannot be taken out of its condition.`);
  }
  return { kind: "check", text, reads: [...new Set(readsOf(node))], run: parsed };
}

function writeOut(node: ASTNode): string {
  switch (node.op) {
    case "value":
      return node.input.slice(node.start, node.end);
    case "id":
      return node.args;
    case "call":
      return `${node.args[0]}(${node.args[1].map(writeOut).join(", ")})`;
    case "rcall":
      return `${writeOperand(node.args[1])}.${node.args[0]}(${node.args[2].map(writeOut).join(", ")})`;
    case "list":
      return `[${node.args.map(writeOut).join(", ")}]`;
    case "[]":
      return `${writeOperand(node.args[0])}[${writeOut(node.args[1])}]`;
    case "!_":
      return `!${writeOperand(node.args)}`;
    case "-_":
      return `-${writeOperand(node.args)}`;
    case "?:": {
      const [test, whenTrue, whenFalse] = node.args;
      return `${writeOperand(test)} ? ${writeOperand(whenTrue)} : ${writeOperand(whenFalse)}`;
    }
    case "map":
    case ".":
    case ".?":
    case "[?]":
      throw new AppError("policy.check_not_separable", `'${node.op}' is not part of conditions.`);
    default:
      return node.args.map(writeOperand).join(` ${node.op} `);
  }
}

/** In parentheses unless it binds tighter than any operator. */
function writeOperand(node: ASTNode): string {
  const text = writeOut(node);
  return ["value", "id", "call", "rcall", "list", "[]"].includes(node.op) ? text : `(${text})`;
}

/** The tree as text without the places in the source, to compare two. */
function shapeOf(node: ASTNode): string {
  const below = operandsOf(node).map(shapeOf).join(" ");
  return `(${node.op} ${ownPartOf(node)} ${below})`;
}

/** What a node says beside its operands. */
function ownPartOf(node: ASTNode): string {
  switch (node.op) {
    case "value":
      return `${typeof node.args} ${JSON.stringify(String(node.args))}`;
    case "id":
      return node.args;
    case "call":
    case "rcall":
      return node.args[0];
    default:
      return "";
  }
}

function readsOf(node: ASTNode): VariableName[] {
  if (node.op === "id") return isVariableName(node.args) ? [node.args] : [];
  return operandsOf(node).flatMap(readsOf);
}

export function isVariableName(name: string): name is VariableName {
  return Object.hasOwn(factCatalogue, name) || Object.hasOwn(contextVariables, name);
}

function describeUnknownName(name: string): string {
  if (["and", "or", "not"].includes(name.toLowerCase())) return describeOperatorWord(name);
  const nearest = nearestName(name, variableNames);
  const advice = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There is no fact '${name}'.${advice} All facts are listed in docs/facts.md.`;
}

function describeUnknownFunction(name: string): string {
  const nearest = nearestName(name, methods);
  const advice = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There is no function '${name}' in conditions.${advice} There are ${methods.join(", ")} and the operator in.`;
}

function describeNonBoolean(type: string): ConditionProblem {
  const message = `The condition gives ${type}, not true or false. Compare it with something: ... <= 30, or ... == true.`;
  return { offset: 0, message };
}

function describeOperatorWord(word: string): string {
  return `'${word}' is no operator. Write && for and, || for or, ! for not.`;
}

function describeCelError(error: unknown, text: string): ConditionProblem {
  if (error instanceof ParseError) {
    const offset = error.range?.start ?? 0;
    return { offset, message: describeSyntaxError(error, text) };
  }
  if (error instanceof CelTypeError) {
    const summary = error.summary.charAt(0).toLowerCase() + error.summary.slice(1);
    const message = `The types do not fit: ${summary}. The type of each fact is listed in docs/facts.md.`;
    return { offset: error.range?.start ?? 0, message };
  }
  return { offset: 0, message: "The condition cannot be read. Write it more simply." };
}

function describeSyntaxError(error: ParseError, text: string): string {
  const offset = error.range?.start ?? 0;
  if (error.code === "limit_exceeded") {
    return "The condition is too long or too deeply nested. Split it into several rules.";
  }
  const word = /^\s*(and|or|not)\b/i.exec(text.slice(offset))?.[1];
  if (word !== undefined) return describeOperatorWord(word);
  if (/^=[^=]/.test(text.slice(offset))) return "A single = is no comparison. Write == to compare.";
  return `The condition is not valid CEL: ${error.summary}. Check this place and the parentheses around it.`;
}
