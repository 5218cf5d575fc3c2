import { airOrderInvoluntaryCancel as contract } from "../../contract/operations/air-order-involuntary-cancel.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import type { GatewayOperation } from "../operation.ts";
import type { SettlementResult } from "../settle-change.ts";
import { involuntaryBody, resultElement, settlePendingChange } from "./settle-pending-change.ts";

/** Rejects the pending change and cancels the booking. Each result has its refund. */
export const airOrderInvoluntaryCancel: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut(context, call) {
    const { order, results } = await settlePendingChange(context, contract.name, "rejected", call);
    const elements = results.map((result) => ({ ...resultElement(order.orderId, result), ...refundMembers(result) }));
    return involuntaryBody(contract, order, call.party, elements);
  },
};

function refundMembers({ refund }: SettlementResult) {
  if (refund === null) return {};
  return {
    RefundAmount: refund.amount,
    RefundText: refund.text,
    RefundPaxWiseFare: refund.tickets.map((ticket) => ({ TicketNumber: ticket.ticketNumber, Amount: ticket.amount })),
  };
}
