import { sql } from "kysely";
import type { RecordExport } from "../../dashboard/ports.ts";
import type { Database } from "../database/database.ts";

export function createExportRecord({ kysely }: Pick<Database, "kysely">): RecordExport {
  return async (list, actor) => {
    await sql`select skedchange.audit_export(${list}, ${actor})`.execute(kysely);
  };
}
