import type { StatedOrder } from "../contract/stated-order.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";

export interface OrderImport {
  readonly source: string;
  readonly orders: readonly StatedOrder[];
  /** Takes the place of booked flights that decisions rest on, too. */
  readonly replace: boolean;
  /** Says what would happen and changes nothing. */
  readonly dryRun: boolean;
  /** `person:` and who. */
  readonly actor: string;
}

export const orderImportOutcomeNames = ["added", "replaced", "unchanged", "kept", "refused"] as const;

/**
 * What came of one stated order. `added`: no booked flights were known. `replaced`: others were. `unchanged`: these were
 * stated before. `kept`: decisions rest on others, which stay. `refused`: its flights cannot have been sold.
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
  /** Why its status is read no more without a notification: `travelled`, `no-reference`, `refused` or `erased`. */
  readonly pollEnded: string | null;
  /** The newest 50, newest first. */
  readonly cases: readonly { readonly id: string; readonly state: string; readonly openedAt: Date }[];
}

/** Orders as the agency has them. */
export interface Orders {
  /** One transaction; the results stand in the order of the orders. Null when there is no such source. */
  importOrders(request: OrderImport): Promise<readonly OrderImportResult[] | null>;
  readOrder(source: string, orderId: string): Promise<OrderDetail | null>;
}
