import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { changesOfFlight } from "./connections.ts";
import { factsFrom } from "./fact-definition.ts";
import { anyOf, difference, differs, farthestOf, largestOf, type Range } from "./fact-logic.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { nightsBetween } from "./nights.ts";
import { elapsedOf, movesOf, shiftsOf, wholeJourneys } from "./shifts.ts";

const { bool, int } = factsFrom<JourneyParts>();

/**
 * Facts about origins and destinations: what a traveller bought, whatever the flights. They compare the departure from
 * the origin and the arrival at the destination; a journey without one of its flights counts as withdrawn. Laws set
 * their limits on these.
 */
export const journeyFacts = {
  journeyDepartureEarlierMinutes: int(
    "Largest move of the departure from an origin to an earlier instant.",
    ({ departures }) => departures.earlier,
    { unit: "min", atLeast: 0 },
  ),
  journeyDepartureLaterMinutes: int(
    "Largest move of the departure from an origin to a later instant.",
    ({ departures }) => departures.later,
    { unit: "min", atLeast: 0 },
  ),
  journeyArrivalEarlierMinutes: int(
    "Largest move of the arrival at a destination to an earlier instant.",
    ({ arrivals }) => arrivals.earlier,
    { unit: "min", atLeast: 0 },
  ),
  journeyArrivalLaterMinutes: int(
    "Largest move of the arrival at a destination to a later instant.",
    ({ arrivals }) => arrivals.later,
    { unit: "min", atLeast: 0 },
  ),
  journeyDepartureShiftMinutes: int(
    "The largest move of the departure from an origin either way; negative is earlier.",
    ({ departureShifts }) => farthestOf(departureShifts),
    { unit: "min" },
  ),
  journeyArrivalShiftMinutes: int(
    "The largest move of the arrival at a destination either way; negative is earlier.",
    ({ arrivalShifts }) => farthestOf(arrivalShifts),
    { unit: "min" },
  ),
  sinceAcceptedJourneyDepartureShiftMinutes: int(
    "As journeyDepartureShiftMinutes, measured from the itinerary accepted last.",
    ({ wholeSinceAccepted }) => farthestOf(shiftsOf(wholeSinceAccepted, "departure")),
    { unit: "min" },
  ),
  sinceAcceptedJourneyArrivalShiftMinutes: int(
    "As journeyArrivalShiftMinutes, measured from the itinerary accepted last.",
    ({ wholeSinceAccepted }) => farthestOf(shiftsOf(wholeSinceAccepted, "arrival")),
    { unit: "min" },
  ),
  journeyElapsedMinutes: int(
    "Time from a proposed origin to its destination, waits included; the longest.",
    ({ pairs }) => longestElapsed(pairs),
    { unit: "min" },
  ),
  journeyElapsedDeltaMinutes: int(
    "Proposed minus booked time from origin to destination; of several the one that changes most.",
    ({ both }) => deltaOf(both, elapsedOf),
    { unit: "min" },
  ),
  flightMinutesDelta: int(
    "Proposed minus booked time in flight, waits left out; of several journeys the one that changes most.",
    ({ both }) => deltaOf(both, (flights) => sumOf(flights.map((flight) => elapsedOf([flight])))),
    { unit: "min" },
  ),
  milesDelta: int(
    "Proposed minus booked miles flown, as stated; of several journeys the one that changes most.",
    ({ both }) => deltaOf(both, (flights) => sumOf(flights.map(milesOf))),
    { unit: "mi" },
  ),
  overnightAdded: bool(
    "Whether a journey waits through more nights than booked: a wait from 00:00 to 05:00 local time, or one of 6 hours that reaches into these hours. Some airlines owe a hotel.",
    ({ both }) => anyOf(both.map(({ before, after }) => isMoreNights(before, after))),
  ),
  connectionsAdded: bool(
    "Whether an origin and destination has more connection points.",
    ({ pairs }) => known(isConnectionAdded(pairs)),
    { implies: ["!retimedOnly", "!aircraftOrTerminalOnly"] },
  ),
  stopCountDelta: int(
    "Proposed minus booked number of landings on the way, stops and connections; of several journeys the one that changes most.",
    ({ both }) => deltaOf(both, (flights) => sumOf(flights.map(landingsOf), flights.length - 1)),
  ),
  originChanged: bool(
    "Whether a journey leaves from another airport than booked.",
    ({ both }) => isOriginChanged(both),
    { implies: ["!retimedOnly"] },
  ),
  destinationChanged: bool(
    "Whether a journey arrives at another airport than booked.",
    ({ both }) => isDestinationChanged(both),
    { implies: ["!retimedOnly"] },
  ),
};

