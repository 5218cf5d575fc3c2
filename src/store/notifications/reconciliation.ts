import type { Inconsistency } from "../../cases/inconsistency.ts";
import type { Dialect } from "../../contract/dialect.ts";
import { AppError } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import {
  defaultInconsistencyLimits,
  type InconsistencyLimits,
  type ReconciliationStore,
  type RepairOutcome,
} from "../../worker/reconciliation-ports.ts";
import { addCaseEvent, announceCases, announceDue } from "../cases/case-rows.ts";
import { inconsistencyQuery, readInconsistencies } from "../cases/inconsistency-queries.ts";
import { waitingStates } from "../cases/states.ts";
import type { Database } from "../database/database.ts";
import { storeErrors } from "../database/error-codes.ts";
import { sql } from "../database/sql.ts";
import { withConflictRetries } from "../database/sql-states.ts";
import { type Connection, inSnapshot, inTransaction } from "../database/transaction.ts";
import { clearPending, requeueCasesOf, type UsableNotification } from "./open-cases.ts";
import { readNotificationBody } from "./stored-notifications.ts";
import { countUnattended, hasNoCase, isAcknowledged, isUnattended } from "./unattended.ts";

const actor = "reconciler";

export interface ReconciliationStoreOptions {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly limits?: InconsistencyLimits;
}

export function createReconciliationStore(options: ReconciliationStoreOptions): ReconciliationStore {
  const { database, dialect, clock, limits = defaultInconsistencyLimits } = options;

  return {
    checkAcknowledged: async () => {
      const found = await inSnapshot(database, (snapshot) => countUnattended(snapshot, 0));
      return {
        examined: found.examined,
        withoutCase: found.withoutCase.count,
        withoutProgress: found.withoutProgress.count,
      };
    },

    findInconsistencies: (kind, max) =>
      inSnapshot(database, (snapshot) => readInconsistencies(snapshot, kind, limits, max)),

    repair: async (inconsistency) => {
      if (inconsistency.notificationId !== null) return await openMissingCases(database, dialect, inconsistency, clock);
      return await inTransaction(database, (transaction) => requeue(transaction, inconsistency, limits, clock.now()));
    },
  };
}

/**
 * Makes every case due that waits for people, so that workers read its status; returns how many. After a restore, when
 * the gateway knows more than the tables do.
 */
export async function recheckWaitingCases(database: Database, clock: Clock): Promise<number> {
  return await inTransaction(database, async (transaction) => {
    const isWaiting = sql`c.state in ${waitingStates}`;
    const asked = await sql`
      with locked as materialized (
        select c.id from skedchange.cases c
        join skedchange.orders o on o.source = c.source and o.order_id = c.order_id
        where ${isWaiting} order by o.source, o.order_id for no key update of o
      ), due as (
        update skedchange.cases c set due_at = least(c.due_at, now()), wake = c.wake + 1
        from locked where c.id = locked.id and ${isWaiting}
        returning c.id
      )
      insert into skedchange.case_events (case_id, at, kind, actor, detail)
      select id, ${clock.now()}, 'case.recheck_asked', ${actor}, '{}' from due
    `.execute(transaction);
    await announceDue(transaction);
    return asked.rowCount;
  });
}

/** As if the notification came now. Locks its digest first, as the receiver does for the same bytes. */
async function openMissingCases(
  database: Database,
  dialect: Dialect,
  inconsistency: Inconsistency,
  clock: Clock,
): Promise<RepairOutcome> {
  const id = inconsistency.notificationId!;
  const stored = await readNotificationBody(database, id, null);
  if (stored === null) return "gone";
  if (stored.body === null) {
    throw new AppError(
      storeErrors.bodyDeleted,
      `The body of notification ${id} was deleted, so its orders are unknown.`,
    );
  }
  const reading = dialect.findOrders(stored.body);
  if (!reading.ok) {
    throw new AppError(reading.problem.code, `Notification ${id} is acknowledged but names no order.`);
  }
  return await withConflictRetries(() =>
    inTransaction(database, async (transaction) => {
      const { rows } = await sql<Omit<UsableNotification, "orders"> & { digest: Buffer }>`
        select n.id, n.source, g.digest, n.received_at as "receivedAt", g.receipts,
          g.pending_traceparent as traceparent, coalesce(g.pending_since, now()) as since, ${hasNoCase(sql`n.id`)} as "isNew"
        from skedchange.notifications n
        join skedchange.notification_digests g on g.source = n.source and g.digest = n.digest
        where n.id = ${id}::uuid and ${isAcknowledged} and ${isUnattended}
        for update of g
      `.execute(transaction);
      const [row] = rows;
      if (row === undefined) return "gone";
      const event = { kind: "case.repaired", actor };
      const cases = await requeueCasesOf(transaction, [{ ...row, orders: reading.orders }], clock, event);
      await clearPending(transaction, [row]);
      await announceCases(
        transaction,
        cases.map((opened) => opened.id),
      );
      await announceDue(transaction);
      return "repaired";
    }),
  );
}

/** Locks the order before the case, as everywhere. */
async function requeue(
  transaction: Connection,
  inconsistency: Inconsistency,
  limits: InconsistencyLimits,
  at: Date,
): Promise<RepairOutcome> {
  await sql`
    select 1 from skedchange.orders where source = ${inconsistency.source} and order_id = ${inconsistency.orderId} for no key update
  `.execute(transaction);
  const { rows } = await sql<{ case_id: string | null }>`
    select case_id from (${inconsistencyQuery(inconsistency.kind, limits)}) as damage
    where source = ${inconsistency.source} and order_id = ${inconsistency.orderId} and case_id is not distinct from ${inconsistency.caseId}::uuid
  `.execute(transaction);
  if (rows.length === 0) return "gone";
  if (await wasRepairedLately(transaction, inconsistency, limits, at)) return "needs-person";
  await freeOrder(transaction, inconsistency, limits);
  if (inconsistency.caseId === null) return "repaired";
  if (!inconsistency.kind.startsWith("order.")) {
    await sql`
      update skedchange.cases set due_at = least(due_at, now()), wake = wake + 1, version = version + 1, updated_at = ${at}
      where id = ${inconsistency.caseId}::uuid
    `.execute(transaction);
  }
  const { kind: finding, effectId } = inconsistency;
  const detail = effectId === null ? { finding } : { finding, effectId };
  await addCaseEvent(transaction, { caseId: inconsistency.caseId, at, kind: "case.repaired", actor, detail });
  await announceDue(transaction);
  return "repaired";
}

async function wasRepairedLately(
  transaction: Connection,
  { caseId, kind }: Inconsistency,
  limits: InconsistencyLimits,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from skedchange.case_events
    where case_id = ${caseId}::uuid and kind = 'case.repaired' and detail ->> 'finding' = ${kind}
      and at > ${new Date(at.getTime() - limits.againMs)}
  `.execute(transaction);
  return rows.length > 0;
}

/** The next lease has a higher fence, so the holder of an abandoned one can't write any more. */
async function freeOrder(
  transaction: Connection,
  { source, orderId }: Inconsistency,
  limits: InconsistencyLimits,
): Promise<void> {
  const leaseIsLeft = sql`leased_until > now() + make_interval(secs => ${limits.orderMs / 1_000})`;
  await sql`
    update skedchange.orders set
      dispatched_until = null,
      leased_by = case when ${leaseIsLeft} then null else leased_by end,
      leased_at = case when ${leaseIsLeft} then null else leased_at end,
      leased_until = case when ${leaseIsLeft} then null else leased_until end
    where source = ${source} and order_id = ${orderId}
  `.execute(transaction);
}
