import type { CaseAction, CaseActionOutcome } from "../cases/case-command.ts";
import type { CaseMove, EffectEnding, NewTask } from "../cases/case-update.ts";
import type { EffectAction } from "../cases/decision.ts";
import type { EffectOutcome, EffectResult, ExpectedRefund, Failure } from "../cases/effect.ts";
import type { NewDecision } from "../cases/new-decision.ts";
import type { CaseSnapshot, OrderContext, OrderKey, WaitingState } from "../cases/order-context.ts";
import type { TicketDocuments } from "../contract/operations/air-doc-retreive.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import { AppError } from "../kernel/app-error.ts";

export * from "./bulk-ports.ts";

/**
 * The right to work on one order, for a while. Every write that moves the work along names it and is refused with
 * `desk.lease_lost` once a later lease exists or the time is over.
 */
export interface Lease extends OrderKey {
  readonly fence: number;
}

/** What a `CaseStore` rejects with when a lease no longer holds: another worker has the order, and this one must stop. */
export function leaseLost(key: OrderKey): AppError {
  return new AppError(
    "desk.lease_lost",
    `The lease on order ${key.orderId} of source ${key.source} is lost; another worker goes on with it.`,
  );
}

export type StatusPurpose = "decide" | "before-effect" | "after-effect" | "settle-unknown";

/** What the gateway answered to AirReservationStatus. */
export interface StatusReading {
  readonly view: OrderView;
  readonly body: Uint8Array;
  readonly readAt: Date;
}

/**
 * Where cases live. Each method is one transaction. Methods that take a `Lease` reject with `desk.lease_lost` when it no
 * longer holds, having changed nothing.
 */
export interface CaseStore {
  /**
   * Orders that are due, urgent ones first and fair between sources, marked as dispatched for `dispatchMs` so that they
   * are not handed out again meanwhile. Together with what is dispatched already, never more than `limit`.
   *
   * @param perSourceMax of one source no more than so many, those that workers have already included; null: no bound.
   */
  takeDueOrders(limit: number, dispatchMs: number, perSourceMax?: number | null): Promise<readonly OrderKey[]>;

  /** The lease, or null while another worker holds it or nothing is due for this order. */
  acquireLease(key: OrderKey, holder: string, leaseMs: number): Promise<Lease | null>;
  /** Extends the lease; false when it is lost. */
  renewLease(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Gives the order back; harmless when the lease is lost. */
  releaseLease(lease: Lease): Promise<void>;

  /**
   * What is known about the order, its open case moved to `checking` (one that is accepting or cancelling stays so);
   * null when there is no case to work on. Rejects with `store.cannot_open` when the stored notification cannot be
   * opened, unless it is left out.
   */
  beginWork(lease: Lease, notification?: "without-notification"): Promise<OrderContext | null>;

  saveStatus(lease: Lease, caseId: string, purpose: StatusPurpose, reading: StatusReading): Promise<string>;

  /** Keeps the decision, supersedes the one in force, moves the case. Answers the decision's id. */
  decide(
    lease: Lease,
    work: CaseSnapshot,
    decision: NewDecision,
    move: CaseMove,
    baseline: { readonly booked: Itinerary; readonly from: string } | null,
  ): Promise<string>;

  /**
   * Moves the case without a new decision and writes the event to its timeline. Clears its failures.
   *
   * @param tasks what is left to be done. One of a kind is opened for a case, whatever comes again.
   */
  move(
    lease: Lease,
    work: CaseSnapshot,
    move: CaseMove,
    event: { kind: string; detail: object },
    tasks?: readonly NewTask[],
  ): Promise<void>;

  /** Counts a failed try and says when to try again; the case goes to `state`, where it waits, when one is given. */
  postpone(lease: Lease, work: CaseSnapshot, failure: Failure, dueAt: Date | null, state?: WaitingState): Promise<void>;

  /** A finished case shows new work: opens another case for the order, due at once, resting on the same notifications. */
  openNextCase(lease: Lease, finished: CaseSnapshot): Promise<void>;

  /**
   * Plans an effect for the decision and moves the case to accepting or cancelling; from then on the decision cannot be
   * stopped any more. Null when one that may have happened is still live, or when one has succeeded for the same proposal
   * of the case. Rejects with `desk.lease_lost` when the decision is no longer in force, or is a rule's and automatic effects
   * are stopped: the work begins anew.
   */
  planEffect(
    lease: Lease,
    caseId: string,
    effect: {
      readonly decisionId: string;
      readonly action: EffectAction;
      readonly gdsBookingReferences: readonly string[];
      readonly proposalDigest: string;
      readonly expectedRefund: ExpectedRefund | null;
    },
  ): Promise<string | null>;

  /** Commits that the bytes are about to leave. Nothing may be sent before it resolves. */
  markSent(lease: Lease, effectId: string): Promise<void>;

  /**
   * The same for an unknown accept that is sent once more, under the decision it was planned for. Its settling begins
   * anew. The database refuses a third sending, and a second one of a cancel. Rejects as `planEffect` does.
   */
  markSentAgain(lease: Lease, work: CaseSnapshot, effectId: string): Promise<void>;

  /**
   * Keeps what came of an effect and moves the case. The outcome is evidence, so it is kept even when the lease is lost;
   * it changes nothing when the effect has been settled meanwhile, nor does a failure of the first sending once there was
   * a second one: what the gateway said is then only noted. Safe to call again when it is not known whether it worked.
   */
  finishEffect(
    lease: Lease,
    work: CaseSnapshot,
    effectId: string,
    outcome: EffectOutcome,
    ending: EffectEnding,
  ): Promise<void>;

  /**
   * Counts a status read that did not settle an unknown effect, moves the case, and asks a person when it is time.
   *
   * @param shown whether it showed the very proposal that the effect was sent for, open as before.
   */
  countSettleRead(
    lease: Lease,
    work: CaseSnapshot,
    effectId: string,
    shown: "unchanged" | "otherwise",
    move: CaseMove,
    followUp: NewDecision | null,
  ): Promise<void>;

  /** Keeps what AirDocRetreive answered after an accept, as evidence. */
  saveDocuments(
    lease: Lease,
    caseId: string,
    documents: { readonly body: Uint8Array; readonly readAt: Date },
  ): Promise<void>;

  /** A person's action on a case, decided on the state it has when the transaction runs. */
  act(action: CaseAction): Promise<CaseActionOutcome>;
}

/** The gateway operations that the worker calls for one source. Errors are `GatewayFailure`s. */
export interface Gateway {
  airReservationStatus(query: GatewayQuery): Promise<GatewayAnswer<OrderView>>;
  airDocRetreive(query: GatewayQuery): Promise<GatewayAnswer<TicketDocuments>>;
  airOrderInvoluntaryAccept(query: GatewayQuery): Promise<GatewayAnswer<readonly GatewayResult[]>>;
  airOrderInvoluntaryCancel(query: GatewayQuery): Promise<GatewayAnswer<readonly GatewayResult[]>>;
}

/** What an operation answered: normalised, as bytes, and when. */
export interface GatewayAnswer<Answer> {
  readonly answer: Answer;
  readonly body: Uint8Array;
  readonly readAt: Date;
}

export interface GatewayQuery {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}

export interface GatewayResult extends EffectResult {
  readonly orderId: string | null;
}
