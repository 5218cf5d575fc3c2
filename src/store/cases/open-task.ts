import { sql } from "kysely";
import type { NewTask } from "../../cases/case-update.ts";
import type { Connection } from "../database/transaction.ts";
import { announceCase, json } from "./case-rows.ts";

/** Opens a task for a case, unless it has one of that kind. */
export async function openTask(
  transaction: Connection,
  caseId: string,
  taskId: string,
  at: Date,
  { kind, reasons, dueBy }: NewTask,
): Promise<void> {
  await sql`
    with opened as (
      insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, due_by, due_by_rule)
      select ${taskId}::uuid, c.id, c.source, c.order_id, ${kind}::text, ${json(reasons)}, ${at}::timestamptz,
        ${dueBy?.at ?? null}::timestamptz, ${dueBy?.rule ?? null}::text
      from skedchange.cases c where c.id = ${caseId}
      on conflict (case_id, kind) do nothing
      returning case_id
    )
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select case_id, ${at}::timestamptz, 'task.opened', 'worker', ${json({ taskId, kind })} from opened
    returning ${announceCase(sql`case_id`)}
  `.execute(transaction);
}
