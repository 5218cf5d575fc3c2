import { z } from "zod";
import { order, orderView } from "./elements/order.ts";
import { amendmentsActions } from "./elements/segment.ts";
import {
  booleanOf,
  isRecord,
  isUnreadable,
  listOf,
  numberOf,
  onlyOf,
  statesAnything,
  textOf,
} from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, localTimeOf } from "./local-date-time.ts";
import { type ObjectPlan, type ReadingPlan, readingPlanOf, type ScalarPlan } from "./reading-plan.ts";

/** Paths without positions, each once. */
export interface UnreadMembers {
  /** Members that the contract does not know. */
  readonly members: readonly string[];
  /** Members of the contract whose value cannot be what they hold, or that are stated twice. */
  readonly values: readonly string[];
}

/** What an order view states and nobody reads. Never throws, and goes no deeper than the contract does. */
export function unreadMembersOf(view: unknown): UnreadMembers {
  const found: Found = { trail: [], members: new Set(), values: new Set() };
  collect(plan, view, found);
  return { members: [...found.members], values: [...found.values] };
}

interface Found {
  /** The names from the view to where the search is. */
  readonly trail: string[];
  readonly members: Set<string>;
  readonly values: Set<string>;
}

/** Whether what is not read stands where flights, their new values, fares or flags do: it may be what the change is about. */
export function isInFlightOrFlag(path: string): boolean {
  return /(^|\.)(FlightSegmentList|ScheduleChangeSegmentList|ScheduleChange|AmendmentsActions|FareComponent)(\.|$)/.test(
    path,
  );
}

/** Whether the name of a member that the contract does not know speaks of what no change of times alone would touch. */
export function isNamedAfterConcern(path: string): boolean {
  return /(status|cabin|rbd|class|ssr|assist|wheel|special|birth|dob)[^.]*$/i.test(path);
}

/** Some gateways state the flags beside `ScheduleChange`. */
const plan = readingPlanOf(
  orderView.extend({ Order: z.array(order.extend({ AmendmentsActions: amendmentsActions.optional() })) }),
);

/** Of a key that the contract does not know: it may be of any length. */
const unknownKeyMax = 60;

function collect(plan: ReadingPlan, value: unknown, found: Found): void {
  switch (plan.kind) {
    case "anything":
    case "record":
      return;
    case "list":
      for (const entry of listOf(value)) {
        // A list in a list is read by nobody.
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
    // Of two spellings of a member only one is read.
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

/** Most members of a view are texts where texts belong. */
function takesAnyText({ kind }: ReadingPlan): boolean {
  return kind === "text" || kind === "choice" || kind === "references" || kind === "tokens";
}

/** Booking references may come in a list of their own. */
function isListOfReferences(name: string, value: unknown): boolean {
  return name === "GdsBookingReference" && Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The member of an object that is nothing but a list, which may then stand without the object. */
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

/** Whether a scalar that states something can be read: an object or a list is none, but keys and tokens may come in a list. */
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
