/**
 * The places at which the tests end a process while it carries out an effect, in order. The worker names each of its steps to
 * `WorkerContext.crashPoint` once it is saved, and what it does around a call; in earnest nothing listens.
 */
export const crashPoints = [
  /** The decision is kept, and nothing of it is carried out. */
  "after-decision",
  /** An automatic decision waits so that a person can stop it. */
  "after-held-back",
  /** The status was read right before the effect, and still means the same. */
  "before-plan",
  "after-plan",
  /** `sent` is committed, and no byte has left. */
  "after-marked-sent",
  /** The gateway has answered, and nobody but this process knows. */
  "after-answer",
  "after-outcome-kept",
  "after-status-after-effect",
  "after-documents-read",
  "after-case-done",
  /** A plan that was left behind is dropped. */
  "after-plan-dropped",
  /** What was left behind as sent is noted as unknown. */
  "after-interruption-noted",
  "before-settle-read",
  "after-settle-read",
  "after-settle-read-counted",
  /** A status has confirmed an unknown effect. */
  "after-effect-confirmed",
  /** A person was asked what became of it. */
  "after-person-asked",
  /** The status was read right before an unknown accept is sent once more. */
  "before-marked-sent-again",
  "after-marked-sent-again",
  "after-answer-again",
  "after-outcome-again-kept",
] as const;

export type CrashPoint = (typeof crashPoints)[number];
