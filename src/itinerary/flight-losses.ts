import { type Fact, known, unknown } from "../kernel/fact.ts";
import { distanceKm } from "../travel/airports.ts";
import { aircraftClasses, aircraftOf, isOnSurface, isSameAircraft } from "./aircraft.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { cabinRanks } from "./cabins.ts";
import { allOf, anyOf, isRestated, largestOf, type Range } from "./fact-logic.ts";
import { isOtherAirport } from "./flight-comparison.ts";
import type { ItinerarySegment, LocalPoint } from "./itinerary.ts";
import { cityOf } from "./metropolitan-areas.ts";

interface MovedPoint {
  readonly was: LocalPoint;
  readonly is: LocalPoint;
}

function pointsOf(flights: readonly Counterpart[]): readonly MovedPoint[] {
  return flights.flatMap(({ before, after }) =>
    before.length === 0 || after.length === 0
      ? []
      : [
          { was: before[0]!.departure, is: after[0]!.departure },
          { was: before.at(-1)!.arrival, is: after.at(-1)!.arrival },
        ],
  );
}

export function isAirportChangedInCity(flights: readonly Counterpart[]): Fact<boolean> {
  const points = pointsOf(flights);
  const isChanged = anyOf(points.map(({ was, is }) => isOtherAirport(was, is)));
  const isSameCity = allOf(
    points.map(({ was, is }) => {
      if (was.airport === null || is.airport === null) return unknown("unknown-airport");
      return known(cityOf(was.airport) === cityOf(is.airport));
    }),
  );
  return allOf([isChanged, isSameCity]);
}

export function farthestAirportMove(flights: readonly Counterpart[]): Fact<number> {
  return largestOf(pointsOf(flights).map(distanceBetween), 0);
}

function distanceBetween({ was, is }: MovedPoint): Fact<Range> {
  if (was.airport !== null && was.airport === is.airport) return known({ low: 0, high: 0 });
  const km = distanceKm(was.airport ?? "", is.airport ?? "");
  return km === null ? unknown("unknown-airport") : known({ low: Math.ceil(km), high: Math.ceil(km) });
}

/** Compares each new aircraft with all the earlier ones. */
export function isAircraftFamilyChanged(flights: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    restatedAircraft(flights).map(({ before, after }) => {
      const family = aircraftOf(after)?.family;
      const families = before.map((code) => aircraftOf(code)?.family);
      if (family === undefined) return unknown("unknown-aircraft");
      if (families.includes(family)) return known(false);
      return families.includes(undefined) ? unknown("unknown-aircraft") : known(true);
    }),
  );
}

/** Whether a new aircraft is lower than each earlier one. */
export function isAircraftClassLowered(flights: readonly Counterpart[]): Fact<boolean> {
  // A bus or a train is a lower class than any aircraft, even one that was not stated.
  const isDriven = flights.some(({ before, after }) => after.some(isSurfaceLeg) && !before.some(isSurfaceLeg));
  if (isDriven) return known(true);
  return anyOf(
    restatedAircraft(flights).map(({ before, after }) => {
      const rank = classRank(after);
      const ranks = before.map(classRank);
      if (rank === null) return unknown("unknown-aircraft");
      if (ranks.some((booked) => booked !== null && booked >= rank)) return known(false);
      return ranks.includes(null) ? unknown("unknown-aircraft") : known(true);
    }),
  );
}

/** Returns aircraft that none of the flights before had. A missing one, on either side, is no change. */
function restatedAircraft(
  flights: readonly Counterpart[],
): readonly { readonly before: readonly string[]; readonly after: string }[] {
  return flights.flatMap(({ before, after }) => {
    const booked = before.flatMap((flight) => flight.aircraftCode ?? []);
    if (booked.length === 0) return [];
    return after.flatMap(({ aircraftCode }) =>
      aircraftCode === null || booked.some((code) => isSameAircraft(code, aircraftCode))
        ? []
        : [{ before: booked, after: aircraftCode }],
    );
  });
}

function isSurfaceLeg({ aircraftCode }: ItinerarySegment): boolean {
  return isOnSurface(aircraftCode);
}

function classRank(code: string): number | null {
  const aircraft = aircraftOf(code);
  return aircraft === null ? null : aircraftClasses.indexOf(aircraft.class);
}

/** Several cabins can be compared with several only if all are lower, or none is. */
export function isCabinDowngraded(flights: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    flights
      .filter(({ before, after }) => before.length > 0 && after.length > 0)
      .map(({ before, after }) => {
        const booked = new Set(before.map((flight) => flight.cabinType));
        const proposed = new Set(after.map((flight) => flight.cabinType));
        const isUnread = [...before, ...after].some((flight) => flight.unread?.cabinType !== undefined);
        const isOne = booked.size === 1 && proposed.size === 1 && !isUnread;
        if (isOne && booked.has(after[0]!.cabinType)) return known(false);
        const was = rankRange(booked);
        const is = rankRange(proposed);
        if (was === null || is === null) return unknown("unknown-cabin");
        if (is.low >= was.high) return known(false);
        return is.low < was.low || is.high < was.high ? known(true) : unknown("mixed-cabins");
      }),
  );
}

function rankRange(cabins: ReadonlySet<string | null>): Range | null {
  const ranks = [...cabins].map((cabin) => (cabin === null ? null : cabinRanks(cabin)));
  const stated = ranks.filter((rank) => rank !== null);
  if (stated.length < ranks.length) return null;
  return {
    low: Math.min(...stated.map(({ lowest }) => lowest)),
    high: Math.max(...stated.map(({ highest }) => highest)),
  };
}

/** Whether a stated group is replaced by another stated one. Gateways mark the flights of a group by O and I. */
export function isMarriageRegrouped(counterparts: readonly Counterpart[]): boolean {
  return counterparts.some(({ before, after }) => {
    const isOne = before.length === 1 && after.length === 1;
    return isOne && isRestated(before[0]!.marriageGroup, after[0]!.marriageGroup);
  });
}

/** A group has two flights or more; if all are removed, it is not broken. */
export function isMarriageBroken({ counterparts }: JourneyPair): Fact<boolean> {
  const groups = new Map<string, Counterpart[]>();
  for (const pair of counterparts) {
    for (const group of new Set(pair.before.flatMap((flight) => flight.marriageGroup ?? []))) {
      groups.set(group, [...(groups.get(group) ?? []), pair]);
    }
  }
  return anyOf([...groups].map(([group, pairs]) => isGroupBroken(group, pairs)));
}

function isGroupBroken(group: string, pairs: readonly Counterpart[]): Fact<boolean> {
  const married = pairs.flatMap(({ before }) => before.filter((flight) => flight.marriageGroup === group));
  const after: readonly ItinerarySegment[] = pairs.flatMap((pair) => pair.after);
  if (married.length < 2 || after.length === 0) return known(false);
  if (pairs.some((pair) => pair.after.length === 0)) return known(true);
  const groups = new Set(after.flatMap((flight) => flight.marriageGroup ?? []));
  if (groups.size > 1) return known(true);
  return after.some((flight) => flight.marriageGroup === null) && after.length > 1
    ? unknown("unknown-marriage-group")
    : known(false);
}