export interface JourneyParts extends ReturnType<typeof journeyParts> {}

export function journeyParts(pairs: readonly JourneyPair[], sinceAccepted: readonly JourneyPair[]) {
  const whole = wholeJourneys(pairs);
  const wholeSinceAccepted = sinceAccepted === pairs ? whole : wholeJourneys(sinceAccepted);
  const departureShifts = shiftsOf(whole, "departure");
  const arrivalShifts = shiftsOf(whole, "arrival");
  return {
    pairs,
    both: inBoth(whole),
    wholeSinceAccepted,
    departureShifts,
    arrivalShifts,
    departures: movesOf(departureShifts),
    arrivals: movesOf(arrivalShifts),
  };
}

export function factsOfOneJourney(pair: JourneyPair) {
  const { departures, arrivals, both, pairs } = journeyParts([pair], [pair]);
  return {
    journeyDepartureEarlierMinutes: departures.earlier,
    journeyDepartureLaterMinutes: departures.later,
    journeyArrivalEarlierMinutes: arrivals.earlier,
    journeyArrivalLaterMinutes: arrivals.later,
    originChanged: isOriginChanged(both),
    destinationChanged: isDestinationChanged(both),
    connectionsAdded: known(isConnectionAdded(pairs)),
  };
}

/** A withdrawn or added journey cannot be compared; other facts report it. */
function inBoth(journeys: readonly Counterpart[]): readonly Counterpart[] {
  return journeys.filter(({ before, after }) => before.length > 0 && after.length > 0);
}

function isOriginChanged(both: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    both.map(({ before, after }) =>
      differs(before[0]!.departure.airport, after[0]!.departure.airport, "unknown-airport"),
    ),
  );
}

function isDestinationChanged(both: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    both.map(({ before, after }) =>
      differs(before.at(-1)!.arrival.airport, after.at(-1)!.arrival.airport, "unknown-airport"),
    ),
  );
}

function longestElapsed(pairs: readonly JourneyPair[]): Fact<number> {
  const proposed = pairs.map(({ after }) => after).filter((flights) => flights.length > 0);
  if (proposed.length === 0) return unknown("no-flights");
  return largestOf(proposed.map(elapsedOf), 0);
}

function deltaOf(
  both: readonly Counterpart[],
  measure: (flights: readonly ItinerarySegment[]) => Fact<Range>,
): Fact<number> {
  return farthestOf(both.map(({ before, after }) => deltaBetween(measure(before), measure(after))));
}

function deltaBetween(before: Fact<Range>, after: Fact<Range>): Fact<Range> {
  if (!before.known) return before;
  return after.known ? known(difference(after.value, before.value)) : after;
}

function sumOf(ranges: readonly Fact<Range>[], start = 0): Fact<Range> {
  let low = start;
  let high = start;
  for (const range of ranges) {
    if (!range.known) return range;
    low += range.value.low;
    high += range.value.high;
  }
  return known({ low, high });
}

function milesOf({ miles }: ItinerarySegment): Fact<Range> {
  if (miles === null || miles === undefined) return unknown("unknown-miles");
  return known({ low: Math.round(miles), high: Math.round(miles) });
}

function landingsOf({ stops }: ItinerarySegment): Fact<Range> {
  return stops === null ? unknown("unknown-stops") : known({ low: stops, high: stops });
}

function isConnectionAdded(pairs: readonly JourneyPair[]): boolean {
  return pairs.some(({ before, after }) => before.length > 0 && after.length > before.length);
}

function isMoreNights(before: readonly ItinerarySegment[], after: readonly ItinerarySegment[]): Fact<boolean> {
  const booked = nightsWaited(before, before);
  const proposed = nightsWaited(after, before);
  // Without a wait nothing was added, even if a booked time is unknown.
  if (proposed.known && proposed.value === 0) return known(false);
  if (!booked.known) return booked;
  return proposed.known ? known(proposed.value > booked.value) : proposed;
}

function nightsWaited(flights: readonly ItinerarySegment[], sold: readonly ItinerarySegment[]): Fact<number> {
  let nights = 0;
  for (const { arriving, leaving } of changesOfFlight(flights, sold)) {
    const waited = nightsBetween(arriving, leaving);
    if (!waited.known) return waited;
    nights += waited.value;
  }
  return known(nights);
}
