import type { CaseAction, CaseActionOutcome } from "../cases/case-command.ts";
import type { EffectResult } from "../cases/effect.ts";
import type { CaseSnapshot, OrderContext, OrderKey } from "../cases/order-context.ts";
import type { Change } from "../cases/step.ts";
import type { TicketDocuments } from "../contract/operations/air-doc-retreive.ts";
import type { OrderView } from "../contract/order-view.ts";
import { AppError } from "../kernel/app-error.ts";

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

/** What the gateway answered to AirReservationStatus. */
export interface StatusReading {
  readonly view: OrderView;
  readonly body: Uint8Array;
  readonly readAt: Date;
}

/** An order that this worker has leased, and what is known of it. */
export interface TakenOrder {
  readonly lease: Lease;
  /** Null when there is no case to work on. Rejects with `store.cannot_open` when its notification cannot be opened. */
  readonly context: Promise<OrderContext | null>;
}

/** What became of the changes. */
export interface Saved {
  /** False when an effect was to be planned and may not be: see `effect-sent`. */
  readonly isPlanned: boolean;
  /** How long the order was this worker's still, milliseconds; 0 when that was not asked. */
  readonly leaseLeftMs: number;
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

  /**
   * Takes an order and loads all that is known of it, its open case moved to `checking` (one that is accepting or cancelling
   * stays so); null while another worker has it or nothing is due for it.
   */
  take(key: OrderKey, holder: string, leaseMs: number): Promise<TakenOrder | null>;
  /** Extends the lease; false when it is lost. */
  renewLease(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Gives the order back; harmless when the lease is lost. */
  releaseLease(lease: Lease): Promise<void>;

  /**
   * Loads again all that is known of the order, as `take` does; null when there is no case to work on any more. Rejects with
   * `store.cannot_open` when the stored notification cannot be opened, unless it is left out.
   */
  load(lease: Lease, notification?: "without-notification"): Promise<OrderContext | null>;

  /**
   * Saves what a step changes, all of it or nothing. Rejects with `desk.lease_lost` as well when another decision is in force
   * than the one that the work rests on, or when an effect would be sent for a rule although automatic effects are stopped:
   * the work begins anew. Only the outcome of an effect is kept whoever has the order by then, and safe to save again when it
   * is not known whether it was.
   *
   * @param work the case as it was loaded.
   * @param then `release` gives the order back in the same transaction.
   */
  save(lease: Lease, work: CaseSnapshot, changes: readonly Change[], then?: "release"): Promise<Saved>;

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

/** Where actions on many cases are worked off. */
export interface BulkWork {
  /**
   * Takes the action on the next case that nobody else has in hand, and writes down what came of it, in one transaction:
   * after a crash it has happened and is written down, or neither. Null when nothing is left.
   */
  workNext(): Promise<BulkStep | null>;
}

/** What came of one case. */
export interface BulkStep {
  readonly bulkActionId: string;
  readonly caseId: string;
  readonly outcome: CaseActionOutcome["outcome"];
}

/** A case whose time to be decided has passed. */
export interface OverdueCase extends OrderKey {
  readonly caseId: string;
  readonly dueBy: Date;
  readonly rule: string;
}

/** A task whose time to be done has passed, and the case that left it. */
export interface OverdueTask extends OverdueCase {
  readonly taskId: string;
  readonly kind: string;
}

/** Where it is kept by when cases must be decided and tasks be done. Each method is one transaction. */
export interface ClockStore {
  /**
   * Marks cases that wait for a person or the traveller and whose time has passed, the longest overdue first: each once
   * for a time that it had, however many processes look. They become at least as urgent as `overduePriority`, and their
   * timelines say so. A case that rests because a person put it off is left alone, as is an order that somebody is
   * changing this moment: the next look finds it.
   */
  markOverdue(limit: number): Promise<readonly OverdueCase[]>;
  /** Open cases that are overdue, by source. */
  countOverdue(): Promise<ReadonlyMap<string, number>>;
  /** The same for open tasks. One that somebody is closing this moment is left alone. */
  markOverdueTasks(limit: number): Promise<readonly OverdueTask[]>;
  /** Open tasks that are overdue, by source. */
  countOverdueTasks(): Promise<ReadonlyMap<string, number>>;
}
