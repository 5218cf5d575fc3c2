import type { Assessment } from "./assess.ts";
import { decide } from "./decide.ts";
import type { DeskContext } from "./desk-context.ts";
import type { DecisionSnapshot, Lease, Work } from "./ports.ts";
import { decisionSubject } from "./record-decision.ts";

/**
 * Whether the proposal is the one that was decided on and offers the action. What a rule decided must hold now as well:
 * the departure has come nearer since, and the policy may be another one.
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
  if (isByPerson(decision)) return true;
  const subject = decisionSubject(desk, lease, work, assessment, null);
  return decide(subject, desk.policyOf(lease.source)).action === action;
}

export function isByPerson({ decidedBy }: Pick<DecisionSnapshot, "decidedBy">): boolean {
  return decidedBy.startsWith("person:");
}
