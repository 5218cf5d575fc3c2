import type { z } from "zod";
import type { ReadingRule, Reads } from "./element.ts";
import {
  booleanOf,
  decimalOf,
  foldedTextOf,
  isRecord,
  listOf,
  numberOf,
  referencesOf,
  textOf,
  tokensOf,
} from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, localTimeOf } from "./local-date-time.ts";
import {
  type EitherPlan,
  type ListPlan,
  type ObjectPlan,
  type ReadingPlan,
  readingPlanOf,
  type ScalarPlan,
} from "./reading-plan.ts";
import { untypedValueOf } from "./untyped-value.ts";

/**
 * What a schema's values are after normalisation: wire keys in their exact spelling, each of them possibly missing, and
 * never null or blank. Codes are any text, decimals are text.
 */
export type Tolerant<Schema> =
  Schema extends Reads<ReadingRule>
    ? string
    : Schema extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner> | z.ZodDefault<infer Inner>
      ? Tolerant<Inner>
      : Schema extends z.ZodObject<infer Shape>
        ? { readonly [Key in keyof Shape]?: Tolerant<Shape[Key]> }
        : Schema extends z.ZodArray<infer Item>
          ? readonly Tolerant<Item>[]
          : Schema extends z.ZodRecord<infer _, infer Value>
            ? { readonly [key: string]: Tolerant<Value> }
            : Schema extends z.ZodUnion<infer Options>
              ? OneShape<Tolerant<Options[number]>>
              : Schema extends z.ZodType<infer Value>
                ? Widened<Value>
                : unknown;

/** Objects of a union become one with all members; where text is possible, numbers come as text. */
export type OneShape<Union> = TextOver<
  | Exclude<Union, PlainObject>
  | ([Extract<Union, PlainObject>] extends [never] ? never : Merged<Extract<Union, PlainObject>>)
>;
type PlainObject = { readonly [key: string]: unknown };
type TextOver<Union> = string extends Union ? Exclude<Union, number | boolean> : Union;
type Merged<Union> = { readonly [Key in KeysOf<Union>]?: OneShape<ValueAt<Union, Key>> };
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type ValueAt<Union, Key> = Union extends unknown ? (Key extends keyof Union ? NonNullable<Union[Key]> : never) : never;

/** A value of which only the kind is known: codes are any text. */
export type Widened<Value> = unknown extends Value
  ? unknown
  : Value extends string
    ? string
    : Value extends number
      ? number
      : Value extends boolean
        ? boolean
        : unknown;

/**
 * Compiles a strict schema into a function that reads what gateways really send into one shape. The function is total: it
 * takes any JSON value, never throws, follows it no deeper than the schema goes, and gives `undefined` when there is
 * nothing to read. Normalising twice is the same as once. It puts right:
 *
 * - keys in another letter case or under an alias; keys that the schema does not know are left out;
 * - numbers as text and the reverse, Y/N/true/false, decimals (as plain text, no digit lost), ids (as text), dates;
 * - null, blank and missing, which are all missing; an empty list too;
 * - one thing where a list belongs and a list where one thing belongs, a list without the object around it, lists in
 *   lists as well as lists of objects that hold a list;
 * - a bare value in the place of its object, and a body without its root.
 */
export function createNormaliser<Schema extends z.ZodType>(
  schema: Schema,
): (json: unknown) => Tolerant<Schema> | undefined {
  const plan = readingPlanOf(schema);
  return (json) => normalise(plan, rootedIn(plan, json)) as Tolerant<Schema> | undefined;
}

/** Puts back the root of a body that came without it. */
function rootedIn(plan: ReadingPlan, json: unknown): unknown {
  if (plan.kind !== "object" || plan.members.size !== 1 || !isRecord(json)) return json;
  const [root, body] = [...plan.members].map(([key, member]) => [key, member.plan] as const)[0]!;
  if (body.kind !== "object" || hasMember(plan, json)) return json;
  return hasMember(body, json) ? { [root]: json } : json;
}

function hasMember(plan: ObjectPlan, json: object): boolean {
  return Object.keys(json).some((key) => isSpelling(plan, key));
}

function isSpelling({ spellings }: ObjectPlan, key: string): boolean {
  return spellings.has(key.toLowerCase());
}

/** A value by its plan; undefined when there is nothing to read. */
export function normalise(plan: ReadingPlan, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  switch (plan.kind) {
    case "anything":
      return untypedValueOf(value);
    case "list":
      return normaliseList(plan, value);
    case "object":
      return normaliseObject(plan, value);
    case "record": {
      const record = onlyOne(value);
      if (!isRecord(record)) return undefined;
      const values: Record<string, unknown> = {};
      for (const [key, entry] of Object.entries(record)) {
        const read = normalise(plan.value, entry);
        if (read !== undefined && key !== "__proto__") values[key] = read;
      }
      return values;
    }
    case "either":
      return normaliseEither(plan, value);
    default:
      return normaliseScalars([plan], value);
  }
}

/** A list is read as the list of the union, an object as its object, a bare value as its scalar; else as what there is. */
function normaliseEither({ object, list, scalars }: EitherPlan, value: unknown): unknown {
  if (Array.isArray(value) && list !== null) return normaliseList(list, value);
  if (isRecord(onlyOne(value))) {
    if (object !== null) return normalise(object, value);
    return list === null ? undefined : normaliseList(list, value);
  }
  const scalar = normaliseScalars(scalars, value);
  return scalar === undefined && object !== null ? normalise(object, value) : scalar;
}

