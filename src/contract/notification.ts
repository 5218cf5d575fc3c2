import { parseStatements } from "./json.ts";
import { notJson } from "./not-json.ts";
import { orderViewsIn } from "./order-views.ts";
import { type ReadOrderView, readOrderView } from "./read-order-view.ts";

/**
 * Reads the body of a notification that is one order view. Strict in what makes it usable, tolerant of everything that
 * gateways vary. Never throws. Codes: `ocn.not_json`, those of {@link readOrderView}, and `ocn.several_views` for a list
 * of several, which `readOrderViews` reads. `readNotifiedOrders` reads only which orders it names.
 * @see interface document, "Events", item 4
 */
export function readNotification(body: Uint8Array): ReadOrderView {
  const parsed = parseStatements(body);
  if (!parsed.ok) return { ok: false, problem: notJson(body) };
  const { length } = orderViewsIn(parsed.value);
  if (length < 2) return readOrderView(parsed.value);
  const message = `The body is a list of ${length} order views. Read each of them by itself.`;
  return { ok: false, problem: { code: "ocn.several_views", path: "", message } };
}
