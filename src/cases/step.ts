import type { TicketDocuments } from "../contract/operations/air-doc-retreive.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Assessment } from "./assess.ts";
import type { CaseMove, EffectEnding, NewTask } from "./case-update.ts";
import type { EffectAction } from "./decision.ts";
import type { EffectOutcome, ExpectedRefund, Failure } from "./effect.ts";
import type { GatewayFailure } from "./gateway-failure.ts";
import type { NewDecision } from "./new-decision.ts";
import type { OrderContext, WaitingState } from "./order-context.ts";

/** What became of one look at an order, for the log. */
export type RunOutcome =
  | "not-due"
  | "decided"
  | "unchanged"
  | "carried-out"
  | "postponed"
  | "settling"
  | "held-back"
  | "lease-lost";

/** Why a status is read. */
export type StatusReason = "decide" | "look-again" | "before-effect" | "after-effect" | "settle" | "send-again";

/** What has just happened to an order that is worked on. */
export type OrderEvent =
  /** What is known of it was loaded: at the start of a run, or after an effect has succeeded. */
  | { readonly kind: "loaded"; readonly after: "wake-up" | "success" }
  | {
      readonly kind: "status-read";
      readonly why: StatusReason;
      /** Counts statuses before an effect. */
      readonly round: number;
      readonly view: OrderView;
      readonly statusViewId: string;
      /** Since when the gateway may have composed it. */
      readonly askedAt: Date;
      readonly readAt: Date;
    }
  /** A status that need not be read could not be. */
  | { readonly kind: "status-missed"; readonly failure: GatewayFailure; readonly error: unknown }
  /** The ticket documents, or why they could not be read, as a sentence. */
  | { readonly kind: "documents-read"; readonly documents: TicketDocuments | string; readonly after: StatusAfter }
  /** The plan of an effect was refused: the gateway has carried it out before. */
  | { readonly kind: "plan-refused"; readonly sending: Sending }
  | {
      readonly kind: "answered";
      readonly effectId: string;
      readonly sending: Sending;
      readonly performed: PerformedEffect;
    }
  /** The run failed; the context is loaded anew. */
  | { readonly kind: "failed"; readonly error: unknown };

/** What is to be done next about an order: saved in one transaction, and then called or ended. */
export interface Step {
  /** Names it in logs and tests. */
  readonly id: string;
  readonly save: Change | null;
  /** What is known of the order once that is saved, where that is certain without loading it; left out: what was known. */
  readonly known?: OrderContext;
  readonly next: Next;
}

/** For what a status was read, as the evidence is labelled. */
export type StatusPurpose = "decide" | "before-effect" | "after-effect" | "settle-unknown";

/** What is saved. What later changes name carries its id. */
export type Change =
  /** What the gateway answered, kept as evidence. */
  | {
      readonly kind: "status-view";
      readonly id: string;
      readonly purpose: StatusPurpose;
      readonly body: Uint8Array;
      readonly readAt: Date;
    }
  | { readonly kind: "documents"; readonly body: Uint8Array; readonly readAt: Date }
  | DecisionChange
  | MoveChange
  /** A finished case shows new work: another one is opened for the order, due at once, resting on the same notifications. */
  | { readonly kind: "next-case" }
  /**
   * The bytes of an effect are about to leave for the decision in force, or those of an unknown accept once more, whose
   * settling begins anew. The case is accepting or cancelling from then on, and nobody can stop it any more. Refused when
   * another one that may have happened is still live, or one has succeeded for the same proposal of the case.
   */
  | {
      readonly kind: "effect-sent";
      readonly id: string;
      readonly sending: Omit<Sending, "assessment" | "freshUntil" | "isJustDecided">;
    }
  | {
      readonly kind: "effect-outcome";
      readonly effectId: string;
      readonly outcome: EffectOutcome;
      readonly ending: EffectEnding;
      /** The gateway's answer, which nobody else knows: saving it is tried for long. */
      readonly isAnswer: boolean;
    }
  /** A status was read that did not settle an unknown effect. */
  | {
      readonly kind: "settle-read";
      readonly effectId: string;
      /** Whether it showed the very proposal that the effect was sent for, open as before. */
      readonly shown: "unchanged" | "otherwise";
      readonly move: CaseMove;
      readonly followUp: NewDecision | null;
    };

/** The case moves without a new decision. */
export interface MoveChange {
  readonly kind: "move";
  readonly move: CaseMove;
  /** For the timeline; null when it says so already. */
  readonly event: TimelineEvent | null;
  /** What is left to be done. One of a kind is opened for a case, whatever comes again. */
  readonly tasks: readonly NewTask[];
  /** Why the try failed, which is counted; null clears the count. */
  readonly failure: Failure | null;
}

