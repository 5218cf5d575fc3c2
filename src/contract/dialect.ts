import type { ContractProblem } from "./contract-problem.ts";
import type { ReadNotifiedOrders } from "./notified-orders.ts";
import type { OrderView } from "./order-view.ts";
import type { TravellerWords } from "./read-data-lists.ts";

/** How one kind of gateway writes its notifications. Nothing of it throws. */
export interface Dialect {
  /**
   * Which orders a body is about, each once, or why it cannot be used: all that storing and acknowledging it needs. Whoever
   * reads one that has been acknowledged gives no limit.
   */
  findOrders(body: Uint8Array, ordersMax?: number): ReadNotifiedOrders;
  /** What a body says of its orders; nothing if it only names them. */
  readViews(body: Uint8Array): NotifiedViews;
  /** The URL of the module that exports it as `dialect`, from which a thread loads it. */
  readonly module: string;
}

export interface NotifiedViews {
  /** The usable ones, usually the only one. */
  readonly views: readonly NotifiedView[];
  /** Of the first one that cannot be used. */
  readonly problem: ContractProblem | null;
  /** Whether nothing in the body is about another order. */
  readonly isOfOneOrder: boolean;
}

export interface NotifiedView {
  readonly view: OrderView;
  /** By which people find the case. */
  readonly travellers: TravellerWords;
}
