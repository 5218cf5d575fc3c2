import { isRecord } from "../kernel/record.ts";
import type { ContractProblem } from "./contract-problem.ts";
import { findDoubledKeys } from "./doubled-keys.ts";
import { gdsBookingReferencesOf, nameStatedTwice, orderIdOf } from "./find-orders.ts";
import { parseJsonText } from "./json.ts";
import { exceedsJsonBounds, orderViewBounds } from "./json-complexity.ts";
import { listOf, member, onlyOf } from "./lenient-value.ts";
import { beginsLikeJson, notJson } from "./not-json.ts";
import { findOrdersOf, orderViewsIn } from "./order-views.ts";

export interface NotifiedOrder {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}

export type ReadNotifiedOrders =
  | { readonly ok: true; readonly orders: readonly NotifiedOrder[] }
  | { readonly ok: false; readonly problem: ContractProblem };

/**
 * Reads only which orders a notification names, which is all that storing and acknowledging it needs, for little more
 * than parsing it. Refuses what `readOrderViews` refuses, with the same codes, and `ocn.too_complex`,
 * `ocn.stated_twice` and `ocn.too_many_orders`. Never throws.
 * Each order comes once, although several elements may have the same OrderID. Of a list of order views it reads each;
 * one that cannot be used refuses the list, so that nothing of it is lost.
 * @param ordersMax not given for a notification that has been acknowledged: then nothing limits it.
 */
export function readNotifiedOrders(body: Uint8Array, ordersMax?: number): ReadNotifiedOrders {
  const isBounded = ordersMax !== undefined && body.length >= boundedFromBytes;
  if (isBounded && exceedsJsonBounds(body, orderViewBounds)) {
    return { ok: false, problem: beginsLikeJson(body) ? tooComplex : notJson(body) };
  }
  const parsed = parseJsonText(body);
  if (!parsed.ok) return { ok: false, problem: notJson(body) };
  const references = new Map<string, Set<string>>();
  const paths: string[] = [];
  const holders = new Set<unknown>([onlyOf(parsed.value)]);
  for (const view of orderViewsIn(parsed.value)) {
    const found = findOrdersOf(view);
    if (!found.ok) return found;
    paths.push(found.path);
    for (const holder of [onlyOf(view.json), found.view, ...listOf(member(found.view, "Order"))]) holders.add(holder);
    for (const order of found.orders) {
      const orderId = orderIdOf(order) ?? "";
      const known = references.get(orderId) ?? new Set();
      for (const reference of gdsBookingReferencesOf(order)) known.add(reference);
      references.set(orderId, known);
    }
  }
  const doubled = doubledNameIn(parsed, holders);
  if (doubled !== null) return { ok: false, problem: nameStatedTwice(paths.length === 1 ? paths[0]! : "", doubled) };
  if (ordersMax !== undefined && references.size > ordersMax) {
    const path = paths.length === 1 ? paths[0]! : "";
    return { ok: false, problem: tooManyOrders(path, references.size, ordersMax) };
  }
  return {
    ok: true,
    orders: [...references].map(([orderId, known]) => ({ orderId, gdsBookingReferences: [...known] })),
  };
}

/**
 * Returns the key of an order that one of these objects states twice, so that nobody knows which orders the notification
 * is about; null if none. Reads the text again only if it has more of these keys than the objects.
 */
function doubledNameIn(
  { text, value }: { readonly text: string; readonly value: unknown },
  holders: ReadonlySet<unknown>,
): string | null {
  let expected = 0;
  for (const holder of holders) {
    if (isRecord(holder)) for (const key in holder) if (isNameOfOrder(key)) expected += 1;
  }
  if (!escapedLetter.test(text) && (text.match(namesOfOrders)?.length ?? 0) === expected) return null;
  const doubled = findDoubledKeys(text, value).find(({ holder, key }) => holders.has(holder) && isNameOfOrder(key));
  return doubled?.key ?? null;
}

/** A letter of a key may be escaped. */
const escapedLetter = /\\u00[4-7]/;

const namesOfOrders = /"order(?:id|viewrs)?"\s*:/gi;

function isNameOfOrder(key: string): boolean {
  return key.length <= "OrderViewRS".length && /^order(?:id|viewrs)?$/i.test(key);
}

/** What is shorter is parsed within some milliseconds, whatever it holds. */
const boundedFromBytes = 64 * 1024;

const tooComplex: ContractProblem = {
  code: "ocn.too_complex",
  path: "",
  message: `The JSON is nested deeper than ${orderViewBounds.depth} or has more than ${orderViewBounds.values} values and names of members.`,
};

function tooManyOrders(path: string, count: number, ordersMax: number): ContractProblem {
  const message = `It names ${count} orders, and one notification may name ${ordersMax}. Have the gateway send fewer in each, or raise OCN_ORDER_LIMIT, restart and reprocess it.`;
  return { code: "ocn.too_many_orders", path, message };
}
