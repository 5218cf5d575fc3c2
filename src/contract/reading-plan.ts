import type { z } from "zod";
import { domainNameOf } from "./domain-name.ts";
import { notesOf, type ReadingRule } from "./element.ts";

/**
 * How to read values of a schema, without its restrictions. Made once per schema, for normalising and for plain names.
 */
export type ReadingPlan =
  | ScalarPlan
  | ListPlan
  | ObjectPlan
  | { readonly kind: "record"; readonly value: ReadingPlan }
  | EitherPlan
  | { readonly kind: "anything" };

export type ScalarPlan =
  | { readonly kind: "text" | "number" | "boolean" }
  /** Other texts are kept, because the gateways' code lists are open. */
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: ReadingRule };

export interface ListPlan {
  readonly kind: "list";
  readonly item: ReadingPlan;
}

export interface ObjectPlan {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, MemberPlan>;
  /** Member key by each spelling in lower case, with aliases. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly bare: string | null;
}

export interface MemberPlan {
  readonly plan: ReadingPlan;
  /** Whether every text can be read. */
  readonly takesAnyText: boolean;
  readonly domainName: string;
  readonly aliases: readonly string[];
}

/** A union: its objects are merged into one with all members, because any of them may be missing. */
export interface EitherPlan {
  readonly kind: "either";
  readonly object: ReadingPlan | null;
  readonly list: ListPlan | null;
  readonly scalars: readonly ScalarPlan[];
}

/**
 * As deep as the schema, which bounds how deep a value is read.
 * @throws Error for a kind of schema that the contract does not use.
 */
export function readingPlanOf(schema: z.ZodType): ReadingPlan {
  const { reads } = notesOf(schema);
  if (reads !== undefined) return { kind: reads };
  const def = schema._zod.def as unknown as SchemaDefinition;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "nonoptional":
    case "readonly":
    case "default":
      return readingPlanOf(def.innerType);
    case "string":
      return { kind: "text" };
    case "number":
      return { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "literal":
      return literalPlan(def.values);
    case "enum":
      return choice(Object.values(def.entries).map(String));
    case "array":
      return { kind: "list", item: readingPlanOf(def.element) };
    case "record":
      return { kind: "record", value: readingPlanOf(def.valueType) };
    case "object":
      return objectPlan(schema, def.shape);
    case "union":
      return def.options.map(readingPlanOf).reduce(mergedPlan);
    case "unknown":
    case "any":
    case "never":
      return { kind: "anything" };
    default:
      throw new Error(`A schema of the contract cannot be of kind ${(def as { type: string }).type}.`);
  }
}

/** The parts of zod's definitions that are used. */
type SchemaDefinition =
  | { readonly type: "optional" | "nullable" | "nonoptional" | "readonly" | "default"; readonly innerType: z.ZodType }
  | { readonly type: "string" | "number" | "boolean" | "unknown" | "any" | "never" }
  | { readonly type: "literal"; readonly values: readonly unknown[] }
  | { readonly type: "enum"; readonly entries: Readonly<Record<string, string | number>> }
  | { readonly type: "array"; readonly element: z.ZodType }
  | { readonly type: "record"; readonly valueType: z.ZodType }
  | { readonly type: "object"; readonly shape: Readonly<Record<string, z.ZodType>> }
  | { readonly type: "union"; readonly options: readonly z.ZodType[] };

function literalPlan(values: readonly unknown[]): ScalarPlan {
  if (values.every((value) => typeof value === "boolean")) return { kind: "boolean" };
  if (values.every((value) => typeof value === "number")) return { kind: "number" };
  return choice(values.map(String));
}

function choice(values: readonly string[]): ScalarPlan {
  return { kind: "choice", values: values.filter((value) => value !== "") };
}

function objectPlan(schema: z.ZodType, shape: Readonly<Record<string, z.ZodType>>): ObjectPlan {
  const members = new Map(
    Object.entries(shape).map(([key, member]) => {
      const plan = readingPlanOf(member);
      const names = { domainName: domainNameOf(key), aliases: aliasesOf(member) };
      return [key, { plan, takesAnyText: takesAnyText(plan), ...names }];
    }),
  );
  return objectOf(members, notesOf(schema).bare ?? null);
}

