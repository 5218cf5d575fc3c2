import { isFinished, type ShownState, shownStates, storedStateOf } from "../../cases/lifecycle.ts";
import { type CaseOrder, type CaseSelection, unknownSeverity } from "../../dashboard/case-filter-ports.ts";
import { finishedStates, shownState } from "../cases/states.ts";
import { type Sql, sql } from "../database/sql.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { caseOrders } from "./case-orders.ts";
import type { TokensOf } from "./name-tokens.ts";

export const isUnfinished = sql`c.state not in ${finishedStates}`;

/** By the database's clock, like all due times. */
export const isOverdue = sql`(c.due_by is not null and c.due_by <= now() and ${isUnfinished})`;

export interface MatchingCases {
  /** `with` and, if words are searched for, a table expression and a comma. Another table expression must follow. */
  readonly ctes: Sql;
  /** Cases as `c`, with what else the condition needs. */
  readonly from: Sql;
  readonly where: Sql;
}

/**
 * The cases of a selection. What words find is collected first: it is little, and the planner must not believe that it
 * meets it soon on its way through all cases.
 */
export function casesMatching(
  tokensOf: TokensOf,
  selection: CaseSelection,
  order: CaseOrder = "newest",
): MatchingCases {
  const { words = [] } = selection;
  const { states: asked = [] } = selection;
  const states = shownStates.filter((state) => asked.includes(state));
  const areOpenStates = asked.length > 0 && !states.map(storedStateOf).some(isFinished);
  // What is not known is found by its absence, which no index of all cases has.
  const isUnknownAsked = selection.severities?.includes(unknownSeverity) === true;
  const isOpenWork = areOpenStates || isUnknownAsked || caseOrders[order].isOfOpenWork;
  const described = [...describedBy(selection), ...(isOpenWork ? [] : decidedBy(selection))];
  const searched = joinWords(words).map((word) => mentions(word, tokensOf(word)));
  const isSearched = searched.length > 0;
  return {
    ctes: isSearched
      ? sql`with found as materialized (
          select s.case_id from skedchange.case_search s where ${sql.join([...searched, ...described], sql` and `)}
        ),`
      : sql`with`,
    from:
      isSearched || described.length === 0
        ? sql`skedchange.cases c`
        : sql`skedchange.cases c join skedchange.case_search s on s.case_id = c.id`,
    where: sql.join(
      [
        ...(isSearched ? [sql`c.id in (select case_id from found)`] : described),
        isOfVisibleSource(sql`c.source`, selection.visible),
        ...conditionsOfCase(selection),
        ...(asked.length === 0 ? [] : [isInOneOf(states)]),
        // Saying it twice would make the planner expect a fiftieth of the rows.
        ...(isOpenWork && !areOpenStates ? [isUnfinished] : []),
        ...(isOpenWork ? openWorkDecidedBy(selection) : []),
      ],
      sql` and `,
    ),
  };
}

/** Constants, so that the planner knows in every plan that an index of open work holds all of them. */
function isInOneOf(states: readonly ShownState[]): Sql {
  if (states.length === 0) return sql`false`;
  const listed = (each: readonly ShownState[]) => sql.join(each.map((state) => sql.lit(state)));
  const isStored = sql`c.state in (${listed([...new Set(states.map(storedStateOf))])})`;
  const storedAsChecking = shownStates.filter((state) => storedStateOf(state) === "checking");
  const wanted = storedAsChecking.filter((state) => states.includes(state));
  return wanted.length === 0 || wanted.length === storedAsChecking.length
    ? isStored
    : sql`(${isStored} and (c.state <> 'checking' or ${shownState} in (${listed(wanted)})))`;
}

function conditionsOfCase(selection: CaseSelection): readonly Sql[] {
  const { orderId = null, source = null, queue = null, assignee = null, overdue = false } = selection;
  const { openedFrom = null, openedBefore = null, traveller } = selection;
  return [
    ...(orderId === null ? [] : [sql`c.order_id = ${orderId}`]),
    ...(source === null ? [] : [sql`c.source = ${source}`]),
    ...(queue === null ? [] : [sql`c.review_queue = ${queue}`]),
    ...(assignee === null
      ? []
      : [assignee.actor === null ? sql`c.assignee is null` : sql`c.assignee = ${assignee.actor}`]),
    ...(overdue ? [isOverdue] : []),
    ...(traveller === undefined ? [] : [travellerIs[traveller]]),
    ...(openedFrom === null ? [] : [sql`c.opened_at >= ${openedFrom}::timestamptz`]),
    ...(openedBefore === null ? [] : [sql`c.opened_at < ${openedBefore}::timestamptz`]),
  ];
}

/** Contacts `t` about the change that case `c` is about. The newest word is an answer, unless it was "undecided", or a question. */
const contactsOfChange = sql`
  skedchange.traveller_contacts t
  where t.source = c.source and t.order_id = c.order_id and t.proposal_digest is not distinct from c.proposal_digest
`;
const newestWord = sql`(
  select t.kind from ${contactsOfChange} and (t.kind = 'asked' or t.answer <> 'undecided')
  order by t.happened_at desc, t.id desc limit 1
)`;

