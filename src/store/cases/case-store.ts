import { sql, type Transaction } from "kysely";
import type { CaseState } from "../../cases/lifecycle.ts";
import type { CaseSnapshot, DecisionSnapshot, OrderContext } from "../../cases/order-context.ts";
import { defaultStatusLagMs } from "../../cases/timing.ts";
import type { Itinerary } from "../../itinerary/itinerary.ts";
import type { EarlierProposal } from "../../itinerary/sequence-facts.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { CaseStore, Lease } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { createNotificationReader, type NotificationRow } from "../notifications/notification-reader.ts";
import { createLeaseStore } from "../orders/leases.ts";
import { actOnCase } from "./actions/act-on-case.ts";
import { automationStoppedAt } from "./automation.ts";
import { addCaseEvent, announceDue, insertDecision, json, moveCase, storedDigests } from "./case-rows.ts";
import { createSteps } from "./case-steps.ts";
import { createEffectStore } from "./effects.ts";
import { findEffect, hasEffect } from "./find-effect.ts";
import { openTask } from "./open-task.ts";
import { findReserved } from "./reserved-decisions.ts";
import { findWhatPeopleRecorded } from "./traveller-contacts.ts";

export interface CaseStoreOptions {
  /** Orders worth more are cancelled only when two people want it, decimal text; null: one is always enough. */
  readonly secondPersonAbove?: string | null;
  /** How long a status may still show a change as open after it was answered. */
  readonly statusLagMs?: number;
}

