import type { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import type { ContractProblem } from "./contract-problem.ts";
import { findOrders, orderIdOf } from "./find-orders.ts";
import { parseJson } from "./json.ts";
import { listOf, member, textOf } from "./lenient-value.ts";
import { notJson } from "./not-json.ts";
import { readNotifiedOrders } from "./notified-orders.ts";
import { orderViewResponseSchema } from "./order-view-schema.ts";
import { readAirlineCode } from "./read-code.ts";

export type CheckedNotification =
  | {
      readonly ok: true;
      readonly orderId: string;
      /** Airline designator in upper case: the first Owner. */
      readonly airline: string;
      /** Where it is not what the interface document shows. Readers of it may miss something. */
      readonly remarks: readonly ContractProblem[];
    }
  | { readonly ok: false; readonly problems: readonly ContractProblem[] };

const remarksMax = 50;

/**
 * Whether a notification can be sent: receivers can read it, it is about one order, and its airline is known. Never
 * throws. Codes beside those of receivers:
 * - `ocn.no_root`: no `OrderViewRS` around the order view, or a list around both.
 * - `ocn.several_orders`: not one OrderID in all elements of Order.
 * - `ocn.no_owner`: no Owner that is a designator, by which recipients are chosen.
 */
export function checkNotification(body: Uint8Array): CheckedNotification {
  const read = readNotifiedOrders(body, 1);
  if (!read.ok && read.problem.code !== "ocn.too_many_orders") return { ok: false, problems: [read.problem] };
  const parsed = parseJson(body);
  const found = parsed.ok ? findOrders(parsed.value) : ({ ok: false, problem: notJson(body) } as const);
  if (!parsed.ok || !found.ok) return { ok: false, problems: found.ok ? [] : [found.problem] };
  const elements = listOf(member(found.view, "Order"));
  const orderIds = new Set(found.orders.map(orderIdOf));
  const [orderId] = orderIds;
  const owner = elements.map((element) => member(element, "Owner")).find((stated) => textOf(stated) !== null);
  const airline = readAirlineCode(owner).code ?? null;
  const problems: ContractProblem[] = [];
  const report = (code: string, path: string, message: string): void => void problems.push({ code, path, message });
  if (Array.isArray(parsed.value)) {
    report("ocn.no_root", "", 'The body is a list. Send {"OrderViewRS": {…}} without a list around it.');
  } else if (!isRecord(member(parsed.value, "OrderViewRS"))) {
    report("ocn.no_root", "", 'The order view has no OrderViewRS around it. Send {"OrderViewRS": {…}}.');
  }
  elements.forEach((element, position) => {
    if (orderIdOf(element) !== null) return;
    const message = "The OrderID is missing, or is no text of 1 to 128 printable characters. Send the id of the order.";
    report("ocn.no_order_id", `${found.path}/${position}/OrderID`, message);
  });
  if (orderIds.size > 1) {
    const message = `The elements of Order name ${orderIds.size} orders. Send one notification for each order.`;
    report("ocn.several_orders", found.path, message);
  }
  if (airline === null) {
    const message =
      "The Owner is missing or no designator of an airline, such as LH. Send it: recipients are chosen by it.";
    report("ocn.no_owner", `${found.path}/0/Owner`, message);
  }
  if (problems.length > 0 || orderId == null || airline === null) return { ok: false, problems };
  const strict = orderViewResponseSchema.safeParse(parsed.value);
  return { ok: true, orderId, airline, remarks: strict.success ? [] : remarksOf(strict.error) };
}

function remarksOf(error: z.ZodError): readonly ContractProblem[] {
  return error.issues.slice(0, remarksMax).map(({ path, message }) => ({
    code: "ocn.not_as_documented",
    path: path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    message,
  }));
}
