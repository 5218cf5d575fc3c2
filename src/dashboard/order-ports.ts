import type { StatedOrder } from "../contract/stated-order.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Actor } from "../kernel/actor.ts";

export interface OrderImport extends Actor {
  readonly source: string;
  readonly orders: readonly StatedOrder[];
  /** Replaces booked flights even if decisions depend on them. */
  readonly replace: boolean;
  readonly dryRun: boolean;
}

export const orderImportOutcomeNames = ["added", "replaced", "unchanged", "kept", "refused"] as const;

/**
 * The outcome for one imported order. `added`: no booked flights were known. `replaced`: others were known. `unchanged`:
 * the same were known. `kept`: decisions depend on others, which stay. `refused`: such flights cannot have been sold.
 */
export interface OrderImportResult {
  readonly orderId: string;
  readonly outcome: (typeof orderImportOutcomeNames)[number];
  readonly message: string | null;
}

export interface OrderDetail {
  readonly source: string;
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
  readonly booked: Itinerary | null;
  /** `import`, `notification` or `status`. */
  readonly bookedFrom: string | null;
  readonly accepted: Itinerary | null;
  readonly importedAt: Date | null;
  readonly importedBy: string | null;
  readonly polledAt: Date | null;
  readonly nextPollAt: Date | null;
  /** Why it is no longer polled: `travelled`, `no-reference`, `refused` or `erased`. */
  readonly pollEnded: string | null;
  /** The newest 50, newest first. */
  readonly cases: readonly { readonly id: string; readonly state: string; readonly openedAt: Date }[];
}

export interface Orders {
  /** One transaction. Results are in the order of the input; null if there is no such source. */
  importOrders(request: OrderImport): Promise<readonly OrderImportResult[] | null>;
  readOrder(source: string, orderId: string): Promise<OrderDetail | null>;
}
