import type { GatewayError } from "../contract/failed-call.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { TravellerWords } from "../contract/read-data-lists.ts";
import type { TicketDocuments } from "../contract/ticket-documents.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Assessment } from "./assess.ts";
import type { CaseMove, EffectEnding, NewTask } from "./case-update.ts";
import type { EffectOutcome, Failure } from "./effect.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import { needingPerson } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";
import type { SeenMembers } from "./observed-members.ts";
import type { OrderContext, WaitingState } from "./order-context.ts";

export type RunOutcome =
  | "not-due"
  | "decided"
  | "unchanged"
  | "carried-out"
  | "postponed"
  | "settling"
  | "undo-window"
  | "lease-lost";

export type StatusReason = "decide" | "recheck-finished" | "before-effect" | "after-effect" | "settle" | "send-again";

export interface ReadStatus {
  readonly view: OrderView;
  readonly statusViewId: string;
  /** The earliest time at which the gateway may have composed it. */
  readonly askedAt: Date;
  readonly readAt: Date;
  /** Counts statuses before an effect. */
  readonly round: number;
}

export type OrderEvent =
  /** The context was loaded, at the start of a run or after a successful effect. */
  | { readonly kind: "loaded"; readonly after: "start" | "success" }
  | ({ readonly kind: "status-read"; readonly why: StatusReason } & ReadStatus)
  /** An optional status could not be read. */
  | { readonly kind: "status-unreadable"; readonly failure: GatewayError }
  /** The ticket documents, or why they could not be read, as a sentence. */
  | { readonly kind: "documents-read"; readonly documents: TicketDocuments | string; readonly after: StatusAfter }
  /** The effect was refused in planning: the gateway has carried it out before. */
  | { readonly kind: "plan-refused"; readonly attempt: EffectAttempt }
  | {
      readonly kind: "responded";
      readonly effectId: string;
      readonly attempt: EffectAttempt;
      readonly performed: PerformedEffect;
    }
  /** The run failed; the context is loaded again. */
  | { readonly kind: "failed"; readonly error: unknown };

/** The next step of an order: saved in one transaction, then called or ended. */
export interface Step {
  /** Names the step in logs and tests. */
  readonly id: string;
  readonly save: Change | null;
  /** The context once that is saved, as a load would return it; missing if the context stays the same. */
  readonly contextAfterSave?: OrderContext;
  readonly next: Next;
}

export type StatusPurpose = "decide" | "before-effect" | "after-effect" | "settle-unknown";

/** What is saved. Later changes refer to it by its id. */
export type Change =
  | {
      readonly kind: "status-view";
      readonly id: string;
      readonly purpose: StatusPurpose;
      readonly body: Uint8Array;
      readonly travellers: TravellerWords;
      readonly readAt: Date;
    }
  | {
      readonly kind: "documents";
      readonly body: Uint8Array;
      readonly travellers: TravellerWords;
      readonly readAt: Date;
    }
  | ({ readonly kind: "members" } & SeenMembers)
  | DecisionChange
  | MoveChange
  /** A finished case shows new work: another case is opened, due at once, with the same notifications. */
  | { readonly kind: "next-case" }
  /**
   * An effect is about to be sent for the decision in force, or an unknown accept once more, whose settling starts
   * again. The case becomes accepting or cancelling and can't be stopped any more. Refused if another effect is live,
   * or one has succeeded for the same proposal of the case.
   */
  | {
      readonly kind: "effect-sent";
      readonly id: string;
      readonly attempt: Omit<EffectAttempt, "assessment" | "freshUntil" | "isJustDecided">;
      /** With so many automatic effects of the source within an hour, this one included, its automation stops; null: no limit. */
      readonly hourlyLimit: number | null;
    }
  | {
      readonly kind: "effect-outcome";
      readonly effectId: string;
      readonly outcome: EffectOutcome;
      readonly ending: EffectEnding;
      /** A gateway response, which exists nowhere else: saving it is retried for long. */
      readonly isResponse: boolean;
    }
  | {
      readonly kind: "settle-read";
      readonly effectId: string;
      /** Whether it showed the effect's own proposal, still open. */
      readonly shown: "unchanged" | "otherwise";
      readonly move: CaseMove;
      readonly followUp: NewDecision | null;
    };

