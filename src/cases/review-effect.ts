import type { Assessment } from "./assess.ts";
import type { FurtherReview, Reason } from "./decision.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import type { NewDecision } from "./new-decision.ts";
import { stillOpenReferences } from "./open-change.ts";
import { newDecision } from "./record-decision.ts";
import type { SourceSettings } from "./source-settings.ts";

export const toAgentQueue = { state: "awaiting-agent", reviewQueue: "agent", dueAt: null } as const;

/** Asks a person after an effect that did not succeed. No policy overrides this question. */
export function reviewEffect(
  assessment: Assessment | null,
  reason: Reason,
  settings: SourceSettings,
  statusViewId: string | null,
  now: Date,
): NewDecision {
  const review = {
    action: "review",
    reviewQueue: "agent",
    rule: "check:effect" satisfies FurtherReview,
    question: "effect-outcome",
    reasons: [reason],
    trace: [],
  } as const;
  return newDecision(assessment, review, settings, statusViewId, now);
}

export function requestOutcomeReview(
  effect: EffectSnapshot,
  assessment: Assessment | null,
  settings: SourceSettings,
  statusViewId: string | null,
  now: Date,
): NewDecision {
  const open = assessment === null ? [] : stillOpenReferences(effect, assessment.proposal);
  const shown = open.length === 0 ? "does not show it" : `shows it in part: it is still open for ${open.join(", ")}`;
  const text = `Whether the ${effect.action} was carried out is unknown: the gateway gave no clear response and its status ${shown}. Check with the gateway or the airline, then confirm whether it was carried out.`;
  return reviewEffect(assessment, { code: "effect-outcome-unknown", text }, settings, statusViewId, now);
}
