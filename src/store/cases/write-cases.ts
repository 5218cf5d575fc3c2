import { caseSummary } from "../../cases/case-summary.ts";
import type { CaseMove, NewTask } from "../../cases/case-update.ts";
import type { Failure } from "../../cases/effect.ts";
import { isFinished } from "../../cases/lifecycle.ts";
import type { NewDecision } from "../../cases/new-decision.ts";
import type { CaseSnapshot } from "../../cases/order-context.ts";
import { overduePriority } from "../../cases/priority.ts";
import { type SearchTerms, searchTermsOf } from "../../cases/search-terms.ts";
import type { TimelineEvent } from "../../cases/step.ts";
import { columnsFor, type Fields, fieldsFor, fieldsOf, recordset, setGiven } from "../database/recordset.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { asTraceparents, insertEvents } from "./case-rows.ts";

export interface CaseWrite {
  readonly caseBefore: CaseSnapshot;
  readonly at: Date;
  readonly move: CaseMove;
  /** Null resets the count of failed attempts. */
  readonly failure: Failure | null;
  /** The decision in force from now on; null leaves the present one. */
  readonly decided: { readonly id: string; readonly decision: NewDecision } | null;
  /** The trace in which the decision was made. */
  readonly traceparent?: string | null | undefined;
  /** Tokens of travellers to add to the search. */
  readonly names?: NameTokens | null;
}

const summaryFields = fieldsFor(caseSummary);

const setSummary = setGiven("c", "m", summaryFields);

const moveFields: Fields = {
  ...summaryFields,
  place: "integer",
  state: "text",
  isFinished: "boolean",
  reviewQueue: "text",
  isUnchanged: "boolean",
  at: "timestamptz",
  requeueCount: "bigint",
  waitSeconds: "double precision",
  undoSeconds: "double precision",
  isDecided: "boolean",
  decisionId: "uuid",
  rule: "text",
  severity: "text",
  proposalDigest: "text",
  traceparent: "text",
  priority: "smallint",
  hasClock: "boolean",
  dueBy: "timestamptz",
  dueByRule: "text",
  firmDueBy: "timestamptz",
  failures: "integer",
  lastError: "jsonb",
};

/**
 * A change of a case as JSON rows: of the case, and of what it is found by, or null if that stays. What a move does not name
 * stays as it is.
 */
export function caseRows(place: number, write: CaseWrite): { readonly move: object; readonly search: object | null } {
  const { caseBefore, at, move, failure, decided, traceparent, names = null } = write;
  const { state, dueAt, undoUntil, dueBy, isUnchanged, ...columns } = move;
  const decision = decided?.decision;
  const terms = decision === undefined ? null : searchTermsOf(decision, move.flightDates);
  return {
    move: {
      ...columns,
      place,
      state,
      at,
      isFinished: isFinished(state),
      isUnchanged: isUnchanged === true,
      requeueCount: caseBefore.requeueCount,
      waitSeconds: dueAt === null ? null : secondsUntil(dueAt, at),
      undoSeconds: undoUntil === undefined ? null : secondsUntil(undoUntil, at),
      isDecided: decided !== null,
      decisionId: decided?.id,
      rule: decision?.rule,
      severity: terms?.severity,
      proposalDigest: decision?.proposalDigest,
      traceparent,
      hasClock: dueBy !== undefined,
      dueBy: dueBy?.at,
      dueByRule: dueBy?.rule,
      firmDueBy: dueBy?.firmAt,
      failures: failure === null ? 0 : caseBefore.failures + 1,
      lastError: failure === null ? null : { ...failure, at, since: caseBefore.failingSince ?? at },
    },
    search:
      terms === null && names === null
        ? null
        : searchRow(place, terms, terms === null ? undefined : move.departureAt, names),
  };
}

const decidedTrace = asTraceparents(sql`m.traceparent`);

/** What the same statement writes before it moves cases: events for recipients are in the order in which rows are written. */
interface WrittenBefore {
  /** The effects that begin, with `case_id` and the `state` that each gives to its case. */
  readonly begun?: Sql | null;
  /** The decisions, with `case_id`. */
  readonly stored?: Sql | null;
}

