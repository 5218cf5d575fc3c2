import type { ImportedSegment, OrderToImport } from "../contract/imported-order.ts";
import { instantOf } from "../travel/local-time.ts";
import type { Itinerary, ItinerarySegment } from "./itinerary.ts";
import { buildItinerary, groupIntoJourneys } from "./journeys.ts";

export interface ImportedOrderProblem {
  readonly path: string;
  readonly message: string;
}

export type ImportedItinerary =
  | { readonly ok: true; readonly itinerary: Itinerary }
  | { readonly ok: false; readonly problems: readonly ImportedOrderProblem[] };

/**
 * Returns the flights of a stated order as an itinerary. Rejects what cannot have been sold: an arrival before the
 * departure, a nonexistent local time, journeys for some flights only, a repeated flight. Times at airports that are
 * not in the table stay unknown.
 */
export function itineraryOf({ segments }: Pick<OrderToImport, "segments">): ImportedItinerary {
  const problems = [...segments.flatMap(problemsOf), ...repeatedOf(segments), ...journeysOf(segments)];
  if (problems.length > 0) return { ok: false, problems };
  const flights = segments.map(toSegment);
  const byKey = new Map(flights.map((flight) => [flight.segmentKey, flight]));
  return { ok: true, itinerary: buildItinerary(groupSegments(segments, flights), (key) => [byKey.get(key)!]) };
}

function problemsOf({ departure, arrival }: ImportedSegment, position: number): readonly ImportedOrderProblem[] {
  const path = `/segments/${position}`;
  const points = { departure, arrival };
  const nonexistent = Object.entries(points).flatMap(([name, point]) => {
    const instant = instantOf(point);
    return !instant.known && instant.reason === "nonexistent-time"
      ? [{ path: `${path}/${name}/time`, message: `does not exist at ${point.airport}: the clocks skip it` }]
      : [];
  });
  const left = instantOf(departure);
  const arrived = instantOf(arrival);
  const isBackwards = left.known && arrived.known && arrived.value <= left.value;
  return [
    ...nonexistent,
    ...(isBackwards ? [{ path: `${path}/arrival`, message: "is not after the departure" }] : []),
    ...(departure.airport === arrival.airport
      ? [{ path: `${path}/arrival/airport`, message: "is the airport of departure" }]
      : []),
  ];
}

function repeatedOf(segments: readonly ImportedSegment[]): readonly ImportedOrderProblem[] {
  const seen = new Set<string>();
  return segments.flatMap(({ marketingCarrier, marketingFlightNumber, departure }, position) => {
    const key = [marketingCarrier, marketingFlightNumber, departure.airport, departure.date].join(" ");
    if (seen.has(key)) return [{ path: `/segments/${position}`, message: "is the same flight as an earlier one" }];
    seen.add(key);
    return [];
  });
}

function journeysOf(segments: readonly ImportedSegment[]): readonly ImportedOrderProblem[] {
  const isStated = segments.map(({ journey }) => typeof journey === "number");
  const missing = isStated.indexOf(false);
  return missing === -1 || !isStated.includes(true)
    ? []
    : [{ path: `/segments/${missing}/journey`, message: "must be stated for every flight, or for none" }];
}

function groupSegments(stated: readonly ImportedSegment[], flights: readonly ItinerarySegment[]) {
  if (typeof stated[0]?.journey !== "number") return groupIntoJourneys(flights, [], []);
  const numbers = [...new Set(stated.map(({ journey }) => journey!))].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const own = flights.filter((_, position) => stated[position]!.journey === number);
    const flight = { flightKey: `Flight${number}`, segmentKeys: own.map(({ segmentKey }) => segmentKey) };
    return groupIntoJourneys(own, [flight], []);
  });
}

/** Gateways' keys mean nothing for what was sold, so each flight gets its own. */
function toSegment(stated: ImportedSegment, position: number): ItinerarySegment {
  const { departure, arrival, marketingCarrier, marketingFlightNumber } = stated;
  return {
    segmentKey: `Segment${position + 1}`,
    departure: { ...departure, terminal: departure.terminal ?? null },
    arrival: { ...arrival, terminal: arrival.terminal ?? null },
    marketingCarrier,
    marketingFlightNumber,
    operatingCarrier: stated.operatingCarrier ?? marketingCarrier,
    aircraftCode: stated.aircraftCode ?? null,
    stops: null,
    marriageGroup: null,
    brandId: null,
    cabinType: stated.cabinType ?? null,
    rbd: stated.rbd ?? null,
    statedMinutes: null,
    unreadDuration: null,
    stopPlaces: null,
    miles: null,
  };
}

export function statedSegmentsOf({ segments, journeys }: Itinerary): readonly object[] {
  return segments.map((segment, position) => {
    const journey = journeys.findIndex((one) => one.segments.includes(position)) + 1;
    const { departure, arrival, marketingCarrier, marketingFlightNumber, operatingCarrier } = segment;
    return {
      departure: withoutNulls(departure),
      arrival: withoutNulls(arrival),
      ...withoutNulls({ marketingCarrier, marketingFlightNumber, operatingCarrier }),
      ...withoutNulls({ cabinType: segment.cabinType, rbd: segment.rbd, aircraftCode: segment.aircraftCode }),
      ...(journey === 0 ? {} : { journey }),
    };
  });
}

function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
