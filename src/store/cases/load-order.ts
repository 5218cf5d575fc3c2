import type { EffectSnapshot } from "../../cases/effect-snapshot.ts";
import type {
  CaseSnapshot,
  DecisionSnapshot,
  OrderContext,
  OrderKey,
  TravellerContact,
} from "../../cases/order-context.ts";
import { namesOrder } from "../../contract/order-views.ts";
import { type Fields, recordset } from "../database/recordset.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import type { NotificationReader, NotificationRow } from "../notifications/notification-reader.ts";
import { automationStoppedAt } from "./automation.ts";
import { type Json, storedDigests } from "./case-rows.ts";
import { hasEffect, lastSuccess, liveEffect, toEffectSnapshot } from "./effect-snapshot.ts";
import { reservedDecisions } from "./reserved-decisions.ts";
import { finishedStates } from "./states.ts";
import { type SinceDecision, sinceDecision, snoozedUntil, travellerContacts } from "./traveller-contacts.ts";

export type StoredContext = Omit<OrderContext, "notification"> & { readonly notification: NotificationRow | null };

export interface LoadedOrder {
  /** Of the lease in force; null if there is none. */
  readonly fence: number | null;
  /** What woke the case, newest first. */
  readonly traceparents: readonly string[];
  /** How long the case has been due; 0 if it is not. */
  readonly dueForMs: number;
  /** Null if there is no case to work on. */
  readonly context: StoredContext | null;
}

interface LoadedRow
  extends Omit<CaseSnapshot, "failingSince">,
    Omit<NotificationRow, "id">,
    Pick<
      OrderContext,
      "booked" | "bookedFrom" | "accepted" | "automationStoppedAt" | "storedDigests" | "reserved" | "earlierProposals"
    > {
  readonly failingSince: string | null;
  readonly decision: (DecisionSnapshot & { readonly hasEffect: boolean; readonly temporaryRefusals: number }) | null;
  readonly since: SinceDecision;
  readonly snoozedUntil: string | null;
  readonly liveEffect: Json<EffectSnapshot> | null;
  readonly lastSuccess: Json<EffectSnapshot> | null;
  readonly travellerContacts: readonly Json<TravellerContact>[];
  readonly notificationId: string | null;
}

const keyFields: Fields = { place: "integer", source: "text", orderId: "text" };

const nothingToWorkOn: LoadedOrder = { fence: null, traceparents: [], dueForMs: 0, context: null };

/** Loads orders, each with the case that is worked on, in one statement, so that all parts are of one moment. */
export async function loadOrders(
  transaction: Connection,
  keys: readonly OrderKey[],
  rememberedIds: readonly string[],
): Promise<readonly LoadedOrder[]> {
  const given = keys.map(({ source, orderId }, place) => ({ place, source, orderId }));
  const fence = sql`case when o.leased_until > clock_timestamp() then o.lease_fence end`;
  const { rows } = await sql<OrderRow>`
    select g.place, ${loadedColumns({ fence, state: sql`c.state`, rememberedIds })}
    from ${recordset("g", keyFields, given)}
    join skedchange.orders o on o.source = g.source and o.order_id = g."orderId"
    left join skedchange.cases c on c.id = ${workedOn(sql`o`)}
    ${newestNotification}
  `.execute(transaction);
  const loaded = new Map(rows.map((row) => [row.place, toLoadedOrder(keys[row.place]!, row)]));
  return keys.map((_, place) => loaded.get(place) ?? nothingToWorkOn);
}

export type OrderRow = { readonly place: number } & Omit<LoadedOrder, "context"> & (LoadedRow | { readonly id: null });

export function toLoadedOrder(key: OrderKey, row: OrderRow): LoadedOrder {
  const { fence, traceparents, dueForMs } = row;
  return { fence, traceparents, dueForMs, context: row.id === null ? null : toContext(key, row) };
}

/**
 * What is loaded of order `o`, its case `c`, and the notification `n` of that: see `newestNotification`.
 * @param rememberedIds notifications that are returned without their bodies
 */
