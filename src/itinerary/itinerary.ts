import type { PlaceAndTime } from "../travel/local-time.ts";
import { isRestated } from "./fact-logic.ts";
import { comparisonOf } from "./same-value.ts";

/** Flights in order, fully merged. Plain JSON, stored with every decision. Null means unknown. */
export interface Itinerary {
  readonly segments: readonly ItinerarySegment[];
  readonly journeys: readonly Journey[];
}

/** One origin and destination, with the positions of its flights in `segments`, in order. */
export interface Journey {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly segments: readonly number[];
}

export interface ItinerarySegment {
  /** The key of the booked segment that it is or replaces. Several segments share it if one became several. */
  readonly segmentKey: string;
  readonly departure: LocalPoint;
  readonly arrival: LocalPoint;
  readonly marketingCarrier: string | null;
  readonly marketingFlightNumber: string | null;
  /** The marketing carrier if none is stated; null if only a name is stated. */
  readonly operatingCarrier: string | null;
  readonly aircraftCode: string | null;
  readonly stops: number | null;
  readonly marriageGroup: string | null;
  readonly brandId: string | null;
  /** The brand, by its price class. Missing in itineraries of earlier versions. */
  readonly priceClass?: string | null;
  readonly cabinType: string | null;
  readonly rbd: string | null;
  /** Minutes in flight as the gateway states them, for a cross-check. Missing in itineraries of earlier versions. */
  readonly statedMinutes?: number | null;
  /** The stated duration if it is unreadable. Missing in itineraries of earlier versions. */
  readonly unreadDuration?: string | null;
  /** The stops, in order. Missing in itineraries of earlier versions. */
  readonly stopPlaces?: string | null;
  /** Miles flown as the gateway states them. Missing in itineraries of earlier versions. */
  readonly miles?: number | null;
  /** Missing if everything is understood, and in itineraries of earlier versions. */
  readonly unread?: UnreadValues;
}

/**
 * Stated values that are null because they are not understood: a name of an airline or an airport without a code, the
 * key of an unlisted price class. A question mark stands for anything else.
 */
export type UnreadValues = {
  readonly [Name in UnreadName]?: string;
};
export type UnreadName =
  | "marketingCarrier"
  | "operatingCarrier"
  | "departureAirport"
  | "arrivalAirport"
  | "cabinType"
  | "rbd"
  | "priceClass";

export interface LocalPoint extends PlaceAndTime {
  readonly terminal: string | null;
}

/**
 * Whether two itineraries have the same flights (marketing carrier and number), airports, local dates and times, in the
 * same order. Ignores terminals, aircraft and segment keys. Values unknown on both sides are equal.
 */
export function sameFlights(a: Itinerary, b: Itinerary): boolean {
  return (
    a.segments.length === b.segments.length && a.segments.every((segment, i) => sameFlight(segment, b.segments[i]!))
  );
}

/** Compares as far as both state a value: a view may omit times, but no flights. */
export function fitsFlights(a: Pick<Itinerary, "segments">, b: Pick<Itinerary, "segments">): boolean {
  return (
    a.segments.length === b.segments.length && a.segments.every((segment, i) => fitsFlight(segment, b.segments[i]!))
  );
}

/** Also compares operator, cabins and classes, as far as both state them. */
export function fitsOffer(a: Pick<Itinerary, "segments">, b: Pick<Itinerary, "segments">): boolean {
  return (
    fitsFlights(a, b) &&
    a.segments.every((segment, i) => offered.every((name) => fitsValue(name, segment, b.segments[i]!)))
  );
}

const offered = ["operatingCarrier", "cabinType", "rbd", "stops", "brandId", "priceClass"] as const;

/** Compares as far as both state a value. */
export function fitsFlight(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return (
    fits(a.marketingCarrier, b.marketingCarrier) &&
    fits(a.marketingFlightNumber, b.marketingFlightNumber) &&
    fitsPlaceAndTime(a.departure, b.departure) &&
    fitsPlaceAndTime(a.arrival, b.arrival)
  );
}

function fitsPlaceAndTime(a: LocalPoint, b: LocalPoint): boolean {
  return fits(a.airport, b.airport) && fits(a.date, b.date) && fits(a.time, b.time);
}

function fitsValue(name: (typeof offered)[number], a: ItinerarySegment, b: ItinerarySegment): boolean {
  return !isRestated<unknown>(a[name] ?? null, b[name] ?? null, comparisonOf(name));
}

function fits<T>(a: T | null, b: T | null): boolean {
  return a === null || b === null || a === b;
}

/** Sorts flights of an itinerary as it lists them. Others, such as flown ones, come first. */
export function inOrderOf({ segments }: Itinerary, flights: readonly ItinerarySegment[]): readonly ItinerarySegment[] {
  if (flights.length < 2) return flights;
  const own = new Set(flights);
  const listed = segments.filter((flight) => own.has(flight));
  if (listed.length === flights.length) return listed;
  const isListed = new Set(listed);
  return [...flights.filter((flight) => !isListed.has(flight)), ...listed];
}

/** Whether both fly between the same airports, as far as they are stated. */
export function isSameLeg(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return a.departure.airport === b.departure.airport && a.arrival.airport === b.arrival.airport;
}

/** Whether neither number, airports nor times are known, as of a flight whose new values cannot be read. */
export function isUnreadFlight({ marketingFlightNumber, departure, arrival }: ItinerarySegment): boolean {
  const known = [departure, arrival].flatMap(({ airport, date, time }) => [airport, date, time]);
  return [marketingFlightNumber, ...known].every((value) => value === null);
}

/** Names one flight of an airline: number, airports and date of departure. Null if one of them is not stated. */
export function flightOnDate(segment: ItinerarySegment): string | null {
  const { marketingCarrier, marketingFlightNumber, departure, arrival } = segment;
  const parts = [marketingCarrier, marketingFlightNumber, departure.airport, arrival.airport, departure.date];
  return parts.includes(null) ? null : parts.join(" ");
}

export function sameFlight(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return (
    a.marketingCarrier === b.marketingCarrier &&
    a.marketingFlightNumber === b.marketingFlightNumber &&
    samePlaceAndTime(a.departure, b.departure) &&
    samePlaceAndTime(a.arrival, b.arrival)
  );
}

function samePlaceAndTime(a: LocalPoint, b: LocalPoint): boolean {
  return a.airport === b.airport && a.date === b.date && a.time === b.time;
}
