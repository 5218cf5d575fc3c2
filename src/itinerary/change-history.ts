import type { Itinerary } from "./itinerary.ts";

/** The stored earlier changes of an order. Plain JSON, stored with decisions so that they can be reevaluated. */
export interface ChangeHistory {
  /** The proposals decided about, oldest first. The last may be the change whose facts are computed. */
  readonly proposals: readonly EarlierProposal[];
  /** Whether a change of the order was accepted through us. */
  readonly acceptedBefore: boolean;
  /** The undecided flights of an earlier proposal; null if there are none. */
  readonly awaiting: Itinerary | null;
  /** What the newest notification listed and proposed; null if there is none. */
  readonly notified: { readonly current: Itinerary; readonly proposed: Itinerary } | null;
}

export interface EarlierProposal {
  readonly proposed: Itinerary;
  /** ISO 8601, UTC. */
  readonly decidedAt: string;
  /** Whether no flight at all was stated, as in a notification that only names the order: nothing was proposed. */
  readonly isBlank?: boolean;
}