export function loadedColumns({
  fence,
  state,
  rememberedIds,
}: {
  readonly fence: Sql;
  readonly state: Sql;
  readonly rememberedIds: readonly string[];
}): Sql {
  return sql`
    ${fence} as fence, coalesce(c.traceparents, '{}') as traceparents,
    coalesce(greatest(extract(epoch from now() - c.due_at) * 1000, 0), 0)::double precision as "dueForMs",
    c.id, ${state} as state, c.review_queue as "reviewQueue", c.wake as "requeueCount", c.failures,
    c.last_error ->> 'since' as "failingSince", c.proposal_digest as "proposalDigest", c.opened_at as "openedAt",
    c.decision_id as "decisionId", ${knownReferences} as "gdsBookingReferences",
    ${notifiedAt} as "notifiedAt",
    (extract(epoch from c.undo_until - now()) * 1000)::double precision as "undoLeftMs",
    case when c.due_by <= now() then c.due_by end as "clockRanOutAt",
    o.booked_itinerary as booked, o.booked_from as "bookedFrom", o.accepted_itinerary as accepted,
    ${stoppedAt} as "automationStoppedAt", ${storedDigests} as "storedDigests",
    ${decisionInForce} as decision, ${sinceDecision} as since, ${snoozedUntil} as "snoozedUntil",
    ${reservedDecisions} as reserved, ${liveEffect} as "liveEffect", ${lastSuccess} as "lastSuccess",
    ${earlierProposals} as "earlierProposals", ${travellerContacts} as "travellerContacts",
    n.id as "notificationId", case when n.id = any(${rememberedIds}::uuid[]) then null else n.body end as body,
    n.body_encoding as "bodyEncoding", n.body_bytes as "bodyBytes", n.key_id as "keyId"
  `;
}

/** The case of order `of` that is worked on. */
export function workedOn(of: Sql): Sql<string | null> {
  return sql`(
    select w.id from skedchange.cases w
    where w.source = ${of}.source and w.order_id = ${of}.order_id and (w.state not in ${finishedStates} or w.due_at is not null)
    order by w.state in ${finishedStates}, w.opened_at desc
    limit 1
  )`;
}

const stoppedAt = automationStoppedAt(sql`o.source`);

/** What the case itself does not know is taken from the import or a poll, then from an earlier case of the order. */
const knownReferences = sql`case
  when cardinality(c.gds_booking_references) > 0 then c.gds_booking_references
  when cardinality(o.gds_booking_references) > 0 then o.gds_booking_references
  else coalesce((
    select e.gds_booking_references from skedchange.cases e
    where e.source = o.source and e.order_id = o.order_id and cardinality(e.gds_booking_references) > 0
    order by e.opened_at desc, e.id desc
    limit 1
  ), '{}') end`;

/** For a finished case repeated bytes count as well: see `CaseSnapshot`. */
const notifiedAt = sql`
  case when c.state in ${finishedStates} then (
    select max(h.at) from skedchange.case_events h
    where h.case_id = c.id and h.kind in ('notification.received', 'notification.replayed')
  ) else (
    select max(j.joined_at) from skedchange.case_notifications j where j.case_id = c.id
  ) end
`;

const decisionInForce = sql`(
  select jsonb_build_object(
    'id', d.id, 'action', d.action, 'decidedBy', d.decided_by, 'rule', d.rule, 'question', d.question, 'reviewQueue', d.review_queue,
    'proposalDigest', d.proposal_digest, 'policyVersion', d.versions ->> 'policy',
    'marksVersion', d.versions ->> 'memberMarks',
    'onStatus', d.status_view_id is not null, 'proposed', d.itineraries -> 'proposed', 'facts', d.facts,
    'hasEffect', ${hasEffect}, 'temporaryRefusals', (
      select count(*) from skedchange.effects e
      where e.case_id = d.case_id and e.decision_id = d.id and e.state = 'failed'
        and e.error ->> 'code' = 'desk.refused_for_now'
    )
  )
  from skedchange.decisions d where d.id = c.decision_id
)`;

/** Bounds the work; real orders have far fewer. */
const earlierProposalsMax = 100;

