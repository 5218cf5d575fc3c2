import type { AuditFilter, AuditItem, AuditTrail } from "../../dashboard/audit-ports.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { nameOfToken } from "./audit-actor.ts";
import { type AuditEntry, type AuditHead, auditEntryColumns, emptyHead } from "./audit-entry.ts";

export interface AuditReading extends AuditTrail {
  readHead(): Promise<AuditHead>;
  streamEntries(filter: AuditFilter, head: AuditHead): AsyncGenerator<ChainedAuditEntry>;
}

export interface ChainedAuditEntry extends AuditEntry {
  readonly seq: number;
  readonly hash: string;
}

const pageRows = 2_000;

export function createAuditReading({ connection }: Pick<Database, "connection">): AuditReading {
  return {
    listEntries: async (filter, { before, limit }) => {
      const { rows } = await sql<AuditItem>`
        select ${auditEntryColumns}, l.seq, encode(l.hash, 'hex') as hash,
          ${nameOfToken(sql`(e.refs ->> 'actorToken')::uuid`)} as token
        from skedchange.audit_entries e left join skedchange.audit_chain l on l.entry_id = e.id
        where ${matches(filter)} and ${before === null ? sql`true` : sql`e.id < ${before}`}
        order by e.id desc limit ${limit + 1}`.execute(connection);
      const items = rows.slice(0, limit);
      return { items, next: rows.length > limit ? items.at(-1)!.id : null };
    },

    readHead: async () => {
      const { rows } = await sql<AuditHead>`
        select seq, encode(hash, 'hex') as hash from skedchange.audit_chain order by seq desc limit 1`.execute(
        connection,
      );
      return rows[0] ?? emptyHead;
    },

    async *streamEntries(filter, head) {
      let after = 0;
      while (true) {
        const { rows } = await sql<ChainedAuditEntry>`
          select ${auditEntryColumns}, l.seq, encode(l.hash, 'hex') as hash
          from skedchange.audit_chain l join skedchange.audit_entries e on e.id = l.entry_id
          where l.seq > ${after} and l.seq <= ${head.seq} and ${matches(filter)}
          order by l.seq limit ${pageRows}`.execute(connection);
        yield* rows;
        const last = rows.at(-1);
        if (rows.length < pageRows || last === undefined) return;
        after = last.seq;
      }
    },
  };
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