/**
 * A statement that moves cases and returns their `place` and `case_id`. A newer wake-up overrides the due time, so that no
 * notification is missed. Due times are relative to the database's now, because this process's clock may be minutes off.
 * @param of the cases, as a relation with `place` and `"caseId"`
 */
export function moveCases(of: Sql, rows: readonly object[], { begun = null, stored = null }: WrittenBefore = {}): Sql {
  const state = begun === null ? sql`m.state` : sql`coalesce(b.state, m.state)`;
  const undoUntil = sql`now() + make_interval(secs => m."undoSeconds")`;
  const ranked = sql`coalesce(m.priority, c.priority)`;
  const urgent = sql`least(${ranked}, ${overduePriority}::smallint)`;
  // A finished case has no deadline. An overdue case stays overdue and urgent until a deadline in the future replaces the one
  // that it missed.
  const staysOverdue = sql`c.overdue_at is not null and m."dueBy" <= now()`;
  const deadline = (column: Sql, given: Sql) =>
    sql`${column} = case when m."isFinished" then null when m."hasClock" then ${given} else c.${column} end`;
  return sql`
    update skedchange.cases c set
      state = ${state},
      review_queue = m."reviewQueue",
      version = c.version + case when m."isUnchanged" then 0 else 1 end ${begun === null ? sql`` : sql`+ case when b.state is null then 0 else 1 end`},
      due_at = case when c.wake = m."requeueCount" then now() + make_interval(secs => m."waitSeconds") else now() end,
      yielding_wake = case when m."lastError" is null then nullif(c.yielding_wake, m."requeueCount") else c.yielding_wake end,
      undo_until = case
        ${begun === null ? sql`` : sql`when b.state is not null then null`}
        when m."isDecided" then ${undoUntil} else coalesce(${undoUntil}, c.undo_until)
      end,
      decision_id = coalesce(m."decisionId", c.decision_id),
      rule = case when m."isDecided" then m.rule else c.rule end,
      severity = coalesce(m.severity, c.severity),
      proposal_digest = case when m."isDecided" then m."proposalDigest" else c.proposal_digest end,
      traceparents = case when m."isDecided"
        then case when c.wake > m."requeueCount" then c.traceparents end || ${decidedTrace}
        else c.traceparents
      end,
      ${setSummary},
      ${deadline(sql`due_by`, sql`m."dueBy"`)},
      ${deadline(sql`due_by_rule`, sql`m."dueByRule"`)},
      ${deadline(sql`firm_due_by`, sql`m."firmDueBy"`)},
      overdue_at = case when m."isFinished" or not m."hasClock" or (${staysOverdue}) then c.overdue_at end,
      priority = case
        when m."isFinished" then ${ranked}
        when m."hasClock" then case when ${staysOverdue} then ${urgent} else ${ranked} end
        when c.overdue_at is null then ${ranked} else ${urgent}
      end,
      failures = m.failures,
      last_error = m."lastError",
      updated_at = m.at,
      closed_at = case when m."isFinished" then coalesce(c.closed_at, m.at) else c.closed_at end
    from ${of} p join ${recordset("m", moveFields, rows)} on m.place = p.place
    ${begun === null ? sql`` : sql`left join ${begun} b on b.case_id = p."caseId"`}
    ${stored === null ? sql`` : sql`left join ${stored} d on d.case_id = p."caseId"`}
    where c.id = p."caseId"
    returning p.place, c.id as case_id
  `;
}

/**
 * Moves a case and writes to its timeline, for a save that announces it after the commit; returns false if another decision is in force.
 * @param underDecision whether to write only while the worker's decision is still in force
 */
export async function moveCase(
  transaction: Connection,
  write: CaseWrite & { readonly events: readonly TimelineEvent[]; readonly underDecision: boolean },
): Promise<boolean> {
  const { caseBefore, at, events, underDecision } = write;
  const { move, search } = caseRows(0, write);
  const { rows } = await sql`
    with given as (
      select 0 as place, c.id as "caseId" from skedchange.cases c
      where c.id = ${caseBefore.id} and (${!underDecision} or c.decision_id is not distinct from ${caseBefore.decisionId})
      for no key update
    ), moved as (${moveCases(sql`given`, [move])}),
    lines as (${insertEvents(sql`moved`, at, events)})
    ${search === null ? sql`` : sql`, search as (${updateCaseSearch(sql`given`, [search])})`}
    select from moved
  `.execute(transaction);
  return rows.length === 1;
}

