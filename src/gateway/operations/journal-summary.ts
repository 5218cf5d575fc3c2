import type { OperationName, OrderQuery } from "../../contract/operations/operation.ts";
import type { GatewayOrder, JournalEntry } from "../ports.ts";

/** The result in the journal for several results; none of them counts as failed. */
export function summaryOf(
  results: readonly { readonly status: "SUCCESS" | "FAILED" }[],
): Exclude<JournalEntry["result"], "ERROR"> {
  const successes = results.filter((result) => result.status === "SUCCESS").length;
  if (successes === 0) return "FAILED";
  return successes === results.length ? "SUCCESS" : "MIXED";
}

/** With the order as it was before the call. */
export function orderCallEntry(
  operation: OperationName,
  { orderId, gdsBookingReferences }: OrderQuery,
  before: GatewayOrder,
  outcome: Pick<JournalEntry, "result" | "errorCode" | "at">,
): JournalEntry {
  const changeId = before.change?.id ?? null;
  return { operation, orderId, gdsBookingReferences, ...outcome, changeId, orderVersion: before.version };
}
