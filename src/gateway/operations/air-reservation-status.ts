import { airReservationStatus as contract } from "../../contract/operations/air-reservation-status.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import type { GatewayOperation } from "../operation.ts";
import { statusBody } from "../order-view-body.ts";
import { readOrderFor } from "./find-order.ts";

/**
 * The order as it is now. The view holds the whole order whichever of its references were named, because flights and
 * passengers are shared by them.
 */
export const airReservationStatus: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    return statusBody(await readOrderFor(context, contract.name, query), party);
  },
};
