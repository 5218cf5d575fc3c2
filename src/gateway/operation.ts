import type { Operation } from "../contract/operations/operation.ts";
import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { orderNotFoundCode } from "./order-codes.ts";
import type { GatewayStore } from "./ports.ts";
import type { ShoppingStore } from "./shopping/ports.ts";
import type { Supply } from "./supply/supply.ts";

export interface OperationContext {
  readonly store: GatewayStore;
  /** The searches that offers are from. */
  readonly shopping: ShoppingStore;
  readonly supply: Supply;
  readonly clock: Clock;
}

/** With valid credentials and a valid form. */
export interface OperationCall<Query> {
  readonly query: Query;
  /** Repeated in the response; undefined if the request has none. */
  readonly party: unknown;
}

export interface GatewayOperation<Query = unknown> {
  readonly contract: Operation<Query>;
  /** Writes the journal in the same transaction, and returns the response body. */
  carryOut(context: OperationContext, call: OperationCall<Query>): Promise<unknown>;
}

/** The call gets an error instead of a result. */
export class OperationRefusal extends AppError {
  readonly httpStatus: number;
  /** `Code` of the error in the response. */
  readonly gatewayCode: string;

  constructor(code: string, message: string, inResponse: Pick<OperationRefusal, "httpStatus" | "gatewayCode">) {
    super(code, message);
    this.httpStatus = inResponse.httpStatus;
    this.gatewayCode = inResponse.gatewayCode;
  }
}

export function orderNotFound(orderId: string): OperationRefusal {
  const message = `There is no order ${orderId}.`;
  return new OperationRefusal(orderNotFoundCode, message, { httpStatus: 404, gatewayCode: "404" });
}

/** The order has no such reference. */
export function referenceNotFound(orderId: string, gdsBookingReference: string): OperationRefusal {
  const message = `Order ${orderId} has no booking reference ${gdsBookingReference}.`;
  return new OperationRefusal("gateway.reference_not_found", message, { httpStatus: 404, gatewayCode: "404" });
}
