/**
 * The package `@skedchange/client`: it may reach nothing but undici, zod and Node.js.
 *
 * @see docs/client.md
 */

export { type Acknowledgement, acknowledgeResponse } from "../contract/acknowledgement.ts";
export { type BusinessCode, businessCodes, findBusinessCode } from "../contract/business-codes.ts";
export type { ContractProblem } from "../contract/contract-problem.ts";
export type { Envelope } from "../contract/envelope.ts";
export {
  GatewayError,
  type GatewayErrorCode,
  type GatewayErrorDetails,
  type GatewayPhase,
  gatewayErrorCodes,
} from "../contract/failed-call.ts";
export type { InvoluntaryResult } from "../contract/involuntary-result.ts";
export { readNotification } from "../contract/notification.ts";
export type { FareRulesQuery, FareRulesResult } from "../contract/operations/air-fare-rules.ts";
export type { PricedOffers } from "../contract/operations/air-offer-price.ts";
export type { ServiceList } from "../contract/operations/air-offer-service-list.ts";
export type { CancelResult } from "../contract/operations/air-order-cancel.ts";
export type { ReshopOffers, ReshopPassenger, ReshopQuery } from "../contract/operations/air-order-reshop.ts";
export type { PostBookingServiceList } from "../contract/operations/air-post-booking-ancillary.ts";
export type { PostBookingSeatMaps } from "../contract/operations/air-post-booking-seat-map.ts";
export type { SeatMaps } from "../contract/operations/air-seat-map.ts";
export type { VoidedTicket, VoidQuery, VoidResult } from "../contract/operations/air-ticket-void.ts";
export type { OfferQuery, PassengerOfferQuery } from "../contract/operations/offer-request.ts";
export type { GroupedOffers } from "../contract/operations/offers-group-response.ts";
export type { Operation, OperationName, OrderQuery } from "../contract/operations/operation.ts";
export { operations } from "../contract/operations/registry.ts";
export type { OrderView } from "../contract/order-view.ts";
export { type ReadOrderViews, readOrderViews } from "../contract/order-views.ts";
export type { ReadOrderView } from "../contract/read-order-view.ts";
export type { ResultStatus } from "../contract/result-status.ts";
export type { TicketDocuments } from "../contract/ticket-documents.ts";
export { AppError } from "../kernel/app-error.ts";
export type { Clock } from "../kernel/clock.ts";
export type { Fact } from "../kernel/fact.ts";
export { Secret } from "../kernel/secret.ts";
export type { Logger } from "../telemetry/logger.ts";
export type { Span, Tracer } from "../telemetry/tracing.ts";
export type { FetchToken } from "./access-token.ts";
export type { CallOptions, CallResult } from "./call-operation.ts";
export type { ConcurrencyOptions } from "./call-slots.ts";
export type { CircuitOptions } from "./circuit.ts";
export type { CallMetrics, GatewayClientOptions } from "./client-options.ts";
export {
  createGatewayClient,
  type GatewayCalls,
  type GatewayClient,
  type QueryOf,
  type ResultOf,
} from "./gateway-client.ts";
export type { RetryOptions } from "./retry-rules.ts";
