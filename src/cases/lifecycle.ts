/** @see docs/lifecycle.md, drawn from these tables. The database holds the same tables and refuses any other move. */

/** The moves a case may make. A state with no moves is final: a later change opens a new case. */
export const caseTransitions = {
  /** Notified, not looked at yet. */
  received: ["checking"],
  /** A worker reads the status and decides; also between two tries when the gateway cannot be read. */
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
  /** An accept is sent, or its outcome is being settled. */
  accepting: ["checking", "awaiting-agent", "done", "resolved-elsewhere"],
  /** A cancel is sent, or its outcome is being settled. */
  cancelling: ["checking", "awaiting-agent", "done", "resolved-elsewhere"],
  /** A person must decide; the review queue says who, the decision says why. */
  "awaiting-agent": ["checking", "awaiting-traveller", "snoozed", "resolved-elsewhere", "closed"],
  /** The traveller was asked. */
  "awaiting-traveller": ["checking", "awaiting-agent", "snoozed", "resolved-elsewhere", "closed"],
  /** Put off until its due time. */
  snoozed: ["checking", "awaiting-agent", "awaiting-traveller", "resolved-elsewhere", "closed"],
  /** Carried out at the gateway. */
  done: [],
  /** The change was settled by somebody else. */
  "resolved-elsewhere": [],
  /** Ended without an effect: by a person, or because nothing was left to do. */
  closed: [],
} as const satisfies Record<string, readonly string[]>;

export type CaseState = keyof typeof caseTransitions;

/** The moves an effect may make. While one is live, no other effect may be planned. */
export const effectTransitions = {
  /** Written and left within one commit; seen only in the timeline. */
  planned: ["sent", "failed"],
  /** Committed right before the bytes leave. A process that dies after this leaves the outcome unknown. */
  sent: ["succeeded", "failed", "unknown"],
  /** May or may not have happened; only the status or a person can tell. An accept may be sent once more. */
  unknown: ["sent", "succeeded", "failed"],
  succeeded: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type EffectState = keyof typeof effectTransitions;

/** States of an effect that may have happened or may still happen. */
export const liveEffectStates: readonly EffectState[] = ["planned", "sent", "unknown"];

export const effectStates = Object.keys(effectTransitions) as readonly EffectState[];

export const caseStates = Object.keys(caseTransitions) as readonly CaseState[];

/** Whether the state is final. */
export function isFinished(state: CaseState): boolean {
  return caseTransitions[state].length === 0;
}
