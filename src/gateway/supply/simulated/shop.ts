import type { PassengerType } from "../../../contract/passenger-rules.ts";
import type { MinorUnits } from "../../../travel/money.ts";
import type { Cabin, Offer } from "../offer.ts";
import { offerPrice } from "../offer-price.ts";
import type { ShoppingRequest } from "../supply.ts";
import { cheapestClass } from "./booking-classes.ts";
import { buildOffer, type SaleTerms } from "./build-offer.ts";
import type { UnpricedJourney } from "./fares.ts";
import { arrivalOf, departureOf, findItineraries, type Itinerary } from "./itineraries.ts";
import type { ScheduledFlight } from "./schedule.ts";

/** One way to fly, with its own price. */
interface Candidate {
  readonly journey: UnpricedJourney;
  readonly total: MinorUnits;
}

/** Before departure. */
const closingMs = 2 * 60 * 60_000;
/** The shortest time between two journeys. */
const betweenJourneysMs = 60 * 60_000;
/** How many candidates are combined with those of other journeys. */
const combined = { ofAirline: 2, ofAny: 3 } as const;
/** The largest share of offers that are booked separately; at least one is shown. */
const separateShare = 0.3;

/**
 * One way gives one offer per candidate. Several ways are combined within one airline, as one booking, and across
 * airlines, as one booking each; both kinds are shown if they exist.
 */
export function shop(seed: string, request: ShoppingRequest, now: Date): readonly Offer[] {
  const terms: SaleTerms = {
    seed,
    currency: request.currency,
    passengers: countByType(request.passengers),
    bookedSeparately: false,
    familyRank: 0,
  };
  const candidates = request.journeys.map(({ from, to, date }) =>
    findItineraries(seed, from, to, date)
      .filter(({ airline, flights }) => (request.owner ?? airline) === airline && isOpen(flights, now))
      .flatMap((itinerary) => sellable(seed, itinerary, request, now))
      .map((journey) => ({ journey, total: offerPrice(buildOffer([journey], terms)).total }))
      .sort((a, b) => a.total - b.total),
  );
  const together = combineWithinAirlines(candidates).map((journeys) => buildOffer(journeys, terms));
  const separately = combineOverAirlines(candidates).map((journeys) =>
    buildOffer(journeys, { ...terms, bookedSeparately: true }),
  );
  return choose(together, separately, request.limit);
}

function choose(together: readonly Offer[], separately: readonly Offer[], limit: number): readonly Offer[] {
  const cheapest = (offers: readonly Offer[]) => [...offers].sort((a, b) => offerPrice(a).total - offerPrice(b).total);
  const places = Math.min(separately.length, Math.max(1, Math.floor(limit * separateShare)));
  const first = cheapest(together).slice(0, limit - (limit > 1 ? places : 0));
  return cheapest([...first, ...cheapest(separately).slice(0, limit - first.length)]);
}

/** In the cheapest open class of the cabin; empty if a flight is full. */
function sellable(seed: string, itinerary: Itinerary, request: ShoppingRequest, now: Date): readonly UnpricedJourney[] {
  const seats = request.passengers.filter((ptc) => ptc !== "INF").length;
  const flights: UnpricedJourney["flights"][number][] = [];
  for (const { cabins, ...flight } of itinerary.flights) {
    const cabin = cabinOn(cabins, request.cabin);
    const daysBefore = Math.floor((departureOf(flight) - now.getTime()) / (24 * 60 * 60_000));
    const open = cheapestClass(seed, flight, cabin, seats, daysBefore);
    if (open === null) return [];
    flights.push({ ...flight, cabin, ...open });
  }
  const longest = flights.reduce((a, b) => (b.miles > a.miles ? b : a));
  if (longest.cabin !== request.cabin) return [];
  const from = flights[0]?.from ?? "";
  const to = flights.at(-1)?.to ?? "";
  return [{ from, to, flights, airline: itinerary.airline, cabin: request.cabin }];
}

/** Or the next one below that the aircraft has. */
function cabinOn(cabins: readonly Cabin[], wanted: Cabin): Cabin {
  const downwards: readonly Cabin[] = ["F", "C", "W", "Y"];
  return downwards.slice(downwards.indexOf(wanted)).find((cabin) => cabins.includes(cabin)) ?? "Y";
}

function isOpen(flights: readonly ScheduledFlight[], now: Date): boolean {
  const [first] = flights;
  return first !== undefined && departureOf(first) > now.getTime() + closingMs;
}

type Journeys = readonly [UnpricedJourney, ...UnpricedJourney[]];

function combineWithinAirlines(candidates: readonly (readonly Candidate[])[]): readonly Journeys[] {
  if (candidates.length === 1) return (candidates[0] ?? []).map(({ journey }) => [journey]);
  const airlines = new Set((candidates[0] ?? []).map(({ journey }) => journey.airline));
  return [...airlines].flatMap((airline) =>
    inSequence(
      candidates.map((list) => list.filter(({ journey }) => journey.airline === airline).slice(0, combined.ofAirline)),
    ),
  );
}

function combineOverAirlines(candidates: readonly (readonly Candidate[])[]): readonly Journeys[] {
  if (candidates.length === 1) return [];
  return inSequence(candidates.map(cheapestOfEachAirline)).filter(
    (journeys) => new Set(journeys.map(({ airline }) => airline)).size > 1,
  );
}

function cheapestOfEachAirline(candidates: readonly Candidate[]): readonly Candidate[] {
  const airlineOf = ({ journey }: Candidate): string => journey.airline;
  return candidates
    .filter(
      (candidate, position) => candidates.findIndex((other) => airlineOf(other) === airlineOf(candidate)) === position,
    )
    .slice(0, combined.ofAny);
}

/** Combinations in which each journey begins after the one before has ended. */
function inSequence(candidates: readonly (readonly Candidate[])[]): readonly Journeys[] {
  const [first = [], ...others] = candidates;
  let chosen: readonly Journeys[] = first.map(({ journey }) => [journey]);
  for (const list of others) {
    chosen = chosen.flatMap((journeys) =>
      list.flatMap(({ journey }) => (follows(journeys, journey) ? [[...journeys, journey] as const] : [])),
    );
  }
  return chosen;
}

function follows(before: Journeys, next: UnpricedJourney): boolean {
  const last = before.at(-1)?.flights.at(-1);
  const [first] = next.flights;
  return last !== undefined && first !== undefined && departureOf(first) >= arrivalOf(last) + betweenJourneysMs;
}

function countByType(passengers: readonly PassengerType[]): ReadonlyMap<PassengerType, number> {
  const types = ["ADT", "CHD", "INF"] as const;
  const counts = types.map((type) => [type, passengers.filter((ptc) => ptc === type).length] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}
