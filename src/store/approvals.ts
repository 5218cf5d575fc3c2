import { sql, type Transaction } from "kysely";
import type { CaseAction, CaseActionOutcome } from "../cases/case-command.ts";
import { type ActionContext, type LockedCase, rest } from "./case-actions/locked-case.ts";
import { addCaseEvent } from "./case-rows.ts";
import type { Tables } from "./tables.ts";

/** What one person has asked for and another must agree to. */
export interface AskedApproval {
  readonly id: string;
  readonly action: "accept" | "cancel";
  readonly proposalDigest: string;
  readonly askedBy: string;
  readonly note: string | null;
}

/** What a case waits for; null when nothing is asked. */
export async function findAskedApproval(
  transaction: Transaction<Tables>,
  caseId: string,
): Promise<AskedApproval | null> {
  const { rows } = await sql<AskedApproval>`
    select id, action, proposal_digest as "proposalDigest", asked_by as "askedBy", note
    from skedchange.approvals where case_id = ${caseId} and state = 'asked'
  `.execute(transaction);
  return rows[0] ?? null;
}

/** The first person asks; the case waits for another one. */
export async function askApproval(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: Extract<CaseAction, { action: "accept" | "cancel" }>,
  { proposalDigest }: { readonly proposalDigest: string },
  { at, newId }: ActionContext,
): Promise<CaseActionOutcome> {
  const approvalId = newId();
  await sql`
    insert into skedchange.approvals (id, case_id, action, proposal_digest, asked_by, asked_at, note)
    values (${approvalId}, ${current.id}, ${action.action}, ${proposalDigest}, ${action.actor}, ${at}, ${action.note})
  `.execute(transaction);
  const { rows } = await sql<{ review_queue: string | null }>`
    select review_queue from skedchange.cases where id = ${current.id}
  `.execute(transaction);
  await rest(transaction, current, { state: "awaiting-agent", reviewQueue: rows[0]?.review_queue ?? "agent" }, at);
  await addCaseEvent(transaction, {
    caseId: current.id,
    at,
    kind: "approval.asked",
    actor: action.actor,
    detail: { approvalId, action: action.action, note: action.note },
  });
  return { outcome: "accepted", caseId: current.id, state: "awaiting-agent", decisionId: null, approvalId };
}

/** Writes down how an approval ended. */
export async function endApproval(
  transaction: Transaction<Tables>,
  caseId: string,
  approval: Pick<AskedApproval, "id" | "action">,
  end: { readonly state: "given" | "refused" | "void"; readonly actor: string; readonly note: string | null },
  at: Date,
): Promise<void> {
  await sql`
    update skedchange.approvals set state = ${end.state}, answered_by = ${end.actor}, answered_at = ${at}
    where id = ${approval.id} and state = 'asked'
  `.execute(transaction);
  await addCaseEvent(transaction, {
    caseId,
    at,
    kind: end.state === "void" ? "approval.voided" : `approval.${end.state}`,
    actor: end.actor,
    detail: { approvalId: approval.id, action: approval.action, note: end.note },
  });
}
