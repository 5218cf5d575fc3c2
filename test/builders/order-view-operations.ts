import { anEnvelope, type Json } from "./order-view.ts";

/** A request that names an order, in the wire format: `anOrderRequest("OrderStatusRQ", {...})`. */
export function anOrderRequest(root: string, query: Json = {}): Json {
  return {
    [root]: { ...anEnvelope("1.0"), Query: { OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1"], ...query } },
  };
}

/** A response of AirOrderInvoluntaryAccept with one result, or with those given. */
export function anAcceptResponse(results: readonly Json[] = [{}]): Json {
  const result = { OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1"], ErrorMsg: "", Status: "SUCCESS" };
  return {
    OrderInvoluntaryAcceptRS: {
      ...anEnvelope("1.0"),
      Success: {},
      Result: results.map((overrides) => ({ ...result, ...overrides })),
    },
  };
}

/** A response of AirOrderInvoluntaryCancel with one result, or with those given. */
export function aCancelResponse(results: readonly Json[] = [{}]): Json {
  const result = {
    OrderID: "QX7R2M1A",
    GdsBookingReference: ["LHSKD1"],
    ErrorMsg: "",
    Status: "SUCCESS",
    RefundAmount: 486.66,
    RefundText: "Refund to the original form of payment",
    RefundPaxWiseFare: [{ TicketNumber: "1252100000001", Amount: 486.66 }],
  };
  return {
    OrderInvoluntaryCancelRS: {
      ...anEnvelope("1.0"),
      Success: {},
      Result: results.map((overrides) => ({ ...result, ...overrides })),
    },
  };
}

/** A response that states an error and no success. */
export function anErrorResponse(root: string, error: unknown = { Value: "PRICE_CHANGED" }): Json {
  return { [root]: { ...anEnvelope("1.2"), Errors: { Error: error } } };
}
