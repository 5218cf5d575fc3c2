import type { OperationName, OrderQuery } from "../../contract/operations/operation.ts";
import type { GatewayOrder, JournalEntry } from "../ports.ts";

/** What the journal says of a call with a result for each of several things; none of them counts as failed. */
export function summaryOf(
  results: readonly { readonly status: "SUCCESS" | "FAILED" }[],
): Exclude<JournalEntry["result"], "ERROR"> {
  const successes = results.filter((result) => result.status === "SUCCESS").length;
  if (successes === 0) return "FAILED";
  return successes === results.length ? "SUCCESS" : "MIXED";
}

/** The journal entry of a call that named an order, with the order as it was before. */
export function orderCallEntry(
  operation: OperationName,
  { orderId, gdsBookingReferences }: OrderQuery,
  before: GatewayOrder,
  outcome: Pick<JournalEntry, "result" | "errorCode" | "at">,
): JournalEntry {
  const changeId = before.change?.id ?? null;
  return { operation, orderId, gdsBookingReferences, ...outcome, changeId, orderVersion: before.version };
}
