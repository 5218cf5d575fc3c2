import { airReservationStatus as contract } from "../../contract/operations/air-reservation-status.ts";
import { type GatewayOperation, orderNotFound, referenceNotFound } from "../operation.ts";
import { statusBody } from "../order-view-body.ts";

/**
 * The order as it is now. The view holds the whole order whichever of its references were named, because flights and
 * passengers are shared by them.
 */
export const airReservationStatus: GatewayOperation = {
  name: contract.name,
  requestRoot: contract.requestRoot,
  responseRoot: contract.responseRoot,

  async carryOut({ store, clock }, { query, party }) {
    const order = await store.readOrder(query.orderId);
    if (order === null) throw orderNotFound(query.orderId);
    const known = order.references.map((reference) => reference.gdsBookingReference);
    const foreign = query.gdsBookingReferences.find((reference) => !known.includes(reference));
    if (foreign !== undefined) throw referenceNotFound(query.orderId, foreign);
    await store.recordCall({
      operation: contract.name,
      orderId: query.orderId,
      gdsBookingReferences: query.gdsBookingReferences,
      result: "SUCCESS",
      errorCode: null,
      changeId: order.change?.id ?? null,
      orderVersion: order.version,
      at: clock.now(),
    });
    return statusBody(order, party);
  },
};
