import { listOf, member, memberAt, textOf } from "../../contract/lenient-value.ts";
import type { ReshopPassenger } from "../../contract/operations/air-order-reshop.ts";
import { OperationRefusal } from "../operation.ts";
import type { GatewayOrder, GatewayStore, Ticket } from "../ports.ts";

export interface ExchangedOrder {
  readonly order: GatewayOrder;
  /** In the order of the request. */
  readonly passengers: readonly ExchangedPassenger[];
}

export interface ExchangedPassenger extends ReshopPassenger {
  /** The id that the passenger has in the order. */
  readonly bookedId: string;
}

/**
 * Finds the order by the ticket numbers of its passengers. They must be all passengers of one order, each with an own
 * unflown ticket. Names are compared only if the request states them.
 * @throws OperationRefusal 34 for an unknown ticket, 35 if the passengers are not those of one order, 39 for another
 * name, 31 for a ticket that can no longer be exchanged
 */
export async function findExchangedOrder(
  store: GatewayStore,
  asked: readonly ReshopPassenger[],
): Promise<ExchangedOrder> {
  const numbers = asked.map(({ documentNumber }) => ticketNumberOf(documentNumber));
  const owners = await store.findTicketOrders(numbers);
  const unknown = asked.find((_, position) => !owners.some(({ ticketNumber }) => ticketNumber === numbers[position]));
  if (unknown !== undefined) {
    const message = `There is no ticket with the DocumentNumber of passenger ${unknown.passengerId}.`;
    throw refusal("gateway.ticket_not_found", "34", message);
  }
  const orderId = [...new Set(owners.map((owner) => owner.orderId))].find((candidate) =>
    numbers.every((number) => owners.some((owner) => owner.orderId === candidate && owner.ticketNumber === number)),
  );
  const order = orderId === undefined ? null : await store.readOrder(orderId);
  if (order === null) {
    throw refusal("gateway.tickets_of_several_orders", "35", "The tickets of the passengers are not of one order.");
  }
  const passengers = asked.map((passenger, position) => identify(order, passenger, numbers[position]!));
  refuseOtherParty(order, passengers);
  return { order, passengers };
}

/** Some callers put a hyphen or a blank behind the code of the airline. */
function ticketNumberOf(documentNumber: string): string {
  return documentNumber.replace(/[\s-]/g, "");
}

function identify(order: GatewayOrder, asked: ReshopPassenger, ticketNumber: string): ExchangedPassenger {
  const { passengerId } = asked;
  const ticket = order.tickets.find((candidate) => candidate.ticketNumber === ticketNumber)!;
  refuseUsedTicket(order, ticket, passengerId);
  const booked = bookedPassengers(order).find((one) => textOf(member(one, "PassengerID")) === ticket.passengerId);
  if (booked === undefined || ticket.passengerId === null || textOf(member(booked, "PTC")) !== asked.ptc) {
    const message = `The ticket of passenger ${passengerId} was not issued to a passenger of type ${asked.ptc}.`;
    throw refusal("gateway.ticket_of_another_passenger", "35", message);
  }
  const name = (key: string) => textOf(member(booked, key)) ?? "";
  const [firstName, lastName] = [name("FirstName"), name("LastName")];
  if (!isSameName(asked.firstName, firstName) || !isSameName(asked.lastName, lastName)) {
    const message = `The ticket of passenger ${passengerId} was issued in another name.`;
    throw refusal("gateway.ticket_in_another_name", "39", message);
  }
  const names = { firstName, middleName: name("MiddleName"), lastName };
  return { ...asked, ...names, documentNumber: ticketNumber, bookedId: ticket.passengerId };
}

function refuseUsedTicket(order: GatewayOrder, ticket: Ticket, passengerId: string): void {
  const isCancelled = order.references.some(
    ({ gdsBookingReference, pnrStatus }) =>
      gdsBookingReference === (ticket.gdsBookingReference ?? gdsBookingReference) && pnrStatus === "CANCELLED",
  );
  if (!isCancelled && ticket.state === "open" && ticket.flownSegmentKeys.length === 0) return;
  const why = isCancelled
    ? "its booking is cancelled"
    : ticket.state === "open"
      ? "it is partly flown"
      : `it is ${ticket.state}`;
  const message = `The ticket of passenger ${passengerId} cannot be exchanged: ${why}.`;
  throw refusal("gateway.ticket_not_exchangeable", "31", message);
}

function refuseOtherParty(order: GatewayOrder, passengers: readonly ExchangedPassenger[]): void {
  const named = new Set(passengers.map(({ bookedId }) => bookedId)).size;
  const booked = bookedPassengers(order).length;
  if (named === passengers.length && named === booked) return;
  const message = `Order ${order.orderId} has ${booked} passengers, and the request names ${named} of them. Name each once.`;
  throw refusal("gateway.not_the_whole_party", "35", message);
}

function bookedPassengers({ content }: GatewayOrder): readonly unknown[] {
  return listOf(memberAt(content.DataLists, "PassengerList", "Passengers"));
}

/** Ignores letter case and names that are not stated. */
function isSameName(asked: string, booked: string): boolean {
  return asked === "" || asked.toLocaleLowerCase("en") === booked.toLocaleLowerCase("en");
}

function refusal(code: string, businessCode: string, message: string): OperationRefusal {
  return new OperationRefusal(code, message, { httpStatus: 400, gatewayCode: businessCode });
}
