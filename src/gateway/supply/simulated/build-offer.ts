import { type TripKind, tripKindOf } from "../../../contract/trip-kind.ts";
import { findAirport } from "../../served-airports.ts";
import type { Fee, Offer, OfferedJourney } from "../offer.ts";
import { fromCents } from "./currencies.ts";
import { draw, drawInteger } from "./draw.ts";
import { brandOf, cabinOfBrand, type FareFamily, fareFamiliesOf } from "./fare-families.ts";
import { addFares, type FareTerms, faresOf, type UnpricedJourney } from "./fares.ts";
import { minutesOf } from "./itineraries.ts";
import { isSummer } from "./schedule.ts";

/** The share of airlines whose offers can be held without a payment. */
const holdableShare = 0.8;

/** How journeys are sold together. */
export interface SaleTerms extends Pick<FareTerms, "seed" | "currency" | "passengers"> {
  readonly bookedSeparately: boolean;
  /** 0 is the cheapest fare family of each journey's cabin. A cabin that has fewer families is sold in its dearest. */
  readonly familyRank: number;
}

/** One offer of all journeys. Its prices are the sums of theirs. */
export function buildOffer(journeys: readonly [UnpricedJourney, ...UnpricedJourney[]], terms: SaleTerms): Offer {
  const { seed, currency, passengers, bookedSeparately } = terms;
  const [first] = journeys;
  const kind = tripKindOf(journeys.map(({ from, to }) => ({ departureCode: from, arrivalCode: to })));
  const isHalfRoundTrip = kind === "round-trip" && !bookedSeparately;
  const { changeFee, cancelFee } = familyOf(first, terms.familyRank);
  const sold = journeys.map((journey) => ({ journey, family: familyOf(journey, terms.familyRank) }));
  return {
    key: sold.map(({ journey, family }) => `${keyOf(journey)} ${family.code}`).join(" / "),
    owner: first.airline,
    currency,
    journeys: sold.map(({ journey, family }) => offeredJourney(seed, journey, family, isHalfRoundTrip)),
    fares: addFares(
      sold.map(({ journey, family }) => faresOf(journey, { seed, currency, passengers, family, isHalfRoundTrip })),
    ),
    refundable: sold.every(({ family }) => family.refundable),
    holdable: draw(seed, "hold", first.airline) < holdableShare,
    passportRequired: journeys.some((journey) => journey.flights.some(crossesBorder)),
    changeFee: feeIn(currency, changeFee),
    cancelFee: feeIn(currency, cancelFee),
    bookedSeparately,
    dearerBrands: dearerBrandsOf(kind, first, terms.familyRank),
  };
}

/**
 * Returns what `buildOffer` makes the same offer of. Exact as long as the first journey's cabin has a fare family of the
 * rank that was sold: in a cabin with fewer families the rank of its dearest one is returned.
 */
export function readOffer(
  seed: string,
  offer: Offer,
): { readonly journeys: readonly UnpricedJourney[]; readonly terms: SaleTerms } {
  const journeys = offer.journeys.map(({ from, to, flights, brand }) => {
    const airline = flights[0]?.carrier ?? offer.owner;
    return { from, to, flights, airline, cabin: cabinOfBrand(brand) };
  });
  const passengers = new Map(offer.fares.map(({ ptc, quantity }) => [ptc, quantity]));
  const [first] = journeys;
  const familyRank = fareFamiliesOf(first?.cabin ?? "Y").findIndex(
    ({ code }) => code === offer.journeys[0]?.brand.code,
  );
  const { currency, bookedSeparately } = offer;
  return { journeys, terms: { seed, currency, passengers, bookedSeparately, familyRank: Math.max(0, familyRank) } };
}

/** Branded offers exist for one-way and multi-city offers only. The first journey decides which brands there are. */
function dearerBrandsOf(kind: TripKind | null, { cabin }: UnpricedJourney, rank: number): number {
  if (kind === "round-trip") return 0;
  return Math.max(0, fareFamiliesOf(cabin).length - 1 - rank);
}

function familyOf(journey: UnpricedJourney, rank: number): FareFamily {
  const families = fareFamiliesOf(journey.cabin);
  return families[Math.min(rank, families.length - 1)] ?? families[0];
}

function offeredJourney(
  seed: string,
  journey: UnpricedJourney,
  family: FareFamily,
  isHalfRoundTrip: boolean,
): OfferedJourney {
  const { from, to, airline, cabin } = journey;
  const flights = journey.flights.map((flight) => ({
    ...flight,
    fareBasis: [
      flight.rbd,
      isSummer(flight.departure.date) ? "H" : "L",
      family.letter,
      isHalfRoundTrip ? "RT" : "OW",
      cabin,
    ].join(""),
    fareCode: fareCodeOf(seed, airline),
  }));
  return { from, to, flights, minutes: minutesOf(flights), brand: brandOf(airline, cabin, family) };
}

/** Two digits and a letter, such as 70J; one for each airline. */
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
