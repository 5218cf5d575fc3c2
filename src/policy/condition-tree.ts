import type { ASTNode } from "@marcbachmann/cel-js";
import { AppError } from "../kernel/app-error.ts";
import { isVariableName, namespaces, type VariableName } from "./condition-names.ts";

/** Returns `order.travellerAnswer` from its tree; null for a member of anything but a namespace. */
export function dottedName(node: ASTNode): string | null {
  if (node.op !== ".") return null;
  const [receiver, member] = node.args;
  return receiver.op === "id" && namespaces.includes(receiver.args) ? `${receiver.args}.${member}` : null;
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

/** Renders the tree without its source positions, to compare two trees. */
export function shapeOf(node: ASTNode): string {
  const below = operandsOf(node).map(shapeOf).join(" ");
  return `(${node.op} ${ownPartOf(node)} ${below})`;
}

function ownPartOf(node: ASTNode): string {
  switch (node.op) {
    case "value":
      return `${typeof node.args} ${JSON.stringify(String(node.args))}`;
    case "id":
      return node.args;
    case "call":
    case "rcall":
      return node.args[0];
    case ".":
      return node.args[1];
    default:
      return "";
  }
}

export function readsOf(node: ASTNode): VariableName[] {
  const name = node.op === "id" ? node.args : dottedName(node);
  if (name !== null) return isVariableName(name) ? [name] : [];
  return operandsOf(node).flatMap(readsOf);
}

export function sizeOf(node: ASTNode): number {
  return operandsOf(node).reduce((size, operand) => size + sizeOf(operand), 1);
}
