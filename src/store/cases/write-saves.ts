import type { SaveResult } from "../../worker/ports.ts";
import {
  bodiesPart,
  bodyBytes,
  bodyFields,
  columnsFor,
  type Fields,
  fieldsOf,
  packBodies,
  recordset,
} from "../database/recordset.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { isUnderLease } from "../orders/leases.ts";
import { type IfLocked, inLockOrder, isUnchanged, lockClauses, orderVersion } from "./claim-orders.ts";
import { noOtherEffect } from "./effect-snapshot.ts";
import { linePlaces, rowsOf, type SaveRows, type StepSave } from "./save-rows.ts";
import { moveCases, openTasks, updateCaseSearch } from "./write-cases.ts";
import { decisionParts } from "./write-decisions.ts";

/**
 * Writes what the steps of any number of orders save, in one statement. A step is written whole or not at all, with one
 * exception: an effect that another effect of its order forbids is left out alone, and the result says `isRefused`. With
 * `ifLocked` "wait", a caller that saves a decision calls `lockOrders` before, in the same transaction, because this statement
 * sees only what was committed before it began.
 * @param saves with plain changes only: see `isPlain`
 * @returns a result for each save, or null if nothing of it was written: its order was locked or has just changed, the lease is
 * lost, another decision is in force, automation was stopped, a notification came before an effect, or the effect had ended already
 */
export async function writeSaves(
  connection: Connection,
  saves: readonly StepSave[],
  ifLocked: IfLocked,
): Promise<readonly (SaveResult | null)[]> {
  const rows = rowsOf(saves);
  const hasEffects = rows.effects.length > 0;
  const isRefused = hasEffects ? sql`p."beginsEffect" and b.case_id is null` : sql`false`;
  const { rows: written } = await sql<{ place: number; leaseLeftMs: number; isRefused: boolean }>`
    with ${sql.join(partsOf(rows, ifLocked))}
    select p.place, p."leaseLeftMs", ${isRefused} as "isRefused"
    from passed p ${hasEffects ? sql`left join begun b on b.case_id = p."caseId"` : sql``}
  `.execute(connection);
  const results = new Map(written.map(({ place, ...result }) => [place, result]));
  return saves.map((_, place) => results.get(place) ?? null);
}

/**
 * The parts of the statement. Those without rows are left out.
 *
 * | part | writes | in the commit of |
 * |---|---|---|
 * | `views` | `status_views` | decision, end |
 * | `documents` | `document_views` | end |
 * | `decisionParts` | `decisions`, `approvals`, `shadow_decisions` (write-decisions.ts) | decision |
 * | `begun` | `effects`, as sent | decision |
 * | `settled` | `effects`, the outcome | outcome |
 * | `moved`, `search`, `opened` | `cases`, `case_search`, `tasks` (write-cases.ts) | each that changes them |
 * | `lines`, `written` | `case_events`, `orders` | each |
 *
 * PostgreSQL runs a part when another one reads it. `moved` reads decisions and effects, and `opened` reads `moved`, so that
 * decisions and effects are written before their cases move, and cases move before their tasks are opened.
 */
function partsOf(rows: SaveRows, ifLocked: IfLocked): readonly Sql[] {
  const { bytes, packed } = packBodies([...rows.statusViews, ...rows.documents, ...rows.outcomes, ...rows.decisions]);
  const passed = sql.ref("passed");
  const hasEffects = rows.effects.length > 0;
  const hasOutcomes = rows.outcomes.length > 0;
  const when = (isThere: boolean, ...parts: readonly Sql[]) => (isThere ? parts : []);
  return [
    sql`given as materialized (
      select g.*, ${orderVersion(sql`g`)} as "orderVersion" from ${recordset("g", orderFields, rows.orders)}
    )`,
    bodiesPart(bytes),
    savablePart(hasEffects, ifLocked),
    ...when(hasOutcomes, settledPart(rows.outcomes.map(packed))),
    hasOutcomes ? passedWithOutcomes : sql`passed as (select * from savable)`,
    ...when(rows.statusViews.length > 0, statusViewsPart(rows.statusViews.map(packed))),
    ...when(rows.documents.length > 0, documentsPart(rows.documents.map(packed))),
    ...when(rows.decisions.length > 0, ...decisionParts(passed, rows.decisions, packed)),
    ...when(hasEffects, begunPart(rows.effects)),
    ...when(rows.moves.length > 0, movedPart(rows)),
    ...when(rows.searches.length > 0, sql`search as (${updateCaseSearch(passed, rows.searches)})`),
    ...when(rows.tasks.length > 0, sql`opened as (${openTasks(movedCases, rows.tasks)})`),
    ...when(rows.events.length > 0 || rows.tasks.length > 0, linesPart(rows)),
    orderPart,
  ];
}

