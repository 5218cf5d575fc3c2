import { randomUUID } from "node:crypto";
import pg from "pg";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
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
