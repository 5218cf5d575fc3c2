import { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { order, orderView } from "./elements/order.ts";
import { amendmentsActions } from "./elements/segment.ts";
import { orderIdOf } from "./find-orders.ts";
import { listOf } from "./lenient-value.ts";
import { createStatedReader, type Stated } from "./stated.ts";
import type { UnreadNotes } from "./unread-members.ts";

/** Some gateways send the flags beside `ScheduleChange`. */
const orderAsSent = order.extend({ AmendmentsActions: amendmentsActions.optional() });

const readView = createStatedReader(orderView.extend({ Order: z.array(orderAsSent) }));

export type StatedView = ReturnType<typeof readView>;

const viewsRead = new WeakMap<object, StatedView>();

/**
 * What an order view states, without `OrderViewRS` around it. The order, its travellers and its tickets are read of the
 * same parsed view at different places, so it is gone through once; with notes each time.
 */
export function readStatedView(json: unknown, notes: UnreadNotes | null = null): StatedView {
  if (!isRecord(json)) return readView(json, notes);
  const view = (notes === null ? viewsRead.get(json) : undefined) ?? readView(json, notes);
  viewsRead.set(json, view);
  return view;
}
export type StatedOrderElement = Stated<typeof orderAsSent>;

/** As `findOrders` finds them: those with an OrderID. */
export function ordersIn(view: StatedView): readonly StatedOrderElement[] {
  return listOf(view?.Order).filter((element) => isRecord(element) && orderIdOf(element) !== null);
}
