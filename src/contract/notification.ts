import { parseJson } from "./json.ts";
import { type ReadOrderView, readOrderView } from "./read-order-view.ts";

/**
 * Reads the body of a notification as it came. Strict in what makes it usable, tolerant in everything that real gateways
 * vary; never throws. Codes: `ocn.not_json` and those of {@link readOrderView}.
 *
 * @see interface document, "Events", item 4
 */
export function readNotification(body: Uint8Array): ReadOrderView {
  const parsed = parseJson(body);
  if (parsed.ok) return readOrderView(parsed.value);
  return { ok: false, problem: { code: "ocn.not_json", path: "", message: "The body is not JSON in UTF-8." } };
}
