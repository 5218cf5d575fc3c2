import type { Transaction } from "kysely";
import type { CaseAction, CaseActionOutcome } from "../../cases/case-command.ts";
import { obstacleInState } from "../../cases/possible-actions.ts";
import type { Tables } from "../tables.ts";
import { recordContact } from "../traveller-contacts.ts";
import { answerApproval } from "./answer-approval.ts";
import { decideEffect } from "./decide-effect.ts";
import { closeCase, resolveElsewhere } from "./end-case.ts";
import { type ActionContext, type LockedCase, lockCase } from "./locked-case.ts";
import { assign, note, recheck } from "./note-on-case.ts";
import { reopen } from "./reopen.ts";
import { settleEffect } from "./settle-effect.ts";
import { handToReschedule, snooze, stopEffect } from "./wait.ts";

/**
 * A person's action on the case as it is when this transaction has locked it: of two people, or a person and a worker,
 * who act at once, one is first and the other is told what the case has become.
 */
export async function actOnCase(
  transaction: Transaction<Tables>,
  action: CaseAction,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  const current = await lockCase(transaction, action.caseId);
  if (current === null) return { outcome: "not-found" };
  const conflict = conflictOf(current, action);
  if (conflict !== null) {
    return { outcome: "conflict", state: current.state, version: current.version, message: conflict };
  }
  switch (action.action) {
    case "accept":
    case "cancel":
      return await decideEffect(transaction, current, action, context);
    case "approve":
    case "refuse-approval":
      return await answerApproval(transaction, current, action, context);
    case "close":
      return await closeCase(transaction, current, action, context);
    case "resolved-elsewhere":
      return await resolveElsewhere(transaction, current, action, context);
    case "reopen":
      return await reopen(transaction, current, action, context);
    case "reschedule":
      return await handToReschedule(transaction, current, action, context);
    case "stop":
      return await stopEffect(transaction, current, action, context);
    case "snooze":
      return await snooze(transaction, current, action, context);
    case "assign":
      return await assign(transaction, current, action, context);
    case "note":
      return await note(transaction, current, action, context);
    case "recheck":
      return await recheck(transaction, current, action, context);
    case "traveller-informed":
    case "traveller-asked":
    case "traveller-answered":
      return await recordContact(transaction, current, action, context);
    case "confirm-effect":
    case "refute-effect":
      return await settleEffect(transaction, current, action, context);
  }
}

function conflictOf(current: LockedCase, { action, version }: CaseAction): string | null {
  const obstacle = obstacleInState(action, current.state, current.id);
  if (obstacle !== null) return obstacle;
  if (version === null || version === current.version) return null;
  // Every try to reach a gateway that is away moves the case. Whoever stops a call must not lose to that, and what is
  // stopped in vain costs a look: people are asked, and nothing is sent.
  if (action === "stop") return null;
  return `Case ${current.id} has changed since you saw it: it is at version ${current.version}, not ${version}. Look at it again.`;
}
