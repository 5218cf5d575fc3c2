import type { caseStates } from "../cases/lifecycle.ts";
import type { Page, PagePosition } from "./ports.ts";

/** States of a lane that can be asked for. */
export const orderWorkStates = ["blocked"] as const;

/**
 * Why no work gets done on an order, the first that holds:
 *
 * - `effect-unknown`: whether an accept or a cancel was carried out is not known, and nothing else may be sent before it is.
 * - `lease-held`: one worker has had the order for longer than work takes.
 * - `failing`: try after try fails.
 * - `not-picked-up`: it has been due for long, and no worker has taken it.
 */
export const blockReasonCodes = ["effect-unknown", "lease-held", "failing", "not-picked-up"] as const;
export type BlockReasonCode = (typeof blockReasonCodes)[number];

/** An order on which no work gets done. It keeps no other order from being worked on. */
export interface BlockedOrder {
  readonly source: string;
  readonly orderId: string;
  /** The open case; the finished one that is due for another look where none is open. */
  readonly caseId: string;
  readonly caseState: (typeof caseStates)[number];
  readonly since: Date;
  readonly reason: { readonly code: BlockReasonCode; readonly text: string };
  /** Failed tries in a row. */
  readonly failures: number;
  /** Null when only a person or a notification moves it. */
  readonly nextTryAt: Date | null;
  /** Until when a worker has it; null when none has. */
  readonly leasedUntil: Date | null;
  /** The process that has it: host and process id. */
  readonly leasedBy: string | null;
}

export interface BlockedOrderFilter {
  readonly source: string | null;
  readonly after: PagePosition | null;
  readonly limit: number;
}

/** Blocked orders as people see them. Each method is one read-only transaction. */
export interface BlockedOrders {
  /** Those that have been blocked longest first. */
  listBlocked(filter: BlockedOrderFilter): Promise<Page<BlockedOrder>>;
}
