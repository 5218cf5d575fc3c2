/** @see docs/lifecycle.md, generated from these tables. The database has the same and rejects any other move. */

/** A state without moves is final: a later change opens a new case. docs/glossary.md defines the states. */
export const caseTransitions = {
  received: ["checking"],
  checking: [
    "received",
    "accepting",
    "cancelling",
    "awaiting-agent",
    "awaiting-traveller",
    "snoozed",
    "done",
    "resolved-elsewhere",
    "closed",
  ],
  accepting: ["checking", "awaiting-agent", "done", "resolved-elsewhere"],
  cancelling: ["checking", "awaiting-agent", "done", "resolved-elsewhere"],
  "awaiting-agent": ["checking", "awaiting-traveller", "snoozed", "resolved-elsewhere", "closed"],
  "awaiting-traveller": ["checking", "awaiting-agent", "snoozed", "resolved-elsewhere", "closed"],
  snoozed: ["checking", "awaiting-agent", "awaiting-traveller", "resolved-elsewhere", "closed"],
  done: [],
  "resolved-elsewhere": [],
  closed: [],
} as const satisfies Record<string, readonly string[]>;

export type CaseState = keyof typeof caseTransitions;

/** The moves of an effect. While one is live, no other effect may be planned. */
export const effectTransitions = {
  planned: ["sent", "failed"],
  /** Committed right before the bytes are sent. If the process dies afterwards, the outcome is unknown. */
  sent: ["succeeded", "failed", "unknown"],
  /** It may have happened; only the status or a person can settle it. An accept may be sent once more. */
  unknown: ["sent", "succeeded", "failed"],
  succeeded: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type EffectState = keyof typeof effectTransitions;

/** States of an effect that may have happened or may still happen. */
export const liveEffectStates: readonly EffectState[] = ["planned", "sent", "unknown"];

export const effectStates = Object.keys(effectTransitions) as readonly EffectState[];

export const caseStates = Object.keys(caseTransitions) as readonly CaseState[];

export function isFinished(state: CaseState): boolean {
  return caseTransitions[state].length === 0;
}
