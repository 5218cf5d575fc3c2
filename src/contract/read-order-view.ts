import { isRecord } from "../kernel/record.ts";
import type { ContractProblem } from "./contract-problem.ts";
import { findOrders } from "./find-orders.ts";
import type { OrderView } from "./order-view.ts";
import { readDataLists } from "./read-data-lists.ts";
import { readDeadlines } from "./read-deadlines.ts";
import { readOrder } from "./read-order.ts";
import { unreadMembersOf } from "./unread-members.ts";

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
  const lists = readDataLists(found.view);
  const flights = new Map(lists.flights.map((flight) => [flight.flightKey, flight]));
  const deadlinesOfAll = readDeadlines(isRecord(found.view) ? { ...found.view, Order: null } : null);
  const orders = found.orders.map((order) => readOrder(order, flights, deadlinesOfAll));
  return { ok: true, view: { orders, ...lists, unread: unreadMembersOf(json, found.view) } };
}
