import type { z } from "zod";
import type { observedStatementSchema } from "../contract/imported-order.ts";
import { stopWordAgain } from "../contract/orders-to-stop.ts";
import { strictest } from "../contract/statement-class.ts";
import type { UnreadMembers, UnreadStatement } from "../contract/unread-members.ts";
import { formOf, type MemberMarks, unmarkedStatements, valueDigestOf } from "../itinerary/member-marks.ts";

export type ObservedStatement = Readonly<z.output<typeof observedStatementSchema>>;

/** What views of an order stated that was not stored before. */
export interface SeenMembers {
  readonly statements: readonly ObservedStatement[];
  /** Whether no change was open. */
  readonly isUnchanged: boolean;
  /** Whether the order counts for a source that still learns. */
  readonly isLearned: boolean;
}

/** Returns what a view states that is not marked. */
export function observedIn(unread: UnreadMembers, marks: MemberMarks): readonly ObservedStatement[] {
  return eachOnce(unmarkedStatements(unread, marks).flatMap(observedOf));
}

/** Returns each path and each value once. A path with short and long values counts as one that can be marked itself. */
export function eachOnce(statements: readonly ObservedStatement[]): readonly ObservedStatement[] {
  const found = new Map<string, ObservedStatement>();
  for (const statement of statements) {
    const key = `${statement.path}=${statement.valueDigest ?? ""}`;
    if (!found.has(key) || statement.class === "other") found.set(key, statement);
  }
  return [...found.values()];
}

function observedOf(statement: UnreadStatement): readonly ObservedStatement[] {
  const { path, word, value } = statement;
  const shown = { path, class: statement.class, word, example: exampleOf(statement) };
  const whole = { ...shown, valueDigest: null };
  if (statement.class === "other" || value === null) return [whole];
  return [whole, { ...shown, valueDigest: valueDigestOf(value) }];
}

/**
 * Returns a statement that somebody else has read, such as a client that imports, in the form that is kept. Whatever it
 * holds, no value of a view is left in it, and no order to stop or code becomes something that its path can mark.
 */
export function asObserved({ path, valueDigest, class: stated, word, example }: ObservedStatement): ObservedStatement {
  const stopWord = word === null ? null : stopWordAgain(word);
  const ofValue = valueDigest === null ? stated : strictest([stated, "code"]);
  const kind = stopWord === null ? ofValue : "stop";
  return { path, valueDigest, class: kind, word: stopWord, example: exampleOf({ path, class: kind, value: example }) };
}

const exampleMax = 60;

/**
 * Returns the value as pages may show it: a short code as it is, unless it stands in an element about a person, and of
 * everything else only the form.
 */
export function exampleOf(statement: Pick<UnreadStatement, "path" | "class" | "value">): string | null {
  const { path, value } = statement;
  if (value === null) return null;
  if (statement.class !== "other" && isShortCode(value) && !aboutPerson.test(path)) return value;
  const masked = formOf(value);
  return masked.length <= exampleMax ? masked : `${masked.slice(0, exampleMax)}…`;
}

/** A word without blanks. A longer row of digits may be a telephone, a ticket or a document. */
function isShortCode(value: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/.test(value) && !/\d{5}/.test(value);
}

const aboutPerson =
  /passenger|passport|pax|travel|guest|holder|payer|person|customer|contact|name|phone|mobile|mail|address|document|birth|dob|gender|loyal|frequent|card|account/i;
