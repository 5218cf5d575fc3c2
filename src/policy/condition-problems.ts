import { TypeError as CelTypeError, ParseError } from "@marcbachmann/cel-js";
import { nearestName } from "../kernel/nearest-name.ts";
import { variableNames } from "./condition-names.ts";

export interface ConditionProblem {
  readonly offset: number;
  readonly message: string;
}

export function describeUnknownName(name: string, thresholdNames: readonly string[]): string {
  if (["and", "or", "not"].includes(name.toLowerCase())) return describeOperatorWord(name);
  if (name.startsWith("within.")) return describeUnknownThreshold(name, thresholdNames);
  if (name === "order" || name === "legal") {
    const members = variableNames.filter((known) => known.startsWith(`${name}.`));
    return `'${name}' is read by its members: ${members.join(", ")}.`;
  }
  const nearest = nearestName(name, variableNames);
  const advice = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There is no fact '${name}'.${advice} All facts are listed in docs/facts.md.`;
}

export function describeUnknownThreshold(name: string, thresholdNames: readonly string[]): string {
  if (thresholdNames.length === 0) {
    return `'${name}' needs thresholds, and the policy has none. Write them under settings: thresholds:.`;
  }
  const names = thresholdNames.map((threshold) => `within.${threshold}`);
  const nearest = nearestName(name, names);
  const advice = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There are no thresholds '${name}'.${advice} The policy has ${names.join(", ")}.`;
}

export function describeUnknownFunction(name: string, functionNames: readonly string[]): string {
  const nearest = nearestName(name, functionNames);
  const advice = nearest === null ? "" : ` Did you mean '${nearest}'?`;
  return `There is no function '${name}' in conditions.${advice} There are ${functionNames.join(", ")} and the operator in.`;
}

export function describeNonBoolean(type: string): ConditionProblem {
  const message = `The condition gives ${type}, not true or false. Compare it with something: ... <= 30, or ... == true.`;
  return { offset: 0, message };
}

export function describeCelError(error: unknown, text: string): ConditionProblem {
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

function describeOperatorWord(word: string): string {
  return `'${word}' is no operator. Write && for and, || for or, ! for not.`;
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
