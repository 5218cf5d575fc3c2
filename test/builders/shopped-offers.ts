import type { PassengerType } from "../../src/contract/passenger-rules.ts";
import type { ShoppingContext } from "../../src/gateway/shopping/find-offer.ts";
import { offerIdOf } from "../../src/gateway/shopping/offer-ids.ts";
import type { ShoppingResponse } from "../../src/gateway/shopping/ports.ts";
import type { Offer } from "../../src/gateway/supply/offer.ts";
import { createSimulatedSupply } from "../../src/gateway/supply/simulated/simulated-supply.ts";
import type { ShoppingRequest } from "../../src/gateway/supply/supply.ts";

export const searchedAt = new Date("2027-01-05T09:00:00Z");
export const shoppingResponseId = "1799139600000000001";

export const journeys = {
  oneWay: [{ from: "FRA", to: "JFK", date: "2027-03-14" }],
  roundTrip: [
    { from: "LIS", to: "FRA", date: "2027-03-14" },
    { from: "FRA", to: "LIS", date: "2027-03-21" },
  ],
  multiCity: [
    { from: "LIS", to: "JFK", date: "2027-03-14" },
    { from: "BOS", to: "FRA", date: "2027-03-20" },
  ],
} as const;

/** A search of a simulated world, without a database: what there is to book, and what booking needs. */
export async function shoppedOffers(
  request: Partial<ShoppingRequest> = {},
  seed = "test",
): Promise<{ readonly context: ShoppingContext; readonly response: ShoppingResponse; offerId(offer: Offer): string }> {
  const asked: ShoppingRequest = {
    journeys: journeys.oneWay,
    passengers: ["ADT"] satisfies PassengerType[],
    cabin: "Y",
    owner: null,
    currency: "EUR",
    limit: 20,
    ...request,
  };
  const supply = createSimulatedSupply(seed);
  const response: ShoppingResponse = {
    shoppingResponseId,
    request: asked,
    offers: await supply.shop(asked, searchedAt),
    createdAt: searchedAt,
    expiresAt: new Date(searchedAt.getTime() + 30 * 60_000),
  };
  const readResponse = async (id: string) => (id === shoppingResponseId ? response : null);
  return {
    context: {
      supply,
      shopping: { readResponse, addResponse: async () => true },
      clock: { now: () => searchedAt },
    },
    response,
    offerId: (offer) => offerIdOf(shoppingResponseId, response.offers.indexOf(offer)),
  };
}
