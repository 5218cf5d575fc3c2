import type { NewTask } from "../../cases/case-update.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { announceCase } from "./case-rows.ts";
import { openTasks, taskRow } from "./write-cases.ts";

/** Opens one task. */
export async function openTask(
  transaction: Connection,
  caseId: string,
  taskId: string,
  at: Date,
  task: NewTask,
): Promise<void> {
  await sql`
    with given as (
      select 0 as place, c.id as "caseId", c.source, c.order_id as "orderId" from skedchange.cases c where c.id = ${caseId}
    ), opened as (${openTasks(sql`given`, [taskRow(0, taskId, at, task)])})
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select case_id, opened_at, 'task.opened', 'worker', detail from opened
    returning ${announceCase(sql`case_id`)}
  `.execute(transaction);
}
