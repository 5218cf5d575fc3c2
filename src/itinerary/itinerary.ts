/**
 * Flights in order, with nothing left to merge. Plain JSON: stored with every decision and compared later. A value that
 * nobody stated, or that cannot be derived, is null.
 */
export interface Itinerary {
  readonly segments: readonly ItinerarySegment[];
  readonly journeys: readonly Journey[];
}

/** One origin and destination: the positions in `segments` of its flights, in order. */
export interface Journey {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly segments: readonly number[];
}

export interface ItinerarySegment {
  /** The key of the booked segment that it is, or that it replaces. Several segments share it when one became several. */
  readonly segmentKey: string;
  readonly departure: LocalPoint;
  readonly arrival: LocalPoint;
  readonly marketingCarrier: string | null;
  readonly marketingFlightNumber: string | null;
  /** None stated means the marketing carrier operates. Null when one is stated by its name only. */
  readonly operatingCarrier: string | null;
  readonly aircraftCode: string | null;
  readonly stops: number | null;
  readonly marriageGroup: string | null;
  readonly brandId: string | null;
  /** Name of the price class: the brand as it is sold. Itineraries stored by earlier versions lack it. */
  readonly priceClass?: string | null;
  readonly cabinType: string | null;
  readonly rbd: string | null;
  /** Minutes in flight as the gateway states them, for a cross-check. Itineraries stored by earlier versions lack it. */
  readonly statedMinutes?: number | null;
  /** The stated duration when it cannot be read. Itineraries stored by earlier versions lack it. */
  readonly unreadDuration?: string | null;
  /** Where it stops on the way, in order. Itineraries stored by earlier versions lack it. */
  readonly stopPlaces?: string | null;
  /** Miles flown as the gateway states them. Itineraries stored by earlier versions lack it. */
  readonly miles?: number | null;
  /** Left out where everything is understood, and by earlier versions. */
  readonly unread?: UnreadValues;
}

/**
 * What a view states of values that are null because it is not understood: the name of an airline or an airport without its
 * code, the key of a price class that is not listed. A question mark stands for what cannot be told in a word.
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

/** A place and a printed local time there. */
export interface LocalPoint {
  readonly airport: string | null;
  /** yyyy-mm-dd */
  readonly date: string | null;
  /** hh:mm */
  readonly time: string | null;
  readonly terminal: string | null;
}

/**
 * Whether two itineraries hold the same flights (marketing carrier and number), airports, local dates and times, in the
 * same order. Terminals, aircraft and segment keys do not matter. Values unknown on both sides count as the same.
 */
export function sameFlights(a: Itinerary, b: Itinerary): boolean {
  return (
    a.segments.length === b.segments.length && a.segments.every((segment, i) => sameFlight(segment, b.segments[i]!))
  );
}

/** The same as far as both state it: a view may leave out times, and flights never. */
export function fitsFlights(a: Pick<Itinerary, "segments">, b: Pick<Itinerary, "segments">): boolean {
  return (
    a.segments.length === b.segments.length && a.segments.every((segment, i) => fitsFlight(segment, b.segments[i]!))
  );
}

/** The same flights, under the same operator, in the same cabins and classes, as far as both state it. */
export function fitsOffer(a: Pick<Itinerary, "segments">, b: Pick<Itinerary, "segments">): boolean {
  return (
    fitsFlights(a, b) &&
    a.segments.every((segment, i) => offered.every((name) => fits(segment[name] ?? null, b.segments[i]![name] ?? null)))
  );
}

const offered = ["operatingCarrier", "cabinType", "rbd", "stops", "brandId", "priceClass"] as const;

function fitsFlight(a: ItinerarySegment, b: ItinerarySegment): boolean {
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

function fits<T>(a: T | null, b: T | null): boolean {
  return a === null || b === null || a === b;
}

function sameFlight(a: ItinerarySegment, b: ItinerarySegment): boolean {
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