function secondsUntil(moment: Date, at: Date): number {
  return Math.max(0, moment.getTime() - at.getTime()) / 1_000;
}

export interface NameTokens {
  /** See `tokensOfView`. */
  readonly tokens: readonly string[];
  /** The id of their key; null without one. */
  readonly key: string | null;
}

const searchFields: Fields = {
  place: "integer",
  isDecided: "boolean",
  ofChange: "text[]",
  ofDecision: "text[]",
  value: "numeric",
  currency: "text",
  departureAt: "timestamptz",
  nameTokens: "bigint[]",
  tokenKey: "text",
};

/** What a case can be found by from now on, as JSON: by its decision, and by names, unless they are null. */
export function searchRow(
  place: number,
  terms: SearchTerms | null,
  departureAt: Date | null | undefined,
  names: NameTokens | null,
): object {
  return {
    place,
    isDecided: terms !== null,
    ofChange: terms?.ofChange,
    ofDecision: terms?.ofDecision,
    value: terms?.value?.amount,
    currency: terms?.value?.currency,
    departureAt,
    nameTokens: names?.tokens,
    tokenKey: names?.key,
  };
}

/**
 * A statement that updates what cases are found by. Names of an earlier status stay, as long as they have the same key. A row
 * that has the names already is left alone, with its six indexes.
 * @param of the cases, as a relation with `place` and `"caseId"`
 */
export function updateCaseSearch(of: Sql, rows: readonly object[]): Sql {
  // A decision without flights keeps the terms of the change: all but those of `SearchTerms.ofDecision`.
  return sql`
    update skedchange.case_search s set
      terms = case when f."isDecided" then coalesce(
        f."ofChange", array(select term from unnest(s.terms) as term where term !~ '^(rule|reason|member|member-value):')
      ) || f."ofDecision" else s.terms end,
      value = coalesce(f.value, s.value),
      currency = coalesce(f.currency, s.currency),
      departure_at = coalesce(f."departureAt", s.departure_at),
      name_tokens = case
        when f."nameTokens" is null then s.name_tokens
        when s.token_key is not distinct from f."tokenKey"
          then array(select distinct token from unnest(s.name_tokens || f."nameTokens") as token)
        else f."nameTokens"
      end,
      token_key = case when f."nameTokens" is null then s.token_key else f."tokenKey" end
    from ${of} p join ${recordset("f", searchFields, rows)} on f.place = p.place
    where s.case_id = p."caseId" and (
      f."isDecided" or s.token_key is distinct from f."tokenKey" or not coalesce(f."nameTokens" <@ s.name_tokens, false)
    )
  `;
}

const taskFields: Fields = {
  id: "uuid",
  kind: "text",
  reasons: "jsonb",
  openedAt: "timestamptz",
  dueBy: "timestamptz",
  dueByRule: "text",
  byEvent: "boolean",
};

const taskColumns = columnsFor(taskFields);
const taskValues = fieldsOf("t", taskFields);
const placedTaskFields: Fields = { place: "integer", ...taskFields };

/** A task to open, as JSON. `place` is that of its save. */
export function taskRow(
  place: number,
  id: string,
  at: Date,
  { kind, reasons, dueBy, byEvent = false }: NewTask,
): object {
  return { place, id, kind, reasons, openedAt: at, dueBy: dueBy?.at, dueByRule: dueBy?.rule, byEvent };
}

/**
 * A statement that opens tasks of cases, unless they have one of that kind, and returns what their lines in the timeline say.
 * @param of the cases, as a relation with `place`, `"caseId"`, `source` and `"orderId"`
 */
export function openTasks(of: Sql, rows: readonly object[]): Sql {
  return sql`
    insert into skedchange.tasks (case_id, source, order_id, ${taskColumns})
    select p."caseId", p.source, p."orderId", ${taskValues}
    from ${of} p join ${recordset("t", placedTaskFields, rows)} on t.place = p.place
    order by t.place, t.id
    on conflict (case_id, kind) do nothing
    returning case_id, opened_at, jsonb_build_object('taskId', id, 'kind', kind) as detail
  `;
}
