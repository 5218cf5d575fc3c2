import type { CaseState } from "../../cases/lifecycle.ts";
import type { Itinerary } from "../../itinerary/itinerary.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { PolledOrder, PollOutcome, PollStore } from "../../worker/poll-ports.ts";
import type { Lease } from "../../worker/ports.ts";
import { addCaseEvent, announceDue, json, storedDigests } from "../cases/case-rows.ts";
import { finishedStates, liveStates } from "../cases/states.ts";
import type { Database } from "../database/database.ts";
import type { Encrypted } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { storeSeen } from "../members/observed-members.ts";
import { isUnfinished } from "../notifications/unattended.ts";
import { holdLease } from "./leases.ts";

const actor = "poll";

/** Due times and the rate use the database's clock, as leases do. */
export function createPollStore(database: Database, clock: Clock): PollStore {
  const { connection, encryption } = database;
  return {
    listUnplanned: async (source, limit) => {
      const { rows } = await sql<{
        order_id: string;
        has_reference: boolean;
        booked_itinerary: Itinerary | null;
        accepted_itinerary: Itinerary | null;
      }>`
        select o.order_id, o.booked_itinerary, o.accepted_itinerary,
          cardinality(o.gds_booking_references) > 0 or exists (
            select from skedchange.cases c
            where c.source = o.source and c.order_id = o.order_id and cardinality(c.gds_booking_references) > 0
          ) as has_reference
        from skedchange.orders o
        where o.source = ${source} and o.next_poll_at is null and o.poll_ended is null
        limit ${limit}
      `.execute(connection);
      return rows.map((row) => ({
        source,
        orderId: row.order_id,
        hasReference: row.has_reference,
        flights: [row.booked_itinerary, row.accepted_itinerary].filter((flights) => flights !== null),
      }));
    },

    plan: async (planned) => {
      const now = clock.now();
      await sql`
        update skedchange.orders o
        set next_poll_at = now() + make_interval(secs => plan.wait), poll_ended = plan.ended
        from unnest(
          ${planned.map(({ source }) => source)}::text[], ${planned.map(({ orderId }) => orderId)}::text[],
          ${planned.map(({ nextPollAt }) => waitSeconds(nextPollAt, now))}::double precision[],
          ${planned.map(({ ended }) => ended)}::text[]
        ) as plan (source, order_id, wait, ended)
        where o.source = plan.source and o.order_id = plan.order_id and o.next_poll_at is null and o.poll_ended is null
      `.execute(connection);
    },

    acquirePoll: (source, holder, leaseMs, gapMs) =>
      inTransaction(database, (transaction) => acquirePoll(transaction, source, holder, leaseMs, gapMs)),

    beginPoll: (lease) =>
      inTransaction(database, async (transaction) => {
        await holdLease(transaction, lease);
        return await readPolled(transaction, lease);
      }),

    endPoll: async (lease, outcome, members = null) => {
      const ids = { statusView: newId(clock), case: newId(clock), at: clock.now() };
      const place = { column: "skedchange.order_status_views.body", row: ids.statusView } as const;
      const encrypted = outcome.seen === null ? null : await encryption.encryptBody(outcome.seen.reading.body, place);
      await inTransaction(database, async (transaction) => {
        await holdLease(transaction, lease);
        await savePollOutcome(transaction, lease, outcome, encrypted, ids);
        if (members !== null) await storeSeen(transaction, lease, members, ids.at);
      });
    },
  };
}

async function acquirePoll(
  transaction: Connection,
  source: string,
  holder: string,
  leaseMs: number,
  gapMs: number,
): Promise<Lease | null> {
  const { rows } = await sql<{ order_id: string }>`
    select o.order_id from skedchange.orders o
    where o.source = ${source} and o.next_poll_at <= now()
      and (o.leased_until is null or o.leased_until <= now())
      and (o.dispatched_until is null or o.dispatched_until <= now())
      and not exists (
        select from skedchange.cases c join skedchange.orders w on w.source = c.source and w.order_id = c.order_id
        where c.source = ${source} and c.due_at <= now() and (w.leased_until is null or w.leased_until <= now())
      )
    order by o.next_poll_at
    limit 1
    for no key update of o skip locked
  `.execute(transaction);
  const [found] = rows;
  if (found === undefined) return null;
  const paced = await sql`
    insert into skedchange.poll_pace as pace (source, next_at)
    values (${source}, now() + ${seconds(gapMs)})
    on conflict (source) do update set next_at = excluded.next_at where pace.next_at <= now()
    returning 1
  `.execute(transaction);
  if (paced.rows.length === 0) return null;
  const leased = await sql<{ lease_fence: number }>`
    update skedchange.orders
    set lease_fence = lease_fence + 1, leased_until = now() + ${seconds(leaseMs)}, leased_at = now(),
      leased_by = ${holder}
    where source = ${source} and order_id = ${found.order_id}
    returning lease_fence
  `.execute(transaction);
  return { source, orderId: found.order_id, fence: leased.rows[0]!.lease_fence };
}

