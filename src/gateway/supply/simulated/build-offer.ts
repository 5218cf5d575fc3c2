import type { PassengerType } from "../../../contract/passenger-rules.ts";
import { tripKindOf } from "../../../contract/trip-kind.ts";
import { findAirport } from "../../geography.ts";
import type { Fee, Offer, OfferedJourney } from "../offer.ts";
import { brandContent, brandsOf, type SimulatedBrand } from "./brands.ts";
import { fromCents } from "./currencies.ts";
import { draw, drawInteger } from "./draw.ts";
import { addFares, faresOf, type UnpricedJourney } from "./fares.ts";
import { arrivalOf, departureOf } from "./itineraries.ts";
import { isSummer } from "./schedule.ts";

/** How journeys are sold together. */
export interface SaleTerms {
  readonly seed: string;
  readonly currency: string;
  readonly passengers: ReadonlyMap<PassengerType, number>;
  readonly bookedSeparately: boolean;
  /** Position among the brands of a cabin, cheapest first; a cabin with fewer is sold under its dearest. */
  readonly brand: number;
}

/** Under one brand. Prices are the sums of those of the journeys. */
export function buildOffer(journeys: readonly [UnpricedJourney, ...UnpricedJourney[]], terms: SaleTerms): Offer {
  const { seed, currency, passengers, bookedSeparately } = terms;
  const [first] = journeys;
  const kind = tripKindOf(journeys.map(({ from, to }) => ({ departureCode: from, arrivalCode: to })));
  const isHalfRoundTrip = kind === "round-trip" && !bookedSeparately;
  const brand = brandAt(first, terms.brand);
  const sold = journeys.map((journey) => ({ journey, brand: brandAt(journey, terms.brand) }));
  return {
    key: sold.map(({ journey, brand }) => `${keyOf(journey)} ${brand.code}`).join(" / "),
    owner: first.airline,
    currency,
    journeys: sold.map(({ journey, brand }) => offeredJourney(seed, journey, brand, isHalfRoundTrip)),
    fares: addFares(
      sold.map(({ journey, brand }) => faresOf(journey, { seed, currency, passengers, brand, isHalfRoundTrip })),
    ),
    refundable: sold.every(({ brand }) => brand.refundable),
    holdable: draw(seed, "hold", first.airline) < 0.8,
    passportRequired: journeys.some((journey) => journey.flights.some(crossesBorder)),
    changeFee: feeIn(currency, brand.changeFee),
    cancelFee: feeIn(currency, brand.cancelFee),
    bookedSeparately,
    dearerBrands: kind === "round-trip" ? 0 : Math.max(0, brandsOf(first.cabin).length - 1 - terms.brand),
  };
}

/** Recovers the journeys and terms of an offer. */
export function readOffer(
  seed: string,
  offer: Offer,
): { readonly journeys: readonly UnpricedJourney[]; readonly terms: SaleTerms } {
  const journeys = offer.journeys.map(({ from, to, flights, brand }) => {
    const cabin = brandsCabin(brand.key);
    return { from, to, flights, airline: flights[0]?.carrier ?? offer.owner, cabin };
  });
  const passengers = new Map(offer.fares.map(({ ptc, quantity }) => [ptc, quantity]));
  const [first] = journeys;
  const brand = brandsOf(first?.cabin ?? "Y").findIndex(({ code }) => code === offer.journeys[0]?.brand.code);
  const { currency, bookedSeparately } = offer;
  return { journeys, terms: { seed, currency, passengers, bookedSeparately, brand: Math.max(0, brand) } };
}

/** From a key of `brandContent`. */
function brandsCabin(key: string): UnpricedJourney["cabin"] {
  const [, cabin] = key.split("-");
  return cabin === "W" || cabin === "C" || cabin === "F" ? cabin : "Y";
}

function brandAt(journey: UnpricedJourney, position: number): SimulatedBrand {
  const brands = brandsOf(journey.cabin);
  return brands[Math.min(position, brands.length - 1)] ?? brands[0];
}

function offeredJourney(
  seed: string,
  journey: UnpricedJourney,
  brand: SimulatedBrand,
  isHalfRoundTrip: boolean,
): OfferedJourney {
  const { from, to, airline, cabin } = journey;
  const flights = journey.flights.map((flight) => ({
    ...flight,
    fareBasis: [
      flight.rbd,
      isSummer(flight.departure.date) ? "H" : "L",
      brand.letter,
      isHalfRoundTrip ? "RT" : "OW",
      cabin,
    ].join(""),
    fareCode: fareCodeOf(seed, airline),
  }));
  const first = flights[0];
  const last = flights.at(-1);
  const minutes =
    first === undefined || last === undefined ? 0 : Math.round((arrivalOf(last) - departureOf(first)) / 60_000);
  return { from, to, flights, minutes, brand: brandContent(airline, cabin, brand) };
}

/** Three characters, such as 70J: one tariff per airline. */
function fareCodeOf(seed: string, airline: string): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
  const letter = letters[drawInteger(0, letters.length - 1, seed, "fare code letter", airline)] ?? "J";
  return `${drawInteger(10, 99, seed, "fare code", airline)}${letter}`;
}

function keyOf(journey: UnpricedJourney): string {
  return journey.flights
    .map(({ carrier, flightNumber, rbd, departure }) => `${carrier}${flightNumber}${rbd} ${departure.date}`)
    .join(" ");
}

function feeIn(currency: string, { before, after }: Fee): Fee {
  return {
    before: before === null ? null : fromCents(before, currency),
    after: after === null ? null : fromCents(after, currency),
  };
}

function crossesBorder({ from, to }: { readonly from: string; readonly to: string }): boolean {
  return findAirport(from)?.country !== findAirport(to)?.country;
}
