import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isSameAircraft } from "./aircraft.ts";
import type { Counterpart } from "./align.ts";
import { allOf, anyOf, differs, isRestated, not } from "./fact-logic.ts";
import type { ItinerarySegment, LocalPoint, UnreadName } from "./itinerary.ts";
import { comparisonOf } from "./same-value.ts";
import { isSameTerminal } from "./terminals.ts";

type Aspect =
  | "flightNumber"
  | "marketingCarrier"
  | "operatingCarrier"
  | "airports"
  | "times"
  | "cabin"
  | "bookingClass"
  | "stops"
  | "brand";

/**
 * The differences of a flight and its replacement. Unknown if one value is missing. Stops, which gateways often omit,
 * and the brand of an imported flight differ only if both are stated.
 */
type Comparison = Readonly<Record<Aspect, Fact<boolean>>>;

function compare(a: ItinerarySegment, b: ItinerarySegment): Comparison {
  return {
    flightNumber: differs(a.marketingFlightNumber, b.marketingFlightNumber, "unknown-flight-number"),
    marketingCarrier: differsIn("marketingCarrier", a, b, "unknown-carrier"),
    operatingCarrier: differsIn("operatingCarrier", a, b, "unknown-carrier"),
    airports: anyOf([isOtherAirport(a.departure, b.departure), isOtherAirport(a.arrival, b.arrival)]),
    times: anyOf([
      differs(a.departure.date, b.departure.date, "unknown-departure"),
      differs(a.departure.time, b.departure.time, "unknown-departure"),
      differs(a.arrival.date, b.arrival.date, "unknown-arrival"),
      differs(a.arrival.time, b.arrival.time, "unknown-arrival"),
    ]),
    cabin: differsIn("cabinType", a, b, "unknown-cabin"),
    bookingClass: differsIn("rbd", a, b, "unknown-booking-class"),
    stops: known(isRestated(a.stops, b.stops) || isRestated(a.stopPlaces ?? null, b.stopPlaces ?? null)),
    brand: hasPriceClass(a)
      ? anyOf([differsIn("brandId", a, b, "unknown-brand"), differsIn("priceClass", a, b, "unknown-brand")])
      : known(isRestated(a.brandId, b.brandId)),
  };
}

type Compared =
  | "marketingCarrier"
  | "marketingFlightNumber"
  | "operatingCarrier"
  | "cabinType"
  | "rbd"
  | "brandId"
  | "priceClass";

function differsIn(name: Compared, a: ItinerarySegment, b: ItinerarySegment, reason: string): Fact<boolean> {
  if (isIncomparable(name, a, b)) return unknown(reason);
  return differs(a[name] ?? null, b[name] ?? null, reason, comparisonOf(name));
}

/**
 * Whether a value is stated but not understood. Operating carriers without a code, as often for regional ones, and
 * unlisted price classes are compared by name or key: the same text is the same value.
 */
function isIncomparable(name: Compared, a: ItinerarySegment, b: ItinerarySegment): boolean {
  const before = a.unread?.[name as UnreadName];
  const after = b.unread?.[name as UnreadName];
  const isNamed = name === "operatingCarrier" || name === "priceClass";
  if (isNamed && before !== "?") return before?.toUpperCase() !== after?.toUpperCase();
  return before !== undefined || after !== undefined;
}

/** Imported flights and those of earlier versions lack the member, so nothing was booked there. */
export function hasPriceClass({ priceClass }: ItinerarySegment): boolean {
  return priceClass !== undefined;
}

/** Unknown unless both sides state the airport by its code. */
export function isOtherAirport(was: LocalPoint, is: LocalPoint): Fact<boolean> {
  if (was.airport === null || is.airport === null) return unknown("unknown-airport");
  return known(was.airport !== is.airport);
}

export function changedFlightCount(counterparts: readonly Counterpart[]): number {
  return counterparts.reduce((count, pair) => count + (isChanged(pair) ? pair.before.length : 0), 0);
}

export function isRemoved({ before, after }: Counterpart): boolean {
  return before.length > 0 && after.length === 0;
}

export function removedFlightCount(counterparts: readonly Counterpart[]): number {
  return counterparts.reduce((count, pair) => count + (isRemoved(pair) ? pair.before.length : 0), 0);
}

export function addedFlightCount(counterparts: readonly Counterpart[]): number {
  return counterparts.reduce((count, { before, after }) => count + (before.length === 0 ? after.length : 0), 0);
}

/** Whether anything differs, even a terminal or an aircraft; an addition counts too. */
export function isChanged({ before, after }: Counterpart): boolean {
  const [a] = before;
  const [b] = after;
  if (a === undefined || b === undefined || before.length > 1 || after.length > 1) return true;
  const maybe = Object.values(compare(a, b)).some((fact) => !fact.known || fact.value);
  return maybe || hasOtherTerminal(a, b) || isRestated(a.aircraftCode, b.aircraftCode, isSameAircraft);
}

