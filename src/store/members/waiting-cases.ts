import type { OrderContext } from "../../cases/order-context.ts";
import { memberTerm, memberValueTerm } from "../../cases/search-terms.ts";
import type { Dialect } from "../../contract/dialect.ts";
import { loadOrders, openContext } from "../cases/load-order.ts";
import { isNotTakenOver, requeueCases } from "../cases/requeue-cases.ts";
import type { Database } from "../database/database.ts";
import type { EncryptedRow } from "../database/encryption.ts";
import { isRepeatedStored, joinRepeated, repeatedColumns } from "../database/repeated-notification.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inSnapshot } from "../database/transaction.ts";
import { createNotificationReader } from "../notifications/notification-reader.ts";

/** Every process follows what has changed for a source within this time. */
export const followedWithinSeconds = 1;

/**
 * The cases of a source that wait for a person because of a member. A mark of a path covers what is below it; a mark of
 * values is about the cases that state one of them.
 */
interface WaitingFor {
  readonly source: string;
  readonly path: string;
  /** Empty: whatever the values are. */
  readonly valueDigests: readonly string[];
}

/**
 * Makes the cases due that wait for such a member under other marks than `version`, unless somebody has taken them over;
 * returns how many.
 */
export async function requeueWaiting(
  connection: Connection,
  { version, ...waiting }: WaitingFor & { readonly version: string },
): Promise<number> {
  return await requeueCases(connection, {
    state: "awaiting-agent",
    afterSeconds: followedWithinSeconds,
    such: sql`
      select c.id, c.decision_id, c.source, c.order_id ${fromWaiting(waiting)}
        and d.versions ->> 'memberMarks' is distinct from ${version} and c.due_at is null
    `,
  });
}

/** Does the same for the marks of the last minutes. Runs repeatedly: see `requeueCases`. */
export async function requeueAfterMarks(database: Database, inForce: ReadonlyMap<string, string>): Promise<number> {
  const { rows } = await sql<WaitingFor>`
    select distinct source, path, value_digests as "valueDigests" from skedchange.member_marks
    where change = 'marked' and changed_at > now() - interval '10 minutes'
  `.execute(database.connection);
  let count = 0;
  for (const waiting of rows) {
    const version = inForce.get(waiting.source);
    if (version !== undefined) count += await requeueWaiting(database.connection, { ...waiting, version });
  }
  return count;
}

/** How many cases of a source wait for a person because of a path, by path. */
export async function countWaiting(connection: Connection, source: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ path: string; count: number }>`
    select substr(term, ${memberTerm("").length + 1}) as path, count(*)::integer as count
    from skedchange.cases c join skedchange.case_search s on s.case_id = c.id, unnest(s.terms) as term
    where c.source = ${source} and c.state = 'awaiting-agent' and starts_with(term, ${memberTerm("")})
    group by 1
  `.execute(connection);
  return new Map(rows.map(({ path, count }) => [path, count]));
}

/** How many cases of a source wait for a person because of any. */
export async function countWaitingCases(connection: Connection, source: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from skedchange.cases c join skedchange.case_search s on s.case_id = c.id
    where c.source = ${source} and c.state = 'awaiting-agent'
      and exists (select from unnest(s.terms) as term where starts_with(term, ${memberTerm("")}))
  `.execute(connection);
  return rows[0]!.count;
}

/** A case as a worker would see it now, with the bytes of the status that was decided on; null if they are deleted. */
export interface WaitingCase {
  readonly context: OrderContext;
  readonly status: Uint8Array | null;
}

export interface WaitingCases {
  /** Those that a mark would make due. */
  readonly total: number;
  /** The first of them. */
  readonly cases: readonly WaitingCase[];
}

/** Reads in one snapshot, and changes nothing. */
export async function readWaiting(
  database: Database,
  dialect: Dialect,
  waiting: WaitingFor,
  limit: number,
): Promise<WaitingCases> {
  const { encryption } = database;
  const reader = createNotificationReader(encryption, dialect);
  return await inSnapshot(database, async (snapshot) => {
    const counted = await sql<{ count: number }>`
      select count(*)::integer as count ${fromWaiting(waiting)}
    `.execute(snapshot);
    const { rows } = await sql<WaitingRow>`
      select c.order_id as "orderId", v.id, v.body, v.body_encoding as "bodyEncoding", v.key_id as "keyId", ${repeatedColumns}
      ${fromWaiting(waiting, joinedStatus)}
      order by c.priority, c.opened_at, c.id limit ${limit}
    `.execute(snapshot);
    const keys = rows.map(({ orderId }) => ({ source: waiting.source, orderId }));
    const orders = await loadOrders(snapshot, keys, []);
    const cases = rows.map(async (row, index): Promise<readonly WaitingCase[]> => {
      const opened = await openContext(orders[index]!.context, reader, reader.remembered());
      if (opened === null) return [];
      const status =
        row.body === null
          ? null
          : await encryption.open({ ...row, body: row.body }, { column: "skedchange.status_views.body", row: row.id });
      return [{ context: opened, status }];
    });
    return { total: counted.rows[0]!.count, cases: (await Promise.all(cases)).flat() };
  });
}

/** The status that was decided on, unless it is deleted. */
const joinedStatus = sql`
  left join (skedchange.status_views v ${joinRepeated("v")})
    on v.id = d.status_view_id and v.body_deleted_at is null and ${isRepeatedStored}`;

interface WaitingRow extends Omit<EncryptedRow, "body"> {
  readonly orderId: string;
  readonly id: string;
  readonly body: Buffer | null;
}

/** Cases `c` that nobody has taken over, with their decision `d`. */
function fromWaiting({ source, path, valueDigests }: WaitingFor, joined: Sql = sql``): Sql {
  return sql`
    from skedchange.cases c
    join skedchange.case_search s on s.case_id = c.id
    join skedchange.decisions d on d.id = c.decision_id and d.decided_by = 'policy'
    ${joined}
    where c.source = ${source} and c.state = 'awaiting-agent' and exists (
      select from unnest(s.terms) as term
      where term = ${memberTerm(path)} or starts_with(term, ${memberTerm(`${path}.`)})
    ) and ${statesAnyOf(path, valueDigests)} and ${isNotTakenOver}
  `;
}

/** Whether a decision waits for one of these. Decisions by earlier versions do not say which values they saw. */
function statesAnyOf(path: string, valueDigests: readonly string[]): Sql {
  if (valueDigests.length === 0) return sql`true`;
  const terms = valueDigests.map((digest) => memberValueTerm(`${path}=${digest}`));
  return sql`(s.terms && ${terms}::text[] or not exists (
    select from unnest(s.terms) as term where starts_with(term, ${memberValueTerm(`${path}=`)})
  ))`;
}
