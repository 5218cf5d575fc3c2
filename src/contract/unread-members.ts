import { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import { order, orderView } from "./elements/order.ts";
import { amendmentsActions } from "./elements/segment.ts";
import { booleanOf, isUnreadable, listOf, numberOf, onlyOf, statesAnything, textOf } from "./lenient-value.ts";
import { localDateOf, localDateTimeOf, localTimeOf, utcOffsetsOf } from "./local-date-time.ts";
import { pathBelow } from "./member-path.ts";
import { isNeedOrText, type NamedContext, namedBelow, nothingNamed } from "./orders-to-stop.ts";
import { type ObjectPlan, type ReadingPlan, readingPlanOf, type ScalarPlan } from "./reading-plan.ts";
import { classOfValue, type StatementClass, statedValueOf, strictest } from "./statement-class.ts";
import { classOfStatus, holdsAnyWords, orderInKnownText, statusNames } from "./stops-in-known-texts.ts";

/** One thing that a view states and the contract does not know, or that tells to stop. */
export interface UnreadStatement {
  /** Without positions: `Order.SellerFollowUpAction.ActionCode`. */
  readonly path: string;
  readonly class: StatementClass;
  /** The value as text of at most 200 characters; null if it cannot be said, so that nothing can be marked. */
  readonly value: string | null;
  /** What makes it an order to stop, such as `contact` or `HX`; null if it is none. Never a traveller's data. */
  readonly word: string | null;
}

export interface UnreadMembers {
  /** Each path with each of its values once, in the order of the view; of very many, the first. */
  readonly statements: readonly UnreadStatement[];
  /** Paths without positions, each once: known members with an unreadable value, or stated twice. */
  readonly values: readonly string[];
  /** Those of `values` that are stated twice. Left out if none is. */
  readonly twice?: readonly string[];
}

/**
 * Finds what an order view states and nobody reads, at any depth. Never throws; its time is linear in the size of the
 * body.
 * @param body what the view came in.
 */
export function unreadMembersOf(body: unknown, view: unknown): UnreadMembers {
  const found = nothingFound();
  collect(plan, view, found);
  collectBeside(body, view, found);
  return unreadIn(found);
}

/** Finds what members state that nobody reads whatever they hold, such as those beside a list of views. */
export function unreadMembersIn(members: Readonly<Record<string, unknown>>): UnreadMembers {
  const found = nothingFound();
  for (const [key, value] of Object.entries(members)) if (statesAnything(value)) collectUnknown(key, value, found);
  return unreadIn(found);
}

/** Both, each path with each of its values once. */
export function unreadInBoth(first: UnreadMembers, second: UnreadMembers): UnreadMembers {
  if (second.statements.length === 0) return first;
  const found = nothingFound();
  for (const { statements } of [first, second]) for (const statement of statements) addStatement(statement, found);
  const twice = new Set([...(first.twice ?? []), ...(second.twice ?? [])]);
  return unreadIn({ ...found, values: new Set([...first.values, ...second.values]), twice });
}

function nothingFound(): Found {
  return { trail: [], statements: new Map(), values: new Set(), twice: new Set() };
}

function unreadIn({ statements, values, twice }: Found): UnreadMembers {
  const unread = { statements: [...statements.values()], values: [...values] };
  return twice.size === 0 ? unread : { ...unread, twice: [...twice] };
}

interface Found {
  /** From the view to the current position. */
  readonly trail: string[];
  /** By path and value. */
  readonly statements: Map<string, UnreadStatement>;
  readonly values: Set<string>;
  readonly twice: Set<string>;
}

/** Whether the path is among flights, their new values, fares or flags, so that the change may be about it. */
export function isInFlightOrFlag(path: string): boolean {
  return /(^|\.)(FlightSegmentList|ScheduleChangeSegmentList|ScheduleChange|AmendmentsActions|FareComponent)(\.|$)/.test(
    path,
  );
}

/** Some gateways send the flags beside `ScheduleChange`. */
const plan = readingPlanOf(
  orderView.extend({ Order: z.array(order.extend({ AmendmentsActions: amendmentsActions.optional() })) }),
);

/** Reads what stands beside the root element. */
function collectBeside(body: unknown, view: unknown, found: Found): void {
  const root = onlyOf(body);
  if (root === view || !isRecord(root)) return;
  for (const [key, value] of Object.entries(root)) {
    if (onlyOf(value) !== view && statesAnything(value)) collectUnknown(key, value, found);
  }
}

function collect(plan: ReadingPlan, value: unknown, found: Found): void {
  if (value === statedTwice) {
    add(found.values, found);
    add(found.twice, found);
    return;
  }
  switch (plan.kind) {
    case "anything":
    case "record":
      collectOpen(value, found);
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
      if (takesAnyText(plan)) collectTexts(value, found);
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
  const known = plan.members.get(key);
  if (known !== undefined) {
    if (statusNames.has(key)) collectStatus(key, value, item, found);
    if (!isListOfReferences(key, value)) collectBelow(key, known.plan, value, found);
    return;
  }
  const name = plan.spellings.get(key.toLowerCase());
  if (name === undefined) {
    if (statesAnything(value)) collectUnknown(key, value, found);
  } else if (Object.hasOwn(item, name) && statesAnything(value)) {
    // Only one of two spellings is read.
    found.trail.push(name);
    add(found.values, found);
    add(found.twice, found);
    found.trail.pop();
  } else if (!isListOfReferences(name, value)) {
    if (statusNames.has(name)) collectStatus(name, value, item, found);
    collectBelow(name, plan.members.get(name)!.plan, value, found);
  }
}

function collectBelow(name: string, plan: ReadingPlan, value: unknown, found: Found): void {
  if (typeof value === "string" && takesAnyText(plan) && orderInKnownText(name, value) === null) return;
  found.trail.push(name);
  collect(plan, value, found);
  found.trail.pop();
}

/** One text or a list of them. */
function collectTexts(value: unknown, found: Found): void {
  for (const text of listOf(value)) {
    const word = typeof text === "string" ? orderInKnownText(found.trail.at(-1) ?? "", text) : null;
    if (word === null || holdsAnyWords(found.trail)) continue;
    addStatement({ path: found.trail.join("."), class: "stop", value: statedValueOf(text), word }, found);
  }
}

function collectStatus(name: string, value: unknown, item: { readonly [key: string]: unknown }, found: Found): void {
  const status = classOfStatus(name, value, item);
  if (status === null) return;
  addStatement({ path: [...found.trail, name].join("."), value: statedValueOf(value), ...status }, found);
}

/** A value that is still to be looked at, below a member that the contract does not describe. */
interface UnknownValue {
  readonly path: string;
  readonly depth: number;
  readonly named: NamedContext;
  readonly value: unknown;
}

function collectUnknown(key: string, value: unknown, found: Found): void {
  const path = pathBelow(found.trail.join("."), key);
  for (const statement of statementsIn({ path, depth: 1, named: namedBelow(nothingNamed, key), value })) {
    addStatement(statement, found);
  }
}

/**
 * Members that the contract has without saying what they hold, and why only an order to stop in them counts. What is in
 * others of that kind is as unknown as any member.
 */
const openMembers: readonly { readonly path: RegExp; readonly harmless: string }[] = [
  { path: /^Order\.CabinOptions$/, harmless: "It tells how the offer was found." },
  { path: /^Order\.RewardSettings\./, harmless: "Points of the agency's customers." },
  { path: /^DataLists\.FopList\./, harmless: "How it could be paid." },
  { path: /\.FlightDetail\.InterMediate$/, harmless: "It is read as stops on the way." },
  { path: /\.SsrRequest$/, harmless: "It is read as requests for assistance." },
];

function collectOpen(value: unknown, found: Found): void {
  if (!statesAnything(value)) return;
  const path = found.trail.join(".");
  const isKnown = openMembers.some((open) => open.path.test(path));
  for (const statement of statementsIn({ path, depth: 1, named: nothingNamed, value })) {
    // A fact tells of needs that are asked for.
    if (!isKnown || (statement.word !== null && !isNeedOrText(statement.word))) addStatement(statement, found);
  }
}

/** Goes through everything with a stack of its own, because it may be nested as deep as memory allows. */
function* statementsIn(from: UnknownValue): Generator<UnreadStatement> {
  const open: UnknownValue[] = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next;
    if (value === statedTwice) {
      yield { path, class: "code", value: null, word: null };
    } else if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at -= 1) open.push({ ...next, value: value[at] });
    } else if (isRecord(value)) {
      for (const key of Object.keys(value).reverse()) open.push(memberBelow(next, key, value[key]));
    } else if (statesAnything(value)) {
      yield { path, value: statedValueOf(value), ...classOfValue(next.named, value) };
    }
  }
}

