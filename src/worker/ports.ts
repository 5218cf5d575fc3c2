import type { StopCause } from "../cases/brake.ts";
import type { CaseAction, CaseActionOutcome } from "../cases/case-command.ts";
import type { CaseSnapshot, OrderContext, OrderKey } from "../cases/order-context.ts";
import type { Change } from "../cases/step.ts";
import type { OrderView } from "../contract/order-view.ts";
import { AppError } from "../kernel/app-error.ts";

/** The right to work on an order. Writes under a lost lease are refused with `desk.lease_lost`. */
export interface Lease extends OrderKey {
  readonly fence: number;
  /** Stored with a decision that is made under it, for the trace of what follows; absent without tracing. */
  readonly traceparent?: string | null;
}

/** The error of a `CaseStore` for a lost lease: another worker has the order, and this one must stop. */
export function leaseLost(key: OrderKey): AppError {
  return new AppError(
    "desk.lease_lost",
    `The lease on order ${key.orderId} of source ${key.source} is lost; another worker goes on with it.`,
  );
}

export interface StatusReading {
  readonly view: OrderView;
  readonly body: Uint8Array;
  readonly readAt: Date;
}

export interface LeasedOrder {
  readonly lease: Lease;
  /** Where the work came from, newest first: a notification, a decision, a person's action. */
  readonly traceparents: readonly string[];
  /** How long the case has been due. */
  readonly dueForMs: number;
  /** Null if there is no case to work on. @throws `store.cannot_open` if its notification cannot be decrypted. */
  readonly context: Promise<OrderContext | null>;
}

export interface SaveResult {
  /** Whether an effect was refused: see `effect-sent`. */
  readonly isRefused: boolean;
  /** How much longer the lease lasted when this was saved, in milliseconds; 0 if there was nothing to save. */
  readonly leaseLeftMs: number;
  /** Why the save stopped automation of the source; missing if it did not. */
  readonly stoppedAutomation?: StopCause;
}

/**
 * Storage of the cases. Each call is done whole or not at all; calls that are under way at the same time may share a
 * transaction. Methods with a `Lease` reject with `desk.lease_lost` if it is
 * lost; then nothing has changed.
 */
export interface CaseStore {
  /**
   * Returns due orders, urgent ones first and fair between sources, and marks them as dispatched for `dispatchMs`. All
   * dispatched orders together never exceed `limit`.
   * @param perSourceMax the most orders of one source, including those in work; null means no bound.
   */
  takeDueOrders(limit: number, dispatchMs: number, perSourceMax?: number | null): Promise<readonly OrderKey[]>;

  /**
   * Leases and loads an order. An open case moves to `checking`, unless an effect is under way. Null if not free or
   * due.
   */
  take(key: OrderKey, holder: string, leaseMs: number): Promise<LeasedOrder | null>;
  /** Extends the lease; returns false if it is lost. */
  renewLease(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Ends the lease; harmless if it is lost. */
  releaseLease(lease: Lease): Promise<void>;

  /**
   * Loads the order again, as `take` does; null if there is no case to work on.
   * @throws `store.cannot_open` if the notification cannot be decrypted, unless it is left out.
   */
  load(lease: Lease, notification?: "without-notification"): Promise<OrderContext | null>;

  /**
   * Saves all changes of a step or none. Also rejects with `desk.lease_lost` if another decision is in force, or if a
   * rule's effect would be sent while automation is stopped: the work starts again. Only an effect's outcome is saved
   * whoever has the lease, and may be saved again if it is unknown whether it was.
   * @param caseBefore the case as it was loaded.
   * @param then `release` ends the lease in the same transaction.
   */
  save(lease: Lease, caseBefore: CaseSnapshot, changes: readonly Change[], then?: "release"): Promise<SaveResult>;

  /** Applies a person's action to the case's state at the time of the transaction. */
  act(action: CaseAction, traceparent?: string | null): Promise<CaseActionOutcome>;
}

export interface BulkWork {
  /** Applies the action to the next free case and records it, in one transaction. Returns null if nothing is left. */
  workNext(): Promise<BulkStep | null>;
}

export interface BulkStep {
  readonly bulkActionId: string;
  readonly caseId: string;
  readonly outcome: CaseActionOutcome["outcome"];
}

export interface OverdueCase extends OrderKey {
  readonly caseId: string;
  readonly dueBy: Date;
  readonly rule: string;
}

export interface OverdueTask extends OverdueCase {
  readonly taskId: string;
  readonly kind: string;
}

/** Storage of the clocks. Each method is one transaction. */
export interface ClockStore {
  /**
   * Marks overdue cases that wait for a person or the traveller, the longest overdue first, once per clock however many
   * processes run. Raises their priority to `overduePriority` at least and writes to their timelines. Skips snoozed
   * cases, and orders that are locked at present: the next run finds them.
   */
  markOverdue(limit: number): Promise<readonly OverdueCase[]>;
  countOverdue(): Promise<ReadonlyMap<string, number>>;
  /** Does the same for open tasks. Skips one that is being closed. */
  markOverdueTasks(limit: number): Promise<readonly OverdueTask[]>;
  countOverdueTasks(): Promise<ReadonlyMap<string, number>>;
}
