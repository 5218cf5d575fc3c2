import type { AuditFilter, AuditItem, AuditTrail } from "../../dashboard/audit-ports.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { nameOfToken } from "./audit-actor.ts";
import { type AuditHead, blockOfEntry, lastLinkedId, readHead } from "./audit-blocks.ts";
import { type AuditEntry, auditEntryColumns, pageOfEntries } from "./audit-entry.ts";

export interface AuditReading extends AuditTrail {
  readHead(): Promise<AuditHead>;
  /** Up to `head`, in the order of the chain. Without a filter each block follows its entries. */
  streamChain(filter: AuditFilter, head: AuditHead): AsyncGenerator<ChainedAuditEntry | AuditBlock>;
}

export interface ChainedAuditEntry extends AuditEntry {
  readonly block: number;
}

export interface AuditBlock extends AuditHead {
  /** How many it has. */
  readonly entries: number;
}

const pageRows = 2_000;

export function createAuditReading({ connection }: Pick<Database, "connection">): AuditReading {
  const readLinked = async (filter: AuditFilter, head: AuditHead, after: number) => {
    const { rows } = await sql<ChainRow>`
      select l.seq as block, 1 as entries, encode(l.hash, 'hex') as hash, ${auditEntryColumns}
      from skedchange.audit_chain l join skedchange.audit_entries e on e.id = l.entry_id
      where l.seq > ${after} and l.seq <= ${head.block} and ${matches(filter)}
      order by l.seq limit ${pageRows}`.execute(connection);
    return rows;
  };
  const readInBlocks = async (filter: AuditFilter, head: AuditHead, after: number) => {
    const inBlocks = sql`e.id > greatest(${after}, ${lastLinkedId}) and ${matches(filter)}
      and e.id <= (select max(last_id) from skedchange.audit_blocks where number <= ${head.block})`;
    const { rows } = await sql<ChainRow>`
      select b.number as block, b.entries, encode(b.hash, 'hex') as hash, ${auditEntryColumns}
      from ${pageOfEntries(inBlocks, pageRows)} e cross join lateral ${blockOfEntry} b
      order by e.id`.execute(connection);
    return rows;
  };
  async function* readChain(filter: AuditFilter, head: AuditHead): AsyncGenerator<ChainRow> {
    yield* pageByPage(
      (after) => readLinked(filter, head, after),
      ({ block }) => block,
    );
    yield* pageByPage(
      (after) => readInBlocks(filter, head, after),
      ({ id }) => id,
    );
  }
  return {
    listEntries: async (filter, { before, limit }) => {
      const wanted = sql`${matches(filter)} and ${before === null ? sql`true` : sql`e.id < ${before}`}`;
      const { rows } = await sql<AuditItem>`
        select ${auditEntryColumns}, coalesce(l.seq, b.number) as block,
          ${nameOfToken(sql`(e.refs ->> 'actorToken')::uuid`)} as token
        from ${pageOfEntries(wanted, limit + 1, sql`desc`)} e
        left join skedchange.audit_chain l on l.entry_id = e.id
        left join lateral ${blockOfEntry} b on true
        order by e.id desc`.execute(connection);
      const items = rows.slice(0, limit);
      return { items, next: rows.length > limit ? items.at(-1)!.id : null };
    },

    readHead: () => readHead(connection),

    async *streamChain(filter, head) {
      const isWhole = Object.values(filter).every((value) => value === undefined);
      let last: AuditBlock | null = null;
      for await (const { entries, hash, ...entry } of readChain(filter, head)) {
        if (isWhole && last !== null && last.block !== entry.block) yield last;
        yield entry;
        last = { block: entry.block, entries, hash };
      }
      if (isWhole && last !== null) yield last;
    },
  };
}

type ChainRow = ChainedAuditEntry & AuditBlock;

async function* pageByPage<Row>(
  readPage: (after: number) => Promise<readonly Row[]>,
  placeOf: (row: Row) => number,
): AsyncGenerator<Row> {
  let after = 0;
  while (true) {
    const rows = await readPage(after);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < pageRows || last === undefined) return;
    after = placeOf(last);
  }
}

function matches(filter: AuditFilter): Sql {
  const conditions: Sql[] = [sql`true`];
  if (filter.since !== undefined) conditions.push(sql`e.recorded_at >= ${filter.since}`);
  if (filter.until !== undefined) conditions.push(sql`e.recorded_at < ${filter.until}`);
  if (filter.caseId !== undefined) {
    // Filters by order, because a case never changes its order.
    conditions.push(sql`e.case_id = ${filter.caseId}::uuid
      and e.order_id = (select c.order_id from skedchange.cases c where c.id = ${filter.caseId}::uuid)`);
  }
  if (filter.orderId !== undefined) conditions.push(sql`e.order_id = ${filter.orderId}`);
  if (filter.kind !== undefined) conditions.push(sql`e.kind = ${filter.kind}`);
  if (filter.actor !== undefined) conditions.push(sql`e.actor = ${filter.actor}`);
  return sql.join(conditions, sql` and `);
}
