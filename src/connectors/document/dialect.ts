import type { Dialect, NotifiedViews } from "../../contract/dialect.ts";
import { findTravellerWords } from "../../contract/find-traveller-words.ts";
import { parseStatements } from "../../contract/json.ts";
import { notJson } from "../../contract/not-json.ts";
import { readNotifiedOrders } from "../../contract/notified-orders.ts";
import { orderViewsIn, readLocatedView } from "../../contract/order-views.ts";

/** Notifications are order views, or lists of them, as JSON. */
export const dialect: Dialect = { findOrders: readNotifiedOrders, readViews, module: import.meta.url };

function readViews(body: Uint8Array): NotifiedViews {
  const parsed = parseStatements(body);
  if (!parsed.ok) return { views: [], problem: notJson(body), isOfOneOrder: false };
  const located = orderViewsIn(parsed.value);
  const readings = located.map((one) => ({ ...readLocatedView(one), json: one.json }));
  const views = readings.flatMap((reading) =>
    reading.ok ? [{ view: reading.view, travellers: findTravellerWords(reading.json) }] : [],
  );
  const unusable = readings.find((reading) => !reading.ok);
  return {
    views,
    problem: unusable?.problem ?? null,
    isOfOneOrder: located.length === 1 && views[0]?.view.orders.length === 1,
  };
}