function movedPart({ moves, effects, decisions }: SaveRows): Sql {
  const begun = effects.length === 0 ? null : sql.ref("begun");
  const stored = decisions.length === 0 ? null : sql.ref("stored");
  return sql`moved as (${moveCases(sql.ref("passed"), moves, { begun, stored })})`;
}

/** Tasks are opened after their case has moved. A save with a task always moves its case. */
const movedCases = sql`(select p.* from passed p join moved on moved.place = p.place)`;

const orderFields: Fields = {
  place: "integer",
  source: "text",
  orderId: "text",
  fence: "bigint",
  caseId: "uuid",
  decisionBefore: "uuid",
  requeueCount: "bigint",
  endsLease: "boolean",
  isEvidence: "boolean",
  beginsEffect: "boolean",
  settledEffectId: "uuid",
  booked: "jsonb",
  bookedFrom: "text",
  accepted: "jsonb",
};

const bytesOfRow = bodyBytes("v");

const bodyColumns = sql`body, body_encoding, body_bytes, key_id, compressed_against, is_bound`;
const bodyValues = sql`${bytesOfRow}, v."bodyEncoding", v."bodyBytes", v."keyId", v."compressedAgainst", true`;

const isHeld = isUnderLease(sql`g.fence`);

/**
 * The orders that may be saved, locked together with their cases:
 *
 * - the outcome of an effect, if its case still carries out (else `saveOutcome` records it);
 * - other evidence, always;
 * - anything else under its lease, with the decision that it began with. One that begins an effect also needs that nothing was
 *   notified since and that automation is not stopped.
 */
function savablePart(hasEffects: boolean, ifLocked: IfLocked): Sql {
  const maySend = sql`c.wake = g."requeueCount" and not skedchange.automation_is_stopped(g.source)`;
  return sql`savable as materialized (
    select g.*, coalesce(extract(epoch from o.leased_until - clock_timestamp()) * 1000, 0)::double precision as "leaseLeftMs"
    from given g
    join skedchange.orders o on o.source = g.source and o.order_id = g."orderId"
    join skedchange.cases c on c.id = g."caseId"
    where case
      when g."settledEffectId" is not null then c.state in ('accepting', 'cancelling')
      when g."isEvidence" then true
      else ${isHeld} and c.decision_id is not distinct from g."decisionBefore"
    end
    ${hasEffects ? sql`and (not g."beginsEffect" or (${maySend}))` : sql``}
    and ${isUnchanged(ifLocked)}
    ${inLockOrder} for no key update of o, c ${lockClauses[ifLocked]}
  )`;
}

const outcomeFields: Fields = {
  place: "integer",
  finishedAt: "timestamptz",
  results: "jsonb",
  refundCheck: "text",
  ...bodyFields,
};

/** Outcomes that are the first of their effect and a success. `saveOutcome` writes all others. */
function settledPart(rows: readonly object[]): Sql {
  return sql`settled as (
    update skedchange.effects e set
      state = 'succeeded',
      finished_at = v."finishedAt",
      results = coalesce(v.results, e.results),
      refund_check = v."refundCheck",
      answer = coalesce(${bytesOfRow}, e.answer),
      answer_encoding = coalesce(v."bodyEncoding", e.answer_encoding),
      answer_bytes = coalesce(v."bodyBytes", e.answer_bytes),
      key_id = coalesce(v."keyId", e.key_id),
      compressed_against = case when v.length is null then e.compressed_against else v."compressedAgainst" end,
      is_bound = v.length is not null or e.is_bound
    from savable s join ${recordset("v", outcomeFields, rows)} on v.place = s.place
    where e.id = s."settledEffectId" and e.state = 'sent'
    returning s.place
  )`;
}

/** A save whose effect had ended already writes nothing. */
const passedWithOutcomes = sql`passed as (
  select s.* from savable s left join settled on settled.place = s.place
  where s."settledEffectId" is null or settled.place is not null
)`;

