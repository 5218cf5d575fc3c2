import { type Fact, known, unknown } from "../kernel/fact.ts";
import { alignItineraries, type Counterpart, type JourneyPair } from "./align.ts";
import { isRestated } from "./fact-logic.ts";
import { withFlownFlights, withFlownJourneys } from "./flown.ts";
import type { Itinerary, ItinerarySegment, LocalPoint } from "./itinerary.ts";
import { comparisonOf } from "./same-value.ts";
import { type End, endOf, movesOf, shiftsOf, wallClockShift } from "./shifts.ts";
import { isSameTerminal } from "./terminals.ts";

export interface ItineraryDifference {
  readonly journeys: readonly JourneyDifference[];
}

/** One origin and destination. Its shifts are those of its first departure and its last arrival. */
export interface JourneyDifference extends Shifts {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly isChanged: boolean;
  readonly flights: readonly FlightDifference[];
}

export interface FlightDifference extends Shifts {
  readonly action: FlightAction;
  readonly before: readonly MarkedFlight[];
  readonly after: readonly MarkedFlight[];
}

/**
 * What became of a flight:
 * - `unchanged`: nothing differs.
 * - `amended`: the same flight and times, with another terminal, aircraft, cabin or operating carrier.
 * - `retimed`: the same flight at other times, whatever else differs.
 * - `replaced`: another flight number, marketing carrier or airport, or one flight for several.
 * - `replaced-by-several`: several flights in its place.
 * - `removed`: nothing in its place. `added`: it replaces nothing.
 */
export type FlightAction =
  | "unchanged"
  | "amended"
  | "retimed"
  | "replaced"
  | "replaced-by-several"
  | "removed"
  | "added";

export interface MarkedFlight {
  readonly flight: ItinerarySegment;
  readonly changed: readonly FlightMember[];
}

const pointMembers = ["airport", "date", "time", "terminal"] as const;
type PointMember = (typeof pointMembers)[number];

const ownMembers = [
  "marketingCarrier",
  "marketingFlightNumber",
  "operatingCarrier",
  "aircraftCode",
  "stops",
  "stopPlaces",
  "brandId",
  "priceClass",
  "cabinType",
  "rbd",
] as const satisfies readonly (keyof ItinerarySegment)[];
export type FlightMember = (typeof ownMembers)[number] | `${End}.${PointMember}`;

export interface Shifts {
  readonly departureShift: Shift;
  readonly arrivalShift: Shift;
}

/** How far a time moves, in whole minutes; positive is later. */
export interface Shift {
  /** Between instants, so time zones and daylight saving count. */
  readonly minutes: Fact<number>;
  /** Between the printed local times that a traveller reads. `another-airport` if they are of different places. */
  readonly wallClockMinutes: Fact<number>;
}

export interface ProposedView {
  /** The flights whose keys the proposed ones use. If missing, the earlier flights if they have these keys. */
  readonly current?: Itinerary | undefined;
  /** When the view was read: an unlisted flight that had arrived by then was flown. If missing, none was. */
  readonly now?: Date | undefined;
}

/**
 * Compares two itineraries for display. A withdrawn or added flight has no shifts: `withdrawn`, `added`. A value that
 * one side does not state has not changed, except place, time and number of a flight, which are part of what was sold.
 */
export function differenceBetween(
  before: Itinerary,
  proposed: Itinerary,
  { current = bridge(before, proposed), now }: ProposedView = {},
): ItineraryDifference {
  const aligned = alignItineraries(before, current, proposed);
  const pairs = now === undefined ? aligned : withFlownJourneys(withFlownFlights(aligned, current, now), now);
  return { journeys: pairs.filter((pair) => pair.before.length + pair.after.length > 0).map(compareJourney) };
}

function bridge(before: Itinerary, proposed: Itinerary): Itinerary {
  const keys = new Set(before.segments.map((segment) => segment.segmentKey));
  return proposed.segments.every((segment) => keys.has(segment.segmentKey)) ? before : proposed;
}

function compareJourney(pair: JourneyPair): JourneyDifference {
  const ends = pair.before.length > 0 ? pair.before : pair.after;
  const flights = pair.counterparts
    .filter(({ before, after }) => before.length + after.length > 0)
    .map((counterpart) => compareFlights(counterpart));
  return {
    origin: ends[0]?.departure.airport ?? null,
    destination: ends.at(-1)?.arrival.airport ?? null,
    isChanged: flights.some(({ action }) => action !== "unchanged"),
    flights,
    ...shiftsOfBothEnds(pair),
  };
}

