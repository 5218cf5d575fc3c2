import { airOrderCancel as contract } from "../../contract/operations/air-order-cancel.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import { type CancellationResult, cancelBooking } from "../cancel-booking.ts";
import { type GatewayOperation, orderNotFound } from "../operation.ts";
import { bookingResponseHead } from "../order-view-body.ts";
import { orderCallEntry, summaryOf } from "./journal-summary.ts";

/** Each booking is cancelled by itself. */
export const airOrderCancel: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut({ store, clock }, { query, party }) {
    const { orderId, gdsBookingReferences } = query;
    const cancelled = await store.amendOrder(orderId, async (before) => {
      const at = clock.now();
      const { order, results, settlements } = cancelBooking(before, gdsBookingReferences, at);
      const result = summaryOf(results);
      const errorCode = result === "SUCCESS" ? null : "gateway.booking_not_cancellable";
      return {
        order: result === "FAILED" ? null : order,
        change: null,
        settlements,
        journal: orderCallEntry(contract.name, query, before, { result, errorCode, at }),
        result: { order, results },
      };
    });
    if (cancelled === null) throw orderNotFound(orderId);
    const { order, results } = cancelled;
    return {
      [contract.responseRoot]: {
        ...bookingResponseHead(party, order),
        Response: results.map((result) => resultElement(orderId, result)),
      },
    };
  },
};

function resultElement(orderId: string, result: CancellationResult) {
  return {
    Status: result.status,
    Msg: result.message,
    BookingStatus: result.bookingStatus,
    OrderID: orderId,
    GdsBookingReference: result.gdsBookingReference,
  };
}