async function readPolled(transaction: Connection, lease: Lease): Promise<PolledOrder | null> {
  const { rows } = await sql<{
    own_references: string[];
    case_references: string[] | null;
    booked_itinerary: Itinerary | null;
    accepted_itinerary: Itinerary | null;
    poll_digest: string | null;
    poll_failures: number;
    stored_digests: string[];
    case_id: string | null;
    case_state: CaseState | null;
    case_digest: string | null;
    decided_by_person: boolean;
    is_due: boolean | null;
    has_live_effect: boolean;
    success_digest: string | null;
    success_at: Date | null;
  }>`
    select o.gds_booking_references as own_references, o.booked_itinerary, o.accepted_itinerary, o.poll_digest,
      o.poll_failures, ${storedDigests} as stored_digests, c.id as case_id, c.state as case_state, c.proposal_digest as case_digest,
      coalesce(d.decided_by like 'person:%', false) as decided_by_person,
      c.due_at <= now() as is_due, c.gds_booking_references as case_references,
      exists (
        select from skedchange.effects e
        where e.source = o.source and e.order_id = o.order_id and e.state in ${liveStates}
      ) as has_live_effect,
      s.proposal_digest as success_digest, s.finished_at as success_at
    from skedchange.orders o
    left join lateral (
      select c.* from skedchange.cases c
      where c.source = o.source and c.order_id = o.order_id
      order by ${isUnfinished} desc, c.opened_at desc, c.id desc
      limit 1
    ) c on true
    left join skedchange.decisions d on d.id = c.decision_id
    left join lateral (
      select e.proposal_digest, e.finished_at from skedchange.effects e
      where e.source = o.source and e.order_id = o.order_id and e.state = 'succeeded'
      order by e.finished_at desc
      limit 1
    ) s on true
    where o.source = ${lease.source} and o.order_id = ${lease.orderId}
  `.execute(transaction);
  const [row] = rows;
  if (row === undefined || row.is_due === true) return null;
  return {
    gdsBookingReferences: [...new Set([...(row.case_references ?? []), ...row.own_references])],
    booked: row.booked_itinerary,
    accepted: row.accepted_itinerary,
    newestCase:
      row.case_id === null
        ? null
        : {
            id: row.case_id,
            state: row.case_state!,
            proposalDigest: row.case_digest,
            decidedByPerson: row.decided_by_person,
          },
    storedDigests: row.stored_digests,
    hasLiveEffect: row.has_live_effect,
    lastSuccess:
      row.success_digest === null ? null : { proposalDigest: row.success_digest, finishedAt: row.success_at },
    pollDigest: row.poll_digest,
    failures: row.poll_failures,
  };
}

interface Ids {
  readonly statusView: string;
  readonly case: string;
  readonly at: Date;
}

async function savePollOutcome(
  transaction: Connection,
  lease: Lease,
  { nextPollAt, ended, failures, error, seen, work }: PollOutcome,
  encrypted: Encrypted | null,
  { statusView, case: caseId, at }: Ids,
): Promise<void> {
  const { source, orderId } = lease;
  const isOrder = sql`source = ${source} and order_id = ${orderId}`;
  if (seen !== null && encrypted !== null) {
    await sql`
      insert into skedchange.order_status_views
        (id, source, order_id, read_at, proposal_digest, body, body_encoding, body_bytes, key_id, is_bound)
      select ${statusView}::uuid, source, order_id, ${seen.reading.readAt}::timestamptz, ${seen.proposalDigest}::text,
        ${encrypted.body}::bytea, ${encrypted.bodyEncoding}::text, ${encrypted.bodyBytes}::integer, ${encrypted.keyId}::text, true
      from skedchange.orders where ${isOrder} and poll_digest is distinct from ${seen.proposalDigest}
    `.execute(transaction);
    await sql`
      update skedchange.orders set polled_at = ${seen.reading.readAt}, poll_digest = ${seen.proposalDigest},
        gds_booking_references = gds_booking_references || array(
          select reference from unnest(${[...seen.gdsBookingReferences]}::text[]) as reference
          where reference <> all (gds_booking_references)
        ),
        booked_from = case when booked_itinerary is null and ${json(seen.booked)} is not null then 'status' else booked_from end,
        booked_itinerary = coalesce(booked_itinerary, ${json(seen.booked)})
      where ${isOrder}
    `.execute(transaction);
  }
  await sql`
    update skedchange.orders set poll_ended = ${ended}, poll_failures = ${failures}, poll_error = ${error},
      next_poll_at = now() + make_interval(secs => ${waitSeconds(nextPollAt, at)}::double precision)
    where ${isOrder}
  `.execute(transaction);
  if (work === "open-case") await openCase(transaction, lease, caseId, at);
  if (work === "wake-case") await requeueCase(transaction, lease, at);
}

async function openCase(transaction: Connection, lease: Lease, id: string, at: Date): Promise<void> {
  // A notification may have just opened one, which serves as well.
  const { rows } = await sql`
    insert into skedchange.cases (
      id, source, order_id, gds_booking_references, state, due_at, opened_at, updated_at
    )
    select ${id}::uuid, source, order_id, gds_booking_references, 'received', now(), ${at}::timestamptz, ${at}::timestamptz
    from skedchange.orders where source = ${lease.source} and order_id = ${lease.orderId}
    on conflict (source, order_id) where state not in ${finishedStates} do nothing
    returning id
  `.execute(transaction);
  if (rows.length === 0) return;
  await addCaseEvent(transaction, { caseId: id, at, kind: "case.opened", actor, detail: {} });
  await announceDue(transaction);
}

async function requeueCase(transaction: Connection, lease: Lease, at: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update skedchange.cases c
    set due_at = least(due_at, now()), wake = wake + 1, version = version + 1, updated_at = ${at}
    where source = ${lease.source} and order_id = ${lease.orderId} and ${isUnfinished}
    returning id
  `.execute(transaction);
  for (const { id } of rows) {
    await addCaseEvent(transaction, { caseId: id, at, kind: "status.changed", actor, detail: {} });
    await announceDue(transaction);
  }
}

/** Null means that no time is planned. */
function waitSeconds(at: Date | null, now: Date): number | null {
  return at === null ? null : Math.max(0, at.getTime() - now.getTime()) / 1_000;
}

function seconds(ms: number) {
  return sql`make_interval(secs => ${ms / 1_000})`;
}