/** One row per run of decisions about the same proposal, newest first: an order may go from A to B and back to A. */
const earlierProposals = sql`array(
  select jsonb_build_object(
    'proposed', decided.proposed, 'decidedAt', decided.decided_at, 'isBlank', decided.flights = '[[], []]'
  )
  from (
    select d.id, d.itineraries -> 'proposed' as proposed, d.decided_at,
      jsonb_build_array(d.itineraries #> '{current,segments}', d.itineraries #> '{proposed,segments}') as flights, d.proposal_digest,
      lag(d.proposal_digest) over (order by d.decided_at, d.id) as digest_before
    from skedchange.decisions d join skedchange.cases k on k.id = d.case_id
    where k.source = o.source and k.order_id = o.order_id and d.itineraries is not null
  ) decided
  where decided.proposal_digest is distinct from decided.digest_before
  order by decided.decided_at desc, decided.id desc
  limit ${sql.lit(earlierProposalsMax)}
)`;

/** Joins the newest notification `n` of case `c` whose body is still stored. */
export const newestNotification = sql`left join lateral (
  select n.id, n.body, n.body_encoding, n.body_bytes, n.key_id
  from skedchange.case_notifications j
  join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
  where j.case_id = c.id and n.body_deleted_at is null
  order by j.notification_received_at desc, j.notification_id desc
  limit 1
) n on true`;

function toContext({ source, orderId }: OrderKey, row: LoadedRow): StoredContext {
  const { id, state, reviewQueue, gdsBookingReferences, requeueCount, failures, failingSince, proposalDigest } = row;
  const { openedAt, notifiedAt: lastNotifiedAt, decisionId, undoLeftMs, clockRanOutAt } = row;
  const { booked, bookedFrom, accepted, storedDigests: digests, reserved, since } = row;
  return {
    source,
    orderId,
    case: {
      id,
      state,
      reviewQueue,
      gdsBookingReferences,
      requeueCount,
      failures,
      proposalDigest,
      openedAt,
      decisionId,
      undoLeftMs,
      clockRanOutAt,
      failingSince: failingSince === null ? null : new Date(failingSince),
      notifiedAt: lastNotifiedAt,
    },
    ...decisionOf(row),
    booked,
    bookedFrom,
    accepted,
    reserved,
    storedDigests: digests,
    automationStoppedAt: row.automationStoppedAt,
    liveEffect: row.liveEffect === null ? null : toEffectSnapshot(row.liveEffect),
    lastSuccess: row.lastSuccess === null ? null : toEffectSnapshot(row.lastSuccess),
    earlierProposals: row.earlierProposals.toReversed().map(({ proposed, decidedAt, isBlank }) => ({
      proposed,
      isBlank: isBlank === true,
      decidedAt: new Date(decidedAt).toISOString(),
    })),
    travellerContacts: row.travellerContacts.toReversed().map((contact) => ({
      ...contact,
      happenedAt: new Date(contact.happenedAt),
    })),
    lastContact: since.lastContact,
    isRestated: since.isRestated,
    isTakenOver: since.isTakenOver,
    snoozedUntil: row.snoozedUntil === null ? null : new Date(row.snoozedUntil),
    notification: notificationOf(row),
  };
}

function decisionOf({
  decision,
}: LoadedRow): Pick<OrderContext, "decision" | "decisionHasEffect" | "temporaryRefusals"> {
  if (decision === null) return { decision: null, decisionHasEffect: false, temporaryRefusals: 0 };
  const { hasEffect: decisionHasEffect, temporaryRefusals, ...inForce } = decision;
  return { decision: inForce, decisionHasEffect, temporaryRefusals };
}

function notificationOf({ notificationId, body, bodyEncoding, bodyBytes, keyId }: LoadedRow): NotificationRow | null {
  return notificationId === null ? null : { id: notificationId, body, bodyEncoding, bodyBytes, keyId };
}

/**
 * Reads the notification of a case that was loaded.
 * @param remembered taken before the case was loaded
 * @throws `store.cannot_open`
 */
export async function openContext(
  stored: StoredContext | null,
  reader: NotificationReader,
  remembered: ReturnType<NotificationReader["remembered"]>,
): Promise<OrderContext | null> {
  if (stored === null) return null;
  const { notification } = stored;
  if (notification === null) return { ...stored, notification };
  const { views, repeatedBody } = await reader.read(notification, remembered);
  const own = views.length === 1 ? views : views.filter(({ view }) => namesOrder(view, stored.orderId));
  return {
    ...stored,
    case: { ...stored.case, nameTokens: own.flatMap(({ nameTokens }) => nameTokens), repeatedBody },
    // An order that several views of a list state is stated twice, so nothing that they say of it is known.
    notification: own.length === 1 ? own[0]!.view : "unreadable",
  };
}
