import type { Dialect } from "../../contract/dialect.ts";
import type { NotificationItem } from "../../dashboard/notification-ports.ts";
import type { EncryptedRow, Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { notificationPlace } from "./notification-reader.ts";

type NamedOrders = NotificationItem["orders"];

interface Unusable {
  readonly id: string;
  readonly bodyBytes: number;
  readonly bodyDeleted: object | null;
}

/**
 * Which orders bodies name that could not be used, by the id of the notification. What cannot be read names none. Reads
 * no more bodies than `readBytesMax` holds, the first ones first.
 */
export async function readNamedOrders(
  reading: Connection,
  encryption: Encryption,
  dialect: Dialect,
  unusable: readonly Unusable[],
): Promise<ReadonlyMap<string, NamedOrders>> {
  let bytes = 0;
  const wanted = unusable.filter(({ bodyBytes, bodyDeleted }) => {
    if (bodyDeleted !== null || bytes + bodyBytes > readBytesMax) return false;
    bytes += bodyBytes;
    return true;
  });
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<EncryptedRow & { readonly id: string }>`
    select id, body, body_encoding as "bodyEncoding", key_id as "keyId" from skedchange.notifications
    where id = any(${wanted.map(({ id }) => id)}::uuid[])
  `.execute(reading);
  const named = await Promise.all(rows.map(async (row) => [row.id, await namedIn(encryption, dialect, row)] as const));
  return new Map(named.filter(([, { count }]) => count > 0));
}

export const noOrders: NamedOrders = { ids: [], count: 0 };

async function namedIn(
  encryption: Encryption,
  dialect: Dialect,
  row: EncryptedRow & { readonly id: string },
): Promise<NamedOrders> {
  try {
    const read = dialect.findOrders(await encryption.open(row, notificationPlace(row.id)), Number.POSITIVE_INFINITY);
    if (!read.ok) return noOrders;
    return { ids: read.orders.slice(0, namedMax).map(({ orderId }) => orderId), count: read.orders.length };
  } catch {
    // A lost key or a damaged body must not hide the rest of the list.
    return noOrders;
  }
}

const namedMax = 10;

/** Lists are read again every 15 s. A body of the size limit still fits. */
const readBytesMax = 4 * 1024 * 1024;
