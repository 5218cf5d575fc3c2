import type { OrderRecord } from "./order-view.ts";

/** An order that a notification names. */
export interface NotifiedOrder {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}

/** Each order once: several elements may carry the same OrderID with different booking references. */
export function readNotifiedOrders(records: readonly OrderRecord[]): readonly NotifiedOrder[] {
  const references = new Map<string, Set<string>>();
  for (const { orderId, gdsBookingReferences } of records) {
    const known = references.get(orderId) ?? new Set();
    for (const reference of gdsBookingReferences) known.add(reference);
    references.set(orderId, known);
  }
  return [...references].map(([orderId, known]) => ({ orderId, gdsBookingReferences: [...known] }));
}
