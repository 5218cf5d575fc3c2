/** @see docs/lifecycle.md, generated from these tables. The database has the same and rejects any other move. */

/** A state without moves is final: a later change opens a new case. docs/glossary.md defines the states. */
export const caseTransitions = {
  received: ["checking"],
  checking: [
    "received",
    "accepting",
    "cancelling",
    "awaiting-agent",
    "ask-traveller",
    "awaiting-traveller",
    "snoozed",
    "done",
    "resolved-elsewhere",
    "closed",
  ],
  accepting: ["checking", "awaiting-agent", "done", "resolved-elsewhere"],
  cancelling: ["checking", "awaiting-agent", "done", "resolved-elsewhere"],
  "awaiting-agent": ["checking", "awaiting-traveller", "snoozed", "resolved-elsewhere", "closed"],
  "ask-traveller": ["checking", "awaiting-agent", "awaiting-traveller", "snoozed", "resolved-elsewhere", "closed"],
  "awaiting-traveller": ["checking", "awaiting-agent", "snoozed", "resolved-elsewhere", "closed"],
  snoozed: ["checking", "awaiting-agent", "awaiting-traveller", "resolved-elsewhere", "closed"],
  done: [],
  "resolved-elsewhere": [],
  closed: [],
} as const satisfies Record<string, readonly string[]>;

export type CaseState = keyof typeof caseTransitions;

/** States in which a case needs a person. */
export const needingPerson: readonly CaseState[] = ["awaiting-agent", "ask-traveller"];

/** States in which a case waits for somebody, until they act or its clock runs out. */
export const waitingForSomebody: readonly CaseState[] = [...needingPerson, "awaiting-traveller"];

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

/**
 * What people see of a case: its state, or that its accept or cancel is decided and can still be stopped. Such a case is
 * stored as `checking`, because its booking is read again before anything is sent.
 */
export const shownStates = [...caseStates, "accept-pending", "cancel-pending"] as const;

export type ShownState = (typeof shownStates)[number];

export function storedStateOf(shown: ShownState): CaseState {
  return shown === "accept-pending" || shown === "cancel-pending" ? "checking" : shown;
}

export function isFinished(state: CaseState): boolean {
  return caseTransitions[state].length === 0;
}
