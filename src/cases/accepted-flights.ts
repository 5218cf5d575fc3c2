import { stillAhead } from "../itinerary/flown.ts";
import { fitsFlights, type Itinerary, type ItinerarySegment } from "../itinerary/itinerary.ts";
import { isNothingOpen, isStatus, type OpenProposal } from "./open-change.ts";
import type { OrderContext } from "./order-context.ts";

/* Accept names only the order, so it may accept a later change. Only the flights shown afterwards reveal that. */

/**
 * How long after an accept other accepted flights are attributed to it, even if the gateway or the worker was down
 * meanwhile. After that, somebody else has most likely accepted another change.
 */
const attributionMs = 24 * 60 * 60_000;

/** Compares the flights after an accept with the decided ones. Old flights may come from a stale status. */
export function compareAcceptedFlights(
  proposal: OpenProposal,
  { lastSuccess, booked, earlierProposals }: Pick<OrderContext, "lastSuccess" | "booked" | "earlierProposals">,
  now: Date,
): "match" | "stale" | "mismatch" {
  const decided = lastSuccess?.action === "accept" ? lastSuccess.proposed : null;
  if (decided === null || !showsOtherFlights(proposal, decided, now)) return "match";
  const before = [booked, lastSuccess?.acceptedBefore ?? null, ...earlierProposals.map(({ proposed }) => proposed)];
  return before.some((flights) => flights !== null && fitsFlights(flights, proposal.current)) ? "stale" : "mismatch";
}

/**
 * Whether another change than the decided one is shown as accepted. Flown flights may be missing, and a gateway may go
 * on listing the change beside the old flights.
 */
export function showsOtherFlights(proposal: OpenProposal, decided: Itinerary, now: Date): boolean {
  const { current, proposed, scheduleChangeStatus } = proposal;
  if (!isStatus(scheduleChangeStatus, "Accepted") || !isNothingOpen(proposal) || current.segments.length === 0)
    return false;
  const expected: { readonly segments: readonly ItinerarySegment[] } = stillAhead(decided, current, now);
  return !fitsFlights(expected, current) && !fitsFlights(expected, proposed);
}

/**
 * Returns the flights that our last accept was decided about, if it may have caused the accepted flights that are
 * shown. Returns null if there was no accept, if it is too old, if a person was asked about it in another case, or if
 * these flights were decided about after any status could be stale: then a change to them was open after the accept.
 * @param at when the case began, or when the status of a finished one was read.
 * @param lagMs how long a status may be stale.
 */
export function flightsOfLastAccept(
  { case: { id }, lastSuccess, earlierProposals }: Pick<OrderContext, "case" | "lastSuccess" | "earlierProposals">,
  at: Date,
  current: Itinerary,
  lagMs: number,
): Itinerary | null {
  if (lastSuccess === null || lastSuccess.action !== "accept") return null;
  const { otherFlightsAskedIn } = lastSuccess;
  if (otherFlightsAskedIn !== null && otherFlightsAskedIn !== id) return null;
  // A person may have confirmed the effect days later.
  const sentAt = lastSuccess.sentAt ?? lastSuccess.finishedAt;
  if (sentAt === null) return lastSuccess.proposed;
  if (at.getTime() >= sentAt.getTime() + attributionMs) return null;
  const wasOpenLater = earlierProposals.some(
    ({ proposed, decidedAt }) => Date.parse(decidedAt) > sentAt.getTime() + lagMs && fitsFlights(proposed, current),
  );
  return wasOpenLater && otherFlightsAskedIn === null ? null : lastSuccess.proposed;
}