/** Cases, decisions and effects in PostgreSQL. */
export function createCaseStore(
  database: Database,
  clock: Clock,
  { secondPersonAbove = null, statusLagMs = defaultStatusLagMs }: CaseStoreOptions = {},
): CaseStore {
  const { kysely, sealing } = database;
  const { underLease, underDecision } = createSteps(database);
  const reader = createNotificationReader(sealing);

  return {
    ...createLeaseStore(database),
    ...createEffectStore(database, clock),

    beginWork: async (lease, without) => {
      const remembered = reader.remembered();
      const found = await underLease(lease, (transaction) =>
        beginWork(transaction, lease, clock.now(), [...remembered.keys()]),
      );
      if (found === null) return null;
      const { notification, ...context } = found;
      const isLeftOut = notification === null || without === "without-notification";
      if (isLeftOut) return { ...context, notification: null };
      const reading = await reader.read(notification, remembered);
      return { ...context, notification: reading.ok ? reading.view : "unreadable" };
    },

    saveStatus: async (lease, caseId, purpose, reading) => {
      const id = newId(clock);
      const sealed = await sealing.seal(reading.body);
      await underLease(lease, async (transaction) => {
        await sql`
          insert into skedchange.status_views (id, case_id, purpose, read_at, body, body_encoding, body_bytes, key_id)
          values (${id}, ${caseId}, ${purpose}, ${reading.readAt}, ${sealed.body}, ${sealed.bodyEncoding},
            ${sealed.bodyBytes}, ${sealed.keyId})
        `.execute(transaction);
      });
      return id;
    },

    decide: async (lease, work, decision, move, baseline) => {
      const id = newId(clock);
      const at = clock.now();
      await underDecision(lease, work, async (transaction) => {
        await insertDecision(transaction, work.id, id, at, decision);
        await moveCase(transaction, work, at, move, null);
        if (baseline !== null) {
          await sql`
            update skedchange.orders set booked_itinerary = ${json(baseline.booked)}, booked_from = ${baseline.from}
            where source = ${lease.source} and order_id = ${lease.orderId} and booked_itinerary is null
          `.execute(transaction);
        }
      });
      return id;
    },

    move: async (lease, work, move, event, tasks = []) => {
      const at = clock.now();
      await underDecision(lease, work, async (transaction) => {
        const isUnchanged = move.isUnchanged ?? move.state === work.state;
        await moveCase(transaction, work, at, { ...move, ...(isUnchanged ? { isUnchanged } : {}) }, null);
        await addCaseEvent(transaction, { caseId: work.id, at, actor: "worker", ...event });
        for (const task of tasks) await openTask(transaction, work.id, newId(clock), at, task);
      });
    },

    postpone: async (lease, work, failure, dueAt, state) => {
      const at = clock.now();
      await underDecision(lease, work, async (transaction) => {
        const reviewQueue =
          (await currentReviewQueue(transaction, work.id)) ?? (state === "awaiting-agent" ? "agent" : null);
        // Who was asked before is asked as before.
        const waiting = state === undefined ? { state: work.state } : ({ state, isUnchanged: true } as const);
        await moveCase(transaction, work, at, { ...waiting, reviewQueue, dueAt }, failure);
        if (work.failures === 0) {
          await addCaseEvent(transaction, {
            caseId: work.id,
            at,
            kind: "case.postponed",
            actor: "worker",
            detail: failure,
          });
        }
      });
    },

    openNextCase: async (lease, finished) => {
      const id = newId(clock);
      const at = clock.now();
      await underLease(lease, async (transaction) => {
        await sql`update skedchange.cases set due_at = null where id = ${finished.id}`.execute(transaction);
        // A notification may have opened the next case a moment ago; it then serves as well.
        const opened = await sql`
          insert into skedchange.cases (
            id, source, order_id, gds_booking_references, state, due_at, opened_at, updated_at
          ) values (
            ${id}, ${lease.source}, ${lease.orderId}, ${finished.gdsBookingReferences}, 'received', now(), ${at}, ${at}
          )
          on conflict (source, order_id) where state not in ('done', 'resolved-elsewhere', 'closed') do nothing
          returning id
        `.execute(transaction);
        if (opened.rows.length === 0) return;
        await sql`
          insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
          select ${id}::uuid, notification_id, notification_received_at, ${at}::timestamptz
          from skedchange.case_notifications where case_id = ${finished.id}
        `.execute(transaction);
        await addCaseEvent(transaction, {
          caseId: id,
          at,
          kind: "case.opened",
          actor: "worker",
          detail: { after: finished.id },
        });
        await announceDue(transaction);
      });
    },

    act: async (action) => {
      const context = { at: clock.now(), newId: () => newId(clock), secondPersonAbove, statusLagMs };
      return await kysely.transaction().execute((transaction) => actOnCase(transaction, action, context));
    },
  };
}

async function currentReviewQueue(transaction: Transaction<Tables>, caseId: string): Promise<string | null> {
  const { rows } = await sql<{ review_queue: string | null }>`
    select review_queue from skedchange.cases where id = ${caseId}
  `.execute(transaction);
  return rows[0]?.review_queue ?? null;
}

async function beginWork(
  transaction: Transaction<Tables>,
  lease: Lease,
  at: Date,
  rememberedIds: readonly string[],
): Promise<(Omit<OrderContext, "notification"> & { notification: NotificationRow | null }) | null> {
  const current = await findCase(transaction, lease);
  if (current === null) return null;
  const state = await beginChecking(transaction, current, at);
  const decision = current.decisionId === null ? null : await findDecision(transaction, current.decisionId);
  const order = await findOrder(transaction, lease);
  return {
    source: lease.source,
    orderId: lease.orderId,
    case: { ...current.snapshot, state },
    decision: decision?.snapshot ?? null,
    decisionHasEffect: decision?.hasEffect ?? false,
    reserved: await findReserved(transaction, lease, current.snapshot.id),
    refusalsForNow: decision?.refusalsForNow ?? 0,
    liveEffect: await findEffect(transaction, lease, "live"),
    lastSuccess: await findEffect(transaction, lease, "succeeded"),
    booked: order.booked,
    bookedFrom: order.bookedFrom,
    accepted: order.accepted,
    storedDigests: order.storedDigests,
    automationStoppedAt: order.automationStoppedAt,
    earlierProposals: await findEarlierProposals(transaction, lease),
    ...(await findWhatPeopleRecorded(transaction, lease, current.snapshot.id, current.decisionId)),
    notification: await findNotification(transaction, current.snapshot.id, rememberedIds),
  };
}

