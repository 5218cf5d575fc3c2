import type { StopCause } from "../cases/brake.ts";
import type { Actor } from "../kernel/actor.ts";

/** A period in which no automatic effects are sent. */
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
  /** Null: ends the stop of all sources together; those of single sources stay. */
  readonly source: string | null;
  /** The stop that the user saw; if not given, whichever is in force. */
  readonly stopId?: string;
};

export type ResumeOutcome =
  /** `casesDue`: the cases that waited only because of the stop. They are decided again. */
  | { readonly outcome: "resumed"; readonly stop: AutomationStop | null; readonly casesDue: number }
  /** Another stop is in force than the given one. */
  | { readonly outcome: "conflict"; readonly current: AutomationStop };

export interface Automation {
  readonly sources: readonly string[];
  /** Those in force, that of all sources together first. */
  readStops(): Promise<readonly AutomationStop[]>;
  /** Changes nothing if there is such a stop already. Returns the stop in force. */
  stop(request: StopRequest): Promise<AutomationStop>;
  resume(request: ResumeRequest): Promise<ResumeOutcome>;
}
