import { fitsFlights, sameFlights } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Fact } from "../kernel/fact.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";

export type OpenProposal = Pick<
  Proposal,
  | "flags"
  | "referencesAllowing"
  | "pnrStatus"
  | "scheduleChangeStatus"
  | "scheduleChangeIndicator"
  | "current"
  | "proposed"
  | "withdrawnSegmentKeys"
>;

/**
 * Whether nothing can be accepted, cancelled or rescheduled. A missing flag does not count as N: without flags, nothing
 * is open only if the view proposes no other flights and does not call the reservation changed.
 */
export function isNothingOpen(proposal: OpenProposal): boolean {
  const status = proposal.scheduleChangeStatus;
  if (isAnyFlagSet(proposal) || isStatus(status, "Initiated") || isStatus(status, "Partially-Accepted")) return false;
  const { accept, cancel, reSchedule } = proposal.flags;
  const nothingOffered = [accept, cancel, reSchedule].every((flag) => flag.known && flag.value === "N");
  const nothingProposed = isNothingProposed(proposal) && !isStatus(proposal.pnrStatus, "SCHEDULE CHANGED");
  if (isStatus(status, "Accepted") || isStatus(status, "Rejected")) return nothingOffered || nothingProposed;
  const indicatedUnchanged = proposal.scheduleChangeIndicator.known && !proposal.scheduleChangeIndicator.value;
  return nothingProposed && (nothingOffered || indicatedUnchanged);
}

export function isNothingProposed({ current, proposed, withdrawnSegmentKeys }: OpenProposal): boolean {
  return withdrawnSegmentKeys.length === 0 && sameFlights(current, proposed);
}

function isAnyFlagSet({ flags, referencesAllowing }: OpenProposal): boolean {
  const { accept, cancel } = referencesAllowing;
  return [flags.accept, flags.cancel, flags.reSchedule].some(isFlagSet) || accept.length > 0 || cancel.length > 0;
}

/**
 * Returns the references for which a partly settled effect is still offered. Empty if it is offered for all, since that
 * status is from before, or with other flights, since that is another change.
 */
export function stillOpenReferences(
  { action, gdsBookingReferences: sentFor, proposed }: EffectSnapshot,
  proposal: Pick<Proposal, "referencesAllowing" | "proposed">,
): readonly string[] {
  if (action === "accept" && (proposed === null || !fitsFlights(proposed, proposal.proposed))) return [];
  const open = sentFor.filter((reference) => proposal.referencesAllowing[action].includes(reference));
  return open.length < sentFor.length ? open : [];
}

/** Returns the references that an effect was not sent for, and for which the gateway offers to accept or to cancel. */
export function openReferencesLeftOut(
  { gdsBookingReferences: sentFor }: EffectSnapshot,
  { referencesAllowing: { accept, cancel } }: Pick<Proposal, "referencesAllowing">,
): readonly string[] {
  return [...new Set([...accept, ...cancel])].filter((reference) => !sentFor.includes(reference));
}

/** Compares a status without regard to case. */
export function isStatus(fact: Fact<unknown>, value: string): boolean {
  return fact.known && String(fact.value).toUpperCase() === value.toUpperCase();
}

export function isFlagSet(flag: Fact<"Y" | "N">): boolean {
  return flag.known && flag.value === "Y";
}
