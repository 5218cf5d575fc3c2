import { z } from "zod";
import { reason, taskKinds } from "../cases/decision.ts";
import type { Caller, VisibleSources } from "../cases/visible-sources.ts";
import type { Actor } from "../kernel/actor.ts";
import { id, instant, type Stored, tokenName } from "../kernel/stored.ts";
import type { Page, PageRequest } from "./paging-ports.ts";

export const clockInForce = z.strictObject({
  at: instant,
  rule: z.string().meta({ description: "Which clock it is." }),
  overdue: z.boolean(),
});

export const taskStateNames = ["open", "closed"] as const;

export const caseTask = z
  .strictObject({
    id,
    caseId: id,
    orderId: z.string(),
    source: z.string(),
    kind: z.enum(taskKinds),
    reasons: z.array(reason),
    openedAt: instant,
    assignee: z.string().nullable().meta({ description: "`person:` and who." }),
    gdsBookingReferences: z.array(z.string()),
    flights: z.array(z.string()).meta({
      description:
        "Booked flights that the change touched, as `LH1167/2027-03-14`; none for cases of earlier versions.",
    }),
    dueBy: clockInForce.nullable().meta({
      description: "By when somebody must have done it; null when no clock ran. A closed one is never overdue.",
    }),
    byEvent: z.boolean().meta({
      description:
        "Whether the event `traveller.inform` leaves it to a system of the agency. It is closed once a recipient has acknowledged that.",
    }),
    closedAt: instant.nullable(),
    closedBy: z.string().nullable().meta({ description: "`person:` and who, or `event`." }),
    closedToken: tokenName,
    note: z.string().nullable(),
  })
  .meta({ id: "CaseTask", description: "Work that is left when a case is done." });

export type CaseTask = Stored<typeof caseTask>;

export interface TaskFilter extends PageRequest {
  readonly visible: VisibleSources;
  /** Null means both. */
  readonly state: "open" | "closed" | null;
  readonly kind: string | null;
  /** Null: of everybody. With null inside: of nobody. */
  readonly assignee: { readonly actor: string | null } | null;
  /** Words that find the cases, as in a `CaseSelection`. */
  readonly words: readonly string[];
  readonly namesSoughtBy: Actor | null;
}

export interface Tasks {
  /** Open tasks by their deadline, those without one last; otherwise newest first. */
  list(filter: TaskFilter): Promise<Page<CaseTask>>;
  /** In one transaction. A task that was closed before stays as it is. */
  close(ids: readonly string[], by: Caller & { readonly note: string | null }): Promise<TasksChanged>;
  /** In one transaction. Closed tasks keep their assignee. Who does it must see the sources of all of them. */
  assign(
    ids: readonly string[],
    by: Caller & { readonly assignee: string | null },
  ): Promise<TasksChanged | "assignee-refused">;
}

/** The ids that exist and are visible: those that were changed, and those that were closed before. */
export interface TasksChanged {
  readonly changed: readonly string[];
  readonly closedBefore: readonly string[];
}
