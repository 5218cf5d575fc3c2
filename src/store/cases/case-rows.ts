import { type RawBuilder, sql } from "kysely";
import type { CaseEvent } from "../../cases/case-record.ts";
import type { CaseMove } from "../../cases/case-update.ts";
import type { Failure } from "../../cases/effect.ts";
import { isFinished } from "../../cases/lifecycle.ts";
import type { NewDecision, NewShadowDecision } from "../../cases/new-decision.ts";
import type { CaseSnapshot } from "../../cases/order-context.ts";
import { overduePriority } from "../../cases/priority.ts";
import { type SearchTerms, searchTermsOf } from "../../cases/search-terms.ts";
import type { TimelineEvent } from "../../cases/step.ts";
import type { Connection } from "../database/transaction.ts";
import { caseChannel } from "./case-listener.ts";
import { finishedStates } from "./states.ts";

/** A value for a jsonb column. JSON null becomes SQL null. */
export function json(value: unknown): RawBuilder<unknown> {
  return value === null || value === undefined ? sql`null::jsonb` : sql`${JSON.stringify(value)}::jsonb`;
}

export const storedDigests: RawBuilder<string[]> = sql`array(
  select distinct d.proposal_digest from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
  where c.source = o.source and c.order_id = o.order_id and d.proposal_digest is not null
)`;

/** A value as JSON returns it: dates are text. */
export type Json<T> = {
  readonly [Key in keyof T]: T[Key] extends Date | null ? (T[Key] extends Date ? string : string | null) : T[Key];
};

/** A line of the timeline. */
export interface NewCaseEvent extends Pick<CaseEvent, "at" | "kind" | "actor"> {
  readonly caseId: string;
  readonly detail: object;
}

export async function addCaseEvent(transaction: Connection, event: NewCaseEvent): Promise<void> {
  await sql`
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    values (${event.caseId}, ${event.at}, ${event.kind}, ${event.actor}, ${json(event.detail)})
    returning ${announceCase(sql`case_id`)}
  `.execute(transaction);
}

/** Voids a pending request for a second person, unless the new decision asks a person about the same proposal. */
export async function insertDecision(
  transaction: Connection,
  caseId: string,
  decisionId: string,
  at: Date,
  decision: NewDecision,
): Promise<void> {
  const { shadow } = decision;
  const isStillAsked = ["review", "ask-traveller", "wait"].includes(decision.action);
  const inserted = sql`
    with superseded as (
      update skedchange.decisions set superseded_at = ${at}, superseded_by = ${decisionId}::uuid
      where case_id = ${caseId} and superseded_at is null
    ), void as (
      update skedchange.approvals set state = 'void', answered_by = ${actorOf(decision)}, answered_at = ${at}
      where case_id = ${caseId} and state = 'asked'
        and not (${isStillAsked} and proposal_digest is not distinct from ${decision.proposalDigest})
      returning id, action
    ), told as (
      insert into skedchange.case_events (case_id, at, kind, actor, detail)
      select ${caseId}::uuid, ${at}::timestamptz, 'approval.voided', ${actorOf(decision)}::text,
        jsonb_build_object('approvalId', void.id, 'action', void.action)
      from void
    )
    insert into skedchange.decisions (
      id, case_id, decided_at, decided_by, action, review_queue, rule, question, reasons, note, proposal_digest, flags, facts,
      itineraries, trace, status_view_id, evaluated_at, versions, legal, priority, inputs
    ) values (
      ${decisionId}, ${caseId}, ${at}, ${decision.decidedBy}, ${decision.action}, ${decision.reviewQueue},
      ${decision.rule}, ${decision.question}, ${json(decision.reasons)}, ${decision.note}, ${decision.proposalDigest},
      ${json(decision.flags)}, ${json(decision.facts)}, ${json(decision.itineraries)}, ${json(decision.trace)},
      ${decision.statusViewId}, ${decision.evaluatedAt}, ${json(decision.versions)}, ${json(decision.legal)},
      ${decision.priority}, ${json(decision.inputs)}
    )
  `.execute(transaction);
  await Promise.all([
    inserted,
    shadow === null ? null : insertShadowDecision(transaction, caseId, decisionId, at, shadow),
  ]);
}

function actorOf({ decidedBy }: NewDecision): string {
  return decidedBy === "policy" ? "worker" : decidedBy;
}

