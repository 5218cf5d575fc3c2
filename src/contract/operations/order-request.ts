import { z } from "zod";
import type { ContractProblem } from "../contract-problem.ts";
import { documentSchema, type Envelope, partySchema, requestEnvelope } from "../envelope.ts";
import { isRecord, member, referencesOf, textOf } from "../lenient-value.ts";
import type { OrderQuery } from "./operation.ts";

/** `Query` of the operations that name an order. Both fields are required. */
const orderQuerySchema = z.strictObject({
  OrderID: z.string().min(1),
  GdsBookingReference: z.array(z.string().min(1)).min(1),
});

/** The request of an operation that names an order, under its root. Strict: what we send. */
export function orderRequestSchema(root: string) {
  return z.strictObject({
    [root]: z.strictObject({ Document: documentSchema, Party: partySchema, Query: orderQuerySchema }),
  });
}

/** The request body of an operation that names an order. */
export function orderRequest(root: string, query: OrderQuery, envelope: Envelope) {
  return {
    [root]: {
      ...requestEnvelope(envelope),
      Query: { OrderID: query.orderId, GdsBookingReference: [...query.gdsBookingReferences] },
    },
  };
}

export type ReadRequest =
  | { readonly ok: true; readonly query: OrderQuery }
  | { readonly ok: false; readonly problem: ContractProblem };

/**
 * Reads a request as a gateway must: `Document` and `Party` may be missing, keys may be in another letter case, the
 * reference may be a text or a list. Codes: `request.no_root`, `request.no_order_id`, `request.no_booking_reference`.
 */
export function readRequest(operation: { readonly requestRoot: string }, json: unknown): ReadRequest {
  const root = operation.requestRoot;
  const request = member(json, root);
  if (!isRecord(request)) return refused("request.no_root", `/${root}`, `The request has no root object ${root}.`);
  const query = member(request, "Query");
  const orderId = textOf(member(query, "OrderID"));
  if (orderId === null) {
    return refused("request.no_order_id", `/${root}/Query/OrderID`, "The request names no OrderID.");
  }
  const gdsBookingReferences = referencesOf(member(query, "GdsBookingReference"));
  if (gdsBookingReferences.length === 0) {
    const message = `The request for order ${orderId} names no GdsBookingReference.`;
    return refused("request.no_booking_reference", `/${root}/Query/GdsBookingReference`, message);
  }
  return { ok: true, query: { orderId, gdsBookingReferences } };
}

function refused(code: string, path: string, message: string): ReadRequest {
  return { ok: false, problem: { code, path, message } };
}
