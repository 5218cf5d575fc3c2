import { sql, type Transaction } from "kysely";
import type { CaseAction, CaseActionOutcome } from "../../cases/case-command.ts";
import { addCaseEvent, announceDue } from "../case-rows.ts";
import type { Tables } from "../tables.ts";
import type { ActionContext, LockedCase } from "./locked-case.ts";

/** Opens the next case of the order, due at once, resting on the same notifications. The finished one stays as it is. */
export async function reopen(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  { at, newId }: ActionContext,
): Promise<CaseActionOutcome> {
  const id = newId();
  const opened = await sql`
    insert into skedchange.cases (
      id, source, order_id, gds_booking_references, state, due_at, opened_at, updated_at, reopened_from
    )
    select ${id}::uuid, source, order_id, gds_booking_references, 'received', now(), ${at}::timestamptz,
      ${at}::timestamptz, id
    from skedchange.cases where id = ${current.id}
    on conflict (source, order_id) where state not in ('done', 'resolved-elsewhere', 'closed') do nothing
    returning id
  `.execute(transaction);
  if (opened.rows.length === 0) {
    return {
      outcome: "conflict",
      state: current.state,
      version: current.version,
      message: `Order ${current.order_id} of case ${current.id} has an open case already. Act on that one.`,
    };
  }
  await sql`
    insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
    select ${id}::uuid, notification_id, notification_received_at, ${at}::timestamptz
    from skedchange.case_notifications where case_id = ${current.id}
  `.execute(transaction);
  const { actor, note } = action;
  await addCaseEvent(transaction, { caseId: current.id, at, kind: "case.reopened", actor, detail: { as: id, note } });
  await addCaseEvent(transaction, { caseId: id, at, kind: "case.opened", actor, detail: { after: current.id } });
  await announceDue(transaction);
  return { outcome: "accepted", caseId: id, state: "received", decisionId: null };
}