export interface TimelineEvent {
  readonly kind: string;
  readonly detail: object;
}

/** A decision that takes the place of the one in force, and where the case goes with it. */
export interface DecisionChange {
  readonly kind: "decision";
  readonly id: string;
  readonly decision: NewDecision;
  readonly move: CaseMove;
  /** The booked flights, when they are first seen. */
  readonly baseline: { readonly booked: Itinerary; readonly from: string } | null;
  /** Why the shadow version could not decide beside it, for the log; null when it could. */
  readonly shadowFailure: unknown;
}

/** What is done once that is saved. */
export type Next =
  | { readonly kind: "end"; readonly outcome: RunOutcome }
  /** An effect has succeeded, and what follows rests on what is stored of it. */
  | { readonly kind: "load" }
  | { readonly kind: "read-status"; readonly why: StatusReason; readonly round: number }
  | { readonly kind: "read-documents"; readonly after: StatusAfter }
  | { readonly kind: "send"; readonly sending: Sending }
  /** What could not be done fails the run. */
  | { readonly kind: "fail"; readonly error: unknown };

/** An effect that is about to be sent, or was. */
export interface Sending {
  /** The unknown effect that is sent once more; null for one that is planned now. */
  readonly effectId: string | null;
  readonly action: EffectAction;
  readonly gdsBookingReferences: readonly string[];
  readonly proposalDigest: string;
  readonly expectedRefund: ExpectedRefund | null;
  /** Of the status that was read right before. */
  readonly assessment: Assessment;
  /** Until when that status counts as read right before; null when an unknown accept is sent once more. */
  readonly freshUntil: Date | null;
  /** Whether the decision was made in this run, so that what a success leads to is known without loading. */
  readonly isJustDecided: boolean;
}

/** A status that was read. `assessment` is null when the status says nothing of the order. */
export interface SeenStatus {
  readonly view: OrderView;
  readonly statusViewId: string;
  readonly askedAt: Date;
  readonly readAt: Date;
  readonly round: number;
  readonly assessment: Assessment | null;
}

/** The status after an effect, and what it shows of the order, if anything; or why it could not be read, as a sentence. */
export type StatusAfter =
  | { readonly view: OrderView; readonly proposal: Proposal | null; readonly statusViewId: string }
  | string;

/** An outcome, and how long the gateway asks to be left alone; null when it does not ask. */
export interface PerformedEffect {
  readonly outcome: EffectOutcome;
  readonly retryAfterMs: number | null;
}

/** What every step rests on besides what is known of the order and what has happened. */
export interface Moment {
  readonly now: Date;
  /** A number in [0, 1), for waits that must not fall together. */
  readonly chance: number;
  /** For the decision that is made, if one is. */
  readonly id: string;
}

export function end(id: string, save: Change | null, outcome: RunOutcome): Step {
  return { id, save, next: { kind: "end", outcome } };
}

export function readStatus(why: StatusReason, round = 1): Step {
  return { id: `read-status-${why}`, save: null, next: { kind: "read-status", why, round } };
}

/** A decision that asks a person; the booked flights stay as they are stored. */
export function decision(id: string, made: NewDecision, to: CaseMove): DecisionChange {
  return { kind: "decision", id, decision: made, move: to, baseline: null, shadowFailure: null };
}

/** Moves the case where nothing is decided anew. Where it stays as it is, so does its version. */
export function move(
  context: OrderContext,
  to: CaseMove,
  event: TimelineEvent = { kind: "status.unchanged", detail: {} },
): MoveChange {
  const isUnchanged = to.isUnchanged ?? to.state === context.case.state;
  return { kind: "move", move: { ...to, ...(isUnchanged ? { isUnchanged } : {}) }, event, tasks: [], failure: null };
}

/** Counts a failed try, and waits where the case is, or in the `state` that somebody is asked in. */
export function postponed(
  { case: current }: OrderContext,
  failure: Failure,
  dueAt: Date | null,
  state?: WaitingState,
): MoveChange {
  const reviewQueue = current.reviewQueue ?? (state === "awaiting-agent" ? "agent" : null);
  // Who was asked before is asked as before.
  const waiting = state === undefined ? { state: current.state } : ({ state, isUnchanged: true } as const);
  const event = current.failures === 0 ? { kind: "case.postponed", detail: failure } : null;
  return { kind: "move", move: { ...waiting, reviewQueue, dueAt }, event, tasks: [], failure };
}
