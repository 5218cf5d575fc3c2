import type { Itinerary, ItinerarySegment, LocalPoint } from "../../../itinerary/itinerary.ts";

/** One value of a flight, and whether it differs from the other side. */
export interface ComparedValue {
  readonly text: string;
  readonly isDifferent: boolean;
}

export interface ComparedPoint {
  readonly airport: ComparedValue;
  /** `T1`; empty when the terminal is not stated. */
  readonly terminal: ComparedValue;
  /** yyyy-mm-dd as printed, or `?`. */
  readonly date: ComparedValue;
  readonly time: ComparedValue;
}

export interface ComparedFlight {
  readonly number: ComparedValue;
  /** Named only when another airline than the seller operates. */
  readonly operatedBy: ComparedValue;
  readonly departure: ComparedPoint;
  readonly arrival: ComparedPoint;
  readonly cabin: ComparedValue;
  readonly aircraft: ComparedValue;
}

/** A booked flight and what is in its place: usually one, several when it is split, none when it is withdrawn. */
export interface FlightPair {
  readonly key: string;
  readonly booked: readonly ComparedFlight[];
  readonly proposed: readonly ComparedFlight[];
  /** Whether any shown value differs. */
  readonly isChanged: boolean;
  /** By the clocks of the airport, signed minutes; null when the airport is another one or a time is missing. */
  readonly departureShiftMinutes: number | null;
  readonly arrivalShiftMinutes: number | null;
}

/** Booked and proposed flights beside each other: a flight and what replaces it share their segment key. */
export function compareItineraries(booked: Itinerary | null, proposed: Itinerary | null): readonly FlightPair[] {
  const before = booked?.segments ?? [];
  const after = proposed?.segments ?? [];
  const keys = [...new Set([...before, ...after].map(({ segmentKey }) => segmentKey))];
  return keys.map((key) =>
    compareFlights(
      key,
      before.filter(({ segmentKey }) => segmentKey === key),
      after.filter(({ segmentKey }) => segmentKey === key),
      proposed !== null,
    ),
  );
}

function compareFlights(
  key: string,
  was: readonly ItinerarySegment[],
  is: readonly ItinerarySegment[],
  isProposalKnown: boolean,
): FlightPair {
  const booked = was.map((segment, index) => describeFlight(segment, counterpart(is, index, was.length)));
  const proposed = is.map((segment, index) => describeFlight(segment, counterpart(was, index, is.length)));
  return {
    key,
    booked,
    proposed,
    isChanged: (isProposalKnown && was.length !== is.length) || [...booked, ...proposed].some(hasDifference),
    departureShiftMinutes: shiftMinutes(was[0]?.departure, is[0]?.departure),
    arrivalShiftMinutes: shiftMinutes(was.at(-1)?.arrival, is.at(-1)?.arrival),
  };
}

const nowhere = { airport: null, time: null, terminal: null };

/**
 * What a flight of one side is compared with. Where one flight became several, the first leaves in place of the old
 * departure and the last arrives in place of the old arrival; the points between are new.
 */
function counterpart(others: readonly ItinerarySegment[], index: number, count: number): ItinerarySegment | null {
  const same = others.length === count ? others[index] : others[0];
  if (same === undefined) return null;
  if (others.length === count) return same;
  return {
    ...same,
    departure: index === 0 ? same.departure : { ...nowhere, date: same.departure.date },
    arrival: index === count - 1 ? (others.at(-1) ?? same).arrival : { ...nowhere, date: same.arrival.date },
  };
}

function describeFlight(segment: ItinerarySegment, other: ItinerarySegment | null): ComparedFlight {
  const value = (read: (from: ItinerarySegment) => string): ComparedValue => compare(segment, other, read);
  return {
    number: value((from) => `${from.marketingCarrier ?? "?"}${from.marketingFlightNumber ?? "?"}`),
    operatedBy: value((from) =>
      from.operatingCarrier === null || from.operatingCarrier === from.marketingCarrier ? "" : from.operatingCarrier,
    ),
    departure: describePoint(segment.departure, other?.departure ?? null),
    arrival: describePoint(segment.arrival, other?.arrival ?? null),
    cabin: ifStated(
      value((from) => [from.cabinType, from.rbd].filter((part) => part !== null).join("/")),
      other?.cabinType,
    ),
    aircraft: ifStated(
      value((from) => from.aircraftCode ?? ""),
      other?.aircraftCode,
    ),
  };
}

function describePoint(point: LocalPoint, other: LocalPoint | null): ComparedPoint {
  const value = (read: (from: LocalPoint) => string): ComparedValue => compare(point, other, read);
  return {
    airport: value((from) => from.airport ?? "?"),
    terminal: ifStated(
      value((from) => (from.terminal === null || from.terminal === "" ? "" : `T${from.terminal}`)),
      other?.terminal,
    ),
    date: value((from) => from.date ?? "?"),
    time: value((from) => from.time ?? "?"),
  };
}

function compare<T>(one: T, other: T | null, read: (from: T) => string): ComparedValue {
  const text = read(one);
  return { text, isDifferent: other !== null && read(other) !== text };
}

/** What one side does not state has not changed. */
function ifStated(value: ComparedValue, other: string | null | undefined): ComparedValue {
  return value.text === "" || other == null || other === "" ? { ...value, isDifferent: false } : value;
}

function hasDifference(flight: ComparedFlight): boolean {
  const { departure, arrival, number, operatedBy, cabin, aircraft } = flight;
  return [number, operatedBy, cabin, aircraft, ...Object.values(departure), ...Object.values(arrival)].some(
    ({ isDifferent }) => isDifferent,
  );
}

/** Both times are at the same airport, so the difference of what is printed is what a traveller sees on the clock. */
function shiftMinutes(was: LocalPoint | undefined, is: LocalPoint | undefined): number | null {
  if (was === undefined || is === undefined || was.airport !== is.airport) return null;
  const before = clockOf(was);
  const after = clockOf(is);
  return before === null || after === null ? null : Math.round((after - before) / 60_000);
}

function clockOf({ date, time }: LocalPoint): number | null {
  const instant = Date.parse(`${date}T${time}:00Z`);
  return Number.isNaN(instant) ? null : instant;
}

/** `+31 min`, `−1 h 5 min`, or null when nothing moved. */
export function formatShift(minutes: number | null): string | null {
  if (minutes === null || minutes === 0) return null;
  const size = Math.abs(minutes);
  const text = size < 60 ? `${size} min` : `${Math.floor(size / 60)} h${size % 60 === 0 ? "" : ` ${size % 60} min`}`;
  return `${minutes > 0 ? "+" : "−"}${text}`;
}
