import { type Sql, sql } from "./sql.ts";

/** The encoding of a body that is gone. Its row stays. */
export const deletedEncoding = "deleted";

/** When the body of a row was deleted and why; null if it is there, or there was none. As JSON: `datesOf` makes dates of it. */
export function bodyDeletion(column: "body" | "answer", table = ""): Sql {
  const at = sql.raw(`${table}${column}_deleted_at`);
  const by = sql.raw(`${table}${column}_deleted_by`);
  return sql`case when ${at} is not null then jsonb_build_object('at', ${at}, 'by', ${by}) end`;
}