/** The open case of the order, else the finished one that is due. An open case answers for finished ones, too. */
async function findCase(
  transaction: Transaction<Tables>,
  lease: Lease,
): Promise<{ snapshot: CaseSnapshot; decisionId: string | null } | null> {
  const { rows } = await sql<{
    id: string;
    state: CaseState;
    gds_booking_references: string[];
    wake: number;
    failures: number;
    last_error: { since?: string } | null;
    proposal_digest: string | null;
    decision_id: string | null;
    opened_at: Date;
    notified_at: Date | null;
    undo_left_ms: number | null;
    finished: boolean;
  }>`
    select id, state, wake, failures, last_error, proposal_digest, decision_id, opened_at,
      case when cardinality(gds_booking_references) > 0 then gds_booking_references else (
        select o.gds_booking_references from skedchange.orders o
        where o.source = ${lease.source} and o.order_id = ${lease.orderId}
      ) end as gds_booking_references,
      case when state in ('done', 'resolved-elsewhere', 'closed') then (
        select max(n.at) from skedchange.case_events n
        where n.case_id = cases.id and n.kind in ('notification.received', 'notification.replayed')
      ) else (
        select max(j.joined_at) from skedchange.case_notifications j where j.case_id = cases.id
      ) end as notified_at,
      (extract(epoch from undo_until - now()) * 1000)::double precision as undo_left_ms, state in ('done', 'resolved-elsewhere', 'closed') as finished
    from skedchange.cases
    where source = ${lease.source} and order_id = ${lease.orderId}
      and (state not in ('done', 'resolved-elsewhere', 'closed') or due_at is not null)
    order by finished, opened_at desc
    for update
  `.execute(transaction);
  const row = rows[0];
  if (row === undefined) return null;
  if (rows.length > 1) {
    await sql`
      update skedchange.cases set due_at = null where id = any(${rows.slice(1).map((other) => other.id)}::uuid[])
    `.execute(transaction);
  }
  const since = row.last_error?.since;
  return {
    snapshot: {
      id: row.id,
      state: row.state,
      gdsBookingReferences: row.gds_booking_references,
      wake: row.wake,
      failures: row.failures,
      failingSince: since === undefined ? null : new Date(since),
      proposalDigest: row.proposal_digest,
      openedAt: row.opened_at,
      notifiedAt: row.notified_at,
      decisionId: row.decision_id,
      undoLeftMs: row.undo_left_ms,
    },
    decisionId: row.decision_id,
  };
}

async function beginChecking(
  transaction: Transaction<Tables>,
  { snapshot }: { snapshot: CaseSnapshot },
  at: Date,
): Promise<CaseState> {
  const { rows } = await sql`
    update skedchange.cases set state = 'checking', updated_at = ${at}
    where id = ${snapshot.id} and state in ('received', 'awaiting-agent', 'awaiting-traveller', 'snoozed')
    returning id
  `.execute(transaction);
  return rows.length === 0 ? snapshot.state : "checking";
}

