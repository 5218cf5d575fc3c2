import type { Operation } from "../contract/operations/operation.ts";
import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import type { GatewayStore } from "./ports.ts";
import type { ShoppingStore } from "./shopping/ports.ts";
import type { Supply } from "./supply/supply.ts";

/** What an operation works with. */
export interface OperationContext {
  readonly store: GatewayStore;
  /** The shopping results that offers belong to. */
  readonly shopping: ShoppingStore;
  readonly supply: Supply;
  readonly clock: Clock;
}

/** One call, after its credentials and its form were found right. */
export interface OperationCall<Query> {
  readonly query: Query;
  /** `Party` of the request, which a response repeats; undefined when the request had none. */
  readonly party: unknown;
}

/** One operation of the gateway. */
export interface GatewayOperation<Query = unknown> {
  /** Its names, its roots, and how its requests are read. */
  readonly contract: Operation<Query>;
  /** Carries the call out, writes it into the journal in the same transaction, and gives the response body. */
  carryOut(context: OperationContext, call: OperationCall<Query>): Promise<unknown>;
}

/** A call that gets an error instead of a result. */
export class OperationRefusal extends AppError {
  readonly httpStatus: number;
  /** `Code` of the error in the response. */
  readonly gatewayCode: string;

  constructor(code: string, httpStatus: number, gatewayCode: string, message: string) {
    super(code, message);
    this.httpStatus = httpStatus;
    this.gatewayCode = gatewayCode;
  }
}

export function orderNotFound(orderId: string): OperationRefusal {
  return new OperationRefusal("gateway.order_not_found", 404, "404", `There is no order ${orderId}.`);
}

/** The reference in a request that an order does not have. */
export function referenceNotFound(orderId: string, gdsBookingReference: string): OperationRefusal {
  const message = `Order ${orderId} has no booking reference ${gdsBookingReference}.`;
  return new OperationRefusal("gateway.reference_not_found", 404, "404", message);
}
