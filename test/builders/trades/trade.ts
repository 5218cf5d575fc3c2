import type { Json } from "../order-view.ts";
import type { Draw } from "./draw.ts";

/** What systems of another trade would add to an order view, in one spelling. */
export interface Trade {
  readonly name: string;
  /** What says nothing of the change. */
  readonly members: (draw: Draw) => TradeMembers;
  /** What tells to stop, each of them put over the members of a few orders. */
  readonly stops: readonly ((draw: Draw) => TradeMembers)[];
}

/** By the element of the view that gets them. */
export interface TradeMembers {
  /** Beside the root. */
  readonly envelope?: Json;
  readonly view?: Json;
  readonly order?: Json;
  readonly offerItem?: Json;
  /** Each of them. */
  readonly segment?: Json;
  readonly passenger?: Json;
  readonly dataLists?: Json;
}
