import { fitsFlights } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { EffectSnapshot } from "./order-context.ts";

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