async function findDecision(
  transaction: Transaction<Tables>,
  id: string,
): Promise<{ snapshot: DecisionSnapshot; hasEffect: boolean; refusalsForNow: number } | null> {
  const { rows } = await sql<{
    action: DecisionSnapshot["action"];
    decided_by: string;
    question: DecisionSnapshot["question"];
    review_queue: string | null;
    proposal_digest: string | null;
    policy_version: string | null;
    on_status: boolean;
    proposed: Itinerary | null;
    facts: DecisionSnapshot["facts"];
    has_effect: boolean;
    refusals_for_now: number;
  }>`
    select d.action, d.decided_by, d.question, d.review_queue, d.proposal_digest, d.versions ->> 'policy' as policy_version,
      d.status_view_id is not null as on_status, d.itineraries -> 'proposed' as proposed, d.facts,
      ${hasEffect} as has_effect,
      (
        select count(*) from skedchange.effects e
        where e.decision_id = d.id and e.state = 'failed' and e.error ->> 'code' = 'desk.refused_for_now'
      )::integer as refusals_for_now
    from skedchange.decisions d where d.id = ${id}
  `.execute(transaction);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    snapshot: {
      id,
      action: row.action,
      decidedBy: row.decided_by,
      question: row.question,
      reviewQueue: row.review_queue,
      proposalDigest: row.proposal_digest,
      policyVersion: row.policy_version,
      onStatus: row.on_status,
      proposed: row.proposed,
      facts: row.facts,
    },
    hasEffect: row.has_effect,
    refusalsForNow: row.refusals_for_now,
  };
}

async function findOrder(
  transaction: Transaction<Tables>,
  lease: Lease,
): Promise<Pick<OrderContext, "booked" | "bookedFrom" | "accepted" | "storedDigests" | "automationStoppedAt">> {
  const { rows } = await sql<{
    booked_itinerary: Itinerary | null;
    booked_from: string | null;
    accepted_itinerary: Itinerary | null;
    stored_digests: string[];
    automation_stopped_at: Date | null;
  }>`
    select booked_itinerary, booked_from, accepted_itinerary, ${storedDigests} as stored_digests,
      ${automationStoppedAt} as automation_stopped_at
    from skedchange.orders o
    where o.source = ${lease.source} and o.order_id = ${lease.orderId}
  `.execute(transaction);
  const [row] = rows;
  return {
    booked: row?.booked_itinerary ?? null,
    bookedFrom: row?.booked_from ?? null,
    accepted: row?.accepted_itinerary ?? null,
    storedDigests: row?.stored_digests ?? [],
    automationStoppedAt: row?.automation_stopped_at ?? null,
  };
}

/** How many changes of an order are looked back on: far more than one ever has, and a bound on the work. */
const earlierProposalsMax = 100;

/** One for each run of decisions about the same proposal: an order may go from A to B and back to A. */
async function findEarlierProposals(
  transaction: Transaction<Tables>,
  lease: Lease,
): Promise<readonly EarlierProposal[]> {
  const { rows } = await sql<{ proposed: Itinerary; decided_at: Date }>`
    select itineraries -> 'proposed' as proposed, decided_at
    from (
      select d.id, d.itineraries, d.decided_at, d.proposal_digest,
        lag(d.proposal_digest) over (order by d.decided_at, d.id) as digest_before
      from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
      where c.source = ${lease.source} and c.order_id = ${lease.orderId} and d.itineraries is not null
    ) decided
    where proposal_digest is distinct from digest_before
    order by decided_at desc, id desc
    limit ${earlierProposalsMax}
  `.execute(transaction);
  return rows.reverse().map(({ proposed, decided_at }) => ({ proposed, decidedAt: decided_at.toISOString() }));
}

/** The newest notification of the case, without its body when it is among the remembered ones. */
async function findNotification(
  transaction: Transaction<Tables>,
  caseId: string,
  rememberedIds: readonly string[],
): Promise<NotificationRow | null> {
  const { rows } = await sql<NotificationRow>`
    select n.id, case when n.id = any(${rememberedIds}::uuid[]) then null else n.body end as body,
      n.body_encoding as "bodyEncoding", n.body_bytes as "bodyBytes", n.key_id as "keyId"
    from skedchange.case_notifications j
    join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
    where j.case_id = ${caseId}
    order by j.notification_received_at desc, j.notification_id desc
    limit 1
  `.execute(transaction);
  return rows[0] ?? null;
}