export function decisionEvent(decisionId: string, { action, rule, reasons, note }: NewDecision): TimelineEvent {
  const detail = { decisionId, action, rule, reason: reasons[0]?.code ?? null, ...(note === null ? {} : { note }) };
  return { kind: "decision.made", detail };
}

async function insertShadowDecision(
  transaction: Connection,
  caseId: string,
  decisionId: string,
  at: Date,
  shadow: NewShadowDecision,
): Promise<void> {
  await sql`
    insert into skedchange.shadow_decisions (
      decision_id, source, version, decided_at, action, review_queue, rule, reason, differs
    )
    select ${decisionId}::uuid, c.source, ${shadow.version}::text, ${at}::timestamptz, ${shadow.action}::text,
      ${shadow.reviewQueue}::text, ${shadow.rule}::text, ${shadow.reason}::text, ${shadow.differs}::boolean
    from skedchange.cases c where c.id = ${caseId}
  `.execute(transaction);
}

export interface CaseWrite {
  readonly caseBefore: CaseSnapshot;
  readonly at: Date;
  readonly move: CaseMove;
  /** Null resets the count of failed attempts. */
  readonly failure: Failure | null;
  /** The decision in force from now on; null leaves the present one. */
  readonly decided: { readonly id: string; readonly decision: NewDecision } | null;
  readonly events: readonly TimelineEvent[];
  /** Whether to write only while the worker's decision is still in force. */
  readonly underDecision: boolean;
  /** Of the work that made the decision. */
  readonly traceparent?: string | null | undefined;
  /** By which the travellers are found, in addition. */
  readonly names?: NameTokens | null;
}

export interface NameTokens {
  /** See `tokensOfView`. */
  readonly tokens: readonly string[];
  /** The id of their key; null without one. */
  readonly key: string | null;
}

/**
 * Moves a case and writes to its timeline; returns false if another decision is in force. A newer wake-up overrides the
 * due time, so no notification is missed. Due times are relative to the database's now, because this process's clock
 * may be minutes off.
 */
export async function moveCase(
  transaction: Connection,
  { caseBefore, at, move, failure, decided, events, underDecision, traceparent = null, names = null }: CaseWrite,
): Promise<boolean> {
  const waitSeconds = move.dueAt === null ? null : secondsUntil(move.dueAt, at);
  const undoSeconds = move.undoUntil === undefined ? null : secondsUntil(move.undoUntil, at);
  const undoUntil = sql`now() + make_interval(secs => ${undoSeconds}::double precision)`;
  const terms = decided === null ? null : searchTermsOf(decided.decision, move.flightDates);
  const found = updateCaseSearch(sql`moved`, terms, decided === null ? undefined : move.departureAt, names);
  const { rows } = await sql`
    with moved as (
      update skedchange.cases set
        state = ${move.state},
        review_queue = ${move.reviewQueue},
        version = version + ${move.isUnchanged ? 0 : 1},
        due_at = case when wake = ${caseBefore.requeueCount} then now() + make_interval(secs => ${waitSeconds}::double precision) else now() end,
        yielding_wake = nullif(yielding_wake, ${failure === null ? caseBefore.requeueCount : null}::bigint),
        undo_until = ${decided === null ? sql`coalesce(${undoUntil}, undo_until)` : undoUntil},
        ${
          decided === null
            ? sql``
            : sql`decision_id = ${decided.id}, rule = ${decided.decision.rule}, severity = coalesce(${terms?.severity ?? null}::text, severity),
          proposal_digest = ${decided.decision.proposalDigest},
          traceparents = case when wake > ${caseBefore.requeueCount} then traceparents end || ${asTraceparents(traceparent)},`
        }
        headline = coalesce(${move.headline ?? null}::text, headline),
        departure_at = coalesce(${move.departureAt ?? null}::timestamptz, departure_at),
        gds_booking_references = coalesce(${move.gdsBookingReferences ?? null}::text[], gds_booking_references),
        flight_dates = coalesce(${move.flightDates === undefined ? null : [...move.flightDates]}::text[], flight_dates),
        ${clocksOf(move)},
        failures = ${failure === null ? 0 : caseBefore.failures + 1},
        last_error = ${json(failure === null ? null : { ...failure, at, since: caseBefore.failingSince ?? at })},
        updated_at = ${at},
        closed_at = case when ${move.state}::text in ${finishedStates} then coalesce(closed_at, ${at}::timestamptz) else closed_at end
      where id = ${caseBefore.id} and (${!underDecision} or decision_id is not distinct from ${caseBefore.decisionId})
      returning id, ${announceCase(sql`id`)}
    ), told as (${insertEvents(sql`moved`, at, events)})
    ${terms === null && names === null ? sql`` : sql`, found as (${found})`}
    select from moved
  `.execute(transaction);
  return rows.length === 1;
}

