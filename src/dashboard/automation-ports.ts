import { z } from "zod";
import { stopCauses } from "../cases/brake.ts";
import type { Actor } from "../kernel/actor.ts";
import { id, instant, type Stored } from "../kernel/stored.ts";

export const automationStop = z.strictObject({
  id,
  source: z.string().nullable().meta({ description: "Null: all sources together." }),
  cause: z.enum(stopCauses).meta({
    description:
      "`person`; `outcomes`: outcomes contradicted what was read; `hourly-limit`: the source reached its limit of an hour.",
  }),
  stoppedAt: instant,
  stoppedBy: z.string().meta({ description: "`person:` and who; `worker` for the other causes." }),
  note: z.string().meta({ description: "Why, and what to do." }),
});

/** A period in which no automatic effects are sent. One of each cause can be in force at a time. */
export type AutomationStop = Stored<typeof automationStop>;

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
