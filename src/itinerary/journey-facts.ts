import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { changesOfFlight } from "./connections.ts";
import type { FactDefinition, FactsOf } from "./fact-definition.ts";
import { anyOf, difference, differs, farthestOf, largestOf, type Range } from "./fact-logic.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { nightsBetween } from "./nights.ts";
import { elapsedOf, movesOf, shiftsOf, wholeJourneys } from "./shifts.ts";

/**
 * Facts about origins and destinations: what a traveller bought, whatever the flights. They compare the departure from
 * the origin and the arrival at the destination; a journey without one of its flights counts as withdrawn. Laws set
 * their limits on these.
 */
export const journeyFactCatalogue = {
  journeyDepartureEarlierMinutes: {
    type: "int",
    unit: "min",
    description: "Largest move of the departure from an origin to an earlier instant.",
    atLeast: 0,
  },
  journeyDepartureLaterMinutes: {
    type: "int",
    unit: "min",
    description: "Largest move of the departure from an origin to a later instant.",
    atLeast: 0,
  },
  journeyArrivalEarlierMinutes: {
    type: "int",
    unit: "min",
    description: "Largest move of the arrival at a destination to an earlier instant.",
    atLeast: 0,
  },
  journeyArrivalLaterMinutes: {
    type: "int",
    unit: "min",
    description: "Largest move of the arrival at a destination to a later instant.",
    atLeast: 0,
  },
  journeyDepartureShiftMinutes: {
    type: "int",
    unit: "min",
    description: "The largest move of the departure from an origin either way; negative is earlier.",
  },
  journeyArrivalShiftMinutes: {
    type: "int",
    unit: "min",
    description: "The largest move of the arrival at a destination either way; negative is earlier.",
  },
  sinceAcceptedJourneyDepartureShiftMinutes: {
    type: "int",
    unit: "min",
    description: "As journeyDepartureShiftMinutes, measured from the itinerary accepted last.",
  },
  sinceAcceptedJourneyArrivalShiftMinutes: {
    type: "int",
    unit: "min",
    description: "As journeyArrivalShiftMinutes, measured from the itinerary accepted last.",
  },
  journeyElapsedMinutes: {
    type: "int",
    unit: "min",
    description: "Time from a proposed origin to its destination, waits included; the longest.",
  },
  journeyElapsedDeltaMinutes: {
    type: "int",
    unit: "min",
    description: "Proposed minus booked time from origin to destination; of several the one that changes most.",
  },
  flightMinutesDelta: {
    type: "int",
    unit: "min",
    description: "Proposed minus booked time in flight, waits left out; of several journeys the one that changes most.",
  },
  milesDelta: {
    type: "int",
    unit: "mi",
    description: "Proposed minus booked miles flown, as stated; of several journeys the one that changes most.",
  },
  overnightAdded: {
    type: "bool",
    description:
      "Whether a journey waits through more nights than booked: a wait from 00:00 to 05:00 local time, or one of 6 hours that reaches into these hours. Some airlines owe a hotel.",
  },
  connectionsAdded: {
    type: "bool",
    description: "Whether an origin and destination has more connection points.",
    implies: ["!retimedOnly", "!aircraftOrTerminalOnly"],
  },
  stopCountDelta: {
    type: "int",
    description:
      "Proposed minus booked number of landings on the way, stops and connections; of several journeys the one that changes most.",
  },
  originChanged: {
    type: "bool",
    description: "Whether a journey leaves from another airport than booked.",
    implies: ["!retimedOnly"],
  },
  destinationChanged: {
    type: "bool",
    description: "Whether a journey arrives at another airport than booked.",
    implies: ["!retimedOnly"],
  },
} as const satisfies Record<string, FactDefinition>;

export type JourneyFacts = FactsOf<typeof journeyFactCatalogue>;

export function journeyFacts(pairs: readonly JourneyPair[], sinceAccepted: readonly JourneyPair[]): JourneyFacts {
  const whole = wholeJourneys(pairs);
  const wholeSinceAccepted = sinceAccepted === pairs ? whole : wholeJourneys(sinceAccepted);
  const departureShifts = shiftsOf(whole, "departure");
  const arrivalShifts = shiftsOf(whole, "arrival");
  const departures = movesOf(departureShifts);
  const arrivals = movesOf(arrivalShifts);
  const both = inBoth(whole);
  const deltaOf = (measure: (flights: readonly ItinerarySegment[]) => Fact<Range>) =>
    farthestOf(both.map(({ before, after }) => deltaBetween(measure(before), measure(after))));
  return {
    journeyDepartureEarlierMinutes: departures.earlier,
    journeyDepartureLaterMinutes: departures.later,
    journeyArrivalEarlierMinutes: arrivals.earlier,
    journeyArrivalLaterMinutes: arrivals.later,
    journeyDepartureShiftMinutes: farthestOf(departureShifts),
    journeyArrivalShiftMinutes: farthestOf(arrivalShifts),
    sinceAcceptedJourneyDepartureShiftMinutes: farthestOf(shiftsOf(wholeSinceAccepted, "departure")),
    sinceAcceptedJourneyArrivalShiftMinutes: farthestOf(shiftsOf(wholeSinceAccepted, "arrival")),
    journeyElapsedMinutes: longestElapsed(pairs),
    journeyElapsedDeltaMinutes: deltaOf(elapsedOf),
    flightMinutesDelta: deltaOf((flights) => sumOf(flights.map((flight) => elapsedOf([flight])))),
    milesDelta: deltaOf((flights) => sumOf(flights.map(milesOf))),
    overnightAdded: anyOf(both.map(({ before, after }) => isMoreNights(before, after))),
    connectionsAdded: known(isConnectionAdded(pairs)),
    stopCountDelta: deltaOf((flights) => sumOf(flights.map(landingsOf), flights.length - 1)),
    originChanged: isOriginChanged(both),
    destinationChanged: isDestinationChanged(both),
  };
}

export function factsOfOneJourney(pair: JourneyPair) {
  const whole = wholeJourneys([pair]);
  const departures = movesOf(shiftsOf(whole, "departure"));
  const arrivals = movesOf(shiftsOf(whole, "arrival"));
  const both = inBoth(whole);
  return {
    journeyDepartureEarlierMinutes: departures.earlier,
    journeyDepartureLaterMinutes: departures.later,
    journeyArrivalEarlierMinutes: arrivals.earlier,
    journeyArrivalLaterMinutes: arrivals.later,
    originChanged: isOriginChanged(both),
    destinationChanged: isDestinationChanged(both),
    connectionsAdded: known(isConnectionAdded([pair])),
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
