import type { OrderView } from "./order-view.ts";
import type { NumberedTicketDocument } from "./read-data-lists.ts";

/** There may be more documents than passengers, or fewer. */
export interface TicketDocuments {
  readonly view: OrderView;
  readonly documents: readonly NumberedTicketDocument[];
}
