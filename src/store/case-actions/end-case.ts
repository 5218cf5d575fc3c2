import type { Transaction } from "kysely";
import { type CaseAction, type CaseActionOutcome, refused } from "../../cases/case-command.ts";
import { closeReasonTexts } from "../../cases/possible-actions.ts";
import { insertDecision } from "../case-rows.ts";
import type { Tables } from "../tables.ts";
import {
  type ActionContext,
  decisionByPerson,
  decisionInForce,
  type LockedCase,
  refuseUnsettledEffect,
  rest,
} from "./locked-case.ts";

/** A person ends the case without an effect. Programs of before give no reason. */
export async function closeCase(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: Extract<CaseAction, { action: "close" }>,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  if (action.reasonCode === "other" && action.note === null) {
    return refused(
      "desk.note_missing",
      `To close case ${current.id} for another reason takes a note that says which. Add one.`,
    );
  }
  const { reasonCode } = action;
  return await end(transaction, current, action, context, "closed", [
    { code: "person-closed", text: "A person closed the case without an effect." },
    ...(reasonCode === undefined ? [] : [{ code: reasonCode, text: closeReasonTexts[reasonCode] }]),
  ]);
}

/** A person has seen that the change was settled with the airline itself. */
export async function resolveElsewhere(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  return await end(transaction, current, action, context, "resolved-elsewhere", [
    { code: "person-resolved-elsewhere", text: "A person has seen that the change is settled at the airline." },
  ]);
}

async function end(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  { at, newId }: ActionContext,
  state: "closed" | "resolved-elsewhere",
  reasons: Parameters<typeof decisionByPerson>[2]["reasons"],
): Promise<CaseActionOutcome> {
  const unsettled = await refuseUnsettledEffect(transaction, current);
  if (unsettled !== null) return unsettled;
  const seen = await decisionInForce(transaction, current);
  const decisionId = newId();
  await insertDecision(
    transaction,
    current.id,
    decisionId,
    at,
    decisionByPerson(action, seen, { action: "none", reasons }),
  );
  await rest(transaction, current, { state, reviewQueue: null }, at);
  return { outcome: "accepted", caseId: current.id, state, decisionId };
}
