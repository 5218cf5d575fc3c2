import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Reason, RefundCheck, TaskKind } from "./decision.ts";
import type { CaseState } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";

export interface CaseMove {
  readonly state: CaseState;
  readonly reviewQueue: string | null;
  /** When to look again; null if only a person or a notification moves the case. */
  readonly dueAt: Date | null;
  readonly priority?: number;
  readonly headline?: string;
  readonly departureAt?: Date | null;
  readonly gdsBookingReferences?: readonly string[];
  /** The end of the undo window. If missing, it stays as it is; a new decision starts without one. */
  readonly undoUntil?: Date;
  /** The clock that counts; `firmAt` ignores the agency SLA. Null: no clock runs; missing: it stays as it is. */
  readonly dueBy?: { readonly at: Date; readonly rule: string; readonly firmAt: Date | null } | null;
  /** Set if a run found nothing new, so that actions on the version before are still valid. */
  readonly isUnchanged?: true;
  /** Flights that the change touches, as `LH1167/2027-03-14`. Orders that share one are a cohort. */
  readonly flightDates?: readonly string[];
}

export interface NewTask {
  readonly kind: TaskKind;
  readonly reasons: readonly Reason[];
  readonly dueBy: TaskDueBy | null;
}

export interface TaskDueBy {
  readonly at: Date;
  /** `departure-24h`, `departure`, `agency-refund`, or the name of a legal clock. */
  readonly rule: string;
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
