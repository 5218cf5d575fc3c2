import { type MinorUnits, minorDigitsOf, splitEvenly, toDecimal, toMinorUnits } from "./money.ts";
import { keysIn, type OrderContent, ticketsOf } from "./order-content.ts";

/** What an involuntary cancel pays back for one booking reference. */
export interface Refund {
  /** Sum of the tickets, in the booking currency. */
  readonly amount: number;
  readonly text: string;
  readonly tickets: readonly { readonly ticketNumber: string; readonly amount: number }[];
}

/**
 * Every ticket in full: the airline broke the contract, so fare and taxes go back. A ticket is worth the fare of its
 * passenger; when fares and passengers cannot be linked, the price is split evenly. Nothing is paid back without tickets.
 */
export function refundOf(content: OrderContent, gdsBookingReference: string): Refund {
  const order = content.Order.find((element) => element.GdsBookingReference === gdsBookingReference);
  const minorDigits = minorDigitsOf(order?.BookingCurrencyCode ?? "USD");
  const tickets = ticketsOf(content, gdsBookingReference).filter(
    (ticket) => (ticket.TicketDocument.Type ?? "TKT") === "TKT",
  );
  const fares = tickets.map((ticket) => fareOfPassenger(order, ticket.PassengerReference ?? "", minorDigits));
  const total = toMinorUnits(order?.TotalPrice?.BookingCurrencyPrice, minorDigits) ?? 0;
  const amounts = fares.every((fare) => fare !== null) ? fares : splitEvenly(total, tickets.length);
  const sum = amounts.reduce((subtotal: number, amount) => subtotal + amount, 0);
  return {
    amount: toDecimal(sum, minorDigits),
    text:
      tickets.length === 0
        ? "No ticket was issued, so nothing is refunded."
        : "Full refund of all tickets to the original form of payment.",
    tickets: tickets.map((ticket, position) => ({
      ticketNumber: ticket.TicketDocument.TicketDocNbr,
      amount: toDecimal(amounts[position] ?? 0, minorDigits),
    })),
  };
}

function fareOfPassenger(
  order: OrderContent["Order"][number] | undefined,
  passengerId: string,
  minorDigits: number,
): MinorUnits | null {
  const item = (order?.OfferItem ?? []).find((candidate) =>
    keysIn(candidate.FareDetail?.PassengerRefs).includes(passengerId),
  );
  return toMinorUnits(item?.FareDetail?.Price?.TotalAmount?.BookingCurrencyPrice, minorDigits);
}
