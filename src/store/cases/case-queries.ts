import { type RawBuilder, sql } from "kysely";
import type { Settlement } from "../../cases/outcome-words.ts";
import type { VisibleSources } from "../../cases/visible-sources.ts";
import { type CaseColumns, caseColumns } from "../../dashboard/case-ports.ts";
import {
  type CaseChange,
  type CaseDecision,
  type CaseDetail,
  type CaseEffect,
  type CaseEvent,
  type CaseFilter,
  type CaseItem,
  type CaseItineraries,
  type CaseNotification,
  type CaseQueries,
  type CaseTotal,
  type DecisionSummary,
  type EffectRefund,
  type NotificationDetail,
  type NotificationFilter,
  type NotificationItem,
  type Page,
  type Reconciliation,
  triageFactNames,
} from "../../dashboard/ports.ts";
import type { ChangeFacts } from "../../itinerary/fact-catalogue.ts";
import { defaultInconsistencyLimits } from "../../worker/reconciliation-ports.ts";
import { nameOfToken } from "../audit/audit-actor.ts";
import { type BodyDeletionRow, bodyDeletion, toBodyDeletion } from "../database/body-deletion.ts";
import { columnName } from "../database/column-name.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { after, positionOf, toPage } from "../database/paging.ts";
import { type Connection, inSnapshot } from "../database/transaction.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { noOrders, readNamedOrders } from "../notifications/named-orders.ts";
import { isAcknowledged, isUnattended, isWithoutProgress, pendingDigest } from "../notifications/unattended.ts";
import { caseOrders } from "../search/case-orders.ts";
import { casesMatching, isOverdue } from "../search/cases-matching.ts";
import type { TokensOf } from "../search/name-tokens.ts";
import { createTravellerSearches, noNames, type TravellerSearches } from "../search/traveller-searches.ts";
import type { Json } from "./case-rows.ts";
import { readCaseWork } from "./case-work.ts";
import { decisionEventOf } from "./effect-snapshot.ts";
import { listInconsistencies } from "./inconsistency-queries.ts";
import { openNotes } from "./notes.ts";
import { refundedAmount } from "./refunded-amount.ts";
import { shownState } from "./states.ts";

/** Per list of a case: a gateway that sends the same change for days must not make the page huge. */
const historyMax = 200;

/** The dashboard's queries. They write nothing but the audit of searches, and decrypt notes; of stored bodies only the ids of orders get out. */
export function createCaseQueries(
  database: Database,
  searches: TravellerSearches = createTravellerSearches(database),
): CaseQueries {
  /** One snapshot for all statements of a method, so that a case and its history match. */
  const read = <T>(work: (reading: Connection) => Promise<T>): Promise<T> => inSnapshot(database, work);

  return {
    listCases: (filter) => read((reading) => listCases(reading, noNames, filter)),
    searchCases: (filter) =>
      searches.run(
        filter,
        (tokensOf) =>
          read(async (reading) => {
            await sql`set local statement_timeout = ${sql.lit(searchTimeoutMs)}`.execute(reading);
            const page = await listCases(reading, tokensOf, filter);
            const total = filter.after === null ? await countCases(reading, tokensOf, filter) : null;
            return { ...page, total };
          }),
        ({ total, items }) => total?.count ?? items.length,
      ),
    readCase: async (id, visible) =>
      await openNotes(database.encryption, await read((reading) => readCase(reading, id, visible))),
    listNotifications: async (filter) =>
      await openNotes(
        database.encryption,
        await read((reading) => listNotifications(reading, database.encryption, filter)),
      ),
    readNotification: async (id, visible) =>
      await openNotes(
        database.encryption,
        await read((reading) => readNotification(reading, database.encryption, id, visible)),
      ),
    reconcile: (idsMax) =>
      read(async (reading) => ({
        ...(await reconcile(reading, idsMax)),
        damage: await listInconsistencies(reading, defaultInconsistencyLimits, idsMax),
      })),
  };
}

// ----------------------------------------------------------------------------------------------------- cases

interface CaseRow extends CaseColumns {
  readonly due_by: Date | null;
  readonly due_by_rule: string | null;
  readonly overdue: boolean;
  readonly decision_id: string | null;
  readonly decision_action: string;
  readonly decision_rule: string;
  readonly decision_reasons: DecisionSummary["reasons"];
  readonly decided_by: string;
  readonly decided_with: string | null;
  readonly decided_at: Date;
  readonly settled: Json<Settlement<Date>> | null;
  readonly facts: (NonNullable<CaseChange["facts"]> & Partial<Pick<ChangeFacts, "passengerCount">>) | null;
  readonly value: string | null;
  readonly currency: string | null;
  readonly booked: CaseChange["booked"];
  readonly current: CaseChange["current"];
  readonly proposed: CaseChange["proposed"];
  readonly evaluated_at: CaseChange["evaluatedAt"];
}

