import { type Node, parseSync } from "oxc-parser";

/** An interface, a type literal or a zod object with at least five members. */
export interface Shape {
  readonly file: string;
  readonly line: number;
  /** Of the declaration that it stands in. */
  readonly name: string;
  /** The written type of each member by its name; null of a zod object, whose types are written in another way. */
  readonly members: ReadonlyMap<string, string | null>;
}

export interface Repeat {
  readonly shape: Shape;
  /** The declaration with at least as many members that has most of them. */
  readonly of: Shape;
  /** How many members both have. */
  readonly shared: number;
}

const membersMin = 5;

/** What a function or a component is given to work with is no shape of data; neither are its parameters. */
const givenToFunctions = /(?:Options|Needs|Props|Parts|Context)$/;
const functions: ReadonlySet<string> = new Set([
  ...["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "TSFunctionType", "TSMethodSignature"],
]);

const zodObjects: ReadonlySet<string> = new Set(["object", "strictObject", "looseObject", "extend"]);

export function shapesOf(file: string, source: string): readonly Shape[] {
  const found: Shape[] = [];
  const add = (node: Node, name: string, entries: readonly (readonly [string | null, string | null])[]): void => {
    if (givenToFunctions.test(name)) return;
    const members = new Map(entries.filter((entry): entry is [string, string | null] => entry[0] !== null));
    const line = source.slice(0, node.start).split("\n").length;
    if (members.size >= membersMin) found.push({ file, line, name, members });
  };
  visit(parseSync(file, source).program, "", (node, name) => {
    if (node.type === "TSInterfaceBody")
      add(
        node,
        name,
        node.body.map((member) => typedMember(member, source)),
      );
    if (node.type === "TSTypeLiteral")
      add(
        node,
        name,
        node.members.map((member) => typedMember(member, source)),
      );
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const [members] = node.arguments;
    const called = node.callee.property;
    if (called.type !== "Identifier" || !zodObjects.has(called.name) || members?.type !== "ObjectExpression") return;
    add(
      node,
      name,
      members.properties.map((member) => [member.type === "Property" ? nameOf(member.key) : null, null]),
    );
  });
  return found;
}

/** The shapes that repeat more than half of their members from another one. */
export function findRepeats(shapes: readonly Shape[]): readonly Repeat[] {
  return shapes.flatMap((shape, index) => {
    const repeats = shapes
      .filter((other, place) => other !== shape && isLarger(other, place, shape, index))
      .map((of) => ({ shape, of, shared: countShared(shape, of) }))
      .filter(({ shared }) => shared * 2 > shape.members.size)
      .toSorted((one, other) => other.shared - one.shared);
    return repeats.slice(0, 1);
  });
}

/** Of two of the same size the later one repeats. */
function isLarger(other: Shape, place: number, shape: Shape, index: number): boolean {
  return other.members.size > shape.members.size || (other.members.size === shape.members.size && place < index);
}

function countShared(shape: Shape, other: Shape): number {
  return [...shape.members].filter(([name, type]) => {
    const theirs = other.members.get(name);
    return theirs !== undefined && (type === null || theirs === null || type === theirs);
  }).length;
}

function typedMember(member: Node, source: string): readonly [string | null, string | null] {
  if (member.type !== "TSPropertySignature") return [null, null];
  const { typeAnnotation } = member;
  const written = typeAnnotation == null ? "" : source.slice(typeAnnotation.start, typeAnnotation.end);
  return [nameOf(member.key), written.replaceAll(/\s+/g, " ")];
}

function nameOf(key: Node): string | null {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : null;
}

function visit(node: unknown, name: string, see: (node: Node, name: string) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) visit(each, name, see);
    return;
  }
  const declared = declaredName(node as Node) ?? name;
  // Tells clients what a type of the domain has: not a declaration of its own.
  if (isCallOf(node as Node, "describing")) return;
  see(node as Node, declared);
  const isFunction = functions.has((node as Node).type);
  for (const [part, child] of Object.entries(node)) {
    if (!isFunction || part !== "params") visit(child, declared, see);
  }
}

function isCallOf(node: Node, name: string): boolean {
  return node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === name;
}

function declaredName(node: Node): string | null {
  if (node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration") return node.id.name;
  return node.type === "VariableDeclarator" && node.id.type === "Identifier" ? node.id.name : null;
}
