import type { OrderContent } from "./order-content.ts";
import type { GatewayOrder, PnrStatus } from "./ports.ts";
import { issuedTickets } from "./tickets.ts";

/** Without a pending change, and with one status for all booking references. */
export function newOrder(
  identity: Pick<GatewayOrder, "orderId" | "owner" | "agencyId">,
  content: OrderContent,
  references: readonly string[],
  { pnrStatus, at }: { readonly pnrStatus: PnrStatus; readonly at: Date },
): GatewayOrder {
  return {
    ...identity,
    content,
    references: references.map((gdsBookingReference) => ({
      gdsBookingReference,
      pnrStatus,
      scheduleChangeIndicator: false,
      scheduleChangeStatus: "",
      flags: null,
    })),
    tickets: issuedTickets(content),
    change: null,
    version: 1,
    createdAt: at,
  };
}
