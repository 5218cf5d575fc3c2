import type { ObservedStatement, SeenMembers } from "../../cases/observed-members.ts";
import type { OrderKey } from "../../cases/order-context.ts";
import { bitOf, bitText } from "../../kernel/distinct-count.ts";
import type { MemberCount } from "../../worker/member-ports.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { storeLearned } from "./learning.ts";

/** More than any gateway has; beyond it, only what is known is counted. */
export const pathsPerSourceMax = 2_000;

/** What imports state leaves room for what workers see. */
const importedPathsMax = pathsPerSourceMax / 2;

/** So many values of one path are stored, beside marked ones. A path with more has texts rather than codes. */
export const valuesPerPathMax = 50;

/** Writes what views of an order stated, in a transaction that is made anyway. */
export async function storeSeen(transaction: Connection, order: OrderKey, seen: SeenMembers, at: Date): Promise<void> {
  await Promise.all([
    seen.statements.length === 0 ? null : storeStatements(transaction, order, seen, { at, isImported: false }),
    seen.isLearned ? storeLearned(transaction, order) : null,
  ]);
}

/**
 * Does the same for what a client has read. It neither relaxes a class that is stored nor takes the last room.
 * @returns what is now stored as it is stated
 */
export async function storeImported(
  transaction: Connection,
  order: OrderKey,
  seen: SeenMembers,
  at: Date,
): Promise<readonly ObservedStatement[]> {
  const { statements } = seen;
  const stored =
    statements.length === 0 ? [] : await storeStatements(transaction, order, seen, { at, isImported: true });
  if (seen.isLearned) await storeLearned(transaction, order);
  const keys = new Set(stored.map(keyOf));
  return statements.filter((statement) => keys.has(keyOf(statement)));
}

function keyOf({ path, valueDigest, class: kind }: Pick<ObservedStatement, "path" | "valueDigest" | "class">): string {
  return `${path}=${valueDigest ?? ""} ${kind}`;
}

/** Inserts what is new, as far as there is room, and counts the rest. In the order of keys, so that none wait in a circle. */
async function storeStatements(
  transaction: Connection,
  { source, orderId }: OrderKey,
  { statements, isUnchanged }: SeenMembers,
  { at, isImported }: { readonly at: Date; readonly isImported: boolean },
): Promise<readonly Pick<ObservedStatement, "path" | "valueDigest" | "class">[]> {
  const bit = new Set([bitOf(orderId)]);
  const none = bitText(new Set());
  const { rows } = await sql<Pick<ObservedStatement, "path" | "valueDigest" | "class">>`
    with stated as (
      select s.*, exists (
        select from skedchange.observed_members k where k.source = ${source} and k.path = s.path and k.value_digest = ''
      ) as is_known
      from unnest(
        ${statements.map(({ path }) => path)}::text[], ${statements.map(({ valueDigest }) => valueDigest ?? "")}::text[],
        ${statements.map((statement) => statement.class)}::text[], ${statements.map(({ word }) => word)}::text[],
        ${statements.map(({ example }) => example)}::text[]
      ) as s (path, value_digest, class, word, example)
    ), placed as (
      select *, dense_rank() over (partition by is_known order by path) as place from stated
    ), paths as (
      select count(*) as stored from skedchange.observed_members where source = ${source} and value_digest = ''
    )
    insert into skedchange.observed_members as m
      (source, path, value_digest, class, word, example, first_seen_at, views, orders, unchanged_orders)
    select ${source}::text, s.path, s.value_digest, s.class, s.word, s.example, ${at}::timestamptz, 1,
      ${bitText(bit)}::text::bit(1024), ${isUnchanged ? bitText(bit) : none}::text::bit(1024)
    from placed s, paths
    where (s.is_known or paths.stored + s.place <= ${isImported ? importedPathsMax : pathsPerSourceMax}) and (
      s.value_digest = '' or exists (
        select from skedchange.observed_members k
        where k.source = ${source} and k.path = s.path and k.value_digest = s.value_digest
      ) or (
        select count(*) from skedchange.observed_members k
        where k.source = ${source} and k.path = s.path and k.value_digest <> ''
      ) < ${valuesPerPathMax} + coalesce((
        select count(*) from skedchange.member_marks d, jsonb_to_recordset(d.marks) as mark (path text, "valueDigest" text)
        where d.source = ${source} and mark.path = s.path and mark."valueDigest" is not null
          and d.number = (select max(n.number) from skedchange.member_marks n where n.source = ${source})
      ), 0)
    )
    order by s.path, s.value_digest
    on conflict (source, path, value_digest) do update set views = m.views + 1, orders = m.orders | excluded.orders,
      unchanged_orders = m.unchanged_orders | excluded.unchanged_orders,
      class = case
        when m.value_digest <> '' and 'stop' in (m.class, excluded.class) then 'stop'
        when m.value_digest = '' and excluded.class = 'other' and not ${isImported}::boolean then 'other'
        else m.class
      end
    returning path, nullif(value_digest, '') as "valueDigest", class
  `.execute(transaction);
  return rows;
}

/** Adds what was counted to what is stored. */
export async function addCounts(connection: Connection, counts: readonly MemberCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    with counted as (
      select * from unnest(
        ${counts.map(({ source }) => source)}::text[], ${counts.map(({ path }) => path)}::text[],
        ${counts.map(({ valueDigest }) => valueDigest ?? "")}::text[], ${counts.map(({ views }) => views)}::bigint[],
        ${counts.map(({ orders }) => bitText(orders))}::text[], ${counts.map((count) => bitText(count.unchangedOrders))}::text[]
      ) as c (source, path, value_digest, views, orders, unchanged_orders)
    ), locked as materialized (
      select m.source, m.path, m.value_digest from skedchange.observed_members m
      join counted c using (source, path, value_digest)
      order by m.source, m.path, m.value_digest
      for no key update of m
    )
    update skedchange.observed_members m set views = m.views + c.views, orders = m.orders | c.orders::bit(1024),
      unchanged_orders = m.unchanged_orders | c.unchanged_orders::bit(1024)
    from counted c join locked l using (source, path, value_digest)
    where m.source = c.source and m.path = c.path and m.value_digest = c.value_digest
  `.execute(connection);
}

/** The class of a path as a whole is `other` if any of its values takes a mark of the path. */
export interface ObservedRow extends ObservedStatement {
  readonly firstSeenAt: Date;
  readonly views: number;
  readonly orderBits: number;
  readonly unchangedBits: number;
}

/** All of a source, each path before its values. */
export async function readObserved(connection: Connection, source: string): Promise<readonly ObservedRow[]> {
  const { rows } = await sql<ObservedRow>`
    select path, nullif(value_digest, '') as "valueDigest", class, word, example, first_seen_at as "firstSeenAt",
      views::double precision as views, bit_count(orders)::integer as "orderBits",
      bit_count(unchanged_orders)::integer as "unchangedBits"
    from skedchange.observed_members where source = ${source}
    order by path, value_digest
  `.execute(connection);
  return rows;
}
