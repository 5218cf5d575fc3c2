import type { ContractProblem } from "./contract-problem.ts";
import { parseJson } from "./json.ts";
import { type ReadOrderView, readOrderView } from "./read-order-view.ts";

/**
 * Reads the body of a notification as it came. Strict in what makes it usable, tolerant in everything that real gateways
 * vary; never throws. Codes: `ocn.not_json` and those of {@link readOrderView}. Who only needs to know which orders it
 * names reads it with `readNotifiedOrders`.
 *
 * @see interface document, "Events", item 4
 */
export function readNotification(body: Uint8Array): ReadOrderView {
  const parsed = parseJson(body);
  return parsed.ok ? readOrderView(parsed.value) : { ok: false, problem: notJson };
}

export const notJson: ContractProblem = {
  code: "ocn.not_json",
  path: "",
  message: "The body is not JSON in UTF-8.",
};
