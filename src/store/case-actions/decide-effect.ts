import { sql, type Transaction } from "kysely";
import { type ActionRefusal, type CaseAction, type CaseActionOutcome, refused } from "../../cases/case-command.ts";
import type { Reason } from "../../cases/decision.ts";
import { isOffered, needsSecondPerson } from "../../cases/possible-actions.ts";
import { askApproval, findAskedApproval } from "../approvals.ts";
import { insertDecision } from "../case-rows.ts";
import type { Tables } from "../tables.ts";
import {
  type ActionContext,
  type DecisionBasis,
  decisionByPerson,
  decisionInForce,
  type LockedCase,
  refuseUnsettledEffect,
  wake,
} from "./locked-case.ts";

/**
 * A person accepts or cancels: the decision is recorded, and a worker carries it out. A cancel that takes a second person
 * is only asked for.
 */
export async function decideEffect(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: Extract<CaseAction, { action: "accept" | "cancel" }>,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  if (action.action === "cancel" && action.confirm !== current.order_id) {
    return refused(
      "desk.confirmation_missing",
      `A cancel cannot be taken back, so it takes the OrderID of case ${current.id}, typed as 'confirm'. Type it exactly.`,
    );
  }
  const basis = await basisFor(transaction, current, action.action, context);
  if ("outcome" in basis) return basis;
  if (action.action === "cancel" && needsSecondPerson(basis.facts, context.secondPersonAbove)) {
    const asked = await findAskedApproval(transaction, current.id);
    if (asked !== null) {
      return refused(
        "desk.approval_asked",
        `${asked.askedBy} has asked to cancel case ${current.id} already. Another person approves or refuses that.`,
      );
    }
    return await askApproval(transaction, current, action, basis, context);
  }
  return await carryOut(transaction, current, action, action.action, basis, context);
}

/** Records the decision and hands the case to a worker. */
export async function carryOut(
  transaction: Transaction<Tables>,
  current: LockedCase,
  by: Pick<CaseAction, "actor" | "note">,
  effect: "accept" | "cancel",
  basis: DecisionBasis,
  { at, newId }: ActionContext,
  more: readonly Reason[] = [],
): Promise<CaseActionOutcome> {
  const decisionId = newId();
  const decision = decisionByPerson(by, basis, {
    action: effect,
    reasons: [{ code: "person-decided", text: `A person decided to ${effect}.` }, ...more],
  });
  await insertDecision(transaction, current.id, decisionId, at, decision);
  await wake(transaction, current, "checking", at);
  return { outcome: "accepted", caseId: current.id, state: "checking", decisionId };
}

/** What an effect would rest on, or why there can be none. */
export async function basisFor(
  transaction: Transaction<Tables>,
  current: LockedCase,
  effect: "accept" | "cancel",
  context: Pick<ActionContext, "statusLagMs">,
): Promise<(DecisionBasis & { readonly proposalDigest: string }) | ActionRefusal> {
  const unsettled = await refuseUnsettledEffect(transaction, current);
  if (unsettled !== null) return unsettled;
  const seen = await decisionInForce(transaction, current);
  const repeated = await refuseRepetition(transaction, current, effect, seen?.proposalDigest ?? null, context);
  if (repeated !== null) return repeated;
  if (seen === null || seen.proposalDigest === null || seen.flags === null) {
    return refused(
      "desk.no_proposal",
      `Case ${current.id} has no proposal to ${effect}, because the gateway's status could not be read. Use recheck first.`,
    );
  }
  if (!isOffered(seen.flags, effect)) {
    const flag = seen.flags[effect];
    return refused(
      "desk.flag_not_set",
      `The gateway does not offer to ${effect} this change (flag ${flag.known ? flag.value : `unknown: ${flag.reason}`}). Use another action, or recheck.`,
    );
  }
  return { ...seen, proposalDigest: seen.proposalDigest };
}

/**
 * An effect that succeeded is never sent again for the same proposal of a case, whoever asks. While statuses may still show
 * the proposal that was answered last, neither effect is sent for it on any case of the order.
 */
async function refuseRepetition(
  transaction: Transaction<Tables>,
  current: LockedCase,
  effect: "accept" | "cancel",
  proposalDigest: string | null,
  { statusLagMs }: Pick<ActionContext, "statusLagMs">,
): Promise<ActionRefusal | null> {
  const { rows } = await sql<{ case_id: string; action: string; lag_ends: Date; is_repeated: boolean }>`
    select case_id, action, is_repeated, lag_ends
    from (
      select case_id, action, proposal_digest, case_id = ${current.id} and action = ${effect} as is_repeated,
        finished_at + make_interval(secs => ${statusLagMs / 1_000}::double precision) as lag_ends,
        finished_at = max(finished_at) over () as is_last
      from skedchange.effects
      where source = ${current.source} and order_id = ${current.order_id} and state = 'succeeded'
    ) done
    where proposal_digest = ${proposalDigest} and (is_repeated or (is_last and lag_ends > now()))
    order by is_repeated desc
    limit 1
  `.execute(transaction);
  const [done] = rows;
  if (done === undefined) return null;
  const said = `The gateway has answered SUCCESS to the ${done.action} of this change already (case ${done.case_id})`;
  if (done.is_repeated) {
    return refused("desk.already_carried_out", `${said}. Settle it with the airline, then close the case.`);
  }
  return refused(
    "desk.already_carried_out",
    `${said}, and its status may go on showing the change until ${done.lag_ends.toISOString()}. Look at the case again then.`,
  );
}
