import type { Assessment } from "./assess.ts";
import { decide } from "./decide.ts";
import type { DeskContext } from "./desk-context.ts";
import type { DecisionSnapshot, EffectAction, Lease, Work } from "./ports.ts";
import { decisionSubject, isByPerson } from "./record-decision.ts";
import { travellerOn } from "./traveller.ts";

/**
 * Whether the proposal is the one that was decided on and offers the action. What a rule decided must hold now as well:
 * the departure has come nearer since, and the policy may be another one. What a person decided must not be against what
 * the traveller has answered since.
 */
export function isStillMeant(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  decision: DecisionSnapshot,
  assessment: Assessment,
): boolean {
  const { action, proposalDigest } = decision;
  const { proposal } = assessment;
  if (action !== "accept" && action !== "cancel") return false;
  if (proposalDigest === null || proposal.digest !== proposalDigest) return false;
  if (proposal.referencesAllowing[action].length === 0) return false;
  if (isByPerson(decision)) return work.heardSince !== "answered" || isWanted(work, action, proposal.digest);
  const subject = decisionSubject(desk, lease, work, assessment, null);
  return decide(subject, desk.policyOf(lease.source)).action === action;
}

/** Whether the traveller's newest answer asks for just this. */
function isWanted({ travellerContacts }: Work, action: EffectAction, proposalDigest: string): boolean {
  const choice = travellerOn(proposalDigest, travellerContacts).answer?.choice;
  return action === "accept" ? choice === "accept" : choice === "refund";
}
