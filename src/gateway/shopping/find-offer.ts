import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import { type OperationContext, OperationRefusal } from "../operation.ts";
import type { Offer } from "../supply/offer.ts";
import { readOfferId } from "./offer-ids.ts";
import type { ShoppingResponse } from "./ports.ts";

/** With the search that it is from. */
export interface FoundOffer {
  readonly offerId: string;
  readonly offer: Offer;
  readonly response: ShoppingResponse;
}

export type ShoppingContext = Pick<OperationContext, "shopping" | "supply" | "clock">;

/** @throws OperationRefusal 24 if there is no such search, 25 if it has expired */
export async function findResponse(context: ShoppingContext, shoppingResponseId: string): Promise<ShoppingResponse> {
  const response = /^\d{19}$/.test(shoppingResponseId) ? await context.shopping.readResponse(shoppingResponseId) : null;
  if (response === null) {
    const message = `There is no shopping response ${shoppingResponseId.slice(0, 40)}. Send the id as text, with every digit.`;
    throw new OperationRefusal("gateway.shopping_response_not_found", message, { httpStatus: 400, gatewayCode: "24" });
  }
  if (isExpired(response, context.clock.now())) {
    const message = `The shopping response ${shoppingResponseId} has expired. Search again.`;
    throw new OperationRefusal("gateway.shopping_response_expired", message, { httpStatus: 400, gatewayCode: "25" });
  }
  return response;
}

/**
 * Finds a listed offer, a branded variant, or a part of a split offer.
 * @throws OperationRefusal as `findResponse`; 26 if there is no such offer, 27 if it is from another search
 */
export async function findOffer(
  context: ShoppingContext,
  shoppingResponseId: string,
  offerId: string,
): Promise<FoundOffer> {
  const response = await findResponse(context, shoppingResponseId);
  const id = readOfferId(offerId);
  if (id !== null && id.shoppingResponseId !== shoppingResponseId) {
    const message = `The offer ${offerId} is not one of the shopping response ${shoppingResponseId}. Take both from one response.`;
    throw new OperationRefusal("gateway.offer_of_another_response", message, { httpStatus: 400, gatewayCode: "27" });
  }
  let offer = id === null ? undefined : response.offers[id.position];
  for (const step of id?.steps ?? []) {
    if (offer === undefined) break;
    offer = (await derive(context, offer, step.kind))[step.position];
  }
  if (offer === undefined) {
    const message = `There is no offer ${offerId.slice(0, 40)}. Send the id as text, with every digit.`;
    throw new OperationRefusal("gateway.offer_not_found", message, { httpStatus: 400, gatewayCode: "26" });
  }
  return { offerId, offer, response };
}

/** In the order of the request. @throws OperationRefusal as `findOffer` */
export async function findOffers(
  context: ShoppingContext,
  query: { readonly shoppingResponseId: string; readonly offerIds: readonly string[] },
): Promise<readonly FoundOffer[]> {
  const found: FoundOffer[] = [];
  for (const offerId of query.offerIds) found.push(await findOffer(context, query.shoppingResponseId, offerId));
  return found;
}

/** @throws OperationRefusal 26 if it is sold out */
export async function priceNow(context: ShoppingContext, found: FoundOffer): Promise<FoundOffer> {
  const offer = await context.supply.price(found.offer, context.clock.now());
  if (offer !== null) return { ...found, offer };
  const message = `The offer ${found.offerId} is sold out. Search again.`;
  throw new OperationRefusal("gateway.offer_sold_out", message, { httpStatus: 400, gatewayCode: "26" });
}

/**
 * Requires as many passengers of each type as in the search, under any keys.
 * @throws OperationRefusal 28
 */
export function refuseOtherPassengers(response: ShoppingResponse, passengers: readonly RequestedPassenger[]): void {
  const asked = passengers.map(({ ptc }) => ptc).sort();
  const searched = [...response.request.passengers].sort();
  if (asked.join() === searched.join()) return;
  const message = `The passengers are ${asked.join(", ")}; the search was for ${searched.join(", ")}.`;
  throw new OperationRefusal("gateway.passenger_mismatch", message, { httpStatus: 400, gatewayCode: "28" });
}

/** The last second still counts, as in `expired`. */
function isExpired(response: ShoppingResponse, now: Date): boolean {
  return Math.floor(now.getTime() / 1000) > Math.floor(response.expiresAt.getTime() / 1000);
}

function derive(context: ShoppingContext, offer: Offer, kind: "variant" | "part"): Promise<readonly Offer[]> {
  if (kind === "variant") return context.supply.brandedVariants(offer);
  return offer.bookedSeparately ? context.supply.split(offer) : Promise.resolve([]);
}
