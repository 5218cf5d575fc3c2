import { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { order, orderView } from "./elements/order.ts";
import { amendmentsActions } from "./elements/segment.ts";
import { orderIdOf } from "./find-orders.ts";
import { listOf } from "./lenient-value.ts";
import { createStatedReader, type Stated } from "./stated.ts";

/** Some gateways send the flags beside `ScheduleChange`. */
const orderAsSent = order.extend({ AmendmentsActions: amendmentsActions.optional() });

/** What an order view states, without `OrderViewRS` around it. */
export const readStatedView = createStatedReader(orderView.extend({ Order: z.array(orderAsSent) }));

export type StatedView = ReturnType<typeof readStatedView>;
export type StatedOrderElement = Stated<typeof orderAsSent>;

/** As `findOrders` finds them: those with an OrderID. */
export function ordersIn(view: StatedView): readonly StatedOrderElement[] {
  return listOf(view?.Order).filter((element) => isRecord(element) && orderIdOf(element) !== null);
}
