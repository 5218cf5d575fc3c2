import type { ContractProblem } from "./contract-problem.ts";
import { parseJson } from "./json.ts";
import { type ReadOrderView, readOrderView } from "./read-order-view.ts";

/**
 * Reads the body of a notification. Strict in what makes it usable, tolerant of everything that gateways vary. Never
 * throws. Codes: `ocn.not_json` and those of {@link readOrderView}. `readNotifiedOrders` reads only which orders it
 * names.
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