export function compareFlights(pair: Counterpart): FlightDifference {
  const { before, after } = pair;
  return {
    action: actionOf(pair),
    before: before.map((flight, index) => markChanges(flight, counterpartOf(after, index, before.length))),
    after: after.map((flight, index) => markChanges(flight, counterpartOf(before, index, after.length))),
    ...shiftsOfBothEnds(pair),
  };
}

/**
 * Returns the counterpart of one flight. If one became several, the first departs in place of the old departure and the
 * last arrives in place of the old arrival; the points between are new.
 */
function counterpartOf(
  others: readonly ItinerarySegment[],
  index: number,
  count: number,
): Pick<ItinerarySegment, (typeof ownMembers)[number]> & Partial<Pick<ItinerarySegment, End>> {
  const first = others[0];
  if (first === undefined) return nothing;
  if (others.length === count) return others[index]!;
  const { departure, arrival: _first, ...values } = first;
  return {
    ...values,
    ...(index === 0 ? { departure } : {}),
    ...(index === count - 1 ? { arrival: others.at(-1)!.arrival } : {}),
  };
}

const nothing = Object.fromEntries(ownMembers.map((name) => [name, null])) as {
  readonly [Name in (typeof ownMembers)[number]]: null;
};

function markChanges(flight: ItinerarySegment, other: ReturnType<typeof counterpartOf>): MarkedFlight {
  if (other === nothing) return { flight, changed: [] };
  const isNumber = (name: string) => name === "marketingCarrier" || name === "marketingFlightNumber";
  const own = ownMembers.filter((name) =>
    isNumber(name)
      ? flight[name] !== other[name]
      : isRestated<unknown>(flight[name] ?? null, other[name] ?? null, comparisonOf(name)),
  );
  return {
    flight,
    changed: [
      ...own,
      ...changedMembers("departure", flight.departure, other.departure),
      ...changedMembers("arrival", flight.arrival, other.arrival),
    ],
  };
}

function changedMembers(end: End, point: LocalPoint, other: LocalPoint | undefined): readonly FlightMember[] {
  return pointMembers
    .filter((name) => {
      if (other === undefined) return point[name] !== null;
      return name === "terminal"
        ? isRestated(point.terminal, other.terminal, isSameTerminal)
        : point[name] !== other[name];
    })
    .map((name) => `${end}.${name}` as const);
}

export function actionOf({ before, after }: Counterpart): FlightAction {
  if (before.length === 0) return "added";
  if (after.length === 0) return "removed";
  if (after.length > 1 && after.length !== before.length) return "replaced-by-several";
  if (before.length !== after.length) return "replaced";
  const changed = after.flatMap((flight, index) => markChanges(flight, before[index]!).changed);
  if (identity.some((member) => changed.includes(member))) return "replaced";
  if (times.some((member) => changed.includes(member))) return "retimed";
  return changed.length === 0 ? "unchanged" : "amended";
}

const identity: readonly FlightMember[] = [
  "marketingCarrier",
  "marketingFlightNumber",
  "departure.airport",
  "arrival.airport",
];
const times: readonly FlightMember[] = ["departure.date", "departure.time", "arrival.date", "arrival.time"];

function shiftsOfBothEnds(pair: Counterpart): Shifts {
  return { departureShift: shiftOf(pair, "departure"), arrivalShift: shiftOf(pair, "arrival") };
}

function shiftOf({ before, after }: Counterpart, end: End): Shift {
  if (before.length === 0) return { minutes: unknown("added"), wallClockMinutes: unknown("added") };
  if (after.length === 0) return { minutes: unknown("withdrawn"), wallClockMinutes: unknown("withdrawn") };
  const { earlier, later } = movesOf(shiftsOf([{ before, after }], end));
  const minutes = !earlier.known ? earlier : !later.known ? later : known(later.value - earlier.value);
  const onClock = wallClockShift(endOf(before, end), endOf(after, end), end);
  return { minutes, wallClockMinutes: onClock.known ? known(onClock.value.low) : onClock };
}
