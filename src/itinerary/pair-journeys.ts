import { flightOnDate, type Itinerary, type ItinerarySegment, isSameLeg, type Journey } from "./itinerary.ts";

/** The flights of one booked journey and the listed ones that belong to it. Either side may be empty. */
export interface PairedJourney {
  readonly booked: readonly ItinerarySegment[];
  readonly listed: readonly ItinerarySegment[];
}

/**
 * Pairs the booked journeys with the flights that a view lists. Journeys with the same routes and as many flights pair
 * in order. Otherwise each listed flight belongs to the journey that booked it, however the view groups its flights: a
 * gap may have split a journey. What nobody booked belongs to the rest of the booked journeys, by route and date, by
 * route, by an airport pair that is missing, and then by position if equally many remain.
 */
export function pairJourneys(booked: Itinerary, listed: Itinerary): readonly PairedJourney[] {
  const journeys = partsOf(booked);
  const parts = partsOf(listed);
  const inOrder = booked.segments.length === listed.segments.length ? pairInOrder(journeys, parts) : null;
  return inOrder ?? pairByFlights(journeys, parts, listed);
}

interface Part {
  readonly route: string;
  readonly flights: readonly ItinerarySegment[];
}

function partsOf({ segments, journeys }: Itinerary): readonly Part[] {
  return journeys.map((journey) => ({
    route: routeOf(journey),
    flights: journey.segments.map((position) => segments[position]!),
  }));
}

function routeOf({ origin, destination }: Pick<Journey, "origin" | "destination">): string {
  return `${origin ?? ""}-${destination ?? ""}`;
}

/** Returns null unless every route is listed as often as booked. */
function pairInOrder(journeys: readonly Part[], parts: readonly Part[]): readonly PairedJourney[] | null {
  if (journeys.length !== parts.length) return null;
  const left = [...parts];
  const pairs: PairedJourney[] = [];
  for (const { route, flights } of journeys) {
    const part = take(left, (other) => other.route === route);
    if (part === null) return null;
    pairs.push({ booked: flights, listed: part.flights });
  }
  return pairs;
}

function pairByFlights(
  journeys: readonly Part[],
  parts: readonly Part[],
  { segments }: Itinerary,
): readonly PairedJourney[] {
  const own = journeys.map(() => new Set<ItinerarySegment>());
  const give = (position: number, part: Part | null) => {
    for (const flight of part?.flights ?? []) own[position]!.add(flight);
  };
  const isBare = (position: number) => own[position]!.size === 0;

  const left: Part[] = [];
  const ownerOf = ownersOf(journeys);
  for (const { owner, part } of parts.flatMap((part) => splitByOwner(part, ownerOf))) {
    if (owner === null) left.push(part);
    else give(owner, part);
  }
  for (const isMatch of [isSameRouteAndDate, isSameRoute]) {
    for (const [position, journey] of journeys.entries()) {
      if (isBare(position))
        give(
          position,
          take(left, (part) => isMatch(journey, part)),
        );
    }
  }
  for (const [position, { flights }] of journeys.entries()) {
    const missing = flights.filter((flight) => ![...own[position]!].some((other) => isSameLeg(flight, other)));
    give(
      position,
      take(left, (part) => part.flights.some((flight) => missing.some((m) => isSameLeg(m, flight)))),
    );
  }
  const bare = [...journeys.keys()].filter(isBare);
  if (bare.length === left.length) for (const position of bare) give(position, left.shift() ?? null);
  return [
    ...journeys.map(({ flights }, position) => ({
      booked: flights,
      listed: segments.filter((flight) => own[position]!.has(flight)),
    })),
    ...left.map(({ flights }) => ({ booked: [], listed: flights })),
  ];
}

/** Returns the position of the journey in which a flight is booked on its date; null if in none. */
function ownersOf(journeys: readonly Part[]): (flight: ItinerarySegment) => number | null {
  const owners = new Map<string, number>();
  for (const [position, { flights }] of journeys.entries()) {
    for (const flight of flights) {
      const name = flightOnDate(flight);
      if (name !== null && !owners.has(name)) owners.set(name, position);
    }
  }
  return (flight) => owners.get(flightOnDate(flight) ?? "") ?? null;
}

/** Flights that nobody booked stay with those before them, or after them at the start. */
function splitByOwner(
  part: Part,
  ownerOf: (flight: ItinerarySegment) => number | null,
): readonly { readonly owner: number | null; readonly part: Part }[] {
  const owners = part.flights.map(ownerOf);
  const first = owners.find((owner) => owner !== null) ?? null;
  const runs: { owner: number | null; flights: ItinerarySegment[] }[] = [];
  for (const [position, flight] of part.flights.entries()) {
    const run = runs.at(-1);
    const owner = owners[position] ?? run?.owner ?? first;
    if (run !== undefined && run.owner === owner) run.flights.push(flight);
    else runs.push({ owner, flights: [flight] });
  }
  return runs.map(({ owner, flights }) => ({ owner, part: { route: part.route, flights } }));
}

function isSameRoute(a: Part, b: Part): boolean {
  return a.route === b.route;
}

function isSameRouteAndDate(a: Part, b: Part): boolean {
  return isSameRoute(a, b) && a.flights[0]?.departure.date === b.flights[0]?.departure.date;
}

function take(parts: Part[], isMatch: (part: Part) => boolean): Part | null {
  const position = parts.findIndex(isMatch);
  return position < 0 ? null : (parts.splice(position, 1)[0] ?? null);
}
