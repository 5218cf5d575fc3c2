import { type OrderContent, segmentKeysOf } from "./order-content.ts";
import type { GatewayOrder, Ticket } from "./ports.ts";

/** None of them flown. A number that is listed twice counts once. */
export function issuedTickets(content: OrderContent): readonly Ticket[] {
  const tickets = (content.TicketDocInfos?.TicketDocInfo ?? []).map(
    (info): Ticket => ({
      ticketNumber: info.TicketDocument.TicketDocNbr,
      documentType: info.TicketDocument.Type ?? "TKT",
      passengerId: info.PassengerReference ?? null,
      gdsBookingReference: info.GdsBookingReference ?? null,
      state: "open",
      flownSegmentKeys: [],
    }),
  );
  return [...new Map(tickets.toReversed().map((ticket) => [ticket.ticketNumber, ticket])).values()].toReversed();
}

/** In any state; a ticket without a reference belongs to all of them. */
export function ticketsOfReference(order: GatewayOrder, gdsBookingReference: string): readonly Ticket[] {
  return order.tickets.filter((ticket) => (ticket.gdsBookingReference ?? gdsBookingReference) === gdsBookingReference);
}

/** Flown on any ticket of the booking reference. */
export function flownSegmentKeysOf(order: GatewayOrder, gdsBookingReference: string): readonly string[] {
  return [...new Set(ticketsOfReference(order, gdsBookingReference).flatMap((ticket) => ticket.flownSegmentKeys))];
}

/**
 * Removes tickets that became void or were refunded from the order view. A reference without documents gets a
 * `TicketStatus` that says so, if it has that field.
 */
export function retireTickets(
  order: GatewayOrder,
  ticketNumbers: readonly string[],
  state: "void" | "refunded",
): GatewayOrder {
  const retired = new Set(ticketNumbers);
  if (retired.size === 0) return order;
  const tickets = order.tickets.map((ticket) => (retired.has(ticket.ticketNumber) ? { ...ticket, state } : ticket));
  return { ...order, tickets, content: withoutTickets({ ...order, tickets }, retired) };
}

function withoutTickets(order: GatewayOrder, retired: ReadonlySet<string>): OrderContent {
  const { content } = order;
  const isListed = (gdsBookingReference: string): boolean =>
    ticketsOfReference(order, gdsBookingReference).some(({ state }) => state === "open" || state === "used");
  const hadRetired = (gdsBookingReference: string): boolean =>
    ticketsOfReference(order, gdsBookingReference).some(({ ticketNumber }) => retired.has(ticketNumber));
  return {
    ...content,
    Order: content.Order.map((element) => {
      const { GdsBookingReference: reference } = element;
      const isUnticketed = "TicketStatus" in element && hadRetired(reference) && !isListed(reference);
      return isUnticketed ? { ...element, TicketStatus: "NOT TICKETED" } : element;
    }),
    ...(content.TicketDocInfos === undefined
      ? {}
      : {
          TicketDocInfos: {
            ...content.TicketDocInfos,
            TicketDocInfo: content.TicketDocInfos.TicketDocInfo.filter(
              (info) => !retired.has(info.TicketDocument.TicketDocNbr),
            ),
          },
        }),
  };
}

/**
 * Marks the coupons of open tickets as flown. A ticket without a coupon left is used. Returns the same order if nothing
 * changes.
 */
export function flySegments(order: GatewayOrder, segmentKeys: readonly string[]): GatewayOrder {
  const tickets = order.tickets.map((ticket) => flyTicket(order, ticket, segmentKeys));
  return tickets.every((ticket, position) => ticket === order.tickets[position]) ? order : { ...order, tickets };
}

function flyTicket(order: GatewayOrder, ticket: Ticket, segmentKeys: readonly string[]): Ticket {
  if (ticket.state !== "open") return ticket;
  const coupons = couponKeysOf(order, ticket);
  const flown = coupons.filter((key) => segmentKeys.includes(key) && !ticket.flownSegmentKeys.includes(key));
  if (flown.length === 0) return ticket;
  const flownSegmentKeys = [...ticket.flownSegmentKeys, ...flown];
  const isUsed = coupons.every((key) => flownSegmentKeys.includes(key));
  return { ...ticket, flownSegmentKeys, state: isUsed ? "used" : "open" };
}

/** Cancelled bookings are not flown. */
function couponKeysOf(order: GatewayOrder, ticket: Ticket): readonly string[] {
  const references = order.references.filter(
    ({ gdsBookingReference, pnrStatus }) =>
      (ticket.gdsBookingReference ?? gdsBookingReference) === gdsBookingReference && pnrStatus !== "CANCELLED",
  );
  return [
    ...new Set(references.flatMap(({ gdsBookingReference }) => segmentKeysOf(order.content, gdsBookingReference))),
  ];
}
