import { airTicketVoid as contract, type VoidQuery } from "../../contract/operations/air-ticket-void.ts";
import { newId } from "../../kernel/ids.ts";
import { type GatewayOperation, orderNotFound } from "../operation.ts";
import { bookingResponseHead } from "../order-view-body.ts";
import { type VoidedOrder, voidTickets } from "../void-tickets.ts";
import { orderCallEntry, summaryOf } from "./journal-summary.ts";

/** Voids each ticket by itself, and cancels the bookings if requested. */
export const airTicketVoid: GatewayOperation<VoidQuery> = {
  contract,

  async carryOut({ store, clock }, { query, party }) {
    const { orderId, gdsBookingReferences, ticketNumbers, needToCancelBooking: cancelsBooking = false } = query;
    const voided = await store.amendOrder(orderId, async (before) => {
      const at = clock.now();
      const outcome = voidTickets(before, { gdsBookingReferences, ticketNumbers, cancelsBooking }, at);
      const tickets = summaryOf(outcome.tickets);
      const result = tickets === "SUCCESS" && outcome.status === "FAILED" ? "MIXED" : tickets;
      const errorCode = result === "SUCCESS" ? null : "gateway.tickets_not_voidable";
      return {
        order: result === "FAILED" ? null : outcome.order,
        change: null,
        settlements: outcome.settlements,
        journal: orderCallEntry(contract.name, query, before, { result, errorCode, at }),
        result: outcome,
      };
    });
    if (voided === null) throw orderNotFound(orderId);
    return {
      [contract.responseRoot]: {
        ...bookingResponseHead(party, voided.order),
        Result: resultElement(voided, digitsOf(newId(clock))),
      },
    };
  },
};

/** Repeats the ShoppingResponseId of the envelope. */
function resultElement(voided: VoidedOrder, tktRequestId: string) {
  return {
    Status: voided.status,
    ErrorMessage: voided.errorMessage,
    TicketDetails: voided.tickets.map((ticket) => ({
      DocumentNumber: ticket.ticketNumber,
      Status: ticket.status,
      Msg: ticket.message,
    })),
    TktRequestId: tktRequestId,
    ShoppingResponseId: voided.order.content.ShoppingResponseId,
    BookingStatus: voided.bookingStatus,
  };
}

/** Makes a `TktRequestId`, which is digits, from a unique id. */
function digitsOf(id: string): string {
  return BigInt(`0x${id.replaceAll("-", "")}`).toString();
}
