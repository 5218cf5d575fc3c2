import type { Exchange, ExchangeFee } from "../extras.ts";
import type { Offer } from "../offer.ts";
import type { Supply } from "../supply.ts";
import { buildOffer, readOffer } from "./build-offer.ts";
import { currencies } from "./currencies.ts";
import { fareRulesOf } from "./fare-rules.ts";
import { departureOf } from "./itineraries.ts";
import { simulatedSeatMaps } from "./seat-maps.ts";
import { simulatedServices } from "./services.ts";
import { shop } from "./shop.ts";

/**
 * Airports, time zones and airlines are real. Timetables, aircraft, fares, brands and free seats depend only on the seed,
 * the route and the day, so the same seed gives the same supply on every machine. Prices hold until an offer expires.
 */
export function createSimulatedSupply(seed: string): Supply {
  return {
    currencies,
    async shop(request, now) {
      return shop(seed, request, now);
    },
    async price(offer, now) {
      const [first] = offer.journeys.flatMap(({ flights }) => flights);
      return first !== undefined && departureOf(first) > now.getTime() ? offer : null;
    },
    async brandedVariants(offer) {
      return brandedVariants(seed, offer);
    },
    async split(offer) {
      return split(seed, offer);
    },
    async fareRules(offer) {
      return fareRulesOf(seed, offer);
    },
    async services(trip) {
      return simulatedServices(trip);
    },
    async seatMaps(trip) {
      return simulatedSeatMaps(seed, trip);
    },
    async reshop(exchange) {
      return exchangeFees(exchange);
    },
  };
}

function brandedVariants(seed: string, offer: Offer): readonly Offer[] {
  const { journeys, terms } = readOffer(seed, offer);
  const [first, ...others] = journeys;
  if (first === undefined) return [];
  return Array.from({ length: offer.dearerBrands }, (_, position) =>
    buildOffer([first, ...others], { ...terms, familyRank: terms.familyRank + 1 + position }),
  );
}

function split(seed: string, offer: Offer): readonly Offer[] {
  const { journeys, terms } = readOffer(seed, offer);
  return journeys.map((journey) => buildOffer([journey], { ...terms, bookedSeparately: false }));
}

function exchangeFees({ paid, changeFee }: Exchange): readonly ExchangeFee[] {
  return paid.map(({ ptc }) => ({ ptc, fee: ptc === "INF" ? 0 : changeFee }));
}
