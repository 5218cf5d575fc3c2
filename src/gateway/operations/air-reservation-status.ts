import { airReservationStatus as contract } from "../../contract/operations/air-reservation-status.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import type { GatewayOperation } from "../operation.ts";
import { statusBody } from "../order-view-body.ts";
import { readOrderFor } from "./find-order.ts";

/** Returns the whole order, whichever references are named, because they share flights and passengers. */
export const airReservationStatus: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    return statusBody(await readOrderFor(context, contract.name, query), party);
  },
};
