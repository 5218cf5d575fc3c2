import { isRecord } from "../kernel/record.ts";
import type { passenger as passengerElement } from "./elements/passengers.ts";
import { gdsBookingReferencesOf, orderIdOf } from "./find-orders.ts";
import { foldedTextOf, joinedTextOf, listOf, referencesOf, textOf } from "./lenient-value.ts";
import { readFirstName } from "./name-digests.ts";
import { findOrdersOf, orderViewsIn } from "./order-views.ts";
import { readContacts } from "./read-contacts.ts";
import { passengerItems, readNumberedTicketDocuments } from "./read-data-lists.ts";
import type { Stated } from "./stated.ts";
import { ordersIn, readStatedView, type StatedOrderElement, type StatedView } from "./stated-view.ts";

/** Who travels on an order and how to reach them, as a view states it. Null and empty: not stated. Never stored. */
export interface StatedTravellers {
  readonly travellers: readonly StatedTraveller[];
  /** The contract does not assign the addresses of the order to passengers. */
  readonly emails: readonly string[];
  readonly telephones: readonly string[];
  /** Whether one of them has refused to give airlines a contact. */
  readonly hasRefusedContact: boolean;
  /** Documents that name no listed traveller. */
  readonly otherTickets: readonly StatedTicket[];
  /** Other orders of the same view, whose travellers cannot be told from these. */
  readonly otherOrderIds: readonly string[];
}

export interface StatedTraveller {
  readonly name: string | null;
  readonly firstName: string | null;
  /** ADT, CHD, INF or as sent. */
  readonly type: string | null;
  /** As sent. */
  readonly birthDate: string | null;
  readonly tickets: readonly StatedTicket[];
  /** Special service requests and the need of a wheelchair, as sent. */
  readonly requests: readonly string[];
  readonly frequentFlyer: readonly { readonly airline: string | null; readonly number: string }[];
}

export interface StatedTicket {
  readonly number: string;
  /** TKT and others. */
  readonly type: string | null;
  readonly gdsBookingReference: string | null;
  /** The ticket status of the booking that it was issued for: TICKETED, NOT TICKETED. */
  readonly status: string | null;
}

/** Returns null if not exactly one usable order view of the body has this order. Never throws. */
export function readTravellers(json: unknown, orderId: string): StatedTravellers | null {
  const isOwn = (order: unknown): boolean => orderIdOf(order) === orderId;
  const [found, ...others] = orderViewsIn(json)
    .map(findOrdersOf)
    .filter((view) => view.ok && view.orders.some(isOwn));
  if (!found?.ok || others.length > 0) return null;
  const view = readStatedView(found.view);
  const own = ordersIn(view).filter(isOwn);
  const otherIds = found.orders.flatMap((order) => orderIdOf(order) ?? []).filter((id) => id !== orderId);
  const lists = view?.DataLists ?? null;
  const tickets = ticketsOf(view, own);
  const passengers = passengerItems(lists);
  const { emails, telephones, isRefused } = readContacts(lists, passengers);
  const keys = new Set(passengers.flatMap(keysOf));
  return {
    travellers: passengers.map((passenger) => readTraveller(passenger, tickets)),
    emails,
    telephones,
    hasRefusedContact: isRefused,
    otherTickets: tickets.filter(({ passenger }) => passenger === null || !keys.has(passenger)).map(toTicket),
    otherOrderIds: [...new Set(otherIds)],
  };
}

interface OwnedTicket extends StatedTicket {
  readonly passenger: string | null;
}

/** Without documents of other orders' bookings. */
function ticketsOf(view: StatedView, orders: readonly StatedOrderElement[]): readonly OwnedTicket[] {
  const bookings = orders.map((order) => ({
    references: gdsBookingReferencesOf(order),
    status: foldedTextOf(order?.TicketStatus),
  }));
  return readNumberedTicketDocuments(view).flatMap(
    ({ ticketNumber, type, gdsBookingReference, passengerReference }) => {
      const isNamed = gdsBookingReference !== null;
      const booking = bookings.find(({ references }) => isNamed && references.includes(gdsBookingReference));
      if (isNamed && booking === undefined) return [];
      const { status } = booking ?? (bookings.length === 1 ? bookings[0]! : { status: null });
      return [{ number: ticketNumber, type, gdsBookingReference, status, passenger: passengerReference }];
    },
  );
}

function readTraveller(passenger: Stated<typeof passengerElement>, tickets: readonly OwnedTicket[]): StatedTraveller {
  const keys = keysOf(passenger);
  const names = [passenger?.NameTitle, passenger?.FirstName, passenger?.MiddleName, passenger?.LastName].flatMap(
    (part) => textOf(part) ?? [],
  );
  return {
    name: names.length === 0 ? null : names.join(" "),
    firstName: readFirstName(passenger),
    type: textOf(passenger?.PTC)?.toUpperCase() ?? null,
    birthDate: textOf(passenger?.BirthDate),
    tickets: tickets.filter(({ passenger }) => passenger !== null && keys.includes(passenger)).map(toTicket),
    requests: requestsOf(passenger),
    frequentFlyer: listOf(passenger?.LoyaltyProgramAccount).flatMap((account) => {
      const number = textOf(account?.AccountNumber);
      const airline = textOf(account?.AirlineID) ?? textOf(account?.ProgramID);
      return number === null ? [] : [{ airline, number }];
    }),
  };
}

function toTicket({ number, type, gdsBookingReference, status }: OwnedTicket): StatedTicket {
  return { number, type, gdsBookingReference, status };
}

function keysOf(passenger: Stated<typeof passengerElement>): readonly string[] {
  return [passenger?.PassengerID, passenger?.PassengerRefID, passenger?.attributes?.PassengerID].flatMap(referencesOf);
}

function requestsOf(passenger: Stated<typeof passengerElement>): readonly string[] {
  const wheelchair = passenger?.Preference?.WheelChairPreference;
  const reason = textOf(isRecord(wheelchair) ? wheelchair.Reason : wheelchair);
  return [
    ...listOf(passenger?.SsrRequest).flatMap((request) => joinedTextOf(request) ?? []),
    ...(reason === null ? [] : [`Wheelchair: ${reason}`]),
  ];
}
