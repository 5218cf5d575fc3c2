/** A time in which automatic effects are stopped: nothing that a rule decided is sent, of any source. */
export interface AutomationStop {
  readonly id: string;
  readonly stoppedAt: Date;
  /** `person:` and who. */
  readonly stoppedBy: string;
  /** Why. */
  readonly note: string;
}

export type ResumeOutcome =
  /** `casesDue`: how many cases waited only because of the stop and are decided anew. */
  | { readonly outcome: "resumed"; readonly stop: AutomationStop | null; readonly casesDue: number }
  /** Another stop is in force than the one that was to be ended. */
  | { readonly outcome: "conflict"; readonly current: AutomationStop };

/** The one switch for all automatic effects. */
export interface Automation {
  /** The stop in force; null when automatic effects are sent. */
  readStop(): Promise<AutomationStop | null>;
  /** Stops automatic effects; when they are stopped already, that stop stays as it is. Returns the stop in force. */
  stop(by: { readonly actor: string; readonly note: string }): Promise<AutomationStop>;
  /** Ends the stop, if there is one. @param stopId the stop that was seen; not given: whichever is in force. */
  resume(by: { readonly actor: string; readonly stopId?: string }): Promise<ResumeOutcome>;
}