/** Deeper names are left out of the path, which would else take time that grows with the square of the depth. */
const pathDepthMax = 30;

function memberBelow({ path, depth, named }: UnknownValue, key: string, value: unknown): UnknownValue {
  const below = depth < pathDepthMax ? pathBelow(path, key) : path;
  return { path: below, depth: depth + 1, named: namedBelow(named, key), value };
}

/** More would make every later step slow, and no page could show them. */
const statementsMax = 2_000;

/** Stands for all statements that there was no room for. Nobody can mark it, so that a person looks. */
const furtherPath = "(further members)";

/**
 * Keeps each path with each of its values once, as the strictest that it is stated as. Beyond the bound, only the paths
 * of ids, amounts and times count; what there is no room for even then is one statement.
 */
function addStatement(statement: UnreadStatement, { statements }: Found): void {
  const { class: kind, word } = statement;
  const put = (noted: UnreadStatement, max: number): boolean => {
    const key = `${noted.path}\n${noted.value ?? ""}`;
    const before = statements.get(key);
    if (before === undefined && statements.size >= max) return false;
    if (before?.class !== strictest([noted.class, before?.class ?? noted.class])) statements.set(key, noted);
    return true;
  };
  if (put(statement, statementsMax)) return;
  if (kind === "other" && put({ ...statement, value: null }, 2 * statementsMax)) return;
  const strict = kind === "stop" ? kind : "code";
  put({ path: furtherPath, class: strict, value: null, word }, Number.POSITIVE_INFINITY);
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
      return localTimeOf(textOf(stated)) !== null && utcOffsetsOf(textOf(stated) ?? "")?.length !== 0;
    case "date-time":
      return localDateTimeOf(textOf(stated)) !== null;
  }
}
