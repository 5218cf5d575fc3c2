import type { StopCause } from "../cases/brake.ts";
import type { Actor } from "../kernel/actor.ts";

/** A period in which no automatic effects are sent. One of each cause can be in force at a time. */
export interface AutomationStop {
  readonly id: string;
  /** Null: of all sources together. */
  readonly source: string | null;
  readonly cause: StopCause;
  readonly stoppedAt: Date;
  /** `person:` and the user name; `worker` if the brake or the limit of an hour stopped it. */
  readonly stoppedBy: string;
  readonly note: string;
}

export type StopRequest = Actor & Pick<AutomationStop, "source" | "note">;

export type ResumeRequest = Actor & {
  /** Null: of all sources together; those of single sources stay. */
  readonly source: string | null;
  /** The stop that the user saw; if not given, whichever are in force. */
  readonly stopId?: string;
};

export type ResumeOutcome =
  /** `casesDue`: the cases that waited only because of these stops. They are decided again, if no other is in force. */
  | { readonly outcome: "resumed"; readonly ended: readonly AutomationStop[]; readonly casesDue: number }
  /** The given stop is over, and another one is in force. */
  | { readonly outcome: "conflict"; readonly current: AutomationStop };

export interface Automation {
  readonly sources: readonly string[];
  /** Those in force, that of all sources together first. */
  readStops(): Promise<readonly AutomationStop[]>;
  /** Changes nothing if a person has stopped it already. Returns the stop in force. */
  stop(request: StopRequest): Promise<AutomationStop>;
  resume(request: ResumeRequest): Promise<ResumeOutcome>;
}
