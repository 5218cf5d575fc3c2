import type { Actor } from "../kernel/actor.ts";

/** A period in which no automatic effects are sent, for any source. */
export interface AutomationStop {
  readonly id: string;
  readonly stoppedAt: Date;
  /** `person:` and the user name. */
  readonly stoppedBy: string;
  readonly note: string;
}

export type ResumeOutcome =
  /** `casesDue`: the cases that waited only because of the stop. They are decided again. */
  | { readonly outcome: "resumed"; readonly stop: AutomationStop | null; readonly casesDue: number }
  /** Another stop is in force than the given one. */
  | { readonly outcome: "conflict"; readonly current: AutomationStop };

export interface Automation {
  /** Null if automatic effects are sent. */
  readStop(): Promise<AutomationStop | null>;
  /** Changes nothing if they are stopped already. Returns the stop in force. */
  stop(by: Actor & { readonly note: string }): Promise<AutomationStop>;
  /** @param stopId the stop that the user saw; if not given, whichever is in force. */
  resume(by: Actor & { readonly stopId?: string }): Promise<ResumeOutcome>;
}
