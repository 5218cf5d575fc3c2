import type { Page, PagePosition } from "../../dashboard/paging-ports.ts";
import { type Sql, sql } from "./sql.ts";

/** The instant with microseconds. A Date would lose three digits, and the page would lose rows. */
export function positionOf(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

export function after(column: Sql, id: Sql, position: PagePosition | null): Sql {
  return position === null ? sql`true` : sql`(${column}, ${id}) < (${position.at}::timestamptz, ${position.id}::uuid)`;
}

/** The query reads one row more than the page, to detect a next page. */
export function toPage<Row extends { id: string; position: string; sort_priority?: number | null }, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    next: rows.length > limit && last !== undefined ? positionAt(last) : null,
  };
}

function positionAt(row: { id: string; position: string; sort_priority?: number | null }): PagePosition {
  const priority = row.sort_priority ?? null;
  return { at: row.position, id: row.id, ...(priority === null ? {} : { priority }) };
}
