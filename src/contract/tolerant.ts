import type { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import type { ReadingRule, Reads } from "./element.ts";
import {
  booleanOf,
  decimalOf,
  foldedTextOf,
  listOf,
  numberOf,
  referencesOf,
  textOf,
  tokensOf,
} from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, localTimeOf } from "./local-date-time.ts";
import {
  type EitherPlan,
  holdsMember,
  isSpelling,
  type ListPlan,
  listWithin,
  type ObjectPlan,
  type ReadingPlan,
  readingPlanOf,
  type ScalarPlan,
} from "./reading-plan.ts";
import { untypedValueOf } from "./untyped-value.ts";

/**
 * A normalised value of a schema: wire keys in their exact spelling, possibly missing, never null or blank. Codes are
 * any text, decimals are text.
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

/** Objects of a union become one with all members. Numbers become text if text is possible. */
export type OneShape<Union> = TextOver<
  | Exclude<Union, PlainObject>
  | ([Extract<Union, PlainObject>] extends [never] ? never : Merged<Extract<Union, PlainObject>>)
>;
type PlainObject = { readonly [key: string]: unknown };
type TextOver<Union> = string extends Union ? Exclude<Union, number | boolean> : Union;
type Merged<Union> = { readonly [Key in KeysOf<Union>]?: OneShape<ValueAt<Union, Key>> };
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type ValueAt<Union, Key> = Union extends unknown ? (Key extends keyof Union ? NonNullable<Union[Key]> : never) : never;

/** Codes become any text. */
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
 * Compiles a strict schema into a function that reads what gateways really send into one shape. It takes any JSON
 * value, never throws, reads no deeper than the schema goes, and returns `undefined` if there is nothing to read.
 * Normalising twice changes nothing. It corrects:
 * - keys in another letter case or under an alias; it drops unknown keys;
 * - numbers as text and the reverse, Y/N/true/false, decimals (plain text, no digit lost), ids (text), dates;
 * - null, blank and empty lists, which count as missing;
 * - one thing instead of a list and the reverse, a list without the object around it, lists in lists, and lists of
 *   objects that hold a list;
 * - a bare value instead of its object, and a body without its root.
 */
export function createNormaliser<Schema extends z.ZodType>(
  schema: Schema,
): (json: unknown) => Tolerant<Schema> | undefined {
  const plan = readingPlanOf(schema);
  return (json) => normalise(plan, rootedIn(plan, json)) as Tolerant<Schema> | undefined;
}

function rootedIn(plan: ReadingPlan, json: unknown): unknown {
  if (plan.kind !== "object" || plan.members.size !== 1 || !isRecord(json)) return json;
  const [root, body] = [...plan.members].map(([key, member]) => [key, member.plan] as const)[0]!;
  if (body.kind !== "object" || holdsMember(plan, json)) return json;
  return holdsMember(body, json) ? { [root]: json } : json;
}

/** Undefined if there is nothing to read. */
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

/** Prefers the list for a list, the object for an object, the scalar for a bare value. */
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
    const read = normalise(item, item.kind === "list" ? listInObject(item, entry) : entry);
    if (read !== undefined) items.push(read);
  }
  return items.length === 0 ? undefined : items;
}

/** Unwraps `{ReshopOffer: […]}`, an object whose only key is no member of the items. */
function listInObject(plan: ListPlan, value: unknown): unknown {
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
  const others: string[] = [];
  for (const key in record) if (!plan.members.has(key) && isSpelling(plan, key)) others.push(key);
  const values: Record<string, unknown> = {};
  for (const [key, member] of plan.members) {
    let read = Object.hasOwn(record, key) ? normalise(member.plan, record[key]) : undefined;
    if (read === undefined && others.length > 0) read = normaliseOther(plan, key, record, others);
    if (read !== undefined) values[key] = read;
  }
  return values;
}

/** Tries another letter case before aliases, and takes the first that is readable. */
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

/** Takes the first object of a list, or puts back the object that should be around the list. */
function recordIn(plan: ObjectPlan, list: readonly unknown[]): unknown {
  const [first] = list;
  const key = listWithin(plan);
  if (key !== null && !(isRecord(first) && holdsMember(plan, first)))
    return list.length === 0 ? undefined : { [key]: list };
  return onlyOne(list);
}

function bareObject(plan: ObjectPlan, value: unknown): object | undefined {
  if (plan.bare === null || typeof value === "object") return undefined;
  const read = normalise(plan.members.get(plan.bare)!.plan, value);
  return read === undefined ? undefined : { [plan.bare]: read };
}

/** Takes the first element. A list in a list is nothing. */
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
      // Turns -0 into 0.
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

/** An unreadable date stays as sent: a person may understand it. */
function inFormOf(read: (text: string | null) => string | null, value: unknown): string | null {
  const text = textOf(onlyOne(value));
  return read(text) ?? text;
}

/** The interface document uses Y and N; gateways also send true, false, 1 and 0. */
const flagSpellings = [
  ["Y", "N"],
  ["true", "false"],
] as const;

/** @param allowsOthers whether to keep a text that is none of the values. */
function chosen(values: readonly string[], value: unknown, allowsOthers: boolean): string | null {
  const text = textOf(value);
  if (text === null || values.includes(text)) return text;
  const flag = booleanOf(value);
  const [yes, no] = flagSpellings.find((spelling) => spelling.every((word) => values.includes(word))) ?? [];
  if (flag !== null && yes !== undefined && no !== undefined) return flag ? yes : no;
  const wanted = looseSpelling(text);
  return values.find((candidate) => looseSpelling(candidate) === wanted) ?? (allowsOthers ? text : null);
}

/** Ignores letter case, blanks, hyphens and a doubled L: CANCELED is CANCELLED. */
function looseSpelling(text: string): string {
  return (foldedTextOf(text) ?? "").replace(/[\s-]/g, "").replace("LL", "L");
}
