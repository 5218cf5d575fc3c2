import type { RecordExport } from "../../dashboard/audit-ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";
import { nameToken } from "./audit-actor.ts";

export function createExportRecord(database: Pick<Database, "connection" | "pool">): RecordExport {
  return (list, { actor, tokenId }) =>
    inTransaction(database, async (transaction) => {
      await nameToken(transaction, tokenId);
      await sql`select skedchange.audit_export(${list}, ${actor})`.execute(transaction);
    });
}