const columnNames = Object.keys(caseColumns) as readonly (keyof CaseColumns)[];

function columnOf(name: keyof CaseColumns): RawBuilder<unknown> {
  return name === "state" ? shownState : sql`c.${sql.ref(columnName(name))}`;
}

const rowFactNames: readonly string[] = [...triageFactNames, "passengerCount"];

/** Whether event \`s\` tells what a person said of an effect whose outcome was unknown. */
const isSettlement = sql`s.kind in ('effect.confirmed', 'effect.refuted')`;

/** What event \`s\` tells of effect \`e\`, as JSON. */
const settlement = sql`jsonb_build_object(
  'action', e.action, 'carriedOut', s.kind = 'effect.confirmed', 'by', s.actor, 'token', ${nameOfToken(sql`s.token_id`)}, 'at', s.at
)`;

function toSettlement(stored: Json<Settlement<Date>> | null): Settlement<Date> | null {
  return stored && { ...stored, at: new Date(stored.at) };
}

const selectedColumns = sql`
  ${sql.join(columnNames.map((name) => sql`${columnOf(name)} as ${sql.ref(name)}`))},
  c.due_by, c.due_by_rule, ${isOverdue} as overdue,
  d.id as decision_id, d.action as decision_action, d.rule as decision_rule, d.reasons as decision_reasons,
  d.decided_by, ${nameOfToken(sql`d.token_id`)} as decided_with, d.decided_at,
  case when d.question = 'effect-outcome' then (
    select ${settlement} from skedchange.case_events s
    join skedchange.effects e on e.case_id = s.case_id and e.id::text = s.detail ->> 'effectId'
    where s.case_id = c.id and ${isSettlement} and s.id > ${decisionEventOf(sql`d`)}
    order by s.id desc limit 1
  ) end as settled,
  (
    select jsonb_object_agg(key, value) from jsonb_each(d.facts) where key = any(${rowFactNames}::text[])
  ) as facts,
  d.itineraries -> 'booked' as booked, d.itineraries -> 'current' as current, d.itineraries -> 'proposed' as proposed,
  d.evaluated_at, s.value::text as value, s.currency
`;

/** With what `selectedColumns` reads of cases `c`. */
const joinedToCases = sql`left join skedchange.decisions d on d.id = c.decision_id
  left join skedchange.case_search s on s.case_id = c.id`;

function toCaseItem(row: CaseRow): CaseItem {
  const columns = Object.fromEntries(columnNames.map((name) => [name, row[name]])) as unknown as CaseColumns;
  return {
    ...columns,
    dueBy: row.due_by === null ? null : { at: row.due_by, rule: row.due_by_rule ?? "", overdue: row.overdue },
    overdue: row.overdue,
    passengerCount: row.facts?.passengerCount?.known === true ? row.facts.passengerCount.value : null,
    value: row.value === null || row.currency === null ? null : { amount: row.value, currency: row.currency },
    decision:
      row.decision_id === null
        ? null
        : {
            id: row.decision_id,
            action: row.decision_action,
            rule: row.decision_rule,
            reasons: row.decision_reasons,
            decidedBy: row.decided_by,
            token: row.decided_with,
            decidedAt: row.decided_at,
            settled: toSettlement(row.settled),
          },
    change:
      row.facts === null && row.proposed === null
        ? null
        : {
            facts: row.facts,
            booked: row.booked,
            current: row.current,
            proposed: row.proposed,
            evaluatedAt: row.evaluated_at,
          },
  };
}

interface ListedRow extends CaseRow {
  readonly position: string;
  readonly sort_priority: number | null;
}

/** The ids are chosen first, so that the rest is read and computed for one page only. */
async function listCases(reading: Connection, tokensOf: TokensOf, filter: CaseFilter): Promise<Page<CaseItem>> {
  const { limit } = filter;
  const { position, priority, isAfter, sorting } = caseOrders[filter.order ?? "newest"];
  const matching = casesMatching(tokensOf, filter, filter.order);
  const { rows } = await sql<ListedRow>`
    ${matching.ctes} page as materialized (
      select c.id from ${matching.from}
      where ${matching.where} and ${isAfter(filter.after)}
      order by ${sorting} limit ${limit + 1}
    )
    select ${selectedColumns}, ${position} as position, ${priority} as sort_priority
    from page join skedchange.cases c on c.id = page.id ${joinedToCases}
    order by ${sorting}
  `.execute(reading);
  return toPage(rows, limit, toCaseItem);
}

