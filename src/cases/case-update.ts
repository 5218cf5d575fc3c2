import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Reason, RefundCheck, TaskKind } from "./decision.ts";
import type { CaseState } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";

/** How a case stands after a step of work. */
export interface CaseMove {
  readonly state: CaseState;
  readonly reviewQueue: string | null;
  /** When to look again; null: only a person or a notification moves it. */
  readonly dueAt: Date | null;
  readonly priority?: number;
  readonly headline?: string;
  readonly departureAt?: Date | null;
  readonly gdsBookingReferences?: readonly string[];
  /** Until when a person may stop the decision; absent: as it is. A new decision begins without. */
  readonly undoUntil?: Date;
  /** By when somebody must have decided, and the same without the agency's own target; null: no clock runs; left out: as it is. */
  readonly dueBy?: { readonly at: Date; readonly rule: string; readonly firmAt: Date | null } | null;
  /** Set when a look found nothing new: what people decide on the version that they saw is as good as on this one. */
  readonly isUnchanged?: true;
  /** Flights that the change touches, as `LH1167/2027-03-14`: orders that share one are a cohort. */
  readonly flightDates?: readonly string[];
}

/** Work that is left when a case is done. */
export interface NewTask {
  readonly kind: TaskKind;
  readonly reasons: readonly Reason[];
  /** By when somebody must have done it; null: no clock runs. */
  readonly dueBy: TaskDueBy | null;
}

/** The clock that counts for a task. */
export interface TaskDueBy {
  readonly at: Date;
  /** `departure-24h`, `departure`, `agency-refund`, or the name of a legal clock. */
  readonly rule: string;
}

/** What follows from an outcome, committed with it. */
export interface EffectEnding {
  readonly move: CaseMove;
  /** The flights that are now the accepted ones, when an accept succeeded. */
  readonly accepted: Itinerary | null;
  /** The decision that asks a person, when the effect did not go well. */
  readonly followUp: NewDecision | null;
  /** Null unless a cancel succeeded. */
  readonly refund: RefundFollowUp | null;
}

/** What follows from the refund of a cancel: how it compares, and the task for who should look into it, if anybody should. */
export interface RefundFollowUp {
  readonly check: RefundCheck;
  readonly task: NewTask | null;
}