const viewFields: Fields = { place: "integer", purpose: "text", readAt: "timestamptz", ...bodyFields };

function statusViewsPart(rows: readonly object[]): Sql {
  return sql`views as (
    insert into skedchange.status_views (case_id, id, purpose, read_at, ${bodyColumns})
    select p."caseId", v.id, v.purpose, v."readAt", ${bodyValues}
    from passed p join ${recordset("v", viewFields, rows)} on v.place = p.place
  )`;
}

function documentsPart(rows: readonly object[]): Sql {
  return sql`documents as (
    insert into skedchange.document_views (case_id, id, read_at, ${bodyColumns})
    select p."caseId", v.id, v."readAt", ${bodyValues}
    from passed p join ${recordset("v", viewFields, rows)} on v.place = p.place
  )`;
}

const effectFields: Fields = {
  id: "uuid",
  decisionId: "uuid",
  action: "text",
  gdsBookingReferences: "text[]",
  proposalDigest: "text",
  expectedRefund: "jsonb",
  plannedAt: "timestamptz",
};

const effectColumns = columnsFor(effectFields);
const effectValues = fieldsOf("b", effectFields);
const placedEffectFields: Fields = { place: "integer", ...effectFields };

const isOnlyEffect = noOtherEffect({
  source: sql`p.source`,
  orderId: sql`p."orderId"`,
  caseId: sql`p."caseId"`,
  action: sql`b.action`,
  proposalDigest: sql`b."proposalDigest"`,
});

/** Automatic effects, which begin as sent in the statement of their decision. */
function begunPart(rows: readonly object[]): Sql {
  return sql`begun as (
    insert into skedchange.effects (
      case_id, source, order_id, state, sends, sent_at, lease_fence, is_automatic, ${effectColumns}
    )
    select p."caseId", p.source, p."orderId", 'sent', 1, now(), p.fence, true, ${effectValues}
    from passed p join ${recordset("b", placedEffectFields, rows)} on b.place = p.place
    where ${isOnlyEffect}
    returning case_id, case action when 'accept' then 'accepting' else 'cancelling' end as state
  )`;
}

const lineFields: Fields = {
  place: "integer",
  n: "integer",
  at: "timestamptz",
  kind: "text",
  detail: "jsonb",
  isOfEffect: "boolean",
};

/** The lines of the timelines, in one statement, so that the audit has them in the same order. */
function linesPart({ events, effects, tasks, decisions }: SaveRows): Sql {
  const ofBegun = sql`left join begun b on b.case_id = p."caseId" where v."isOfEffect" is not true or b.case_id is not null`;
  const ofTasks = sql`
    union all select case_id, ${linePlaces.tasks}, opened_at, 'task.opened', 'worker', detail from opened`;
  const ofVoided = sql`
    union all select case_id, ${linePlaces.voided}, at, 'approval.voided', actor, detail from voided`;
  return sql`lines as (
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select l."caseId", l.at, l.kind, l.actor, l.detail from (
      select p."caseId", v.n, v.at, v.kind, 'worker' as actor, v.detail
      from passed p join ${recordset("v", lineFields, events)} on v.place = p.place ${effects.length === 0 ? sql`` : ofBegun}
      ${tasks.length === 0 ? sql`` : ofTasks}
      ${decisions.length === 0 ? sql`` : ofVoided}
    ) l
    order by l."caseId", l.n, l.detail ->> 'taskId'
  )`;
}

/** The columns of the orders that a save writes, with the end of its lease. */
const orderPart = sql`written as (
  update skedchange.orders o set
    booked_from = case when o.booked_itinerary is null then coalesce(p."bookedFrom", o.booked_from) else o.booked_from end,
    booked_itinerary = coalesce(o.booked_itinerary, p.booked),
    accepted_itinerary = coalesce(p.accepted, o.accepted_itinerary),
    leased_until = case when p."endsLease" and o.lease_fence = p.fence then null else o.leased_until end,
    leased_at = case when p."endsLease" and o.lease_fence = p.fence then null else o.leased_at end,
    leased_by = case when p."endsLease" and o.lease_fence = p.fence then null else o.leased_by end
  from passed p
  where o.source = p.source and o.order_id = p."orderId"
    and (p."endsLease" or p.booked is not null or p.accepted is not null)
)`;
