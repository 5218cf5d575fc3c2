import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import { listOf, onlyOf, statesAnything } from "./lenient-value.ts";
import { pathBelow } from "./member-path.ts";
import { isNeedOrText, type NamedContext, namedBelow, nothingNamed } from "./orders-to-stop.ts";
import { classOfValue, type StatementClass, statedValueOf, stopInValue, strictest } from "./statement-class.ts";
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

/** What nobody reads, noted while a value is read. */
export interface UnreadNotes {
  /** From the view to the current position. */
  readonly trail: string[];
  /** By path and value. */
  readonly statements: Map<string, UnreadStatement>;
  readonly values: Set<string>;
  readonly twice: Set<string>;
}

export function emptyNotes(): UnreadNotes {
  return { trail: [], statements: new Map(), values: new Set(), twice: new Set() };
}

export function unreadIn({ statements, values, twice }: UnreadNotes): UnreadMembers {
  const unread = { statements: [...statements.values()], values: [...values] };
  return twice.size === 0 ? unread : { ...unread, twice: [...twice] };
}

/** Finds what members state that nobody reads whatever they hold, such as those beside a list of views. */
export function unreadMembersIn(members: Readonly<Record<string, unknown>>): UnreadMembers {
  const notes = emptyNotes();
  for (const [key, value] of Object.entries(members)) if (statesAnything(value)) noteUnknownMember(key, value, notes);
  return unreadIn(notes);
}

/** Both, each path with each of its values once. */
export function unreadInBoth(first: UnreadMembers, second: UnreadMembers): UnreadMembers {
  if (second.statements.length === 0) return first;
  const notes = emptyNotes();
  for (const { statements } of [first, second]) for (const statement of statements) addStatement(statement, notes);
  const twice = new Set([...(first.twice ?? []), ...(second.twice ?? [])]);
  return unreadIn({ ...notes, values: new Set([...first.values, ...second.values]), twice });
}

/** Whether the path is among flights, their new values, fares or flags, so that the change may be about it. */
export function isInFlightOrFlag(path: string): boolean {
  return /(^|\.)(FlightSegmentList|ScheduleChangeSegmentList|ScheduleChange|AmendmentsActions|FareComponent)(\.|$)/.test(
    path,
  );
}

/** Notes what stands beside the root element. */
export function noteBeside(body: unknown, view: unknown, notes: UnreadNotes): void {
  const root = onlyOf(body);
  if (root === view || !isRecord(root)) return;
  for (const [key, value] of Object.entries(root)) {
    if (onlyOf(value) !== view && statesAnything(value)) noteUnknownMember(key, value, notes);
  }
}

/** Notes that the value at the current position states something that cannot be read. */
export function noteUnreadable(notes: UnreadNotes | null): void {
  notes?.values.add(notes.trail.join("."));
}

/** Notes that a member, or the value at the current position, is stated twice. */
export function noteStatedTwice(notes: UnreadNotes | null, ...member: readonly string[]): void {
  if (notes === null) return;
  const path = [...notes.trail, ...member].join(".");
  notes.values.add(path);
  notes.twice.add(path);
}

/** One text or a list of them. */
export function noteTexts(value: unknown, notes: UnreadNotes | null): void {
  if (notes === null) return;
  for (const text of listOf(value)) {
    const word = typeof text === "string" ? orderInKnownText(notes.trail.at(-1) ?? "", text) : null;
    if (word === null || holdsAnyWords(notes.trail)) continue;
    addStatement({ path: notes.trail.join("."), class: "stop", value: statedValueOf(text), word }, notes);
  }
}

export function noteStatus(
  name: string,
  value: unknown,
  item: { readonly [key: string]: unknown },
  notes: UnreadNotes,
): void {
  const status = typeof value !== "object" && statusNames.has(name) ? classOfStatus(name, value, item) : null;
  if (status === null) return;
  addStatement({ path: [...notes.trail, name].join("."), value: statedValueOf(value), ...status }, notes);
}

/** A value that is still to be looked at, below a member that the contract does not describe. */
interface UnknownValue {
  readonly path: string;
  readonly depth: number;
  readonly named: NamedContext;
  readonly value: unknown;
}

export function noteUnknownMember(key: string, value: unknown, notes: UnreadNotes | null): void {
  if (notes === null) return;
  const path = pathBelow(notes.trail.join("."), key);
  for (const statement of statementsIn({ path, depth: 1, named: namedBelow(nothingNamed, key), value })) {
    addStatement(statement, notes);
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

/** Notes what a member holds of which the contract does not say more. */
export function noteOpenMember(value: unknown, notes: UnreadNotes | null): void {
  if (notes === null || !statesAnything(value)) return;
  const path = notes.trail.join(".");
  const isHarmless = openMembers.some((open) => open.path.test(path));
  for (const statement of statementsIn(
    { path, depth: 1, named: nothingNamed, value },
    isHarmless ? onlyStop : classOfValue,
  )) {
    // A fact tells of needs that are asked for.
    if (!isHarmless || (statement.word !== null && !isNeedOrText(statement.word))) addStatement(statement, notes);
  }
}

/** Spares what class a value would be that is left out. */
const onlyStop: typeof classOfValue = (named, value) => ({ class: "stop", word: stopInValue(named, value) });

/** Goes through everything with a stack of its own, because it may be nested as deep as memory allows. */
function* statementsIn(from: UnknownValue, classOf = classOfValue): Generator<UnreadStatement> {
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
      yield { path, value: statedValueOf(value), ...classOf(next.named, value) };
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
function addStatement(statement: UnreadStatement, { statements }: UnreadNotes): void {
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
