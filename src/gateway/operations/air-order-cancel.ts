import { responseVersion } from "../../contract/envelope.ts";
import { airOrderCancel as contract } from "../../contract/operations/air-order-cancel.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import { type CancellationResult, cancelBooking } from "../cancel-booking.ts";
import { type GatewayOperation, orderNotFound } from "../operation.ts";
import { gatewayDocumentName } from "../order-view-body.ts";
import { summaryOf } from "./journal-summary.ts";

/** Cancels the bookings that the call names at the traveller's wish, each for itself. */
export const airOrderCancel: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut({ store, clock }, { query, party }) {
    const { orderId, gdsBookingReferences } = query;
    const cancelled = await store.amendOrder(orderId, async (before) => {
      const at = clock.now();
      const { order, results, settlements } = cancelBooking(before, gdsBookingReferences, at);
      const result = summaryOf(results);
      return {
        order: result === "FAILED" ? null : order,
        change: null,
        settlements,
        journal: {
          operation: contract.name,
          orderId,
          gdsBookingReferences,
          result,
          errorCode: result === "SUCCESS" ? null : "gateway.booking_not_cancellable",
          changeId: before.change?.id ?? null,
          orderVersion: before.version,
          at,
        },
        answer: { order, results },
      };
    });
    if (cancelled === null) throw orderNotFound(orderId);
    const { order, results } = cancelled;
    return {
      [contract.responseRoot]: {
        Document: { Name: gatewayDocumentName, ReferenceVersion: responseVersion },
        Party: party ?? order.content.Party,
        ShoppingResponseId: order.content.ShoppingResponseId,
        Success: {},
        Response: results.map((result) => resultElement(orderId, result)),
      },
    };
  },
};

/** One element of `Response[]`. */
function resultElement(orderId: string, result: CancellationResult) {
  return {
    Status: result.status,
    Msg: result.message,
    BookingStatus: result.bookingStatus,
    OrderID: orderId,
    GdsBookingReference: result.gdsBookingReference,
  };
}
