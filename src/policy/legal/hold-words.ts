import type { LegalAssessment } from "./assessment.ts";

/**
 * Says what a legal hold means for a change. Null if there is nothing to say: no hold, and nothing left to accept.
 * @param mayBeAccepted whether the gateway offers to accept it, and nobody has.
 */
export function describeHold({ held }: Pick<LegalAssessment["hold"], "held">, mayBeAccepted: boolean): string | null {
  if (mayBeAccepted) return held ? "Legal hold: an agent must review it before it is accepted." : "No legal hold.";
  return held ? "A right to a refund or another flight is open, or may be." : null;
}
