import type { z } from "zod";
import { importedOrderSchema, type OrderToImport } from "../../contract/imported-order.ts";
import { itineraryOf } from "../../itinerary/imported-order.ts";

/** With the line at which the order begins. */
export type ReadOrder =
  | { readonly ok: true; readonly line: number; readonly order: OrderToImport }
  | {
      readonly ok: false;
      readonly line: number;
      readonly orderId: string | null;
      readonly problems: readonly string[];
    };

/** Checks an order as the API does. */
export function checkOrder(value: unknown, line: number): ReadOrder {
  const parsed = importedOrderSchema.safeParse(value);
  if (!parsed.success) return refused(line, orderIdOf(value), parsed.error.issues.map(sentenceOf));
  const { orderId } = parsed.data;
  const stated = itineraryOf(parsed.data);
  if (stated.ok) return { ok: true, line, order: parsed.data };
  return refused(
    line,
    orderId,
    stated.problems.map(({ path, message }) => `${path} ${message}`),
  );
}

export function refused(line: number, orderId: string | null, problems: readonly string[]): ReadOrder {
  return { ok: false, line, orderId, problems };
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has the unknown member ${issue.keys.join(", ")}`;
  const path = issue.path.map((part) => `/${String(part)}`).join("");
  return path === "" ? issue.message : `${path} ${issue.message}`;
}

function orderIdOf(value: unknown): string | null {
  const isNamed = value !== null && typeof value === "object" && "orderId" in value;
  return isNamed && typeof value.orderId === "string" ? value.orderId.slice(0, 128) : null;
}
