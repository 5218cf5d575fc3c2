import { sql, type Transaction } from "kysely";
import { type CaseAction, type CaseActionOutcome, refused } from "../../cases/case-command.ts";
import { addCaseEvent } from "../case-rows.ts";
import type { Tables } from "../tables.ts";
import { type ActionContext, countChange, type LockedCase, wake } from "./locked-case.ts";

/** Says who works on the case, or that nobody does. */
export async function assign(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: Extract<CaseAction, { action: "assign" }>,
  { at }: ActionContext,
): Promise<CaseActionOutcome> {
  const { assignee } = action;
  if (assignee !== null && !(await canWorkOnCases(transaction, assignee))) {
    return refused(
      "desk.assignee_unknown",
      `Nobody called '${assignee}' can sign in and act on cases. Choose an enabled user with the role agent or more.`,
    );
  }
  const who = assignee === null ? null : `person:${assignee}`;
  await sql`update skedchange.cases set assignee = ${who} where id = ${current.id}`.execute(transaction);
  await countChange(transaction, current, at);
  await tell(transaction, current, action, at, "case.assigned", { assignee: who });
  return { outcome: "accepted", caseId: current.id, state: current.state, decisionId: null };
}

async function canWorkOnCases(transaction: Transaction<Tables>, username: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from skedchange.users where username = ${username} and disabled_at is null and role <> 'viewer'
  `.execute(transaction);
  return rows.length > 0;
}

/** Adds a note to the timeline. */
export async function note(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  { at }: ActionContext,
): Promise<CaseActionOutcome> {
  if (action.note === null) {
    return refused("desk.note_missing", `There is nothing to note on case ${current.id}. Give the text as 'note'.`);
  }
  await countChange(transaction, current, at);
  await tell(transaction, current, action, at, "case.noted", {});
  return { outcome: "accepted", caseId: current.id, state: current.state, decisionId: null };
}

/** Has a worker read the status again and decide anew. */
export async function recheck(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  { at }: ActionContext,
): Promise<CaseActionOutcome> {
  await wake(transaction, current, current.state, at);
  await tell(transaction, current, action, at, "case.recheck_asked", {});
  return { outcome: "accepted", caseId: current.id, state: current.state, decisionId: null };
}

async function tell(
  transaction: Transaction<Tables>,
  current: LockedCase,
  { actor, note }: CaseAction,
  at: Date,
  kind: string,
  detail: object,
): Promise<void> {
  await addCaseEvent(transaction, { caseId: current.id, at, kind, actor, detail: { ...detail, note } });
}