/**
 * An update of what the cases of `of` can be found by, to be part of the statement that writes the case. Names of an
 * earlier status stay, as long as they have the same key.
 */
export function updateCaseSearch(
  of: RawBuilder<unknown>,
  terms: SearchTerms | null,
  departureAt: Date | null | undefined,
  names: NameTokens | null,
): RawBuilder<unknown> {
  const columns = [
    ...(terms === null ? [] : termColumns(terms)),
    ...(departureAt === undefined ? [] : [sql`departure_at = coalesce(${departureAt}::timestamptz, s.departure_at)`]),
    ...(names === null ? [] : nameColumns(names)),
  ];
  return sql`update skedchange.case_search s set ${sql.join(columns)} from ${of} where s.case_id = ${of}.id`;
}

function termColumns({ ofChange, ofDecision, value }: SearchTerms): readonly RawBuilder<unknown>[] {
  const change = ofChange === null ? null : [...ofChange];
  return [
    sql`terms = coalesce(
      ${change}::text[], array(select term from unnest(s.terms) as term where term !~ '^(rule|reason|member):')
    ) || ${[...ofDecision]}::text[]`,
    sql`value = coalesce(${value?.amount ?? null}::numeric, s.value)`,
    sql`currency = coalesce(${value?.currency ?? null}::text, s.currency)`,
  ];
}

function nameColumns({ tokens, key }: NameTokens): readonly RawBuilder<unknown>[] {
  const added = sql`${[...tokens]}::bigint[]`;
  return [
    sql`name_tokens = case when s.token_key is not distinct from ${key}::text
      then array(select distinct token from unnest(s.name_tokens || ${added}) as token) else ${added} end`,
    sql`token_key = ${key}::text`,
  ];
}

/** What becomes of the case from now on belongs to the trace in which it was decided. */
export function asTraceparents(traceparent: string | null): RawBuilder<unknown> {
  return sql`case when ${traceparent}::text is not null then array[${traceparent}::text] end`;
}

/** It also belongs to the trace in which a person acts; what was before is linked. An action may say so twice. */
export function beforeTraceparents(traceparent: string | null): RawBuilder<unknown> {
  return sql`(${asTraceparents(traceparent)} || array_remove(traceparents, ${traceparent}::text))[1:8]`;
}

export function insertEvents(of: RawBuilder<unknown>, at: Date, events: readonly TimelineEvent[]): RawBuilder<unknown> {
  return sql`
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select ${of}.id, ${at}::timestamptz, event.kind, 'worker', event.detail
    from ${of}, jsonb_to_recordset(${json(events)}) as event (kind text, detail jsonb)
  `;
}

/** Finished cases have no deadline. Overdue cases stay overdue and urgent until a running clock replaces it. */
function clocksOf({ state, priority, dueBy }: CaseMove): RawBuilder<unknown> {
  const ranked = sql`coalesce(${priority ?? null}::smallint, priority)`;
  if (isFinished(state)) return sql`due_by = null, due_by_rule = null, firm_due_by = null, priority = ${ranked}`;
  if (dueBy === undefined) {
    return sql`priority = case when overdue_at is null then ${ranked} else least(${ranked}, ${overduePriority}) end`;
  }
  const isLate = sql`overdue_at is not null and ${dueBy?.at ?? null}::timestamptz <= now()`;
  return sql`
    due_by = ${dueBy?.at ?? null}::timestamptz,
    due_by_rule = ${dueBy?.rule ?? null}::text,
    firm_due_by = ${dueBy?.firmAt ?? null}::timestamptz,
    overdue_at = case when ${isLate} then overdue_at end,
    priority = case when ${isLate} then least(${ranked}, ${overduePriority}) else ${ranked} end`;
}

function secondsUntil(moment: Date, at: Date): number {
  return Math.max(0, moment.getTime() - at.getTime()) / 1_000;
}

/** Part of a statement that changes a case. PostgreSQL sends the notification at commit, once per case. */
export function announceCase(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`pg_notify(${sql.lit(caseChannel)}, ${id}::text)`;
}

export async function announceDue(transaction: Connection): Promise<void> {
  await sql`select pg_notify('skedchange_due', '')`.execute(transaction);
}
