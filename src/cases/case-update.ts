import type { Itinerary } from "../itinerary/itinerary.ts";
import type { CaseSummary } from "./case-summary.ts";
import type { TaskDueBy } from "./clocks.ts";
import type { Reason, RefundCheck, TaskKind } from "./decision.ts";
import type { CaseState } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";

/** Where a case goes, and what it says from then on. What is missing stays as it is. */
export interface CaseMove extends Partial<CaseSummary> {
  readonly state: CaseState;
  readonly reviewQueue: string | null;
  /** When to look again; null if only a person or a notification moves the case. */
  readonly dueAt: Date | null;
  readonly priority?: number;
  /** The end of the undo window. A new decision starts without one. */
  readonly undoUntil?: Date;
  /** The clock that counts; `firmAt` ignores the agency SLA. Null: no clock runs. */
  readonly dueBy?: { readonly at: Date; readonly rule: string; readonly firmAt: Date | null } | null;
  /** Set if a run found nothing new, so that actions on the version before are still valid. */
  readonly isUnchanged?: true;
}

export interface NewTask {
  readonly kind: TaskKind;
  readonly reasons: readonly Reason[];
  readonly dueBy: TaskDueBy | null;
  /** Whether an event asks a system of the agency to do it, which closes the task by acknowledging the event. */
  readonly byEvent?: boolean;
}

export interface EffectEnding {
  readonly move: CaseMove;
  readonly accepted: Itinerary | null;
  readonly followUp: NewDecision | null;
  /** Null unless a cancel succeeded. */
  readonly refund: RefundFollowUp | null;
}

export interface RefundFollowUp {
  readonly check: RefundCheck;
  readonly task: NewTask | null;
}