export interface MoveChange {
  readonly kind: "move";
  readonly move: CaseMove;
  /** For the timeline; null if it is already there. */
  readonly event: TimelineEvent | null;
  /** Tasks to open, at most one of a kind per case. */
  readonly tasks: readonly NewTask[];
  /** Why the attempt failed, which is counted; null resets the count. */
  readonly failure: Failure | null;
}

export interface TimelineEvent {
  readonly kind: string;
  readonly detail: object;
}

export interface DecisionChange {
  readonly kind: "decision";
  readonly id: string;
  readonly decision: NewDecision;
  readonly move: CaseMove;
  readonly baseline: { readonly booked: Itinerary; readonly from: string } | null;
  /** Why the shadow policy failed, for the log; null if it did not. */
  readonly shadowFailure: unknown;
}

export type Next =
  | { readonly kind: "end"; readonly outcome: RunOutcome }
  | { readonly kind: "load" }
  | { readonly kind: "read-status"; readonly why: StatusReason; readonly round: number }
  | { readonly kind: "read-documents"; readonly after: StatusAfter }
  | { readonly kind: "send"; readonly attempt: EffectAttempt }
  | { readonly kind: "fail"; readonly error: unknown };

export interface EffectAttempt
  extends Pick<EffectSnapshot, "action" | "gdsBookingReferences" | "proposalDigest" | "expectedRefund"> {
  /** The unknown effect that is sent once more; null for a new one. */
  readonly effectId: string | null;
  readonly assessment: Assessment;
  /** Until when that status is fresh; null if an unknown accept is sent once more. */
  readonly freshUntil: Date | null;
  /** Whether this run made the decision, so that the context after a success needs no load. */
  readonly isJustDecided: boolean;
}

/** `assessment` is null if the status does not contain the order. */
export interface AssessedStatus extends ReadStatus {
  readonly assessment: Assessment | null;
}

/** The status after an effect, with a null proposal without the order; or why it is unreadable, as a sentence. */
export type StatusAfter =
  | { readonly view: OrderView; readonly proposal: Proposal | null; readonly statusViewId: string }
  | string;

/** An outcome and the gateway's Retry-After; null if it states none. */
export interface PerformedEffect {
  readonly outcome: EffectOutcome;
  readonly retryAfterMs: number | null;
}

export interface StepInputs {
  readonly now: Date;
  /** A number in [0, 1) that spreads waits. */
  readonly random: number;
  /** For the decision that the step may make. */
  readonly newDecisionId: string;
}

export function end(id: string, save: Change | null, outcome: RunOutcome): Step {
  return { id, save, next: { kind: "end", outcome } };
}

export function readStatus(why: StatusReason, round = 1): Step {
  return { id: `read-status-${why}`, save: null, next: { kind: "read-status", why, round } };
}

/** A decision that asks a person. The stored booked flights stay. */
export function decision(id: string, made: NewDecision, to: CaseMove): DecisionChange {
  return { kind: "decision", id, decision: made, move: to, baseline: null, shadowFailure: null };
}

/** Moves the case without a decision. If the state stays, so does the version. */
export function move(
  context: OrderContext,
  to: CaseMove,
  event: TimelineEvent = { kind: "status.unchanged", detail: {} },
): MoveChange {
  const isUnchanged = to.isUnchanged ?? to.state === context.case.state;
  return { kind: "move", move: { ...to, ...(isUnchanged ? { isUnchanged } : {}) }, event, tasks: [], failure: null };
}

/** Counts a failed attempt and leaves the case where it is, or in the `state` that waits for somebody. */
export function postponed(
  { case: current }: OrderContext,
  failure: Failure,
  dueAt: Date | null,
  state?: WaitingState,
): MoveChange {
  const reviewQueue = current.reviewQueue ?? (state !== undefined && needingPerson.includes(state) ? "agent" : null);
  const waiting = state === undefined ? { state: current.state } : ({ state, isUnchanged: true } as const);
  const event = current.failures === 0 ? { kind: "case.postponed", detail: failure } : null;
  return { kind: "move", move: { ...waiting, reviewQueue, dueAt }, event, tasks: [], failure };
}
