import { tripKindOf } from "../../contract/trip-kind.ts";
import { minorDigitsOf, toDecimalText } from "../../travel/money.ts";
import type { Offer } from "../supply/offer.ts";
import { offerPrice } from "../supply/offer-price.ts";
import { derivedOfferIds, offerIdOf } from "./offer-ids.ts";
import type { ShoppingResponse } from "./ports.ts";

/** Amounts are decimal text, for all passengers together. */
export function showShoppingResponse(response: ShoppingResponse) {
  const { shoppingResponseId, request, offers, createdAt, expiresAt } = response;
  const { journeys, passengers } = request;
  return {
    shoppingResponseId,
    tripKind: tripKindOf(journeys.map(({ from, to }) => ({ departureCode: from, arrivalCode: to }))),
    journeys,
    passengers: passengers.map((ptc, position) => ({ passengerId: `T${position + 1}`, ptc })),
    createdAt,
    expiresAt,
    offers: offers.map((offer, position) => showOffer(offerIdOf(shoppingResponseId, position), offer)),
  };
}

function showOffer(offerId: string, offer: Offer) {
  const minorDigits = minorDigitsOf(offer.currency);
  const { base, tax, total } = offerPrice(offer);
  return {
    offerId,
    owner: offer.owner,
    currency: offer.currency,
    base: toDecimalText(base, minorDigits),
    tax: toDecimalText(tax, minorDigits),
    total: toDecimalText(total, minorDigits),
    refundable: offer.refundable,
    holdable: offer.holdable,
    bookedSeparately: offer.bookedSeparately,
    brandedOfferIds: derivedOfferIds(offerId, "variant", offer.dearerBrands),
    journeys: offer.journeys.map(({ from, to, minutes, brand, flights }) => ({
      from,
      to,
      minutes,
      brand: brand.code,
      flights: flights.map((flight) => ({
        carrier: flight.carrier,
        flightNumber: flight.flightNumber,
        operatedBy: flight.operatedBy?.carrier ?? flight.carrier,
        from: flight.from,
        to: flight.to,
        departure: `${flight.departure.date}T${flight.departure.time}`,
        arrival: `${flight.arrival.date}T${flight.arrival.time}`,
        aircraft: flight.aircraft.code,
        cabin: flight.cabin,
        rbd: flight.rbd,
        seatsLeft: flight.seatsLeft,
      })),
    })),
  };
}
