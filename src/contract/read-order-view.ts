import type { ContractProblem } from "./contract-problem.ts";
import { isRecord, listOf, member } from "./lenient-value.ts";
import type { OrderView } from "./order-view.ts";
import { readDataLists } from "./read-data-lists.ts";
import { orderIdOf, readOrder } from "./read-order.ts";

export type ReadOrderView =
  | { readonly ok: true; readonly view: OrderView }
  | { readonly ok: false; readonly problem: ContractProblem };

/**
 * Reads an order view, wrapped in `OrderViewRS` or not, from JSON that has been parsed. It is usable when at least one
 * `Order` has an OrderID; an `Order` without one beside it is left out, since nothing can be asked or done about it.
 * Never throws. Codes:
 *
 * - `ocn.not_an_order_view`: no object, or one with neither `OrderViewRS` nor `Order`.
 * - `ocn.no_order`: no `Order` in it.
 * - `ocn.no_order_id`: no `Order` has a usable OrderID.
 */
export function readOrderView(json: unknown): ReadOrderView {
  const wrapped = member(json, "OrderViewRS");
  const view = wrapped ?? json;
  const path = wrapped === undefined || wrapped === null ? "" : "/OrderViewRS";
  if (!isRecord(view) || (path === "" && member(view, "Order") === undefined)) {
    return refused("ocn.not_an_order_view", path, "The body has no OrderViewRS object and no Order of its own.");
  }
  const order = member(view, "Order");
  const orders = listOf(order).filter(isRecord);
  if (orders.length === 0) return refused("ocn.no_order", `${path}/Order`, "The order view has no Order.");
  const usable = orders.filter((candidate) => orderIdOf(candidate) !== null);
  if (usable.length === 0) {
    const first = Array.isArray(order) ? `${path}/Order/${order.findIndex(isRecord)}` : `${path}/Order`;
    const message = "No Order has an OrderID of 1 to 128 printable characters.";
    return refused("ocn.no_order_id", `${first}/OrderID`, message);
  }
  const lists = readDataLists(view);
  const flights = new Map(lists.flights.map((flight) => [flight.flightKey, flight]));
  return { ok: true, view: { orders: usable.map((candidate) => readOrder(candidate, flights)), ...lists } };
}

function refused(code: string, path: string, message: string): ReadOrderView {
  return { ok: false, problem: { code, path, message } };
}
