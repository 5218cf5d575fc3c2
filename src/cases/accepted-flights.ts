import { stillAhead } from "../itinerary/flown.ts";
import { fitsFlights, type Itinerary, type ItinerarySegment } from "../itinerary/itinerary.ts";
import { factEquals, isNothingOpen, type OpenProposal } from "./open-change.ts";
import type { OrderContext } from "./order-context.ts";

/*
 * Accept names only the order: an airline that makes another change in the moment between the last read and the accept has
 * that one accepted. Nothing but the flights that are shown as accepted afterwards tells so.
 */

/**
 * For how long after it was sent an accept is suspected of having brought other flights that are shown as accepted: also
 * when the gateway or the worker itself was away meanwhile. Later somebody else has most likely accepted another change.
 */
const suspectedMs = 24 * 60 * 60_000;

/**
 * Which flights are booked once a change is accepted and nothing is open any more. A change that is still shown as open
 * says nothing. Flights from before may come from a stored status, or the airline had gone back to them.
 */
export function flightsShown(
  proposal: OpenProposal,
  { lastSuccess, booked, earlierProposals }: Pick<OrderContext, "lastSuccess" | "booked" | "earlierProposals">,
  now: Date,
): "as-decided" | "from-before" | "other" {
  const decided = lastSuccess?.action === "accept" ? lastSuccess.proposed : null;
  if (decided === null || !showsOtherFlights(proposal, decided, now)) return "as-decided";
  const before = [booked, lastSuccess?.acceptedBefore ?? null, ...earlierProposals.map(({ proposed }) => proposed)];
  return before.some((flights) => flights !== null && fitsFlights(flights, proposal.current)) ? "from-before" : "other";
}

/**
 * Whether the status shows a change as accepted that is not the one decided about. Flights that were flown by then are
 * not listed any more, and a gateway may go on listing the change beside the flights from before.
 */
export function showsOtherFlights(proposal: OpenProposal, decided: Itinerary, now: Date): boolean {
  const { current, proposed, scheduleChangeStatus } = proposal;
  if (!factEquals(scheduleChangeStatus, "Accepted") || !isNothingOpen(proposal) || current.segments.length === 0)
    return false;
  const expected: { readonly segments: readonly ItinerarySegment[] } = stillAhead(decided, current, now);
  return !fitsFlights(expected, current) && !fitsFlights(expected, proposed);
}

/**
 * The flights that our last accept was decided about, when others that are shown as accepted may be its work. Null when
 * there was none, or long ago; when a person was asked about it in another case; and when these flights were decided about
 * after any status could still be an old one, since then a change to them was open after the accept.
 *
 * @param at when the case began, or the status of a finished one was read.
 * @param current what is listed now.
 * @param lagMs how long a status may be an old one.
 */
export function flightsDecidedBefore(
  { case: { id }, lastSuccess, earlierProposals }: Pick<OrderContext, "case" | "lastSuccess" | "earlierProposals">,
  at: Date,
  current: Itinerary,
  lagMs: number,
): Itinerary | null {
  if (lastSuccess === null || lastSuccess.action !== "accept") return null;
  const { otherFlightsAskedIn } = lastSuccess;
  if (otherFlightsAskedIn !== null && otherFlightsAskedIn !== id) return null;
  // A person may have confirmed it days later.
  const sentAt = lastSuccess.sentAt ?? lastSuccess.finishedAt;
  if (sentAt === null) return lastSuccess.proposed;
  if (at.getTime() >= sentAt.getTime() + suspectedMs) return null;
  const wasOpenLater = earlierProposals.some(
    ({ proposed, decidedAt }) => Date.parse(decidedAt) > sentAt.getTime() + lagMs && fitsFlights(proposed, current),
  );
  return wasOpenLater && otherFlightsAskedIn === null ? null : lastSuccess.proposed;
}
