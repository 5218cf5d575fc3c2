import { z } from "zod";
import { order, orderView } from "./elements/order.ts";
import { amendmentsActions } from "./elements/segment.ts";
import { booleanOf, isRecord, listOf, member, numberOf, textOf } from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, localTimeOf } from "./local-date-time.ts";
import { type ObjectPlan, type ReadingPlan, readingPlanOf, type ScalarPlan } from "./reading-plan.ts";

/**
 * What an order view states and nobody reads, as paths without positions, each once: members that the contract does not
 * know, and values that cannot be what their member holds. Empty values state nothing. Never throws, and goes no deeper
 * than the contract does.
 */
export function unreadMembersOf(view: unknown): readonly string[] {
  const found: Found = { trail: [], paths: new Set() };
  collect(plan, view, found);
  return [...found.paths];
}

interface Found {
  /** The names from the view to where the search is. */
  readonly trail: string[];
  readonly paths: Set<string>;
}

/**
 * Whether a path of {@link unreadMembersOf} lies in a segment, in the new values of one, or among the flags: where what is
 * not read may be what the change is about.
 */
export function isInFlightOrFlag(path: string): boolean {
  return /(^|\.)(FlightSegment|SegmentDetails|AmendmentsActions)(\.|$)/.test(path);
}

/** Some gateways state the flags beside `ScheduleChange`. */
const plan = readingPlanOf(
  orderView.extend({ Order: z.array(order.extend({ AmendmentsActions: amendmentsActions.optional() })) }),
);

/** Of a key that the contract does not know: it may be of any length. */
const unknownKeyMax = 60;

function collect(plan: ReadingPlan, value: unknown, found: Found): void {
  if (!statesAnything(value)) return;
  switch (plan.kind) {
    case "anything":
    case "record":
      return;
    case "list":
      for (const entry of listOf(value)) collect(plan.item, entry, found);
      return;
    case "object":
      for (const item of listOf(value)) collectFromObject(plan, item, found);
      return;
    case "either": {
      const part = Array.isArray(value) ? (plan.list ?? plan.object) : (plan.object ?? plan.list);
      const isScalar = plan.scalars.length > 0 && !isRecord(firstOf(value));
      if (isScalar ? !plan.scalars.some((scalar) => isReadable(scalar, value)) : part === null) add(found);
      else if (!isScalar && part !== null) collect(part, value, found);
      return;
    }
    default:
      if (!isReadable(plan, value)) add(found);
  }
}

function collectFromObject(plan: ObjectPlan, item: unknown, found: Found): void {
  if (!isRecord(item)) {
    if (plan.bare === null) add(found);
    else collect(plan.members.get(plan.bare)!.plan, item, found);
    return;
  }
  for (const key in item) {
    if (!Object.hasOwn(item, key)) continue;
    const isExact = plan.members.has(key);
    const name = isExact ? key : plan.spellings.get(key.toLowerCase());
    // Of two spellings of a member only one is read.
    const isRead = name !== undefined && (isExact || !Object.hasOwn(item, name));
    found.trail.push(name ?? textOf(key.slice(0, unknownKeyMax)) ?? "?");
    if (isRead) collect(plan.members.get(name)!.plan, item[key], found);
    else if (statesAnything(item[key])) add(found);
    found.trail.pop();
  }
}

function add({ trail, paths }: Found): void {
  paths.add(trail.join("."));
}

function statesAnything(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === "string") return value.trim() !== "";
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

const anyText: ReadonlySet<ScalarPlan["kind"]> = new Set(["text", "choice", "references", "tokens"]);

/** Whether a scalar can be read; in an object with the one member `Value` as well as bare. */
function isReadable(plan: ScalarPlan, stated: unknown): boolean {
  if (typeof stated === "string" && anyText.has(plan.kind)) return true;
  return listOf(stated).every((item) => {
    const value = isRecord(item) ? (member(item, "Value") ?? item) : item;
    if (!statesAnything(value)) return true;
    const text = textOf(value);
    if (text === null) return false;
    switch (plan.kind) {
      case "number":
      case "decimal":
        return numberOf(value) !== null;
      case "boolean":
        return booleanOf(value) !== null;
      case "date":
        return localDateOf(text) !== null;
      case "time":
        return localTimeOf(text) !== null;
      case "date-time":
        return localDateTimeOf(text) !== null;
      default:
        return true;
    }
  });
}
