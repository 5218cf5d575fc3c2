import type { ASTNode } from "@marcbachmann/cel-js";
import { AppError } from "../kernel/app-error.ts";
import { isVariableName, namespaces, type VariableName } from "./condition-names.ts";

/** Returns `order.travellerAnswer` from its tree; null for a member of anything but a namespace. */
export function dottedName(node: ASTNode): string | null {
  if (node.op !== ".") return null;
  const [receiver, member] = node.args;
  return receiver.op === "id" && namespaces.includes(receiver.args) ? `${receiver.args}.${member}` : null;
}

/** `departureLaterMinutes <= 30`: a name beside a value. */
export interface Comparison {
  readonly name: VariableName;
  readonly operator: string;
  readonly value: unknown;
}

export function comparisonIn(node: ASTNode): Comparison | null {
  switch (node.op) {
    case "<=":
    case "<":
    case ">=":
    case ">":
    case "==":
    case "!=": {
      const [left, right] = node.args;
      const name = left.op === "id" ? left.args : dottedName(left);
      const value = literalIn(right);
      if (name === null || !isVariableName(name) || value === null) return null;
      return { name, operator: node.op, value };
    }
    default:
      return null;
  }
}

function literalIn(node: ASTNode): unknown {
  if (node.op === "value") return node.args;
  const isNegative = node.op === "-_" && node.args.op === "value" && typeof node.args.args === "bigint";
  return isNegative ? -node.args.args : null;
}

export function operandsOf(node: ASTNode): readonly ASTNode[] {
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

export function writeOut(node: ASTNode): string {
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
    case ".":
      return `${writeOperand(node.args[0])}.${node.args[1]}`;
    case "map":
    case ".?":
    case "[?]":
      throw new AppError("policy.check_not_separable", `'${node.op}' is not part of conditions.`);
    default:
      return node.args.map(writeOperand).join(` ${node.op} `);
  }
}

/** Adds parentheses unless the node binds tighter than any operator. */
function writeOperand(node: ASTNode): string {
  const text = writeOut(node);
  return ["value", "id", "call", "rcall", "list", "[]", "."].includes(node.op) ? text : `(${text})`;
}

export function readsOf(node: ASTNode): VariableName[] {
  const name = node.op === "id" ? node.args : dottedName(node);
  if (name !== null) return isVariableName(name) ? [name] : [];
  return operandsOf(node).flatMap(readsOf);
}

export function sizeOf(node: ASTNode): number {
  return operandsOf(node).reduce((size, operand) => size + sizeOf(operand), 1);
}
