import type { ContractProblem } from "./contract-problem.ts";
import { findOrders } from "./find-orders.ts";
import type { OrderView } from "./order-view.ts";
import { readDataLists } from "./read-data-lists.ts";
import { readDeadlines } from "./read-deadlines.ts";
import { readOrder } from "./read-order.ts";
import { ordersIn, readStatedView } from "./stated-view.ts";
import { emptyNotes, noteBeside, unreadIn } from "./unread-members.ts";

export type ReadOrderView =
  | { readonly ok: true; readonly view: OrderView }
  | { readonly ok: false; readonly problem: ContractProblem };

/**
 * Reads a parsed order view, with or without `OrderViewRS` around it. {@link findOrders} decides whether it is usable.
 * Never throws.
 */
export function readOrderView(json: unknown): ReadOrderView {
  const found = findOrders(json);
  if (!found.ok) return found;
  const notes = emptyNotes();
  const view = readStatedView(found.view, notes);
  noteBeside(json, found.view, notes);
  const lists = readDataLists(view);
  const flights = new Map(lists.flights.map((flight) => [flight.flightKey, flight]));
  const deadlinesOfAll = readDeadlines({ ...found.view, Order: null });
  const orders = ordersIn(view).map((order, at) =>
    readOrder(order, flights, [...deadlinesOfAll, ...readDeadlines(found.orders[at])]),
  );
  return { ok: true, view: { orders, ...lists, unread: unreadIn(notes) } };
}
