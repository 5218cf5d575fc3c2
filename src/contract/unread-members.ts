import { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { order, orderView } from "./elements/order.ts";
import { amendmentsActions } from "./elements/segment.ts";
import { booleanOf, isUnreadable, listOf, numberOf, onlyOf, statesAnything, textOf } from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, localTimeOf } from "./local-date-time.ts";
import { type ObjectPlan, type ReadingPlan, readingPlanOf, type ScalarPlan } from "./reading-plan.ts";

/** Paths without positions, each once. */
export interface UnreadMembers {
  /** Unknown to the contract. */
  readonly members: readonly string[];
  /** Known members with an unreadable value, or stated twice. */
  readonly values: readonly string[];
}

/** Finds what an order view states and nobody reads. Never throws, and goes no deeper than the contract does. */
export function unreadMembersOf(view: unknown): UnreadMembers {
  const found: Found = { trail: [], members: new Set(), values: new Set() };
  collect(plan, view, found);
  return { members: [...found.members], values: [...found.values] };
}

interface Found {
  /** From the view to the current position. */
  readonly trail: string[];
  readonly members: Set<string>;
  readonly values: Set<string>;
}

/** Whether the path is among flights, their new values, fares or flags, so that the change may be about it. */
export function isInFlightOrFlag(path: string): boolean {
  return /(^|\.)(FlightSegmentList|ScheduleChangeSegmentList|ScheduleChange|AmendmentsActions|FareComponent)(\.|$)/.test(
    path,
  );
}

/** Whether the name of an unknown member is about something that a mere change of times would not touch. */
export function isNamedAfterConcern(path: string): boolean {
  return /(status|cabin|rbd|class|ssr|assist|wheel|special|birth|dob)[^.]*$/i.test(path);
}

/** Some gateways send the flags beside `ScheduleChange`. */
const plan = readingPlanOf(
  orderView.extend({ Order: z.array(order.extend({ AmendmentsActions: amendmentsActions.optional() })) }),
);

/** An unknown key may have any length. */
const unknownKeyMax = 60;

function collect(plan: ReadingPlan, value: unknown, found: Found): void {
  switch (plan.kind) {
    case "anything":
    case "record":
      return;
    case "list":
      for (const entry of listOf(value)) {
        // Nobody reads a list in a list.
        if (Array.isArray(entry)) add(found.values, found);
        else collect(plan.item, entry, found);
      }
      return;
    case "object":
      collectFromObject(plan, value, found);
      return;
    case "either": {
      if (!statesAnything(value)) return;
      const part = Array.isArray(value) ? (plan.list ?? plan.object) : (plan.object ?? plan.list);
      const isScalar = plan.scalars.length > 0 && !isRecord(firstOf(value));
      if (isScalar ? !plan.scalars.some((scalar) => isReadable(scalar, value)) : part === null)
        add(found.values, found);
      else if (!isScalar && part !== null) collect(part, value, found);
      return;
    }
    default:
      if (statesAnything(value) && !isReadable(plan, value)) add(found.values, found);
  }
}

function collectFromObject(plan: ObjectPlan, value: unknown, found: Found): void {
  const item = onlyOf(value);
  if (isRecord(item)) {
    for (const key of Object.keys(item)) collectFromMember(plan, item, key, found);
    return;
  }
  if (!statesAnything(value)) return;
  const within = Array.isArray(value) ? listWithin(plan) : plan.bare;
  if (within === null) add(found.values, found);
  else collectBelow(within, plan.members.get(within)!.plan, value, found);
}

function collectFromMember(
  plan: ObjectPlan,
  item: { readonly [key: string]: unknown },
  key: string,
  found: Found,
): void {
  const value = item[key];
  const member = plan.members.get(key);
  if (member !== undefined) {
    if (!isListOfReferences(key, value)) collectBelow(key, member.plan, value, found);
    return;
  }
  const name = plan.spellings.get(key.toLowerCase());
  if (name === undefined) {
    if (!statesAnything(value)) return;
    found.trail.push(textOf(key.slice(0, unknownKeyMax)) ?? "?");
    add(found.members, found);
    found.trail.pop();
  } else if (Object.hasOwn(item, name) && statesAnything(value)) {
    // Only one of two spellings is read.
    found.trail.push(name);
    add(found.values, found);
    found.trail.pop();
  } else if (!isListOfReferences(name, value)) {
    collectBelow(name, plan.members.get(name)!.plan, value, found);
  }
}

function collectBelow(name: string, plan: ReadingPlan, value: unknown, found: Found): void {
  if (typeof value === "string" && takesAnyText(plan)) return;
  found.trail.push(name);
  collect(plan, value, found);
  found.trail.pop();
}

/** A shortcut for most members. */
function takesAnyText({ kind }: ReadingPlan): boolean {
  return kind === "text" || kind === "choice" || kind === "references" || kind === "tokens";
}

/** Booking references may come in a list. */
function isListOfReferences(name: string, value: unknown): boolean {
  return name === "GdsBookingReference" && Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The only member of an object, a list that may stand without the object. */
function listWithin({ members }: ObjectPlan): string | null {
  const [name] = members.keys();
  return members.size === 1 && name !== undefined && members.get(name)!.plan.kind === "list" ? name : null;
}

function add(paths: Set<string>, { trail }: Found): void {
  paths.add(trail.join("."));
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
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
      return localTimeOf(textOf(stated)) !== null;
    case "date-time":
      return localDateTimeOf(textOf(stated)) !== null;
  }
}
