import { orderView } from "./elements/order.ts";
import { rooted } from "./operations/rooted.ts";

/**
 * A whole order view under its root, as we serve and send it: a response of AirReservationStatus or AirDocRetreive, or a
 * notification. Strict and complete. Reading is done by `readOrderView`, which accepts far more than this.
 *
 * @see interface document, "Order / offer object", "DataLists", "Schedule-change objects"
 */
export const orderViewResponseSchema = rooted("OrderViewRS", orderView);