/** Whether several flights replace one, one replaces several, or one has another carrier, number or airport. */
export function isReplaced(counterparts: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    counterparts
      .filter((pair) => pair.before.length > 0 && pair.after.length > 0)
      .map(({ before, after }) => {
        if (before.length > 1 || after.length > 1) return known(true);
        const comparison = compare(before[0]!, after[0]!);
        return anyOf([comparison.flightNumber, comparison.marketingCarrier, comparison.airports]);
      }),
  );
}

/** Whether one aspect differs, and no other that identifies a flight. False if nothing differs. */
export function isOnly(aspect: Aspect, comparisons: readonly Comparison[] | null): Fact<boolean> {
  if (comparisons === null) return known(false);
  const others = comparisons.flatMap(({ [aspect]: _, ...comparison }) => Object.values<Fact<boolean>>(comparison));
  return allOf([anyOf(comparisons.map((comparison) => comparison[aspect])), not(anyOf(others))]);
}

/** Whether an aircraft or a terminal differs, and nothing that identifies a flight. False if nothing differs. */
export function isAircraftOrTerminalOnly(
  counterparts: readonly Counterpart[],
  comparisons: readonly Comparison[] | null,
): Fact<boolean> {
  if (comparisons === null || !(isAircraftChanged(counterparts) || isTerminalChanged(counterparts)))
    return known(false);
  return not(anyOf(comparisons.flatMap((comparison) => Object.values(comparison))));
}

/** Returns null unless the flights match one to one. */
export function compareOneToOne(counterparts: readonly Counterpart[]): readonly Comparison[] | null {
  if (!counterparts.every(({ before, after }) => before.length === 1 && after.length === 1)) return null;
  return counterparts.map(({ before, after }) => compare(before[0]!, after[0]!));
}

export function isAirportChanged(counterparts: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    counterparts.flatMap(({ before, after }) =>
      before.length === 0 || after.length === 0
        ? []
        : [
            isOtherAirport(before[0]!.departure, after[0]!.departure),
            isOtherAirport(before.at(-1)!.arrival, after.at(-1)!.arrival),
          ],
    ),
  );
}

export function isTerminalChanged(counterparts: readonly Counterpart[]): boolean {
  return counterparts.some(
    ({ before, after }) =>
      isRestated(before[0]?.departure.terminal ?? null, after[0]?.departure.terminal ?? null, isSameTerminal) ||
      isRestated(before.at(-1)?.arrival.terminal ?? null, after.at(-1)?.arrival.terminal ?? null, isSameTerminal),
  );
}

function hasOtherTerminal(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return isTerminalChanged([{ before: [a], after: [b] }]);
}

/** Whether a flight has a value that none before had: several flights change the carrier only by a new one. */
export function isValueChanged(counterparts: readonly Counterpart[], name: Compared, reason: string): Fact<boolean> {
  return anyOf(
    counterparts
      .filter((pair) => pair.before.length > 0)
      .flatMap(({ before, after }) => {
        const earlier = new Set(before.map((flight) => flight[name] ?? null));
        return after.map((flight) => {
          const value = flight[name] ?? null;
          const isUnread = value === null && before.some((other) => isIncomparable(name, other, flight));
          if (earlier.has(value) && !isUnread) return known(false);
          return value === null || earlier.has(null) ? unknown(reason) : known(true);
        });
      }),
  );
}

export function isFlightNumberChanged(counterparts: readonly Counterpart[]): Fact<boolean> {
  return isValueChanged(counterparts, "marketingFlightNumber", "unknown-flight-number");
}

export function isAircraftChanged(counterparts: readonly Counterpart[]): boolean {
  return counterparts.some(({ before, after }) => {
    const earlier = before.flatMap((flight) => flight.aircraftCode ?? []);
    if (earlier.length === 0) return false;
    return after.some(
      ({ aircraftCode }) => aircraftCode !== null && !earlier.some((code) => isSameAircraft(code, aircraftCode)),
    );
  });
}

export function isStopAdded(counterparts: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    counterparts
      .filter((pair) => pair.before.length > 0)
      .flatMap(({ before, after }) => {
        const most = before.reduce<number | null>(
          (stops, flight) => (stops === null || flight.stops === null ? null : Math.max(stops, flight.stops)),
          0,
        );
        return after.map(({ stops }) => {
          if (stops === 0) return known(false);
          if (stops === null && most === null) return known(false);
          return stops === null || most === null ? unknown("unknown-stops") : known(stops > most);
        });
      }),
  );
}
