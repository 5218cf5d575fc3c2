import type { OperationName, OrderQuery } from "../../contract/operations/operation.ts";
import { type OperationContext, orderNotFound, referenceNotFound } from "../operation.ts";
import type { GatewayOrder } from "../ports.ts";
import { orderCallEntry } from "./journal-summary.ts";

/** For calls that only read: writes the journal and takes no lock. */
export async function readOrderFor(
  context: Pick<OperationContext, "store" | "clock">,
  operation: OperationName,
  query: OrderQuery,
): Promise<GatewayOrder> {
  const order = await findOrder(context.store, query);
  await recordRead(context, operation, query, order);
  return order;
}

export async function recordRead(
  { store, clock }: Pick<OperationContext, "store" | "clock">,
  operation: OperationName,
  query: OrderQuery,
  order: GatewayOrder,
): Promise<void> {
  const outcome = { result: "SUCCESS", errorCode: null, at: clock.now() } as const;
  await store.recordCall(orderCallEntry(operation, query, order, outcome));
}

/** @throws OperationRefusal for an unknown order or reference */
export async function findOrder(store: OperationContext["store"], query: OrderQuery): Promise<GatewayOrder> {
  const order = await store.readOrder(query.orderId);
  if (order === null) throw orderNotFound(query.orderId);
  const known = order.references.map((reference) => reference.gdsBookingReference);
  const foreign = query.gdsBookingReferences.find((reference) => !known.includes(reference));
  if (foreign !== undefined) throw referenceNotFound(query.orderId, foreign);
  return order;
}
