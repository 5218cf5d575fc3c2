import { sql, type Transaction } from "kysely";
import type { NewTask } from "../../cases/case-update.ts";
import type { Tables } from "../database/tables.ts";
import { addCaseEvent, json } from "./case-rows.ts";

/** Opens a task for a case, unless it has one of the kind: what comes up twice is looked at once. */
export async function openTask(
  transaction: Transaction<Tables>,
  caseId: string,
  taskId: string,
  at: Date,
  { kind, reasons, dueBy }: NewTask,
): Promise<void> {
  const { rows } = await sql`
    insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, due_by, due_by_rule)
    select ${taskId}::uuid, c.id, c.source, c.order_id, ${kind}::text, ${json(reasons)}, ${at}::timestamptz,
      ${dueBy?.at ?? null}::timestamptz, ${dueBy?.rule ?? null}::text
    from skedchange.cases c where c.id = ${caseId}
    on conflict (case_id, kind) do nothing
    returning id
  `.execute(transaction);
  if (rows.length === 0) return;
  await addCaseEvent(transaction, { caseId, at, kind: "task.opened", actor: "worker", detail: { taskId, kind } });
}
