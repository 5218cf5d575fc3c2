import { sql, type Transaction } from "kysely";
import {
  type ActionOutcome,
  type ActionRefusal,
  isOffered,
  needsSecondPerson,
  type PersonAction,
  type Reason,
  refused,
} from "../../desk/ports.ts";
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
  action: Extract<PersonAction, { action: "accept" | "cancel" }>,
  context: ActionContext,
): Promise<ActionOutcome> {
  if (action.action === "cancel" && action.confirm !== current.order_id) {
    return refused(
      "desk.confirmation_missing",
      `A cancel cannot be taken back, so it takes the OrderID of case ${current.id}, typed as 'confirm'. Type it exactly.`,
    );
  }
  const basis = await basisFor(transaction, current, action.action);
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
  by: Pick<PersonAction, "actor" | "note">,
  effect: "accept" | "cancel",
  basis: DecisionBasis,
  { at, newId }: ActionContext,
  more: readonly Reason[] = [],
): Promise<ActionOutcome> {
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
): Promise<(DecisionBasis & { readonly proposalDigest: string }) | ActionRefusal> {
  const unsettled = await refuseUnsettledEffect(transaction, current);
  if (unsettled !== null) return unsettled;
  const seen = await decisionInForce(transaction, current);
  const repeated = await refuseRepetition(transaction, current, effect, seen?.proposalDigest ?? null);
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

/** An effect that succeeded is never sent again for the same proposal of a case, whoever asks. */
async function refuseRepetition(
  transaction: Transaction<Tables>,
  current: LockedCase,
  effect: "accept" | "cancel",
  proposalDigest: string | null,
): Promise<ActionRefusal | null> {
  const { rows } = await sql`
    select 1 from skedchange.effects
    where case_id = ${current.id} and action = ${effect} and proposal_digest = ${proposalDigest} and state = 'succeeded'
  `.execute(transaction);
  if (rows.length === 0) return null;
  return refused(
    "desk.already_carried_out",
    `The gateway has answered SUCCESS to the ${effect} of this change already (case ${current.id}). Settle it with the airline, then close the case.`,
  );
}