const travellerIs: Readonly<Record<NonNullable<CaseSelection["traveller"]>, Sql>> = {
  asked: sql`${newestWord} = 'asked'`,
  answered: sql`${newestWord} = 'answered'`,
  "not-informed": sql`case when ${isUnfinished}
    then not exists (select from ${contactsOfChange} and t.kind <> 'asked')
    else exists (
      select from skedchange.tasks k where k.case_id = c.id and k.kind = 'inform-traveller' and k.closed_at is null
    )
  end`,
};

/** Conditions on row `s` of what is known of the change and of its decision. */
function describedBy(selection: CaseSelection): readonly Sql[] {
  const { airline, airport, route, reason, member, flight, flightDate } = selection;
  const { departsFrom = null, departsBefore = null, value = null } = selection;
  const touched = [flight ?? null, flightDate ?? null].filter((part) => part !== null).join("/");
  const terms = Object.entries({ airline, airport, route, reason, member, touches: touched === "" ? null : touched })
    .filter(([, wanted]) => wanted !== null && wanted !== undefined)
    .map(([name, wanted]) => `${name}:${wanted}`);
  return [
    ...(terms.length === 0 ? [] : [sql`s.terms @> ${terms}::text[]`]),
    ...(departsFrom === null ? [] : [sql`s.departure_at >= ${departsFrom}::timestamptz`]),
    ...(departsBefore === null ? [] : [sql`s.departure_at < ${departsBefore}::timestamptz`]),
    ...(value === null
      ? []
      : [
          sql`s.currency = ${value.currency} and s.value is not null`,
          ...(value.min === undefined ? [] : [sql`s.value >= ${value.min}::numeric`]),
          ...(value.max === undefined ? [] : [sql`s.value <= ${value.max}::numeric`]),
        ]),
  ];
}

function decidedBy({ severities = [], rule }: CaseSelection): readonly Sql[] {
  return [
    ...(rule === undefined ? [] : [sql`s.terms @> ${[`rule:${rule}`]}::text[]`]),
    ...(severities.length === 0 ? [] : [sql`s.terms && ${severities.map((name) => `severity:${name}`)}::text[]`]),
  ];
}

/** The same of open cases `c`. What many have in common is read from their own index, cases_by_urgency. */
function openWorkDecidedBy({ severities = [], rule }: CaseSelection): readonly Sql[] {
  return [
    ...(rule === undefined ? [] : [sql`c.rule = ${rule}`]),
    ...(severities.length === 0 ? [] : [isOneOf(severities)]),
  ];
}

function isOneOf(severities: readonly string[]): Sql {
  const isKnown = sql`c.severity = any(${[...severities]}::text[])`;
  return severities.includes(unknownSeverity) ? sql`(${isKnown} or c.severity is null)` : isKnown;
}

/** Fewer characters have no trigram, so no index could find them. */
const partMin = 3;

function mentions(given: string, nameTokens: readonly string[]): Sql {
  const word = given.toUpperCase();
  const terms = [
    ...(/^(?=.*[A-Z])[A-Z0-9]{2}$/.test(word) ? [`airline:${word}`] : []),
    ...(/^[A-Z]{3}$/.test(word) ? [`airport:${word}`] : []),
    ...(/^[A-Z]{3}-[A-Z]{3}$/.test(word) ? [`route:${word}`] : []),
    ...(/^[A-Z0-9]{2}\d{1,4}$/.test(word) ? [`flight:${word}`] : []),
  ];
  const conditions = [
    ...(word.length < partMin ? [] : [sql`s.ids like ${`%${word.replaceAll(/[\\%_]/g, "\\$&")}%`}`]),
    ...(terms.length === 0 ? [] : [sql`s.terms && ${terms}::text[]`]),
    ...(nameTokens.length === 0 ? [] : [sql`s.name_tokens && ${[...nameTokens]}::bigint[]`]),
  ];
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** Puts together what people write apart: `LH 400`, `220 2100000001`, `SMITH/JOHN`. */
export function joinWords(words: readonly string[]): readonly string[] {
  return words
    .join(" ")
    .replaceAll(/[/,;]+/g, " ")
    .replaceAll(/(?<![^ ])((?=\w*[a-z])[a-z0-9]{2}) (\d{1,4})(?![^ ])/gi, "$1$2")
    .replaceAll(/(?<![^ ])(\d{3})[ -](\d{10})(?![^ ])/g, "$1$2")
    .split(" ")
    .filter((word) => word !== "" && !titles.has(word.toUpperCase()));
}

/** As agents read them from a ticket. They are no part of a name. */
const titles: ReadonlySet<string> = new Set(["MR", "MRS", "MS", "MISS", "MSTR", "MR.", "MRS.", "MS."]);
