import type { ContractProblem } from "./contract-problem.ts";
import { findOrders, gdsBookingReferencesOf, orderIdOf } from "./find-orders.ts";
import { parseJson } from "./json.ts";
import { notJson } from "./notification.ts";

/** An order that a notification names. */
export interface NotifiedOrder {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}

export type ReadNotifiedOrders =
  | { readonly ok: true; readonly orders: readonly NotifiedOrder[] }
  | { readonly ok: false; readonly problem: ContractProblem };

/**
 * Reads from the body of a notification only which orders it names: all that is needed to keep and acknowledge it, for
 * little more than parsing it. It refuses exactly what `readNotification` refuses, with the same codes. Never throws.
 *
 * Each order comes once: several elements may carry the same OrderID with different booking references.
 */
export function readNotifiedOrders(body: Uint8Array): ReadNotifiedOrders {
  const parsed = parseJson(body);
  if (!parsed.ok) return { ok: false, problem: notJson };
  const found = findOrders(parsed.value);
  if (!found.ok) return found;
  const references = new Map<string, Set<string>>();
  for (const order of found.orders) {
    const orderId = orderIdOf(order) ?? "";
    const known = references.get(orderId) ?? new Set();
    for (const reference of gdsBookingReferencesOf(order)) known.add(reference);
    references.set(orderId, known);
  }
  return {
    ok: true,
    orders: [...references].map(([orderId, known]) => ({ orderId, gdsBookingReferences: [...known] })),
  };
}
