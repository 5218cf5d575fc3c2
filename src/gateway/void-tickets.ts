import { bookingStatusOf, cancelBooking, cancellationRefusal } from "./cancel-booking.ts";
import { setReferenceState } from "./order-states.ts";
import type { BookingReference, GatewayOrder, Settlement, Ticket } from "./ports.ts";
import { retireTickets, ticketsOfReference } from "./tickets.ts";

export interface VoidRequest {
  readonly gdsBookingReferences: readonly string[];
  readonly ticketNumbers: readonly string[];
  /** Whether to cancel the bookings, too. */
  readonly cancelsBooking: boolean;
}

export interface VoidedTicket {
  readonly ticketNumber: string;
  readonly status: "SUCCESS" | "FAILED";
  /** Empty on success. */
  readonly message: string;
}

export interface VoidedOrder {
  readonly order: GatewayOrder;
  /** SUCCESS if everything that was requested was done. */
  readonly status: "SUCCESS" | "FAILED";
  /** Empty on success. */
  readonly errorMessage: string;
  readonly tickets: readonly VoidedTicket[];
  /** Afterwards: CANCELED if all are, else the status of the first that is not; empty if unknown. */
  readonly bookingStatus: string;
  readonly settlements: readonly Settlement[];
}

/**
 * Voids each ticket that can be voided. Cancels the bookings only if every ticket was voided and every booking can be
 * cancelled, because a booking with a ticket must keep its flights.
 */
export function voidTickets(order: GatewayOrder, request: VoidRequest, at: Date): VoidedOrder {
  const references = [...new Set(request.gdsBookingReferences)];
  const tickets = [...new Set(request.ticketNumbers)].map((ticketNumber): VoidedTicket => {
    const message = voidRefusal(order, references, ticketNumber) ?? "";
    return { ticketNumber, status: message === "" ? "SUCCESS" : "FAILED", message };
  });
  const voided = tickets.filter(({ status }) => status === "SUCCESS").map(({ ticketNumber }) => ticketNumber);
  const withoutTickets = retireTickets(order, voided, "void");
  // The bookings stay, and nothing is settled.
  const voidedOnly = (errorMessage: string): VoidedOrder =>
    outcomeOf(holdUnticketed(withoutTickets, references, voided), references, {
      errorMessage,
      tickets,
      settlements: [],
    });
  const failed = tickets.length - voided.length;
  if (failed > 0) {
    const bookingText = request.cancelsBooking ? " The booking was not cancelled." : "";
    return voidedOnly(`${failed} of ${tickets.length} tickets could not be voided.${bookingText}`);
  }
  if (!request.cancelsBooking) return voidedOnly("");
  const refusal = references.map((reference) => cancellationRefusal(withoutTickets, reference)).find(Boolean) ?? "";
  if (refusal !== "") return voidedOnly(`The tickets were voided, but the booking was not cancelled. ${refusal}`);
  const cancelled = cancelBooking(withoutTickets, references, at);
  const { settlements } = cancelled;
  return outcomeOf(cancelled.order, references, { errorMessage: "", tickets, settlements });
}

/** Returns null if it can be voided. */
function voidRefusal(order: GatewayOrder, references: readonly string[], ticketNumber: string): string | null {
  const foreign = references.find(
    (reference) => !order.references.some((one) => one.gdsBookingReference === reference),
  );
  if (foreign !== undefined) return `Booking reference ${foreign} does not belong to order ${order.orderId}.`;
  const ticket = references
    .flatMap((reference) => ticketsOfReference(order, reference))
    .find((candidate) => candidate.ticketNumber === ticketNumber);
  return ticket === undefined ? `${references.join(", ")} has no ticket ${ticketNumber}.` : stateRefusal(ticket);
}

function stateRefusal({ ticketNumber, state, flownSegmentKeys }: Ticket): string | null {
  if (state === "void") return `Ticket ${ticketNumber} is void already.`;
  if (state === "refunded") return `Ticket ${ticketNumber} was refunded.`;
  return flownSegmentKeys.length > 0 ? `Ticket ${ticketNumber} was flown (${flownSegmentKeys.join(", ")}).` : null;
}

/** Bookings that lost their last ticket are held, no longer confirmed. */
function holdUnticketed(order: GatewayOrder, references: readonly string[], voided: readonly string[]): GatewayOrder {
  const unticketed = (reference: BookingReference): boolean => {
    const own = ticketsOfReference(order, reference.gdsBookingReference);
    return own.some(({ ticketNumber }) => voided.includes(ticketNumber)) && own.every(({ state }) => state === "void");
  };
  return {
    ...order,
    references: order.references.map((reference) => {
      const { pnrStatus, scheduleChangeStatus } = reference;
      const isConcerned = references.includes(reference.gdsBookingReference) && unticketed(reference);
      if (!isConcerned || (pnrStatus !== "CONFIRMED" && pnrStatus !== "MODIFIED")) return reference;
      return setReferenceState(reference, "void", { pnrStatus: "PENDING", scheduleChangeStatus });
    }),
  };
}

function outcomeOf(
  order: GatewayOrder,
  references: readonly string[],
  outcome: Pick<VoidedOrder, "errorMessage" | "tickets" | "settlements">,
): VoidedOrder {
  const own = order.references.filter((reference) => references.includes(reference.gdsBookingReference));
  const states = own.map(bookingStatusOf);
  const bookingStatus = states.find((state) => state !== "CANCELED") ?? states[0] ?? "";
  return { order, status: outcome.errorMessage === "" ? "SUCCESS" : "FAILED", bookingStatus, ...outcome };
}
