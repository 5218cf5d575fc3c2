import { minorDigitsOf, toDecimalText } from "../travel/money.ts";
import { digitsOf, passengerIdAt, randomCode } from "./booking/booked-keys.ts";
import { buildPayment } from "./booking/build-payment.ts";
import { buildTicket } from "./booking/build-ticket.ts";
import { findJourneys } from "./booking/find-journeys.ts";
import { generateLists } from "./booking/generate-lists.ts";
import { generateOrder } from "./booking/generate-order.ts";
import { partyElement } from "./booking/party-element.ts";
import { passengersOf, type SyntheticBooking } from "./booking/synthetic-booking.ts";
import { totalOf } from "./booking/synthetic-fare.ts";
import { newOrder } from "./new-order.ts";
import { orderContentSchema } from "./order-content.ts";
import { flightRequestSchema, type ParsedFlightRequest, type ParsedOrderRequest } from "./order-request.ts";
import type { GatewayOrder } from "./ports.ts";

/**
 * Generates a complete order whose prices add up to the cent. Whatever the request leaves out follows from the order
 * id, so the same request gives the same order.
 * Each booking reference is an `Order` element. A flight belongs to the reference that it names. Otherwise each journey
 * has its own reference if there are enough journeys, as in combined one-way offers; else every reference has every
 * flight, and the passengers are split if there are enough of them.
 */
export function bookOrder(asked: ParsedOrderRequest, at: Date): GatewayOrder {
  const request = { ...asked, flights: asked.flights ?? [defaultFlight(at)] };
  const orderId = request.orderId ?? randomCode(8);
  const owner = request.owner ?? request.flights[0]?.carrier ?? "LH";
  const references = request.gdsBookingReferences ?? [randomCode(6)];
  const journeys = request.journeys ?? findJourneys(request.flights);
  const booking: SyntheticBooking = { request, orderId, owner, references, journeys };
  // Also ensures that the gateway can read what was built.
  const content = orderContentSchema.parse(buildContent(booking));
  const pnrStatus = request.ticketed ? "CONFIRMED" : "PENDING";
  return newOrder({ orderId, owner, agencyId: request.agencyId }, content, references, { pnrStatus, at });
}

function buildContent(booking: SyntheticBooking): unknown {
  const { request, orderId, references } = booking;
  const minorDigits = minorDigitsOf(request.currency);
  const paid = references.reduce((sum, _, position) => sum + totalOf(booking, position), 0);
  return {
    Party: partyElement(request.agencyName, request.agencyEmail),
    ShoppingResponseId: digitsOf(`${orderId} shopping`, 19),
    ...(request.ticketed ? { Payments: { Payment: [buildPayment(orderId, toDecimalText(paid, minorDigits))] } } : {}),
    Order: references.map((_, position) => generateOrder(booking, position)),
    DataLists: generateLists(booking),
    ...(request.ticketed ? { TicketDocInfos: { TicketDocInfo: buildTickets(booking) } } : {}),
  };
}

/** One per passenger and booking reference. */
function buildTickets(booking: SyntheticBooking) {
  const { orderId, owner, references } = booking;
  return references.flatMap((gdsBookingReference, position) =>
    passengersOf(booking, position).map((passenger) =>
      buildTicket({ orderId, owner, gdsBookingReference, position, passengerId: passengerIdAt(passenger) }),
    ),
  );
}

function defaultFlight(at: Date): ParsedFlightRequest {
  const date = new Date(at.getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  return flightRequestSchema.parse({
    from: "LIS",
    to: "FRA",
    departure: `${date}T07:10`,
    arrival: `${date}T11:20`,
    carrier: "LH",
    flightNumber: "1167",
  });
}
