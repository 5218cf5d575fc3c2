import { AppError } from "../../kernel/app-error.ts";
import type { IncomingNotification, NotificationStore, RecordingOutcome } from "../../receiver/ports.ts";
import type { Database } from "../database/database.ts";
import type { Encrypted } from "../database/encryption.ts";
import { storeErrors } from "../database/error-codes.ts";
import { isRefusal, withConflictRetries } from "../database/sql-states.ts";
import { notificationPlace } from "./notification-reader.ts";

/** Bytes of UTF-8: an index entry may have 2,704 bytes, a third of a page, and also contains the source. */
const orderIdBytesMax = 2_000;

/** A database that hangs must look like one that is unavailable. */
const timeoutMs = 10_000;

/**
 * Marks notifications pending for `openPendingCases`. A batch is one statement and one commit.
 * @param onCommitted called after each commit, so that a feeder need not wait for its next poll
 */
export function createNotificationStore(database: Database, onCommitted: () => void = () => {}): NotificationStore {
  return {
    async recordBatch(batch) {
      const rows = await Promise.all(batch.map((notification) => encrypt(database, notification)));
      const unstorable = rows.map(({ notification }) => findUnstorable(notification));
      const storable = rows.filter((_, index) => unstorable[index] === null);
      const outcomes = (await recordRows(database, storable, onCommitted)).values();
      return unstorable.map((error) =>
        error === null ? outcomes.next().value! : { recorded: false, reason: "refused", error },
      );
    },
  };
}

interface EncryptedNotification {
  readonly notification: IncomingNotification;
  readonly encrypted: Encrypted;
}

async function encrypt(database: Database, notification: IncomingNotification): Promise<EncryptedNotification> {
  const place = notificationPlace(notification.id);
  return { notification, encrypted: await database.encryption.encryptBody(notification.body, place) };
}

/** Finds errors that opening the cases would hit later, when the sender can't be told any more. */
function findUnstorable({ id, orders }: IncomingNotification): AppError | null {
  if (orders.every(({ orderId }) => Buffer.byteLength(orderId) <= orderIdBytesMax)) return null;
  const message = `Notification ${id} names an order by more than ${orderIdBytesMax} bytes, which no index can hold.`;
  return new AppError(storeErrors.orderIdTooLong, message);
}

/** Writes all rows in one commit, or each by itself if that is refused, so that only refused rows are lost. */
async function recordRows(
  database: Database,
  rows: readonly EncryptedNotification[],
  onCommitted: () => void,
): Promise<readonly RecordingOutcome[]> {
  if (rows.length === 0) return [];
  try {
    const outcomes = await withConflictRetries(() => commitRows(database, rows));
    onCommitted();
    return outcomes;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (rows.length === 1) return [{ recorded: false, reason: "refused", error }];
  }
  const outcomes: RecordingOutcome[] = [];
  for (const row of rows) {
    const alone = recordRows(database, [row], onCommitted);
    outcomes.push(
      ...(await alone.catch((error: unknown) => [{ recorded: false, reason: "unavailable", error } as const])),
    );
  }
  return outcomes;
}

async function commitRows(
  { pool }: Database,
  rows: readonly EncryptedNotification[],
): Promise<readonly RecordingOutcome[]> {
  const statement = {
    name: "record_notifications",
    text: recordNotifications,
    values: [JSON.stringify(describeRows(rows)), Buffer.concat(rows.map(({ encrypted }) => encrypted.body))],
    query_timeout: timeoutMs,
  };
  const recorded = await pool.query<{ place: number; notification_id: string; receipts: number }>(statement);
  const byPlace = new Map(recorded.rows.map((row) => [row.place, row]));
  return rows.map((_, place) => {
    const { notification_id: notificationId, receipts } = byPlace.get(place)!;
    return { recorded: true, notificationId, receipts };
  });
}

/** Locks digests in the same order everywhere. Known bytes only change the digest; pending ones keep their time. */
const recordNotifications = `
  with incoming as (
    select *, decode(digest_base64, 'base64') as digest
    from json_to_recordset($1::json) as incoming (
      place integer, id uuid, source text, digest_base64 text, received_at timestamptz, copies bigint, pending_orders jsonb,
      pending_traceparent text,
      content_type text, body_start integer, body_length integer, body_encoding text, body_bytes integer, key_id text,
      state text, problem jsonb
    )
  ), known as (
    insert into skedchange.notification_digests as known
      (source, digest, notification_id, received_at, receipts, last_receipt_at, pending_orders, pending_since,
        pending_traceparent)
    select source, digest, id, received_at, copies, received_at, pending_orders,
      case when pending_orders is not null then now() end, pending_traceparent
    from incoming
    order by source collate "C", digest
    on conflict (source, digest) do update set
      receipts = known.receipts + excluded.receipts,
      last_receipt_at = greatest(known.last_receipt_at, excluded.last_receipt_at),
      pending_orders = coalesce(known.pending_orders, excluded.pending_orders),
      pending_since = coalesce(known.pending_since, excluded.pending_since),
      pending_traceparent = case when known.pending_since is null then excluded.pending_traceparent
        else known.pending_traceparent end
    returning source, digest, notification_id, receipts
  ), added as (
    insert into skedchange.notifications
      (id, source, received_at, digest, content_type, body, body_encoding, body_bytes, key_id, is_bound, state, problem)
    select id, source, received_at, digest, content_type, substring($2::bytea from body_start for body_length),
      body_encoding, body_bytes, key_id, true, state, problem
    from incoming join known using (source, digest)
    where known.notification_id = incoming.id
  )
  select place, notification_id, receipts from known join incoming using (source, digest)`;

/** All bodies are one value; each row has the offset of its part, counted from 1 as in SQL. */
function describeRows(rows: readonly EncryptedNotification[]): readonly object[] {
  let bodyStart = 1;
  return rows.map(({ notification, encrypted }, place) => {
    const row = {
      place,
      id: notification.id,
      source: notification.source,
      digest_base64: notification.digest.toString("base64"),
      received_at: notification.receivedAt,
      copies: notification.copies,
      pending_orders: notification.orders.length === 0 ? null : notification.orders,
      pending_traceparent: notification.orders.length === 0 ? null : (notification.traceparent ?? null),
      content_type: notification.contentType,
      body_start: bodyStart,
      body_length: encrypted.body.length,
      body_encoding: encrypted.bodyEncoding,
      body_bytes: encrypted.bodyBytes,
      key_id: encrypted.keyId,
      state: notification.problem === null ? "accepted" : "quarantined",
      problem: notification.problem && withStorableText(notification.problem),
    };
    bodyStart += encrypted.body.length;
    return row;
  });
}

/** jsonb can't store U+0000 or half a surrogate pair, which a JSON pointer into a hostile body may contain. */
function withStorableText<T extends object>(value: T): T {
  const storable = (text: unknown): unknown =>
    typeof text === "string" ? Buffer.from(text).toString().replaceAll("\0", "\uFFFD") : text;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, storable(text)])) as T;
}
