import { clockInForce } from "../../dashboard/task-ports.ts";
import { objectOf } from "../database/columns-of.ts";
import { type Sql, sql } from "../database/sql.ts";

/** The clock of a case or a task, from the columns `due_by` and `due_by_rule` of its table; null if none runs. */
export function dueClock(table: string, isOverdue: Sql): Sql {
  const at = sql.ref(`${table}.due_by`);
  const rule = sql`coalesce(${sql.ref(`${table}.due_by_rule`)}, '')`;
  return sql`case when ${at} is not null then ${objectOf(clockInForce, table, { at, rule, overdue: isOverdue })} end`;
}
