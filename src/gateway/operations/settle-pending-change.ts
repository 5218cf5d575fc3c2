import type { Operation, OperationName, OrderQuery } from "../../contract/operations/operation.ts";
import { type OperationCall, type OperationContext, orderNotFound } from "../operation.ts";
import { bookingResponseHead } from "../order-view-body.ts";
import type { GatewayOrder } from "../ports.ts";
import { type ChangeOutcome, type SettlementResult, settleChange } from "../settle-change.ts";
import { orderCallEntry, summaryOf } from "./journal-summary.ts";

/** A settled change, with what the response repeats of the order. */
export interface SettledChange {
  readonly order: GatewayOrder;
  readonly results: readonly SettlementResult[];
}

/**
 * Settles the pending change for the named references and writes the journal, under the lock of the order: the second
 * of two calls finds nothing pending.
 */
export async function settlePendingChange(
  context: OperationContext,
  operation: OperationName,
  outcome: ChangeOutcome,
  call: OperationCall<OrderQuery>,
): Promise<SettledChange> {
  const { orderId, gdsBookingReferences } = call.query;
  const settled = await context.store.amendOrder(orderId, async (before) => {
    const at = context.clock.now();
    const settled = settleChange(before, outcome, gdsBookingReferences, at);
    const result = summaryOf(settled.results);
    const errorCode = result === "SUCCESS" ? null : "gateway.change_not_answerable";
    return {
      order: settled.settlements.length === 0 ? null : settled.order,
      change: null,
      settlements: settled.settlements,
      refunds: settled.refunds,
      journal: orderCallEntry(operation, call.query, before, { result, errorCode, at }),
      result: { order: settled.order, results: settled.results },
    };
  });
  if (settled === null) throw orderNotFound(orderId);
  return settled;
}

export function involuntaryBody(
  { responseRoot, responseVersion }: Pick<Operation, "responseRoot" | "responseVersion">,
  order: GatewayOrder,
  party: unknown,
  results: readonly object[],
): Readonly<Record<string, unknown>> {
  return { [responseRoot]: { ...bookingResponseHead(party, order, responseVersion), Result: results } };
}

/** For one booking reference. */
export function resultElement(orderId: string, result: SettlementResult) {
  return {
    OrderID: orderId,
    GdsBookingReference: [result.gdsBookingReference],
    ErrorMsg: result.errorMessage,
    Status: result.status,
  };
}
