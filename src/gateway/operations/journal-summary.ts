import type { JournalEntry } from "../ports.ts";

/** What the journal says of a call with a result for each of several things; none of them counts as failed. */
export function summaryOf(
  results: readonly { readonly status: "SUCCESS" | "FAILED" }[],
): Exclude<JournalEntry["result"], "ERROR"> {
  const successes = results.filter((result) => result.status === "SUCCESS").length;
  if (successes === 0) return "FAILED";
  return successes === results.length ? "SUCCESS" : "MIXED";
}
