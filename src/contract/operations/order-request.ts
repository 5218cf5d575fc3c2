import { z } from "zod";
import { field } from "../element.ts";
import { reference } from "../elements/codes.ts";
import { type Envelope, requestEnvelope, requestEnvelopeFields, requestMetaData } from "../envelope.ts";
import { describeInvisible } from "../find-orders.ts";
import { member, referencesOf, textOf } from "../lenient-value.ts";
import type { OperationName, OrderQuery } from "./operation.ts";
import { metaDataOf, traceIdOf } from "./request-meta-data.ts";
import { refuseRequest, requestReader } from "./request-reader.ts";
import { rooted, underRoot } from "./rooted.ts";
import { refuseOffer } from "./shared-root.ts";

/** For operations that name an order. */
export const orderQuerySchema = z.strictObject({
  OrderID: field(reference, "order identifier given by the airline at booking"),
  GdsBookingReference: field(z.array(reference).min(1), "booking codes in the reservation system"),
});

/**
 * The request members of `defineOperation` for an operation that names an order.
 * @param offersGoTo the operation with the same root that asks about offers.
 */
export function orderRequests<Root extends string>(requestRoot: Root, offersGoTo?: OperationName) {
  return {
    queryLists: ["gdsBookingReferences"],
    requestRoot,
    requestSchema: orderRequestSchema(requestRoot, field(orderQuerySchema, "the order", { section: "Endpoints" })),
    request: (query: OrderQuery, envelope: Envelope) => orderRequest(requestRoot, query, envelope),
    readRequest: requestReader(requestRoot, (content): OrderQuery => {
      if (offersGoTo !== undefined) refuseOffer(content, offersGoTo);
      return readOrderQuery(content);
    }),
  };
}

/** Strict, for what we send. */
export function orderRequestSchema<Root extends string, Query extends z.ZodType>(root: Root, query: Query) {
  return rooted(root, z.strictObject({ ...requestEnvelopeFields, Query: query, MetaData: requestMetaData.optional() }));
}

export function orderRequest<Root extends string>(root: Root, query: OrderQuery, envelope: Envelope) {
  const body = {
    ...requestEnvelope(envelope),
    Query: { OrderID: query.orderId, GdsBookingReference: [...query.gdsBookingReferences] },
    ...metaDataOf(query),
  };
  return underRoot(root, body);
}

/**
 * Reads a request that names an order, without `Document` and `Party`, keys in another letter case, the reference as
 * text or a list. Codes: `request.no_order_id`, `request.invisible_characters`, `request.no_booking_reference`.
 */
export function readOrderQuery(content: object): OrderQuery {
  const query = member(content, "Query");
  const orderId = textOf(member(query, "OrderID"));
  if (orderId === null) return refuseRequest("request.no_order_id", "/Query/OrderID", "The request names no OrderID.");
  const invisible = describeInvisible(member(query, "OrderID"));
  if (invisible !== null) return refuseRequest("request.invisible_characters", "/Query/OrderID", invisible);
  const gdsBookingReferences = referencesOf(member(query, "GdsBookingReference"));
  if (gdsBookingReferences.length === 0) {
    const message = `The request for order ${orderId} names no GdsBookingReference.`;
    return refuseRequest("request.no_booking_reference", "/Query/GdsBookingReference", message);
  }
  return { orderId, gdsBookingReferences, ...traceIdOf(content) };
}
