import { bookOrder } from "../../src/gateway/book-order.ts";
import { type ChangeRequest, changeRequestSchema } from "../../src/gateway/change-request.ts";
import { type OrderRequest, orderRequestSchema } from "../../src/gateway/order-request.ts";
import type { GatewayOrder } from "../../src/gateway/ports.ts";
import { proposeChange } from "../../src/gateway/propose-change.ts";
import { upcoming } from "./upcoming.ts";

export const bookedAt = new Date("2027-01-05T09:00:00Z");

/** What a running gateway is asked to book: `datedRequest`, with all its flights as far ahead as when it was written. */
export function orderRequest(overrides: OrderRequest = {}): OrderRequest {
  return JSON.parse(upcoming(JSON.stringify(datedRequest(overrides)))) as OrderRequest;
}

/** A ticketed round trip LIS-FRA-LIS of one adult, reference LHSKD1, unless told otherwise. */
function datedRequest(overrides: OrderRequest): OrderRequest {
  return {
    orderId: "QX7R2M1A",
    owner: "LH",
    gdsBookingReferences: ["LHSKD1"],
    flights: [outbound, inbound],
    ...overrides,
  };
}

export const outbound = {
  from: "LIS",
  to: "FRA",
  departure: "2027-03-14T07:10",
  arrival: "2027-03-14T11:20",
  flightNumber: "1167",
};
export const inbound = {
  from: "FRA",
  to: "LIS",
  departure: "2027-03-21T17:30",
  arrival: "2027-03-21T19:45",
  flightNumber: "1172",
};

export function gatewayOrder(overrides: OrderRequest = {}): GatewayOrder {
  return bookOrder(orderRequestSchema.parse(datedRequest(overrides)), bookedAt);
}

/** The order with a change pending: twenty minutes later, with every answer allowed, unless told otherwise. */
export function changedOrder(
  order: GatewayOrder = gatewayOrder(),
  change: ChangeRequest = { kind: "retime", departureMinutes: 20 },
  changeId = "01890000-0000-7000-8000-000000000001",
): ReturnType<typeof proposeChange> {
  return proposeChange(order, changeRequestSchema.parse(change), changeId);
}
