import type { shownStates } from "../cases/lifecycle.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { Page, PagePosition } from "./ports.ts";

export const orderWorkStates = ["blocked"] as const;

/**
 * Why an order is blocked. The first that holds counts:
 *
 * - `effect-unknown`: the outcome of an accept or a cancel is unknown, so nothing else may be sent.
 * - `lease-held`: one worker has held the lease for longer than work takes.
 * - `failing`: several attempts in a row failed.
 * - `not-picked-up`: it has been due for long, and no worker has taken it.
 */
export const blockReasonCodes = ["effect-unknown", "lease-held", "failing", "not-picked-up"] as const;
export type BlockReasonCode = (typeof blockReasonCodes)[number];

/** It does not delay other orders. */
export interface BlockedOrder {
  readonly source: string;
  readonly orderId: string;
  /** The open case, or else the finished one that is due for a recheck. */
  readonly caseId: string;
  readonly caseState: (typeof shownStates)[number];
  readonly since: Date;
  readonly reason: { readonly code: BlockReasonCode; readonly text: string };
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Null if it waits for a person or a notification. */
  readonly nextTryAt: Date | null;
  readonly leasedUntil: Date | null;
  /** Host and process id. */
  readonly leasedBy: string | null;
}

export interface BlockedOrderFilter {
  readonly visible: VisibleSources;
  readonly source: string | null;
  readonly after: PagePosition | null;
  readonly limit: number;
}

/** Each method is one read-only transaction. */
export interface BlockedOrders {
  /** Longest blocked first. */
  listBlocked(filter: BlockedOrderFilter): Promise<Page<BlockedOrder>>;
}
