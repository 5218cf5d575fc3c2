import type { z } from "zod";
import { type OrderViewBody, orderView } from "./elements/order.ts";
import { rooted } from "./operations/rooted.ts";

/**
 * An order view as we serve and send it: a response of AirReservationStatus or AirDocRetreive, or a notification.
 * Strict and complete; `readOrderView` accepts far more.
 * @see interface document, "Order / offer object", "DataLists", "Schedule-change objects"
 */
export const orderViewResponseSchema: z.ZodType<Record<"OrderViewRS", OrderViewBody>> = rooted(
  "OrderViewRS",
  orderView,
);
