import { sql } from "kysely";
import type pg from "pg";
import type { NotificationRelease, Quarantine, ReleaseOutcome } from "../../dashboard/ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../database/database.ts";
import { inWakingTransaction, isRefusal, wakeCasesOf, withConflictRetries } from "./notifications.ts";

export interface QuarantineOptions {
  readonly clock: Clock;
  /** Called after each release, so that a feeder in the same process need not wait for the database's notification. */
  readonly onReleased?: () => void;
}

/** Notifications in quarantine, and their way out. */
export function createQuarantine(database: Database, { clock, onReleased }: QuarantineOptions): Quarantine {
  return {
    readNotification: async (id) => {
      const { rows } = await sql<{ state: string; body: Buffer; body_encoding: string; key_id: string | null }>`
        select state, body, body_encoding, key_id from skedchange.notifications where id = ${id}::uuid
      `.execute(database.kysely);
      const row = rows[0];
      if (row === undefined) return null;
      const body = await database.sealing.open({ body: row.body, bodyEncoding: row.body_encoding, keyId: row.key_id });
      return { state: row.state, body };
    },

    release: async (release) => {
      try {
        const outcome = await withConflictRetries(() =>
          inWakingTransaction(database.pool, (client) => releaseNotification(client, release, clock)),
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
  readonly received_at: Date;
  readonly receipts: number;
}

/**
 * Locks the digest first, as the receiver does when the same bytes come again at this moment. Of the two, the second
 * finds the notification released.
 */
async function releaseNotification(
  client: pg.PoolClient,
  { notificationId, orders, actor }: NotificationRelease,
  clock: Clock,
): Promise<ReleaseOutcome> {
  const found = await client.query<QuarantinedRow>(
    `select g.source, g.received_at, g.receipts
     from skedchange.notification_digests g
     join skedchange.notifications n on n.source = g.source and n.digest = g.digest
     where n.id = $1
     for update of g`,
    [notificationId],
  );
  const row = found.rows[0];
  if (row === undefined) return { outcome: "not-quarantined" };
  await client.query("select set_config('skedchange.actor', $1, true)", [actor]);
  const released = await client.query(
    `update skedchange.notifications set state = 'released'
     where received_at = $1 and id = $2 and state = 'quarantined'`,
    [row.received_at, notificationId],
  );
  if (released.rowCount === 0) return { outcome: "not-quarantined" };
  const cases = await wakeCasesOf(
    client,
    { id: notificationId, source: row.source, receivedAt: row.received_at, receipts: row.receipts, orders },
    clock,
    { kind: "notification.replayed", actor },
  );
  return { outcome: "released", cases };
}
