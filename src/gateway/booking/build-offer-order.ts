import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import { type MinorUnits, minorDigitsOf, toDecimalText } from "../../travel/money.ts";
import { serviceDefinitionElement, serviceDefinitionKey } from "../extras/service-list-content.ts";
import type { ParsedOfferOrderRequest } from "../offer-order-request.ts";
import type { ParsedPassengerRequest } from "../order-request.ts";
import { offerElement } from "../shopping/offer-element.ts";
import type { OfferLists } from "../shopping/offer-lists.ts";
import type { ExtraPrice } from "../supply/extras.ts";
import type { Offer } from "../supply/offer.ts";
import { offerPrice } from "../supply/offer-price.ts";
import { buildPassenger, contactLists } from "./build-passenger.ts";
import { buildPayment } from "./build-payment.ts";
import { buildTicket } from "./build-ticket.ts";
import type { ChosenExtras, ChosenSeat, ChosenService } from "./choose-extras.ts";
import { moneyIn } from "./money-element.ts";
import { partyElement } from "./party-element.ts";

export interface OfferBooking {
  readonly orderId: string;
  /** One per part. */
  readonly references: readonly string[];
  /** The offer of each booking reference. */
  readonly parts: readonly Offer[];
  readonly passengers: readonly RequestedPassenger[];
  /** The same passengers, by name. */
  readonly travellers: readonly ParsedPassengerRequest[];
  /** The segments already have their keys. */
  readonly lists: OfferLists;
  readonly extras: ChosenExtras;
  readonly request: ParsedOfferOrderRequest;
  readonly expiresAt: Date;
  readonly payableUntil: Date;
}

/**
 * Each booking reference is an `Order` element with the price of its part. As with real gateways, `TotalPrice` is that
 * of the fares only; the payment includes seats and services.
 */
export function buildOfferOrder(booking: OfferBooking): unknown {
  const { orderId, request, lists, parts, passengers } = booking;
  const orders = parts.map((part, position) => buildOrderElement(booking, part, position));
  const { currency } = parts[0]!;
  const paid = parts.reduce((sum, part) => sum + offerPrice(part).total, 0) + extrasTotal(booking.extras);
  const payment = buildPayment(orderId, toDecimalText(paid, minorDigitsOf(currency)));
  return {
    Party: partyElement(request.agencyName, request.agencyEmail),
    ShoppingResponseId: request.shoppingResponseId,
    ...(request.held ? {} : { Payments: { Payment: [payment] } }),
    Order: orders,
    DataLists: { ...lists.dataLists(passengers), ...bookedLists(booking) },
    ...(request.held ? {} : { TicketDocInfos: { TicketDocInfo: buildTickets(booking) } }),
  };
}

function buildOrderElement(booking: OfferBooking, part: Offer, position: number) {
  const { orderId, references, passengers, lists, extras, request, expiresAt, payableUntil } = booking;
  const shown = { offerId: request.offerId, offer: part, expiresAt, payableUntil };
  const { AllowHold: _, PassportRequired: __, OfferItem, ...offered } = offerElement(shown, passengers, lists);
  const segmentKeys = part.journeys.flatMap(({ flights }) => flights).map((flight) => lists.segmentKey(flight));
  const isOwn = ({ segmentKey }: { readonly segmentKey: string }) => segmentKeys.includes(segmentKey);
  const seats = extras.seats.filter(isOwn);
  const items = extraItems(seats, extras.services.filter(isOwn), part.currency);
  return {
    OrderID: orderId,
    GdsBookingReference: references[position],
    OrderStatus: request.held ? "BOOKED" : "SUCCESS",
    PaymentStatus: request.held ? "" : "PAID",
    TicketStatus: request.held ? "NOT TICKETED" : "TICKETED",
    ...(items.length === 0 ? {} : { OptionalServiceStatus: "SUCCESS" }),
    ...offered,
    NeedToTicket: request.held ? "Y" : "N",
    Eticket: request.held ? "false" : "true",
    PaxSeatInfo: seats.map(seatElement),
    OfferItem: [...OfferItem, ...items],
  };
}

function seatElement({ seatNumber, segmentNumber, from, to, passengerId }: ChosenSeat) {
  return {
    SeatNumber: seatNumber,
    SegmentNumber: segmentNumber,
    Origin: from,
    Destination: to,
    PaxRef: passengerId,
    Status: "SUCCESS",
  };
}

/** Services and priced seats are items beside the fares. A seat has no definition. */
function extraItems(seats: readonly ChosenSeat[], services: readonly ChosenService[], currency: string) {
  const money = moneyIn(currency);
  const item = (extra: { passengerId: string; segmentKey: string }, serviceId: string, { base, tax }: ExtraPrice) => ({
    Status: "SUCCESS",
    Service: { OptinalServiceId: serviceId, PassengerRefs: extra.passengerId, SegmentRefs: extra.segmentKey },
    Price: { Base: money(base), Tax: money(tax), Total: money(base + tax) },
  });
  const items = [
    ...services.map((chosen) => ({
      ...item(chosen, `${chosen.service.code}-${chosen.segmentKey}-${chosen.passengerId}`, chosen.price),
      ServiceDefinitionRef: serviceDefinitionKey(chosen.service.code),
    })),
    ...seats.flatMap((seat) =>
      seat.price === null ? [] : [item(seat, `${seat.segmentKey}-${seat.seatNumber}`, seat.price)],
    ),
  ];
  return items.map((element, position) => ({ OfferItemID: `SRV-OfferItem-${position + 1}`, ...element }));
}

function bookedLists({ passengers, travellers, parts, extras }: OfferBooking) {
  const [first] = parts[0]!.journeys[0]!.flights;
  const departureYear = Number(first!.departure.date.slice(0, 4));
  const definitions = new Map(extras.services.map(({ service }) => [service.code, serviceDefinitionElement(service)]));
  return {
    PassengerList: {
      Passengers: travellers.map((traveller, position) =>
        buildPassenger(traveller, passengers[position]!.passengerId, position, departureYear),
      ),
    },
    ...contactLists,
    ...(definitions.size === 0 ? {} : { ServiceDefinitionList: { ServiceDefinition: [...definitions.values()] } }),
  };
}

/** One per passenger and booking reference. */
function buildTickets({ orderId, parts, references, passengers }: OfferBooking) {
  return references.flatMap((gdsBookingReference, position) =>
    passengers.map(({ passengerId }) =>
      buildTicket({ orderId, owner: parts[position]!.owner, gdsBookingReference, position, passengerId }),
    ),
  );
}

function extrasTotal({ seats, services }: ChosenExtras): MinorUnits {
  const prices = [...seats, ...services].flatMap(({ price }) => (price === null ? [] : [price]));
  return prices.reduce((sum, { base, tax }) => sum + base + tax, 0);
}
