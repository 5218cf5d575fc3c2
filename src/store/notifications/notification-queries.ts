import type { VisibleSources } from "../../cases/visible-sources.ts";
import type { Dialect } from "../../contract/dialect.ts";
import {
  type NotificationDetail,
  type NotificationFilter,
  type NotificationItem,
  type NotificationQueries,
  notificationItem,
} from "../../dashboard/notification-ports.ts";
import type { Page } from "../../dashboard/paging-ports.ts";
import { openNotes } from "../cases/notes.ts";
import { shownState } from "../cases/states.ts";
import { bodyDeletion } from "../database/body-deletion.ts";
import { columnsOf, datesOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { after, positionOf, toPage } from "../database/paging.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inSnapshot } from "../database/transaction.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { noOrders, readNamedOrders } from "./named-orders.ts";

/** The cases of a notification: more than one has. */
const casesMax = 200;

/** Reads notifications for people. Of stored bodies it returns only the ids of orders. */
export function createNotificationQueries(database: Database, dialect: Dialect): NotificationQueries {
  const { encryption } = database;
  const read = async <T>(work: (reading: Connection) => Promise<T>): Promise<T> =>
    await openNotes(encryption, await inSnapshot(database, work));

  return {
    listNotifications: (filter) => read((reading) => listNotifications(reading, encryption, dialect, filter)),
    readNotification: (id, visible) => read((reading) => readNotification(reading, encryption, dialect, id, visible)),
  };
}

const itemWithoutOrders = notificationItem.omit({ orders: true });

type ItemWithoutOrders = Omit<NotificationItem, "orders">;

const itemColumns = columnsOf(itemWithoutOrders, "n", {
  receipts: sql`g.receipts`,
  lastReceiptAt: sql`g.last_receipt_at`,
  digest: sql`encode(n.digest, 'hex')`,
  bodyDeleted: bodyDeletion("body", "n."),
  discarded: sql`case when n.discarded_at is not null then jsonb_build_object(
    'at', n.discarded_at, 'by', n.discarded_by, 'note', n.discard_note
  ) end`,
});

const itemDates = datesOf(itemWithoutOrders);

const notificationsWithReceipts = sql`skedchange.notifications n
  join skedchange.notification_digests g on g.source = n.source and g.digest = n.digest`;

async function listNotifications(
  reading: Connection,
  encryption: Encryption,
  dialect: Dialect,
  filter: NotificationFilter,
): Promise<Page<NotificationItem>> {
  const { visible, state, source, code = null, limit } = filter;
  const { rows } = await sql<ItemWithoutOrders & { readonly position: string }>`
    select ${itemColumns}, ${positionOf(sql`n.received_at`)} as position
    from ${notificationsWithReceipts}
    where ${after(sql`n.received_at`, sql`n.id`, filter.after)}
      and ${isOfVisibleSource(sql`n.source`, visible)}
      and ${isListedAs(state)}
      and ${source === null ? sql`true` : sql`n.source = ${source}`}
      and ${code === null ? sql`true` : sql`n.problem ->> 'code' = ${code}`}
    order by n.received_at desc, n.id desc
    limit ${limit + 1}
  `.execute(reading);
  const page = toPage(rows, limit, ({ position: _, ...item }) => itemDates(item));
  return { ...page, items: await withOrders(reading, encryption, dialect, page.items) };
}

async function withOrders(
  reading: Connection,
  encryption: Encryption,
  dialect: Dialect,
  items: readonly ItemWithoutOrders[],
): Promise<NotificationItem[]> {
  const unusable = items.filter(({ problem }) => problem !== null);
  const named = await readNamedOrders(reading, encryption, dialect, unusable);
  return items.map((item) => ({ ...item, orders: named.get(item.id) ?? noOrders }));
}

/** A discarded notification is quarantined too, and on a list of its own. */
function isListedAs(state: NotificationFilter["state"]): Sql {
  if (state === null) return sql`true`;
  if (state === "discarded") return sql`n.state = 'quarantined' and n.discarded_at is not null`;
  return state === "quarantined" ? sql`n.state = 'quarantined' and n.discarded_at is null` : sql`n.state = ${state}`;
}

async function readNotification(
  reading: Connection,
  encryption: Encryption,
  dialect: Dialect,
  id: string,
  visible: VisibleSources,
): Promise<NotificationDetail | null> {
  const { rows } = await sql<ItemWithoutOrders>`
    select ${itemColumns}
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
    limit ${casesMax}
  `.execute(reading);
  const [item] = await withOrders(reading, encryption, dialect, [itemDates(row)]);
  return { ...item!, cases: cases.rows };
}
