import { isRecord } from "../kernel/record.ts";
import type { ContractProblem } from "./contract-problem.ts";
import { type FindOrders, findOrders } from "./find-orders.ts";
import { parseStatements } from "./json.ts";
import { member, onlyOf } from "./lenient-value.ts";
import { notJson } from "./not-json.ts";
import type { OrderView } from "./order-view.ts";
import { type ReadOrderView, readOrderView } from "./read-order-view.ts";
import { type UnreadMembers, unreadInBoth, unreadMembersIn } from "./unread-members.ts";

export interface LocatedView {
  readonly json: unknown;
  /** JSON Pointer to it in the body; empty for the whole body. */
  readonly path: string;
  /** What members beside the list that it stands in state, about each view of the list; null if it is in none. */
  readonly beside: (() => UnreadMembers) | null;
}

/** The order views of a parsed notification: each element of a list of several, else the whole body. */
export function orderViewsIn(json: unknown): readonly LocatedView[] {
  return elementsOf(json, "").flatMap((element) => {
    const wrapped = member(element.json, "OrderViewRS");
    const views = elementsOf(wrapped, `${element.path}/OrderViewRS`);
    if (views.length < 2) return [element];
    const beside = readOnce(othersThan(wrapped, onlyOf(element.json)));
    return views.map((view) => ({ ...view, beside }));
  });
}

function elementsOf(json: unknown, path: string): readonly LocatedView[] {
  if (!Array.isArray(json) || json.length < 2) return [{ json, path, beside: null }];
  return json.map((element: unknown, place) => ({ json: element, path: `${path}/${place}`, beside: null }));
}

function othersThan(value: unknown, holder: unknown): Readonly<Record<string, unknown>> {
  return isRecord(holder) ? Object.fromEntries(Object.entries(holder).filter(([, other]) => other !== value)) : {};
}

/** There may be as many members as views, so that no view reads them again. */
function readOnce(members: Readonly<Record<string, unknown>>): () => UnreadMembers {
  let read: UnreadMembers | null = null;
  return () => (read ??= unreadMembersIn(members));
}

/** As `findOrders`, for one of the views of a body; paths lead from the body. */
export function findOrdersOf({ json, path }: LocatedView): FindOrders {
  if (path === "") return findOrders(json);
  const found = findOrders(json, `The element at ${path} of the list`);
  if (found.ok) return { ...found, path: path + found.path };
  return { ok: false, problem: { ...found.problem, path: path + found.problem.path } };
}

/**
 * As `readOrderView`, for one of the views of a body: paths lead from the body, and what stands beside the list of the view is
 * read as if it stood beside the view.
 */
export function readLocatedView(located: LocatedView): ReadOrderView {
  const { json, beside } = located;
  const read = readOrderView(json);
  if (!read.ok) {
    const found = findOrdersOf(located);
    return found.ok ? read : found;
  }
  if (beside === null) return read;
  return { ok: true, view: { ...read.view, unread: unreadInBoth(read.view.unread, beside()) } };
}

export type ReadOrderViews =
  | { readonly ok: true; readonly views: readonly OrderView[] }
  | { readonly ok: false; readonly problem: ContractProblem };

/** Reads the body of a notification that may be a list of several order views, one by one. Never throws. */
export function readOrderViews(body: Uint8Array): ReadOrderViews {
  const parsed = parseStatements(body);
  if (!parsed.ok) return { ok: false, problem: notJson(body) };
  const views: OrderView[] = [];
  for (const located of orderViewsIn(parsed.value)) {
    const read = readLocatedView(located);
    if (!read.ok) return read;
    views.push(read.view);
  }
  return { ok: true, views };
}

/**
 * The view that names the order; null if none does, or several: an order that is stated twice is not known.
 */
export function viewOfOrder(views: readonly OrderView[], orderId: string): OrderView | null {
  const [own = null, ...others] = views.filter((view) => namesOrder(view, orderId));
  return others.length > 0 ? null : own;
}

export function namesOrder({ orders }: Pick<OrderView, "orders">, orderId: string): boolean {
  return orders.some((order) => order.orderId === orderId);
}

/** Each once, in order. */
export function orderIdsOf(views: readonly OrderView[]): readonly string[] {
  return [...new Set(views.flatMap(({ orders }) => orders.map(({ orderId }) => orderId)))];
}
