import type { OrderContext } from "../cases/order-context.ts";
import type { TicketDocuments } from "../contract/operations/air-doc-retreive.ts";
import { messageOf } from "../kernel/app-error.ts";
import type { DeskContext } from "./desk-context.ts";
import { gatewayFailureOf } from "./gateway-failure.ts";
import type { Lease } from "./ports.ts";

/**
 * Reads the ticket documents of an order and keeps them as evidence. One try: the effect has happened and the case is not
 * to wait for this, so what goes wrong at the gateway is answered as a sentence and thrown away.
 */
export async function readDocuments(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
): Promise<TicketDocuments | string> {
  try {
    const { answer, body, readAt } = await desk.gatewayOf(lease.source).airDocRetreive({
      orderId: lease.orderId,
      gdsBookingReferences: work.case.gdsBookingReferences,
    });
    await desk.store.saveDocuments(lease, work.case.id, { body, readAt });
    return answer;
  } catch (error) {
    if (gatewayFailureOf(error) === null) throw error;
    return messageOf(error);
  }
}