function normaliseList({ item }: ListPlan, value: unknown): readonly unknown[] | undefined {
  const items: unknown[] = [];
  for (const entry of listOf(value)) {
    const read = normalise(item, item.kind === "list" ? listWithin(item, entry) : entry);
    if (read !== undefined) items.push(read);
  }
  return items.length === 0 ? undefined : items;
}

/** A list that came as an object around it, as in `{ReshopOffer: […]}`: its only key is none of the items' own. */
function listWithin(plan: ListPlan, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  const [key] = keys;
  if (key === undefined || keys.length > 1) return value;
  const isItem = plan.item.kind === "object" && plan.item.spellings.has(key.toLowerCase());
  return isItem ? value : value[key];
}

function normaliseObject(plan: ObjectPlan, value: unknown): object | undefined {
  const record = Array.isArray(value) ? recordIn(plan, value) : value;
  if (!isRecord(record)) return bareObject(plan, record);
  const others = Object.keys(record).filter((spelling) => !plan.members.has(spelling) && isSpelling(plan, spelling));
  const values: Record<string, unknown> = {};
  for (const [key, member] of plan.members) {
    let read = Object.hasOwn(record, key) ? normalise(member.plan, record[key]) : undefined;
    if (read === undefined && others.length > 0) read = normaliseOther(plan, key, record, others);
    if (read !== undefined) values[key] = read;
  }
  return values;
}

/** A member under another spelling, another letter case before aliases: the first of them that can be read counts. */
function normaliseOther(
  { members, spellings }: ObjectPlan,
  key: string,
  record: { readonly [spelling: string]: unknown },
  others: readonly string[],
): unknown {
  const ofMember = others.filter((spelling) => spellings.get(spelling.toLowerCase()) === key);
  const isOwn = (spelling: string) => spelling.toLowerCase() === key.toLowerCase();
  for (const spelling of [...ofMember.filter(isOwn), ...ofMember.filter((other) => !isOwn(other))]) {
    const read = normalise(members.get(key)!.plan, record[spelling]);
    if (read !== undefined) return read;
  }
  return undefined;
}

/** The first of a list of objects; or the list as the only member of an object that should be around it. */
function recordIn(plan: ObjectPlan, list: readonly unknown[]): unknown {
  const [first] = list;
  const [key] = plan.members.keys();
  const holdsList = plan.members.size === 1 && key !== undefined && plan.members.get(key)?.plan.kind === "list";
  if (holdsList && !(isRecord(first) && hasMember(plan, first))) return list.length === 0 ? undefined : { [key]: list };
  return onlyOne(list);
}

function bareObject(plan: ObjectPlan, value: unknown): object | undefined {
  if (plan.bare === null || typeof value === "object") return undefined;
  const read = normalise(plan.members.get(plan.bare)!.plan, value);
  return read === undefined ? undefined : { [plan.bare]: read };
}

/** The first of a list where one thing belongs. A list in a list is nothing. */
function onlyOne(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const first: unknown = value[0];
  return Array.isArray(first) ? undefined : first;
}

function normaliseScalars(plans: readonly ScalarPlan[], value: unknown): unknown {
  for (const plan of plans) {
    const isOnly = plans.length === 1;
    const read = plan.kind === "choice" ? chosen(plan.values, onlyOne(value), isOnly) : readScalar(plan.kind, value);
    if (read !== null && read !== "") return read;
  }
  return undefined;
}

function readScalar(kind: Exclude<ScalarPlan["kind"], "choice">, value: unknown): string | number | boolean | null {
  switch (kind) {
    case "references":
      return referencesOf(value).join(" ");
    case "tokens":
      return tokensOf(value).join(" ");
    case "decimal":
      return decimalOf(onlyOne(value));
    case "number": {
      const number = numberOf(onlyOne(value));
      // -0 is 0.
      return number === null ? null : number + 0;
    }
    case "boolean":
      return booleanOf(onlyOne(value));
    case "text":
      return textOf(onlyOne(value));
    case "date":
      return inFormOf(localDateOf, value);
    case "time":
      return inFormOf(localTimeOf, value);
    case "date-time":
      return inFormOf(localDateTimeOf, value);
  }
}

/** What cannot be read as a date stays as sent: it may still mean something to a person. */
function inFormOf(read: (text: string | null) => string | null, value: unknown): string | null {
  const text = textOf(onlyOne(value));
  return read(text) ?? text;
}

/** How the interface document spells yes and no; gateways also send true and false, 1 and 0. */
const flagSpellings = [
  ["Y", "N"],
  ["true", "false"],
] as const;

/** @param allowsOthers whether a text that is none of the values is kept. */
function chosen(values: readonly string[], value: unknown, allowsOthers: boolean): string | null {
  const text = textOf(value);
  if (text === null || values.includes(text)) return text;
  const flag = booleanOf(value);
  const [yes, no] = flagSpellings.find((spelling) => spelling.every((word) => values.includes(word))) ?? [];
  if (flag !== null && yes !== undefined && no !== undefined) return flag ? yes : no;
  const wanted = looseSpelling(text);
  return values.find((candidate) => looseSpelling(candidate) === wanted) ?? (allowsOthers ? text : null);
}

/** Letter case, blanks, hyphens and a doubled L do not tell codes apart: CANCELED is CANCELLED. */
function looseSpelling(text: string): string {
  return (foldedTextOf(text) ?? "").replace(/[\s-]/g, "").replace("LL", "L");
}