async function countCases(reading: Connection, tokensOf: TokensOf, filter: CaseFilter): Promise<CaseTotal> {
  const matching = casesMatching(tokensOf, filter, filter.order);
  const { rows } = await sql<{ readonly count: number }>`
    ${matching.ctes} counted as (select from ${matching.from} where ${matching.where} limit ${countedMax + 1})
    select count(*) as count from counted
  `.execute(reading);
  const { count } = rows[0]!;
  return { count: Math.min(count, countedMax), isCapped: count > countedMax };
}

/** Nobody counts further, and it would take longer than the page. */
const countedMax = 10_000;

/** A search of a huge part of all cases ends after this time. */
const searchTimeoutMs = 5_000;

async function readCase(reading: Connection, id: string, visible: VisibleSources): Promise<CaseDetail | null> {
  const { rows } = await sql<
    CaseRow & { booked_itinerary: CaseItineraries["booked"]; accepted_itinerary: CaseItineraries["accepted"] }
  >`
    select ${selectedColumns}, o.booked_itinerary, o.accepted_itinerary
    from skedchange.cases c ${joinedToCases}
    join skedchange.orders o on o.source = c.source and o.order_id = c.order_id
    where c.id = ${id}::uuid and ${isOfVisibleSource(sql`c.source`, visible)}
  `.execute(reading);
  const row = rows[0];
  if (row === undefined) return null;

  const decisions = await readDecisions(reading, id, row.decision_id);
  const inForce = decisions.find((decision) => decision.id === row.decision_id) ?? null;
  const item = toCaseItem(row);
  const effects = await readEffects(reading, id);
  return {
    ...item,
    ...(await readCaseWork(reading, item, { flags: inForce?.flags ?? null, effects })),
    flags: inForce?.flags ?? null,
    facts: inForce?.facts ?? null,
    // Before the first decision, the order itself may already have the booked flights.
    itineraries: inForce?.itineraries ?? {
      booked: row.booked_itinerary,
      accepted: row.accepted_itinerary,
      proposed: null,
    },
    notifications: await readCaseNotifications(reading, id),
    decisions,
    effects,
    timeline: await readTimeline(reading, id),
  };
}

async function readDecisions(reading: Connection, caseId: string, inForce: string | null): Promise<CaseDecision[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly action: string;
    readonly rule: string;
    readonly reasons: CaseDecision["reasons"];
    readonly decided_by: string;
    readonly decided_with: string | null;
    readonly decided_at: Date;
    readonly review_queue: string | null;
    readonly note: string | null;
    readonly priority: number | null;
    readonly legal: CaseDecision["legal"];
    readonly proposal_digest: string | null;
    readonly flags: CaseDecision["flags"];
    readonly facts: CaseDecision["facts"];
    readonly itineraries: CaseDecision["itineraries"];
    readonly trace: unknown;
    readonly evaluated_at: Date | null;
    readonly versions: CaseDecision["versions"];
    readonly superseded_at: Date | null;
    readonly superseded_by: string | null;
  }>`
    select id, action, rule, reasons, decided_by, ${nameOfToken(sql`token_id`)} as decided_with, decided_at, review_queue, note, priority, legal, proposal_digest, flags, facts,
      itineraries, trace, evaluated_at, versions, superseded_at, superseded_by
    from skedchange.decisions
    where case_id = ${caseId}::uuid
    order by (id = ${inForce}::uuid) is true desc, decided_at desc, id desc
    limit ${historyMax}
  `.execute(reading);
  return rows
    .map((row) => ({
      id: row.id,
      action: row.action,
      rule: row.rule,
      reasons: row.reasons,
      decidedBy: row.decided_by,
      token: row.decided_with,
      decidedAt: row.decided_at,
      reviewQueue: row.review_queue,
      note: row.note,
      priority: row.priority,
      legal: row.legal,
      proposalDigest: row.proposal_digest,
      flags: row.flags,
      facts: row.facts,
      itineraries: row.itineraries,
      trace: row.trace,
      evaluatedAt: row.evaluated_at,
      versions: row.versions,
      supersededAt: row.superseded_at,
      supersededBy: row.superseded_by,
    }))
    .sort((a, b) => b.decidedAt.getTime() - a.decidedAt.getTime());
}

