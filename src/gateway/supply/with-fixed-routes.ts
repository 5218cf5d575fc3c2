import { fixedOutcomeOf } from "./fixed-routes.ts";
import type { Offer } from "./offer.ts";
import type { Supply } from "./supply.ts";

/** Adds the outcomes of `fixedRoutes` to a supply on which nothing goes wrong by itself. */
export function withFixedRoutes(supply: Supply): Supply {
  return {
    ...supply,
    fixedOutcome: fixedOutcomeOf,
    async shop(request, now) {
      return fixedOutcomeOf(request.journeys) === "no-flights" ? [] : supply.shop(request, now);
    },
    async price(offer, now) {
      switch (fixedOutcomeOf(offer.journeys)) {
        case "sold-out":
          return null;
        case "price-changed": {
          const priced = await supply.price(offer, now);
          return priced === null ? null : withDearerFares(priced);
        }
        case "no-response":
          return new Promise<never>(() => undefined);
        default:
          return supply.price(offer, now);
      }
    },
  };
}

/** Only the fare: taxes stay. */
function withDearerFares(offer: Offer): Offer {
  return { ...offer, fares: offer.fares.map((fare) => ({ ...fare, base: Math.ceil((fare.base * 11) / 10) })) };
}
