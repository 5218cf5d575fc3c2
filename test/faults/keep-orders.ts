import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

/**
 * Writes what stands about each order into a file of its own, by table: what happened to an order whose promise was broken
 * cannot be told from the logs, and the database of a run is gone with it.
 */
export async function saveOrders(pool: pg.Pool, orderIds: readonly string[], folder: string): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string; by: "order_id" | "case_id" }>(`
    select format('%I.%I', c.table_schema, c.table_name) as name, max(c.column_name) as by
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema in ('gateway', 'skedchange') and c.column_name in ('order_id', 'case_id')
      and t.table_type = 'BASE TABLE'
      and not exists (select from pg_inherits where inhrelid = format('%I.%I', c.table_schema, c.table_name)::regclass)
    group by c.table_schema, c.table_name order by 1`);
  for (const orderId of orderIds) {
    const found: Record<string, unknown> = {};
    for (const { name, by } of tables) {
      const own = by === "order_id" ? "$1" : "(select id from skedchange.cases where order_id = $1)";
      const rows = await pool.query<{ row: unknown }>(
        `select to_jsonb(t) as row from ${name} t where ${by} in (${own})`,
        [orderId],
      );
      if (rows.rows.length > 0) found[name] = rows.rows.map(({ row }) => row);
    }
    await writeFile(join(folder, `order-${orderId}.json`), JSON.stringify(found, null, 1));
  }
}
