import type { LegalHold, LegalVerdict } from "./assessment.ts";
import { nameLaw, nameRight } from "./law-words.ts";
import type { LegalContext } from "./legal-input.ts";

/**
 * Returns whether accepting automatically could give up a refund or another flight: such a right is open or may be.
 * Compensation and a partial refund cause no hold, since accepting does not waive them. A traveller who accepts, or a
 * customer who agreed in advance, releases it; another answer does not.
 * @param isBlind no booked flight is known and the law could not be evaluated: a hold as well.
 */
export function legalHold(
  verdicts: readonly LegalVerdict[],
  { travellerAnswer, customerAgreement }: Pick<LegalContext, "travellerAnswer" | "customerAgreement">,
  isBlind: boolean,
): LegalHold {
  const open = verdicts.filter(({ right, verdict }) => right === "refund-or-rerouting" && verdict !== "not-entitled");
  const reasons = [
    ...(isBlind ? ["No booked flight is known, so no law could be looked at."] : []),
    ...new Set(open.filter((verdict) => !isCovered(verdict, open)).map(reasonOf)),
  ];
  if (reasons.length === 0) return { held: false, reasons };
  const choice = travellerAnswer?.choice;
  if (choice === "accept") return { held: false, reasons: [...reasons, "Released: the traveller accepts the change."] };
  if (choice !== undefined) {
    return { held: true, reasons: [...reasons, requested[choice]] };
  }
  if (customerAgreement) {
    return {
      held: false,
      reasons: [...reasons, "Released: the customer agreed beforehand that such changes are accepted."],
    };
  }
  return { held: true, reasons };
}

const requested = {
  refuse: "The traveller refuses the new flights.",
  refund: "The traveller wants a refund.",
  reroute: "The traveller wants another flight.",
} as const;

/** Whether the law certainly gives on that journey what the verdict leaves open. */
function isCovered({ verdict, preset, journey }: LegalVerdict, open: readonly LegalVerdict[]): boolean {
  return (
    verdict === "cannot-tell" &&
    open.some((other) => other.verdict === "entitled" && other.preset === preset && other.journey === journey)
  );
}

function reasonOf({ preset, right, paragraph, journey, verdict, because }: LegalVerdict): string {
  const where = journey === null ? "" : ` on ${journey}`;
  const has = verdict === "entitled" ? "has" : "may have";
  return `${nameLaw(preset)}: the traveller ${has} a right to ${nameRight(right)}${where}: ${because} (${paragraph}).`;
}
