import { sql, type Transaction } from "kysely";
import { type CaseAction, type CaseActionOutcome, refused } from "../../cases/case-command.ts";
import { responseTargetRule } from "../../cases/clocks.ts";
import { snoozeRefusal } from "../../cases/possible-actions.ts";
import { addCaseEvent, insertDecision } from "../case-rows.ts";
import type { Tables } from "../tables.ts";
import {
  type ActionContext,
  type DecisionBasis,
  decisionByPerson,
  decisionInForce,
  dueUnlessWoken,
  type LockedCase,
  refuseUnsettledEffect,
  rest,
} from "./locked-case.ts";

/** Puts the case off: a worker looks at it again then, or when the airline changes something before. */
export async function snooze(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: Extract<CaseAction, { action: "snooze" }>,
  { at }: ActionContext,
): Promise<CaseActionOutcome> {
  const { until, actor, note } = action;
  const about = { caseId: current.id, now: at, departureAt: current.departure_at, dueBy: current.firm_due_by };
  const refusal = snoozeRefusal(until, about);
  if (refusal !== null) return refusal;
  // As a wait from the database's own now, like every due time: the clock of this process may be off. Who puts a case
  // off has answered it: the agency's own target counts anew from when it comes back.
  const waitSeconds = (until.getTime() - at.getTime()) / 1_000;
  const isTarget = sql`due_by_rule = ${responseTargetRule}`;
  await sql`
    update skedchange.cases
    set state = 'snoozed',
      due_at = ${dueUnlessWoken(sql`now() + make_interval(secs => ${waitSeconds}::double precision)`)},
      due_by = case when ${isTarget} then null else due_by end,
      overdue_at = case when ${isTarget} then null else overdue_at end,
      due_by_rule = case when ${isTarget} then null else due_by_rule end,
      version = version + 1, updated_at = ${at}
    where id = ${current.id}
  `.execute(transaction);
  const detail = { until: until.toISOString(), note };
  await addCaseEvent(transaction, { caseId: current.id, at, kind: "case.snoozed", actor, detail });
  return { outcome: "accepted", caseId: current.id, state: "snoozed", decisionId: null };
}

/** The queue of those who rebook. */
const rescheduleQueue = "reschedule";

/** Hands the case to those who rebook. */
export async function handToReschedule(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  const unsettled = await refuseUnsettledEffect(transaction, current);
  if (unsettled !== null) return unsettled;
  return await askPeople(transaction, current, action, context, rescheduleQueue, {
    code: "person-handed-to-reschedule",
    text: "A person handed the case to those who rebook.",
  });
}

/** Keeps a decided effect from being sent, while there is still time. */
export async function stopEffect(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  const unsettled = await refuseUnsettledEffect(transaction, current);
  if (unsettled !== null || !current.can_be_stopped) {
    return {
      outcome: "conflict",
      state: current.state,
      version: current.version,
      message: `It is too late to stop anything on case ${current.id}, or there is nothing to stop. Look at it again.`,
    };
  }
  return await askPeople(transaction, current, action, context, "agent", {
    code: "person-stopped",
    text: "A person stopped what had been decided, before it was sent.",
  });
}

/** A decision that only people, or the traveller's answer, move on. What an effect has left open stays open. */
async function askPeople(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  { at, newId }: ActionContext,
  reviewQueue: string,
  reason: { readonly code: string; readonly text: string },
): Promise<CaseActionOutcome> {
  const seen = await decisionInForce(transaction, current);
  if (seen === null) {
    return refused("desk.no_decision", `Case ${current.id} has not been decided yet. Wait until a worker has seen it.`);
  }
  const decisionId = newId();
  const decision = decisionByPerson(action, seen, {
    action: "review",
    reviewQueue,
    reasons: [reason],
    ...keptQuestion(seen),
  });
  await insertDecision(transaction, current.id, decisionId, at, decision);
  await rest(transaction, current, { state: "awaiting-agent", reviewQueue }, at);
  return { outcome: "accepted", caseId: current.id, state: "awaiting-agent", decisionId };
}

/** No policy may overtake the question what to do after an effect that did not go well, whoever has it. */
export function keptQuestion({ question }: DecisionBasis): Partial<Pick<DecisionBasis, "question">> {
  return question === "effect-outcome" ? { question } : {};
}
