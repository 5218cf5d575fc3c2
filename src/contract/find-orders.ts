import { isRecord } from "../kernel/record.ts";
import { hasInvisible } from "../kernel/visible-text.ts";
import type { ContractProblem } from "./contract-problem.ts";
import { statedTwice } from "./doubled-keys.ts";
import { listOf, member, onlyOf, referencesOf, textOf } from "./lenient-value.ts";
import { describeMisplacedView } from "./misplaced-view.ts";

export type FindOrders =
  | {
      readonly ok: true;
      /** The object with `Order` and `DataLists`. */
      readonly view: Readonly<Record<string, unknown>>;
      /** JSON Pointer to `Order` in the body. */
      readonly path: string;
      /** Those with an OrderID. */
      readonly orders: readonly unknown[];
    }
  | { readonly ok: false; readonly problem: ContractProblem };

/**
 * Finds the orders of a parsed order view, with or without `OrderViewRS` around it, perhaps alone in a list. It is
 * usable if at least one `Order` has an OrderID; the others are left out, because nothing can be asked about them. The
 * only place that decides whether a notification is usable. The message says where an order view was found instead. Never
 * throws. Codes:
 * - `ocn.not_an_order_view`: no object, or one with neither `OrderViewRS` nor `Order`.
 * - `ocn.no_order`: no `Order` in it.
 * - `ocn.no_order_id`: no `Order` has a usable OrderID.
 * - `ocn.invisible_characters`: an OrderID or a booking reference has characters that nobody sees.
 * - `ocn.stated_twice`: one of these stands twice in one object.
 * @param subject of the sentence that says what is missing
 */
export function findOrders(json: unknown, subject = "The body"): FindOrders {
  const found = findOrdersIn(json, subject);
  if (found.ok || namesOrders.has(found.problem.code)) return found;
  const elsewhere = describeMisplacedView(json, (other) => findOrdersIn(other, subject).ok);
  if (elsewhere === null) return found;
  const { code, path, message } = found.problem;
  const here = code === "ocn.no_order" ? `No Order stands at ${path}.` : message;
  return refused(code, path, `${here} ${elsewhere}`);
}

/** Problems of an order view that is where it should be. */
const namesOrders: ReadonlySet<string> = new Set(["ocn.no_order_id", "ocn.stated_twice", "ocn.invisible_characters"]);

function findOrdersIn(json: unknown, subject: string): FindOrders {
  const wrapped = member(json, "OrderViewRS");
  const view = onlyOf(wrapped ?? json);
  const path = wrapped === undefined || wrapped === null ? "" : "/OrderViewRS";
  if (!isRecord(view) || (path === "" && member(view, "Order") === undefined)) {
    return refused("ocn.not_an_order_view", path, `${subject} has no OrderViewRS object and no Order of its own.`);
  }
  const order = member(view, "Order");
  if (view === statedTwice) return { ok: false, problem: nameStatedTwice(path, "OrderViewRS") };
  if (order === statedTwice) return { ok: false, problem: nameStatedTwice(`${path}/Order`, "Order") };
  const elements = listOf(order).filter(isRecord);
  if (elements.length === 0) return refused("ocn.no_order", `${path}/Order`, "The order view has no Order.");
  const invisible = findInvisible(order, `${path}/Order`);
  if (invisible !== null) return { ok: false, problem: invisible };
  const orders = elements.filter((candidate) => orderIdOf(candidate) !== null);
  if (orders.length === 0) {
    const first = Array.isArray(order) ? `${path}/Order/${order.findIndex(isRecord)}` : `${path}/Order`;
    if (elements.some((element) => member(element, "OrderID") === statedTwice)) {
      return { ok: false, problem: nameStatedTwice(`${first}/OrderID`, "OrderID") };
    }
    const message = "No Order has an OrderID of 1 to 128 printable characters.";
    return refused("ocn.no_order_id", `${first}/OrderID`, message);
  }
  return { ok: true, view, path: `${path}/Order`, orders };
}

/**
 * Returns text of 1 to 128 characters that people can see, which fits a database index and a log line, or null. An id that
 * could be stored only with other characters is none: it would be the id of another order.
 */
export function orderIdOf(order: unknown): string | null {
  const written = member(order, "OrderID");
  const orderId = textOf(written);
  if (typeof written === "string" && orderId !== written.trim()) return null;
  return orderId !== null && isIdentifier(orderId) ? orderId : null;
}

/**
 * Two ids that differ only in what nobody sees look like one order to people, and would be two. So the whole body is
 * refused: leaving out the order or the reference would hide it. Letters that look alike, such as a Cyrillic A, stay: an
 * id is whatever the airline gave, and each of its characters can be seen.
 */
function findInvisible(order: unknown, path: string): ContractProblem | null {
  for (const [position, element] of listOf(order).entries()) {
    const place = Array.isArray(order) ? `${path}/${position}` : path;
    const message = describeInvisible(member(element, "OrderID"));
    if (message !== null) return { code: "ocn.invisible_characters", path: `${place}/OrderID`, message };
    const references = describeInvisible(member(element, "GdsBookingReference"), /[\s,]+/);
    if (references === null) continue;
    return { code: "ocn.invisible_characters", path: `${place}/GdsBookingReference`, message: references };
  }
  return null;
}

/**
 * Names the first character that nobody sees in an id. Blanks and line ends around it are none of its own.
 * @param between what separates ids that stand in one text
 */
export function describeInvisible(ids: unknown, between?: RegExp): string | null {
  for (const text of listOf(ids)) {
    if (typeof text !== "string" || !hasInvisible(text)) continue;
    for (const id of between === undefined ? [text.trim()] : text.split(between)) {
      const code = [...id].find(hasInvisible)?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      if (code !== undefined)
        return `Nobody sees its character U+${code}, so two ids could look the same. Send it without.`;
    }
  }
  return null;
}

/** Each once, in order. */
export function gdsBookingReferencesOf(order: unknown): readonly string[] {
  return referencesOf(member(order, "GdsBookingReference")).filter(isIdentifier);
}

function isIdentifier(text: string): boolean {
  return text.length <= 128 && !hasInvisible(text);
}

export function nameStatedTwice(path: string, key: string): ContractProblem {
  const message = `One object states ${key} twice, so it is not known which orders it is about. Have the gateway send each member once.`;
  return { code: "ocn.stated_twice", path, message };
}

function refused(code: string, path: string, message: string): FindOrders {
  return { ok: false, problem: { code, path, message } };
}
