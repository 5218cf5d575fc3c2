import type { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import type { ReadingRule, Reads } from "./element.ts";
import { booleanOf, isUnreadable, listOf, numberOf, onlyOf, statesAnything, textOf } from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, localTimeOf, utcOffsetsOf } from "./local-date-time.ts";
import {
  type EitherPlan,
  holdsMember,
  type ListPlan,
  listWithin,
  type MemberPlan,
  type ObjectPlan,
  type ReadingPlan,
  readingPlanOf,
  type ScalarPlan,
  takesAnyText,
} from "./reading-plan.ts";
import { orderInKnownText } from "./stops-in-known-texts.ts";
import type { OneShape } from "./tolerant.ts";
import {
  noteOpenMember,
  noteStatedTwice,
  noteStatus,
  noteTexts,
  noteUnknownMember,
  noteUnreadable,
  type UnreadNotes,
} from "./unread-members.ts";

/**
 * What is stated of a schema: an absent member is undefined, null is null, texts and numbers are as sent, and
 * `statedTwice` may stand anywhere. What is not as the schema has it stays as it is, such as a text instead of an object:
 * it has none of the members. Read lists by `listOf`.
 */
export type Stated<Schema> =
  Schema extends Reads<ReadingRule>
    ? unknown
    : Schema extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner>
      ? Stated<Inner>
      : Schema extends z.ZodObject<infer Shape>
        ? { readonly [Key in keyof Shape]?: Stated<Shape[Key]> } | null
        : Schema extends z.ZodArray<infer Item>
          ? readonly Stated<Item>[] | null
          : Schema extends z.ZodUnion<infer Options>
            ? OneShape<Stated<Options[number]>>
            : unknown;

/**
 * Compiles a strict schema into a function that returns what is stated under the keys of the schema, whatever their
 * spelling. Unlike `createNormaliser`, it tells absent from null, and null from unreadable, because whoever compares two
 * views treats them differently. What needs no change is not copied. It notes everything that the schema does not have,
 * if there are notes to put it in. It never throws, and its time is linear in the size of the value.
 */
export function createStatedReader<Schema extends z.ZodType>(
  schema: Schema,
): (json: unknown, notes?: UnreadNotes | null) => Stated<Schema> {
  const plan = readingPlanOf(schema);
  return (json, notes = null) => read(plan, json, notes) as Stated<Schema>;
}

function read(plan: ReadingPlan, value: unknown, notes: UnreadNotes | null): unknown {
  if (value === statedTwice) {
    noteStatedTwice(notes);
    return value;
  }
  switch (plan.kind) {
    case "anything":
    case "record":
      noteOpenMember(value, notes);
      return value;
    case "list":
      return readList(plan, value, notes);
    case "object":
      return readObject(plan, value, notes);
    case "either":
      return readEither(plan, value, notes);
    default:
      if (takesAnyText(plan)) noteTexts(value, notes);
      if (statesAnything(value) && !isReadable(plan, value)) noteUnreadable(notes);
      return value;
  }
}

/** Nobody reads a list in a list. */
function readList({ item }: ListPlan, value: unknown, notes: UnreadNotes | null): unknown {
  if (!Array.isArray(value)) return read(item, value, notes);
  let entries: unknown[] | null = null;
  for (let at = 0; at < value.length; at += 1) {
    const entry: unknown = value[at];
    if (Array.isArray(entry)) noteUnreadable(notes);
    const stated = Array.isArray(entry) ? entry : read(item, entry, notes);
    if (stated !== entry) (entries ??= [...value])[at] = stated;
  }
  return entries ?? value;
}

function readEither({ object, list, scalars }: EitherPlan, value: unknown, notes: UnreadNotes | null): unknown {
  if (!statesAnything(value)) return value;
  const part = Array.isArray(value) ? (list ?? object) : (object ?? list);
  const isScalar = scalars.length > 0 && !isRecord(Array.isArray(value) ? value[0] : value);
  if (!isScalar && part !== null) return read(part, value, notes);
  if (!scalars.some((scalar) => isReadable(scalar, value))) noteUnreadable(notes);
  return value;
}

/** The object may be alone in a list, or be missing around its list or its value. A bare value stays bare. */
function readObject(plan: ObjectPlan, value: unknown, notes: UnreadNotes | null): unknown {
  const within = Array.isArray(value) ? listWithin(plan) : plan.bare;
  const item = onlyOf(value);
  if (isRecord(item) && (item === value || within === null || holdsMember(plan, item))) {
    return readMembers(plan, item, notes);
  }
  if (!statesAnything(value)) return value;
  if (within === null) {
    noteUnreadable(notes);
    return value;
  }
  const held = readMember(plan.members.get(within)!, within, value, notes);
  return Array.isArray(value) ? { [within]: held } : value;
}

function readMembers(plan: ObjectPlan, item: { readonly [key: string]: unknown }, notes: UnreadNotes | null): object {
  let stated: { [key: string]: unknown } | null = null;
  // Every member of a view comes by here: `in` needs no list of the keys, and finds their values faster.
  for (const key in item) {
    const value = item[key];
    const member = plan.members.get(key);
    const name = member === undefined ? plan.spellings.get(key.toLowerCase()) : key;
    if (name === undefined) {
      if (statesAnything(value)) noteUnknownMember(key, value, notes);
    } else if (name !== key && Object.hasOwn(item, name)) {
      // Only one of two spellings is read.
      if (statesAnything(value)) noteStatedTwice(notes, name);
    } else {
      if (notes !== null) noteStatus(name, value, item, notes);
      const own = readMember(member ?? plan.members.get(name)!, name, value, notes);
      const isFirst = name === key || !Object.hasOwn(stated ?? item, name);
      if (isFirst && (own !== value || name !== key)) (stated ??= { ...item })[name] = own;
    }
  }
  return stated ?? item;
}

function readMember(member: MemberPlan, name: string, value: unknown, notes: UnreadNotes | null): unknown {
  if (isListOfReferences(name, value)) return value;
  if (notes === null) return read(member.plan, value, null);
  // A shortcut for most members.
  if (typeof value === "string" && member.takesAnyText && orderInKnownText(name, value) === null) return value;
  notes.trail.push(name);
  const stated = read(member.plan, value, notes);
  notes.trail.pop();
  return stated;
}

/** Booking references may come in a list. */
function isListOfReferences(name: string, value: unknown): boolean {
  return Array.isArray(value) && name === "GdsBookingReference" && value.every((item) => typeof item === "string");
}

/** An object or a list is not readable, except a list of keys or tokens. */
function isReadable({ kind }: ScalarPlan, stated: unknown): boolean {
  switch (kind) {
    case "text":
    case "choice":
      return typeof stated === "string" || textOf(stated) !== null;
    case "references":
    case "tokens":
      return typeof stated === "string" || !listOf(stated).some(isUnreadable);
    case "number":
    case "decimal":
      return numberOf(stated) !== null;
    case "boolean":
      return booleanOf(stated) !== null;
    case "date":
      return localDateOf(textOf(stated)) !== null;
    case "time":
      return localTimeOf(textOf(stated)) !== null && utcOffsetsOf(textOf(stated) ?? "")?.length !== 0;
    case "date-time":
      return localDateTimeOf(textOf(stated)) !== null;
  }
}
