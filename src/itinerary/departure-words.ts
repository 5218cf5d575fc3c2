import type { Counterpart } from "./align.ts";
import type { Range } from "./fact-logic.ts";
import { dated } from "./flight-change-words.ts";
import { flightNames } from "./flight-names.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { endOf, instantRange } from "./shifts.ts";
import { spanOf } from "./span.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** The first departure of a flight and its counterpart, by either of the two itineraries. */
export interface Departure {
  readonly flights: readonly ItinerarySegment[];
  readonly isNew: boolean;
  readonly instant: number;
}

/** Says how long a departure is away: `LH98 FRA-MUC leaves in 7 h`; or that it has passed, and of which flight. */
export function describeDeparture({ flights, isNew, instant }: Departure, now: Date): string {
  const minutes = Math.floor((instant - now.getTime()) / minuteMs);
  const [first] = flights;
  const named = first === undefined ? "a flight" : flightNames([first]);
  return minutes >= 0 ? `${named} leaves in ${spanOf(minutes)}` : passed(named, first, isNew);
}

function passed(named: string, flight: ItinerarySegment | undefined, isNew: boolean): string {
  const when = flight === undefined ? "" : dated(flight.departure);
  return `the ${isNew ? "new" : "booked"} departure of ${named}${when} has passed`;
}

/**
 * Lists the new departures that passed more than a day ago although the booked ones are still to come: an airline can
 * bring a flight forward, and nobody could have taken such a one.
 */
export function describePastDepartures(counterparts: readonly Counterpart[], now: Date): readonly string[] {
  return counterparts.flatMap(({ before, after }) => {
    const [booked, proposed] = [departureOf(before), departureOf(after)];
    if (booked === null || proposed === null) return [];
    const isContradiction = booked.low > now.getTime() && proposed.high < now.getTime() - dayMs;
    return isContradiction ? [passed(flightNames(after.slice(0, 1)), after[0], true)] : [];
  });
}

/** Null if there is none, or it is not known. */
function departureOf(flights: readonly ItinerarySegment[]): Range | null {
  const point = endOf(flights, "departure");
  const range = point === null ? null : instantRange(point, "departure");
  return range?.known === true ? range.value : null;
}