async function readEffects(reading: Connection, caseId: string): Promise<CaseEffect[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly decision_id: string;
    readonly action: string;
    readonly gds_booking_references: string[];
    readonly proposal_digest: string;
    readonly state: string;
    readonly planned_at: Date;
    readonly sent_at: Date | null;
    readonly finished_at: Date | null;
    readonly settle_reads: number;
    readonly results: unknown[] | null;
    readonly error: CaseEffect["error"];
    readonly settled: Json<Settlement<Date>> | null;
    readonly expected_refund: EffectRefund["expected"];
    readonly refund_check: EffectRefund["check"];
    readonly refunded: string | null;
  }>`
    select id, decision_id, action, gds_booking_references, proposal_digest, state, planned_at, sent_at, finished_at,
      settle_reads, results, error, expected_refund, refund_check,
      ${refundedAmount} as refunded, (
        select ${settlement} from skedchange.case_events s
        where s.case_id = e.case_id and ${isSettlement} and s.detail ->> 'effectId' = e.id::text
        order by s.id desc limit 1
      ) as settled
    from skedchange.effects e
    where case_id = ${caseId}::uuid
    order by planned_at desc, id desc
    limit ${historyMax}
  `.execute(reading);
  return rows.map((row) => ({
    id: row.id,
    decisionId: row.decision_id,
    action: row.action,
    gdsBookingReferences: row.gds_booking_references,
    proposalDigest: row.proposal_digest,
    state: row.state,
    plannedAt: row.planned_at,
    sentAt: row.sent_at,
    finishedAt: row.finished_at,
    settleReads: row.settle_reads,
    results: row.results,
    error: row.error,
    settled: toSettlement(row.settled),
    refund:
      row.action === "cancel"
        ? { expected: row.expected_refund, answered: row.refunded, check: row.refund_check }
        : null,
  }));
}

async function readCaseNotifications(reading: Connection, caseId: string): Promise<CaseNotification[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly received_at: Date;
    readonly receipts: number;
    readonly digest: string;
    readonly state: string;
    readonly body_deleted: BodyDeletionRow;
  }>`
    select n.id, n.received_at, g.receipts, encode(n.digest, 'hex') as digest, n.state,
      ${bodyDeletion("body", "n.")} as body_deleted
    from skedchange.case_notifications j
    join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
    join skedchange.notification_digests g on g.source = n.source and g.digest = n.digest
    where j.case_id = ${caseId}::uuid
    order by n.received_at desc, n.id desc
    limit ${historyMax}
  `.execute(reading);
  return rows.map((row) => ({
    id: row.id,
    receivedAt: row.received_at,
    receipts: row.receipts,
    digest: row.digest,
    state: row.state,
    bodyDeleted: toBodyDeletion(row.body_deleted),
  }));
}

async function readTimeline(reading: Connection, caseId: string): Promise<CaseEvent[]> {
  const { rows } = await sql<CaseEvent>`
    select id, at, kind, actor, ${nameOfToken(sql`token_id`)} as token, detail
    from skedchange.case_events
    where case_id = ${caseId}::uuid
    order by id desc
    limit ${historyMax}
  `.execute(reading);
  return rows.toReversed();
}

// --------------------------------------------------------------------------------------------- notifications

interface NotificationRow {
  readonly id: string;
  readonly source: string;
  readonly received_at: Date;
  readonly receipts: number;
  readonly last_receipt_at: Date;
  readonly state: string;
  readonly problem: NotificationItem["problem"];
  readonly digest: string;
  readonly body_bytes: number;
  readonly body_deleted: BodyDeletionRow;
  readonly content_type: string | null;
  readonly discarded: NotificationItem["discarded"];
  readonly position: string;
}

const notificationColumns = sql`
  n.id, n.source, n.received_at, g.receipts, g.last_receipt_at, n.state, n.problem, encode(n.digest, 'hex') as digest,
  n.body_bytes, ${bodyDeletion("body", "n.")} as body_deleted, n.content_type,
  case when n.discarded_at is not null then json_build_object(
    'at', ${positionOf(sql`n.discarded_at`)}, 'by', n.discarded_by, 'note', n.discard_note
  ) end as discarded, ${positionOf(sql`n.received_at`)} as position
`;

const notificationsWithReceipts = sql`skedchange.notifications n
  join skedchange.notification_digests g on g.source = n.source and g.digest = n.digest`;

function toNotificationItem(row: NotificationRow): Omit<NotificationItem, "orders"> {
  return {
    id: row.id,
    source: row.source,
    receivedAt: row.received_at,
    receipts: row.receipts,
    lastReceiptAt: row.last_receipt_at,
    state: row.state,
    problem: row.problem,
    digest: row.digest,
    bodyBytes: row.body_bytes,
    bodyDeleted: toBodyDeletion(row.body_deleted),
    contentType: row.content_type,
    discarded: row.discarded,
  };
}

