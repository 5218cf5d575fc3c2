import { type RawBuilder, sql } from "kysely";
import type { BodyDeletion } from "../../dashboard/ports.ts";

/** The encoding of a body that is gone. Its row stays. */
export const deletedEncoding = "deleted";

/** As JSON returns it: the time is text. */
export type BodyDeletionRow = { readonly at: string; readonly by: BodyDeletion["by"] } | null;

/** When the body of a row was deleted and why; null if it is there, or there was none. */
export function bodyDeletion(column: "body" | "answer", table = ""): RawBuilder<BodyDeletionRow> {
  const at = sql.raw(`${table}${column}_deleted_at`);
  const by = sql.raw(`${table}${column}_deleted_by`);
  return sql`case when ${at} is not null then jsonb_build_object('at', ${at}, 'by', ${by}) end`;
}

export function toBodyDeletion(row: BodyDeletionRow): BodyDeletion | null {
  return row === null ? null : { at: new Date(row.at), by: row.by };
}
