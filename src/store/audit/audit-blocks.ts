import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";

/** The end of the chain at some time. A copy stored elsewhere proves later that nothing before it changed. */
export interface AuditHead {
  /** The number of a block: from 1, without gaps; 0 before the first. */
  readonly block: number;
  readonly hash: string;
}

export const emptyHead: AuditHead = { block: 0, hash: "00".repeat(32) };

/** Until blocks were introduced each entry had a link of its own. It counts as a block with one entry. */
const allBlocks: Sql = sql`(
  select seq as number, 1 as entries, hash from skedchange.audit_chain
  union all select number, entries, hash from skedchange.audit_blocks
)`;

/** The newest entry with a link. Those after it are in blocks. */
export const lastLinkedId: Sql = sql`(
  select coalesce(max(entry_id), 0) from skedchange.audit_chain
)`;

/** The newest entry in a block. Those after it wait for theirs. */
export const lastChainedId: Sql = sql`coalesce(
  (select max(last_id) from skedchange.audit_blocks), ${lastLinkedId}
)`;

/** For a lateral join: the block of the entry `e`. An entry with a link has none. */
export const blockOfEntry: Sql = sql`(
  select b.number, b.entries, b.hash from skedchange.audit_blocks b
  where b.last_id >= e.id and e.id > ${lastLinkedId} order by b.last_id limit 1
)`;

export async function readHead(connection: Connection): Promise<AuditHead> {
  const { rows } = await sql<AuditHead>`
    select b.number as block, encode(b.hash, 'hex') as hash from ${allBlocks} b
    order by b.number desc limit 1`.execute(connection);
  return rows[0] ?? emptyHead;
}

/** Null if there is no such block. */
export async function readBlock(connection: Connection, number: number): Promise<AuditHead | null> {
  if (number === 0) return emptyHead;
  const { rows } = await sql<AuditHead>`
    select b.number as block, encode(b.hash, 'hex') as hash from ${allBlocks} b
    where b.number = ${number}`.execute(connection);
  return rows[0] ?? null;
}

/** The first of the newest blocks that have up to `entriesMax` entries together, at least of the last one; 1 if there is none. */
export async function findNewestBlocks(connection: Connection, entriesMax: number): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    select coalesce(min(b.number), 1) as first from (
      select n.number, n.entries, sum(n.entries) over (order by n.number desc) as total
      from (select b.number, b.entries from ${allBlocks} b order by b.number desc limit ${entriesMax}) n
    ) b where b.total <= ${entriesMax} or b.total = b.entries`.execute(connection);
  return rows[0]!.first;
}
