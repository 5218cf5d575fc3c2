import { fitsFlights, sameFlights } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Fact } from "../kernel/fact.ts";
import type { EffectSnapshot } from "./order-context.ts";

/** What tells whether a change waits for an answer. */
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
 * Nothing that anybody could still accept, cancel or reschedule. A missing flag does not count as N: without flags, only a
 * view that proposes no other flights shows that nothing is open, and not while it calls the reservation changed.
 */
export function isNothingOpen(proposal: OpenProposal): boolean {
  const status = proposal.scheduleChangeStatus;
  if (isAnyFlagSet(proposal) || factEquals(status, "Initiated") || factEquals(status, "Partially-Accepted"))
    return false;
  const { accept, cancel, reSchedule } = proposal.flags;
  const nothingOffered = [accept, cancel, reSchedule].every((flag) => flag.known && flag.value === "N");
  const nothingProposed = isNothingProposed(proposal) && !factEquals(proposal.pnrStatus, "SCHEDULE CHANGED");
  if (factEquals(status, "Accepted") || factEquals(status, "Rejected")) return nothingOffered || nothingProposed;
  const indicatedUnchanged = proposal.scheduleChangeIndicator.known && !proposal.scheduleChangeIndicator.value;
  return nothingProposed && (nothingOffered || indicatedUnchanged);
}

/** Whether no flight is shown as withdrawn or to become another. */
export function isNothingProposed({ current, proposed, withdrawnSegmentKeys }: OpenProposal): boolean {
  return withdrawnSegmentKeys.length === 0 && sameFlights(current, proposed);
}

/** Whether anything is offered, for any booking reference. */
function isAnyFlagSet({ flags, referencesAllowing }: OpenProposal): boolean {
  const { accept, cancel } = referencesAllowing;
  return [flags.accept, flags.cancel, flags.reSchedule].some(isFlagSet) || accept.length > 0 || cancel.length > 0;
}

/**
 * The booking references that an effect was sent for and that its action is still offered for, although it is not for the
 * others: it was carried out for a part. Empty when it is offered for all of them, since that status is from before, or
 * with other flights, since that is another change.
 */
export function leftOpen(
  { action, gdsBookingReferences: sentFor, proposed }: EffectSnapshot,
  proposal: Pick<Proposal, "referencesAllowing" | "proposed">,
): readonly string[] {
  if (action === "accept" && (proposed === null || !fitsFlights(proposed, proposal.proposed))) return [];
  const open = sentFor.filter((reference) => proposal.referencesAllowing[action].includes(reference));
  return open.length < sentFor.length ? open : [];
}

/** Whether a status is this one, however it is written. */
export function factEquals(fact: Fact<unknown>, value: string): boolean {
  return fact.known && String(fact.value).toUpperCase() === value.toUpperCase();
}

export function isFlagSet(flag: Fact<"Y" | "N">): boolean {
  return flag.known && flag.value === "Y";
}
