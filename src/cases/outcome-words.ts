import { describeActor } from "../kernel/actor.ts";
import type { Settlement } from "./case-record.ts";
import type { Reason } from "./decision.ts";

/* What became of an accept or a cancel, in the sentences that pages, notices and the command line share. */

/** The reason of a review: other flights are accepted than the accept was decided about. */
export const acceptedOtherCode = "accepted-other-flights";

/** Reasons of tasks: what is read after an effect contradicts it. */
export const notShownCode = "not-shown-afterwards";
export const otherDocumentsCode = "documents-show-other-flights";
export const doubtCodes: readonly string[] = [notShownCode, otherDocumentsCode];

/** @param at the time, printed. */
export function describeSettlement({ action, carriedOut, by, token }: Omit<Settlement, "at">, at: string): string {
  const mark = carriedOut ? "carried out" : "not carried out";
  return `The ${action} was marked as ${mark} by ${describeActor(by, token)}, ${at}.`;
}

export function describeUnknownOutcome(action: string): string {
  return `It is not known whether the ${action} was carried out.`;
}

/** What a person must do about it. */
export const howToSettle = "Ask the gateway or the airline; a supervisor then marks which it is.";

/** The booking references for which an effect was carried out, and those for which it was not. */
export interface EffectParts {
  readonly done: readonly string[];
  readonly notDone: readonly string[];
}

/** Returns null unless the gateway's results differ by booking reference. */
export function partsOf(results: readonly unknown[] | null): EffectParts | null {
  const of = (status: string): readonly string[] => (results ?? []).flatMap((result) => referencesOf(result, status));
  const parts = { done: of("SUCCESS"), notDone: of("FAILED") };
  return parts.done.length > 0 && parts.notDone.length > 0 ? parts : null;
}

function referencesOf(result: unknown, wanted: string): readonly string[] {
  if (result === null || typeof result !== "object") return [];
  const { gdsBookingReferences, status } = result as Readonly<Record<string, unknown>>;
  return status === wanted && Array.isArray(gdsBookingReferences) ? gdsBookingReferences.map(String) : [];
}

/** Returns `Accepted for ABC123, not for DEF456`. */
export function describeParts(action: string, { done, notDone }: EffectParts): string {
  const what = action === "cancel" ? "Cancelled" : "Accepted";
  return `${what} for ${done.join(", ")}, not for ${notDone.join(", ")}`;
}

/** What follows for the references that are left. */
export function describeRest(action: string): string {
  return `Re-check the booking, then decide about what is left: another ${action} acts only on the references that are still open.`;
}

/** Returns why the decision was made, or what a person has said since of the question that it asks. */
export function describeReason(
  decision: {
    readonly rule: string;
    readonly reasons: readonly Reason[];
    readonly settled?: Settlement | null;
  },
  printed: (at: string) => string,
): string {
  const { settled = null, reasons, rule } = decision;
  return settled === null ? (reasons[0]?.text ?? rule) : describeSettlement(settled, printed(settled.at));
}