function objectOf(members: ReadonlyMap<string, MemberPlan>, bare: string | null): ObjectPlan {
  const spellings = new Map<string, string>();
  for (const [key, { aliases }] of members) {
    for (const alias of aliases) spellings.set(alias.toLowerCase(), key);
  }
  // A key wins over the alias of another one.
  for (const key of members.keys()) spellings.set(key.toLowerCase(), key);
  return { kind: "object", members, spellings, bare };
}

/** An optional field has its notes on the inner schema. */
function aliasesOf(schema: z.ZodType): readonly string[] {
  const own = notesOf(schema).aliases;
  if (own !== undefined) return own;
  const { innerType } = schema._zod.def as unknown as { readonly innerType?: z.ZodType };
  return innerType === undefined ? [] : aliasesOf(innerType);
}

function mergedPlan(first: ReadingPlan, second: ReadingPlan): ReadingPlan {
  if (first.kind === "anything" || second.kind === "anything") return { kind: "anything" };
  const [a, b] = [partsOf(first), partsOf(second)];
  const either: EitherPlan = {
    kind: "either",
    object: a.object === null || b.object === null ? (a.object ?? b.object) : mergedObject(a.object, b.object),
    list: a.list === null || b.list === null ? (a.list ?? b.list) : mergedList(a.list, b.list),
    scalars: mergedScalars([...a.scalars, ...b.scalars]),
  };
  return onlyPart(either) ?? either;
}

function partsOf(plan: Exclude<ReadingPlan, { readonly kind: "anything" }>): EitherPlan {
  const none: EitherPlan = { kind: "either", object: null, list: null, scalars: [] };
  switch (plan.kind) {
    case "either":
      return plan;
    case "object":
    case "record":
      return { ...none, object: plan };
    case "list":
      return { ...none, list: plan };
    default:
      return { ...none, scalars: [plan] };
  }
}

function onlyPart({ object, list, scalars }: EitherPlan): ReadingPlan | null {
  const parts = [object, list, ...scalars].filter((part) => part !== null);
  return parts.length === 1 ? (parts[0] ?? null) : null;
}

function mergedObject(first: ReadingPlan, second: ReadingPlan): ReadingPlan {
  if (first.kind !== "object" || second.kind !== "object") return first;
  const members = new Map(first.members);
  for (const [key, member] of second.members) {
    const other = members.get(key);
    const merged = other === undefined ? member.plan : mergedPlan(other.plan, member.plan);
    const aliases = [...member.aliases, ...(other?.aliases ?? [])];
    members.set(key, { ...member, plan: merged, takesAnyText: takesAnyText(merged), aliases });
  }
  return objectOf(members, first.bare ?? second.bare);
}

function mergedList(first: ListPlan, second: ListPlan): ListPlan {
  return { kind: "list", item: mergedPlan(first.item, second.item) };
}

/** Choices first: a text that is no choice may suit the others. */
function mergedScalars(scalars: readonly ScalarPlan[]): readonly ScalarPlan[] {
  const values = scalars.flatMap((scalar) => (scalar.kind === "choice" ? scalar.values : []));
  const others = [...new Set(scalars.map((scalar) => scalar.kind))].filter((kind) => kind !== "choice");
  const choices: readonly ScalarPlan[] = values.length === 0 ? [] : [choice([...new Set(values)])];
  return [...choices, ...others.map((kind) => ({ kind }))];
}

export function takesAnyText({ kind }: ReadingPlan): boolean {
  return kind === "text" || kind === "choice" || kind === "references" || kind === "tokens";
}

/** Whether a key is one of the object's, in any spelling. */
export function isSpelling({ spellings }: ObjectPlan, key: string): boolean {
  return spellings.has(key.toLowerCase());
}

export function holdsMember(plan: ObjectPlan, json: object): boolean {
  return Object.keys(json).some((key) => isSpelling(plan, key));
}

/** The only member of an object, a list that may stand without the object. */
export function listWithin({ members }: ObjectPlan): string | null {
  const [name] = members.keys();
  return members.size === 1 && name !== undefined && members.get(name)!.plan.kind === "list" ? name : null;
}
