import { fitsFlights } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Reason } from "./decision.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import { isStatus } from "./open-change.ts";
import { notShownCode } from "./outcome-words.ts";
import type { StatusAfter } from "./step.ts";

/**
 * Returns why the status that was read after an effect speaks against the person who confirmed it. What the gateway itself
 * has said is not doubted so: its statuses are stored and lag.
 */
export function doubtsOfConfirmed(effect: EffectSnapshot, after: StatusAfter): readonly Reason[] {
  const proposal = typeof after === "string" ? null : after.proposal;
  if (proposal === null) return [];
  const { action } = effect;
  const isOffered = proposal.referencesAllowing[action].length > 0;
  const found = [
    ...(isShown(effect, proposal)
      ? []
      : [action === "accept" ? "does not show the accepted flights" : "is not cancelled"]),
    ...(isOffered ? [action === "accept" ? "still offers the change" : "can still be cancelled"] : []),
  ];
  if (found.length === 0) return [];
  const text = `The booking read afterwards ${found.join(" and ")}. Check with the airline whether the ${action} was carried out.`;
  return [{ code: notShownCode, text }];
}

function isShown(
  { action, proposed }: EffectSnapshot,
  { current, pnrStatus, scheduleChangeStatus }: Proposal,
): boolean {
  return action === "accept"
    ? proposed === null || fitsFlights(proposed, current)
    : isStatus(pnrStatus, "CANCELLED") || isStatus(scheduleChangeStatus, "Rejected");
}
