import { orderPartsOf } from "../itinerary/facts-input.ts";
import type { Assessment } from "./assess.ts";
import type { EffectAction } from "./decision.ts";
import { expectedRefund } from "./refund-check.ts";
import type { SeenStatus, Sending } from "./step.ts";

/** How long a status that was decided on counts as the one that is read right before sending, milliseconds. */
const freshMs = 2_000;

/** Until when the decision on a status may be carried out without another look. */
export function freshUntil({ readAt }: SeenStatus): Date {
  return new Date(readAt.getTime() + freshMs);
}

/** An effect for the decision in force, by the status that was read right before. */
export function sendingOf(
  orderId: string,
  action: EffectAction,
  { view }: SeenStatus,
  assessment: Assessment,
  until: Date | null,
): Sending {
  const gdsBookingReferences = assessment.proposal.referencesAllowing[action];
  const { records } = orderPartsOf(view, orderId);
  return {
    effectId: null,
    action,
    gdsBookingReferences,
    proposalDigest: assessment.proposal.digest,
    expectedRefund: action === "cancel" ? expectedRefund(records, gdsBookingReferences, assessment.facts) : null,
    assessment,
    freshUntil: until,
  };
}
