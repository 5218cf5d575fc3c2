import type {
  NotificationRelease,
  Quarantine,
  QuarantinedCode,
  ReleaseOutcome,
} from "../../dashboard/notification-ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import { nameActor, nameToken } from "../audit/audit-actor.ts";
import { announceCases, announceDue } from "../cases/case-rows.ts";
import { encryptNote } from "../cases/notes.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { isRefusal, withConflictRetries } from "../database/sql-states.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { requeueCasesOf } from "./open-cases.ts";
import { readNotificationBody } from "./stored-notifications.ts";

export interface QuarantineOptions {
  readonly clock: Clock;
  /** Called after each release, so that a feeder in this process need not wait for the database's message. */
  readonly onReleased?: () => void;
}

export function createQuarantine(database: Database, { clock, onReleased }: QuarantineOptions): Quarantine {
  return {
    readNotification: (id, visible) => readNotificationBody(database, id, visible),

    countByCode: async (visible) => {
      const { rows } = await sql<QuarantinedCode>`
        select coalesce(problem ->> 'code', '') as code, count(*) as count from skedchange.notifications
        where state = 'quarantined' and discarded_at is null and ${isOfVisibleSource(sql`source`, visible)}
        group by 1 order by 2 desc, 1
      `.execute(database.connection);
      return rows;
    },

    discard: async (ids, { actor, tokenId, visible, note: given }) => {
      const note = await encryptNote(database.encryption, given);
      return await inTransaction(database, async (transaction) => {
        await nameToken(transaction, tokenId);
        const { rows } = await sql<{ id: string }>`
        update skedchange.notifications set discarded_at = ${clock.now()}, discarded_by = ${actor},
          discard_note = ${note}
        where id = any(${[...ids]}::uuid[]) and state = 'quarantined' and discarded_at is null
          and ${isOfVisibleSource(sql`source`, visible)}
        returning id
      `.execute(transaction);
        return rows.map(({ id }) => id);
      });
    },

    release: async (release) => {
      try {
        const outcome = await withConflictRetries(() =>
          inTransaction(database, (transaction) => releaseNotification(transaction, release, clock)),
        );
        if (outcome.outcome === "released") onReleased?.();
        return outcome;
      } catch (error) {
        if (isRefusal(error)) return { outcome: "refused" };
        throw error;
      }
    },
  };
}

interface QuarantinedRow {
  readonly source: string;
  readonly receivedAt: Date;
  readonly receipts: number;
  readonly since: Date;
}

/** Locks the digest first, as the receiver does; the second of the two finds the notification released. */
async function releaseNotification(
  transaction: Connection,
  { notificationId: id, orders, by }: NotificationRelease,
  clock: Clock,
): Promise<ReleaseOutcome> {
  const found = await sql<QuarantinedRow>`
    select g.source, g.received_at as "receivedAt", g.receipts, now() as since
    from skedchange.notification_digests g
    join skedchange.notifications n on n.source = g.source and n.digest = g.digest
    where n.id = ${id}::uuid
    for update of g
  `.execute(transaction);
  const [row] = found.rows;
  if (row === undefined) return { outcome: "not-quarantined" };
  await nameActor(transaction, by);
  const released = await sql`
    update skedchange.notifications set state = 'released'
    where received_at = ${row.receivedAt} and id = ${id}::uuid and state = 'quarantined'
  `.execute(transaction);
  if (released.rowCount === 0) return { outcome: "not-quarantined" };
  const cases = await requeueCasesOf(transaction, [{ ...row, id, isNew: true, orders, traceparent: null }], clock, {
    kind: "notification.replayed",
    actor: by.actor,
  });
  await announceCases(
    transaction,
    cases.map((opened) => opened.id),
  );
  await announceDue(transaction);
  return { outcome: "released", cases: cases.map((opened) => ({ id: opened.id, orderId: opened.orderId })) };
}
