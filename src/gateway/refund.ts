import {
  type MinorUnits,
  minorDigitsOf,
  splitEvenly,
  toDecimal,
  toDecimalText,
  toMinorUnits,
} from "../travel/money.ts";
import { keysIn, type OrderContent, segmentKeysOf } from "./order-content.ts";
import type { GatewayOrder, Ticket } from "./ports.ts";
import { ticketsOfReference } from "./tickets.ts";

/** For one booking reference. */
export interface Refund {
  /** Sum of the tickets, in the booking currency. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly text: string;
  readonly tickets: readonly RefundedTicket[];
}

export interface RefundedTicket {
  readonly ticketNumber: string;
  readonly amount: number;
  /** The same with every digit of the currency: `412.50`. */
  readonly amountText: string;
}

/**
 * Refunds the unflown value of each open ticket, fare and taxes, because the airline broke the contract. A ticket is
 * worth the fare of its passenger, or an even share of the price if fares cannot be linked to passengers. The value is
 * spread evenly over the current flights of the booking, because the order view prices no single flight. Tickets that
 * are void, used or refunded are worth nothing.
 */
export function refundOf(order: GatewayOrder, gdsBookingReference: string): Refund {
  const element = order.content.Order.find((candidate) => candidate.GdsBookingReference === gdsBookingReference);
  const currency = element?.BookingCurrencyCode ?? "USD";
  const minorDigits = minorDigitsOf(currency);
  const issued = ticketsOfReference(order, gdsBookingReference).filter(({ documentType }) => documentType === "TKT");
  const values = valuesOf(element, issued, minorDigits);
  const segmentKeys = segmentKeysOf(order.content, gdsBookingReference);
  const refunded = issued.flatMap((ticket, position) =>
    ticket.state === "open" ? [{ ticket, amount: unflownPart(values[position] ?? 0, segmentKeys, ticket) }] : [],
  );
  const sum = refunded.reduce((subtotal, { amount }) => subtotal + amount, 0);
  return {
    amount: toDecimal(sum, minorDigits),
    currency,
    text: textOf(issued, segmentKeys),
    tickets: refunded.map(({ ticket, amount }) => ({
      ticketNumber: ticket.ticketNumber,
      amount: toDecimal(amount, minorDigits),
      amountText: toDecimalText(amount, minorDigits),
    })),
  };
}

function valuesOf(
  element: OrderContent["Order"][number] | undefined,
  tickets: readonly Ticket[],
  minorDigits: number,
): readonly MinorUnits[] {
  const fares = tickets.map((ticket) => fareOfPassenger(element, ticket.passengerId ?? "", minorDigits));
  if (fares.every((fare) => fare !== null)) return fares;
  return splitEvenly(toMinorUnits(element?.TotalPrice?.BookingCurrencyPrice, minorDigits) ?? 0, tickets.length);
}

function fareOfPassenger(
  element: OrderContent["Order"][number] | undefined,
  passengerId: string,
  minorDigits: number,
): MinorUnits | null {
  const item = (element?.OfferItem ?? []).find((candidate) =>
    keysIn(candidate.FareDetail?.PassengerRefs).includes(passengerId),
  );
  return toMinorUnits(item?.FareDetail?.Price?.TotalAmount?.BookingCurrencyPrice, minorDigits);
}

function unflownPart(value: MinorUnits, segmentKeys: readonly string[], ticket: Ticket): MinorUnits {
  if (ticket.flownSegmentKeys.length === 0) return value;
  const shares = splitEvenly(value, segmentKeys.length);
  return segmentKeys.reduce(
    (sum, key, position) => (ticket.flownSegmentKeys.includes(key) ? sum : sum + (shares[position] ?? 0)),
    0,
  );
}

function textOf(issued: readonly Ticket[], segmentKeys: readonly string[]): string {
  if (issued.length === 0) return "No ticket was issued, so nothing is refunded.";
  const open = issued.filter(({ state }) => state === "open");
  if (open.length === 0) return "No ticket is open, so nothing is refunded.";
  const flown = segmentKeys.filter((key) => open.some((ticket) => ticket.flownSegmentKeys.includes(key)));
  if (flown.length > 0) {
    const part = `${flown.length} of ${segmentKeys.length} flights`;
    return `Refund of the tickets to the original form of payment, less the used part: ${part}.`;
  }
  return open.length === issued.length
    ? "Full refund of all tickets to the original form of payment."
    : "Full refund of the open tickets to the original form of payment.";
}