async function listNotifications(
  reading: Connection,
  encryption: Encryption,
  filter: NotificationFilter,
): Promise<Page<NotificationItem>> {
  const { visible, state, source, code = null, limit } = filter;
  const { rows } = await sql<NotificationRow>`
    select ${notificationColumns}
    from ${notificationsWithReceipts}
    where ${after(sql`n.received_at`, sql`n.id`, filter.after)}
      and ${isOfVisibleSource(sql`n.source`, visible)}
      and ${isListedAs(state)}
      and ${source === null ? sql`true` : sql`n.source = ${source}`}
      and ${code === null ? sql`true` : sql`n.problem ->> 'code' = ${code}`}
    order by n.received_at desc, n.id desc
    limit ${limit + 1}
  `.execute(reading);
  const page = toPage(rows, limit, toNotificationItem);
  return { ...page, items: await withOrders(reading, encryption, page.items) };
}

async function withOrders(
  reading: Connection,
  encryption: Encryption,
  items: readonly Omit<NotificationItem, "orders">[],
): Promise<NotificationItem[]> {
  const unusable = items.filter(({ problem }) => problem !== null);
  const named = await readNamedOrders(reading, encryption, unusable);
  return items.map((item) => ({ ...item, orders: named.get(item.id) ?? noOrders }));
}

/** A discarded notification is quarantined too, and on a list of its own. */
function isListedAs(state: NotificationFilter["state"]): RawBuilder<unknown> {
  if (state === null) return sql`true`;
  if (state === "discarded") return sql`n.state = 'quarantined' and n.discarded_at is not null`;
  return state === "quarantined" ? sql`n.state = 'quarantined' and n.discarded_at is null` : sql`n.state = ${state}`;
}

async function readNotification(
  reading: Connection,
  encryption: Encryption,
  id: string,
  visible: VisibleSources,
): Promise<NotificationDetail | null> {
  const { rows } = await sql<NotificationRow>`
    select ${notificationColumns}
    from ${notificationsWithReceipts}
    where n.id = ${id}::uuid and ${isOfVisibleSource(sql`n.source`, visible)}
  `.execute(reading);
  const row = rows[0];
  if (row === undefined) return null;
  const cases = await sql<NotificationDetail["cases"][number]>`
    select c.id, c.order_id as "orderId", ${shownState} as state, j.joined_at as "joinedAt"
    from skedchange.case_notifications j
    join skedchange.cases c on c.id = j.case_id
    where j.notification_id = ${id}::uuid
    order by j.joined_at desc, c.id desc
    limit ${historyMax}
  `.execute(reading);
  const [item] = await withOrders(reading, encryption, [toNotificationItem(row)]);
  return { ...item!, cases: cases.rows };
}

// -------------------------------------------------------------------------------------------- reconciliation

/**
 * Design, invariant 1: a case makes progress if it is finished, visibly waits for a person or the traveller, or has a
 * due time. A notification is unattended if it has no case, or a case without progress.
 */
export async function reconcile(reading: Connection, idsMax: number): Promise<Omit<Reconciliation, "damage">> {
  const { rows } = await sql<{
    readonly examined: number;
    readonly pending: number;
    readonly without_case: number;
    readonly without_case_ids: string[];
    readonly without_progress: number;
    readonly without_progress_ids: string[];
  }>`
    with standing as (
      select n.id, n.received_at,
        g.pending_since is not null as pending,
        ${isUnattended} as without_case,
        j.case_id is not null and ${isWithoutProgress} as without_progress
      from skedchange.notifications n
      left join ${pendingDigest}
      left join skedchange.case_notifications j on j.notification_id = n.id
      left join skedchange.cases c on c.id = j.case_id
      where ${isAcknowledged}
    ),
    by_notification as (
      select id, received_at, bool_or(pending) as pending, bool_or(without_case) as without_case,
        bool_or(without_progress) as without_progress
      from standing
      group by id, received_at
    )
    select
      count(*) as examined,
      count(*) filter (where pending) as pending,
      count(*) filter (where without_case) as without_case,
      count(*) filter (where without_progress) as without_progress,
      array(select id from by_notification where without_case order by received_at, id limit ${idsMax})
        as without_case_ids,
      array(select id from by_notification where without_progress order by received_at, id limit ${idsMax})
        as without_progress_ids
    from by_notification
  `.execute(reading);
  const found = rows[0]!;
  return {
    examined: found.examined,
    pending: found.pending,
    withoutCase: { count: found.without_case, notificationIds: found.without_case_ids },
    withoutProgress: { count: found.without_progress, notificationIds: found.without_progress_ids },
  };
}
