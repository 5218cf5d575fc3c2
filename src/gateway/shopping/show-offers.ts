import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import type { FoundOffer } from "./find-offer.ts";
import { offerElement } from "./offer-element.ts";
import { createOfferLists } from "./offer-lists.ts";
import type { ShoppingResponse } from "./ports.ts";

/** How long a held offer may stay unpaid. */
const holdHours = 24;

export function showOffers(offers: readonly FoundOffer[], passengers: readonly RequestedPassenger[]) {
  const lists = createOfferLists();
  const elements = offers.map(({ offerId, offer, response }) => {
    const { createdAt, expiresAt } = response;
    const payableUntil = offer.holdable ? new Date(createdAt.getTime() + holdHours * 60 * 60_000) : expiresAt;
    return offerElement({ offerId, offer, expiresAt, payableUntil }, passengers, lists);
  });
  return { elements, dataLists: lists.dataLists(passengers) };
}

/** For requests that name none. */
export function passengersOf({ request }: ShoppingResponse): readonly RequestedPassenger[] {
  return request.passengers.map((ptc, position) => ({ passengerId: `T${position + 1}`, ptc }));
}
