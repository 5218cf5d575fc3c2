import { type Node, parseSync } from "oxc-parser";

/** An interface, a type literal or a zod object with at least five members. */
export interface Shape {
  readonly file: string;
  readonly line: number;
  /** Of the declaration that it stands in. */
  readonly name: string;
  /** The written type of each member by its name; null if a schema says it in a way that is not a type in words. */
  readonly members: ReadonlyMap<string, string | null>;
}

export interface Repeat {
  readonly shape: Shape;
  /** The declaration with at least as many members that has most of them. */
  readonly of: Shape;
  /** How many members both have, besides those that only refer. */
  readonly shared: number;
}

/** That two shapes both name an order, or where something comes from, makes neither a copy of the other. */
const referring = /^(?:id|source|\w+Id)$/;

const membersMin = 5;
const sharedMin = 3;

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
      members.properties.map((member) =>
        member.type === "Property" ? [nameOf(member.key), typeOfSchema(member.value)] : [null, null],
      ),
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
      .filter(({ shared }) => shared >= sharedMin && shared * 2 > countOwn(shape))
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
    if (theirs === undefined || referring.test(name)) return false;
    return type === null || theirs === null || type === theirs;
  }).length;
}

function countOwn({ members }: Shape): number {
  return [...members.keys()].filter((name) => !referring.test(name)).length;
}

const typesOfSchemas: Readonly<Record<string, string>> = {
  string: "string",
  int: "number",
  number: "number",
  boolean: "boolean",
  unknown: "unknown",
};
const typesOfNamedSchemas: Readonly<Record<string, string>> = { decimal: "string", instant: "Date" };
/** They change nothing about the type. */
const refinements: ReadonlySet<string> = new Set(["meta", "min", "max", "regex", "refine", "describe"]);

/** The type of a plain schema as a declaration would write it, such as `Date | null`; null of any other. */
function typeOfSchema(schema: Node): string | null {
  if (schema.type === "Identifier") return typesOfNamedSchemas[schema.name] ?? null;
  if (schema.type !== "CallExpression" || schema.callee.type !== "MemberExpression") return null;
  const { object, property } = schema.callee;
  const called = property.type === "Identifier" ? property.name : "";
  if (object.type === "Identifier" && object.name === "z") {
    const [element] = schema.arguments;
    if (called !== "array" || element === undefined) return typesOfSchemas[called] ?? null;
    const type = typeOfSchema(element);
    return type === null ? null : `readonly ${type}[]`;
  }
  const type = typeOfSchema(object);
  if (type === null || refinements.has(called)) return type;
  return called === "nullable" ? `${type} | null` : null;
}

function typedMember(member: Node, source: string): readonly [string | null, string | null] {
  if (member.type !== "TSPropertySignature") return [null, null];
  const { typeAnnotation } = member;
  const written = typeAnnotation == null ? "" : source.slice(typeAnnotation.start + 1, typeAnnotation.end);
  return [nameOf(member.key), written.replaceAll(/\s+/g, " ").trim()];
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
  // Tells clients what a type of the domain has, or reads it, and does not compile if it differs: not a declaration of
  // its own.
  if (isCallOf(node as Node, "describing") || isReaderOfType(node as Node)) return;
  see(node as Node, declared);
  const isFunction = functions.has((node as Node).type);
  for (const [part, child] of Object.entries(node)) {
    if (!isFunction || part !== "params") visit(child, declared, see);
  }
}

function isCallOf(node: Node, name: string): boolean {
  return node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === name;
}

/** Such as `const table: z.ZodType<Table> = z.strictObject(…)`. */
function isReaderOfType(node: Node): boolean {
  if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier") return false;
  const type = node.id.typeAnnotation?.typeAnnotation;
  if (type?.type !== "TSTypeReference" || type.typeName.type !== "TSQualifiedName") return false;
  return type.typeName.right.name === "ZodType" && type.typeArguments != null;
}

function declaredName(node: Node): string | null {
  if (node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration") return node.id.name;
  return node.type === "VariableDeclarator" && node.id.type === "Identifier" ? node.id.name : null;
}
