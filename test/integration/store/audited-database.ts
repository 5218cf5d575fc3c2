import { randomUUID } from "node:crypto";
import pg from "pg";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import type { AuditHead } from "../../../src/store/audit/audit-blocks.ts";
import {
  type AuditEntry,
  auditEntryColumns,
  blockHashOf,
  pageOfEntries,
} from "../../../src/store/audit/audit-entry.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

/** A database with one case whose timeline is written by the service role, as the product does. */
export interface AuditedDatabase extends TestDatabase {
  readonly caseId: string;
  readonly orderId: string;
  /** Adds a line to the timeline. */
  addEvent(kind: string, detail?: object): Promise<void>;
  chain(): Promise<number>;
  /** As the superuser, with no trigger and no foreign key in the way: what nobody can who has less. */
  tamper(...statements: readonly string[]): Promise<void>;
}

export async function createAuditedDatabase(): Promise<AuditedDatabase> {
  const db = await createTestDatabase();
  const caseId = randomUUID();
  const orderId = `O-${caseId.slice(0, 8)}`;
  const run = (text: string, values: unknown[]) => db.database.pool.query(text, values);
  await run("insert into skedchange.orders (source, order_id) values ('default', $1)", [orderId]);
  await run(
    `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
     values ($1, 'default', $2, 'received', now(), now())`,
    [caseId, orderId],
  );
  return {
    ...db,
    caseId,
    orderId,
    async addEvent(kind, detail = {}) {
      await run(
        "insert into skedchange.case_events (case_id, at, kind, actor, detail) values ($1, now(), $2, $3, $4)",
        [caseId, kind, "person:mlopez", JSON.stringify(detail)],
      );
    },
    chain: () => appendToAuditChain(db.database, 1_000),
    async tamper(...statements) {
      const admin = new pg.Client({ connectionString: db.adminUrl });
      await admin.connect();
      try {
        await admin.query("set session_replication_role = replica");
        for (const statement of statements) await admin.query(statement);
      } finally {
        await admin.end();
      }
    },
  };
}

/** All entries, lines of timelines among them. */
export async function readEntries({ database }: Pick<AuditedDatabase, "database">): Promise<readonly AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select ${auditEntryColumns} from ${pageOfEntries(sql`true`, 10_000)} e order by e.id`.execute(database.connection);
  return rows;
}

/** Gives every line an entry of its own, and every entry a link, as 0.3.0 did. Returns the last one. */
export async function linkEntries(db: AuditedDatabase): Promise<AuditHead> {
  const { tamper } = db;
  const rows = await readEntries(db);
  let head: AuditHead = { block: 0, hash: "00".repeat(32) };
  const links: string[] = [];
  for (const entry of rows) {
    head = { block: head.block + 1, hash: blockHashOf(head.hash, [entry]) };
    links.push(`(${head.block}, ${entry.id}, '\\x${head.hash}')`);
  }
  await tamper(
    "insert into skedchange.audit_entries table skedchange.audited_lines",
    "update skedchange.case_events set has_entry = true",
    "delete from skedchange.audit_blocks",
    `insert into skedchange.audit_chain values ${links.join(", ")}`,
    `update skedchange.audit_progress
     set number = ${head.block}, hash = '\\x${head.hash}', last_id = ${rows.at(-1)!.id}, seen_id = 0`,
  );
  return head;
}
