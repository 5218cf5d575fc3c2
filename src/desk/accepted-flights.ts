import { fitsFlights, type Itinerary } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import { is, isNothingOpen, type OpenProposal } from "./open-change.ts";
import type { EffectSnapshot, Work } from "./ports.ts";

/**
 * For how long after an accept other flights, shown as accepted, are taken for what it brought about: also when a gateway
 * or the desk itself was away meanwhile. Later somebody else has most likely accepted another change.
 */
const ownAcceptMs = 24 * 60 * 60_000;

/** Whether what the status shows as accepted at a moment may be the work of that effect. */
export function mayBeOwnAccept({ finishedAt }: Pick<EffectSnapshot, "finishedAt">, at: Date): boolean {
  return finishedAt === null || at.getTime() < finishedAt.getTime() + ownAcceptMs;
}

/**
 * Which flights are booked once a change is accepted and nothing is open any more: an airline that makes another change in
 * the moment between the last read and the accept has that one accepted, and it may lead back to flights from before. A
 * change that is still shown as open says nothing.
 */
export function flightsShown(
  proposal: Proposal,
  { lastSuccess, booked, earlierProposals }: Pick<Work, "lastSuccess" | "booked" | "earlierProposals">,
): "as-decided" | "from-before" | "other" {
  if (!showsOtherFlights(proposal, lastSuccess)) return "as-decided";
  const before = [booked, lastSuccess?.acceptedBefore ?? null, ...earlierProposals.map(({ proposed }) => proposed)];
  return before.some((flights) => flights !== null && fitsFlights(flights, proposal.current)) ? "from-before" : "other";
}

/** Whether the status shows a change as accepted that is not the one that our accept was decided about. */
export function showsOtherFlights(
  proposal: OpenProposal,
  lastSuccess: (Pick<EffectSnapshot, "action"> & { readonly proposed?: Itinerary | null }) | null,
): boolean {
  if (!is(proposal.scheduleChangeStatus, "Accepted") || !isNothingOpen(proposal)) return false;
  const decided = lastSuccess?.action === "accept" ? (lastSuccess.proposed ?? null) : null;
  return decided !== null && !fitsFlights(decided, proposal.current);
}
