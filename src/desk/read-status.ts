import type { OrderContext } from "../cases/order-context.ts";
import type { DeskContext } from "./desk-context.ts";
import type { Lease, StatusPurpose, StatusReading } from "./ports.ts";

/** Reads the reservation status and keeps it as evidence. Rejects with a `GatewayFailure` when it cannot be read. */
export async function readStatus(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  purpose: StatusPurpose,
): Promise<{ reading: StatusReading; statusViewId: string }> {
  const { answer, body, readAt } = await desk.gatewayOf(lease.source).airReservationStatus({
    orderId: lease.orderId,
    gdsBookingReferences: work.case.gdsBookingReferences,
  });
  const reading = { view: answer, body, readAt };
  const statusViewId = await desk.store.saveStatus(lease, work.case.id, purpose, reading);
  return { reading, statusViewId };
}
