import type { Transaction } from "kysely";
import { type CaseAction, type CaseActionOutcome, refused } from "../../cases/case-command.ts";
import { endApproval, findAskedApproval } from "../approvals.ts";
import type { Tables } from "../tables.ts";
import { basisFor, carryOut } from "./decide-effect.ts";
import { type ActionContext, countChange, type LockedCase } from "./locked-case.ts";

/** The second person agrees, and a worker carries it out; or refuses, and the case waits as before. */
export async function answerApproval(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: Extract<CaseAction, { action: "approve" | "refuse-approval" }>,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  const { at } = context;
  const asked = await findAskedApproval(transaction, current.id);
  if (asked === null || asked.id !== action.approvalId) {
    return refused(
      "desk.approval_not_open",
      `Case ${current.id} does not wait for the approval ${action.approvalId}. Look at it again; what is to be done may have to be asked for anew.`,
    );
  }
  if (action.action === "refuse-approval") {
    await endApproval(transaction, current.id, asked, { state: "refused", actor: action.actor, note: action.note }, at);
    await countChange(transaction, current, at);
    return { outcome: "accepted", caseId: current.id, state: current.state, decisionId: null };
  }
  if (asked.askedBy === action.actor) {
    return refused(
      "desk.second_person_needed",
      `You have asked to ${asked.action} case ${current.id} yourself. Somebody else must approve it.`,
    );
  }
  const basis = await basisFor(transaction, current, asked.action, context);
  if ("outcome" in basis) return basis;
  if (basis.proposalDigest !== asked.proposalDigest) {
    await endApproval(transaction, current.id, asked, { state: "void", actor: action.actor, note: action.note }, at);
    await countChange(transaction, current, at);
    return refused(
      "desk.approval_void",
      `The proposal of case ${current.id} has changed since ${asked.askedBy} asked to ${asked.action} it. Look at the new one, and ask again if it still holds.`,
    );
  }
  await endApproval(transaction, current.id, asked, { state: "given", actor: action.actor, note: action.note }, at);
  const by = { actor: action.actor, note: action.note ?? asked.note };
  const together = { code: "second-person", text: "One person asked for it and another agreed." };
  return await carryOut(transaction, current, by, asked.action, basis, context, [together]);
}
