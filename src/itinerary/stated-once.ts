import type { FlightDifference } from "./difference.ts";
import type { ItinerarySegment, LocalPoint } from "./itinerary.ts";

/** What only one side states of the flights that remain. It is no change that is known, and nothing says that it is none. */
export interface StatedOnce {
  /** Sentences without a full stop, of what only the proposal states; none if there are more than a line can hold. */
  readonly sentences: readonly string[];
  /** Whether anything is left that no sentence names. */
  readonly isMore: boolean;
}

export function describeStatedOnce(flights: readonly FlightDifference[]): StatedOnce {
  const found = flights
    .filter(({ before, after }) => before.length === 1 && after.length === 1)
    .flatMap(({ before, after }) => statedOnceOf(before[0]!.flight, after[0]!.flight));
  const sentences = found.flatMap(({ sentence }) => sentence ?? []);
  if (sentences.length > sentencesMax) return { sentences: [], isMore: true };
  return { sentences, isMore: sentences.length < found.length };
}

/** Orders that were imported often lack terminals altogether: a list of them would hide what changes. */
const sentencesMax = 2;

interface OneSided {
  /** Null if only the booking states it. */
  readonly sentence: string | null;
}

function statedOnceOf(was: ItinerarySegment, is: ItinerarySegment): readonly OneSided[] {
  const flight = `${is.marketingCarrier ?? "?"}${is.marketingFlightNumber ?? "?"}`;
  return [
    ...terminalOf(was.departure, is.departure),
    ...terminalOf(was.arrival, is.arrival),
    ...oneSided(was.aircraftCode, is.aircraftCode, `Aircraft ${is.aircraftCode} is now stated for ${flight}`),
    // Most gateways leave out a 0.
    ...(was.stops === null ? oneSided(null, is.stops || null, stopWords(flight, is.stops)) : []),
  ];
}

function terminalOf(was: LocalPoint, is: LocalPoint): readonly OneSided[] {
  if (was.airport !== is.airport) return [];
  return oneSided(was.terminal, is.terminal, `Terminal ${is.terminal} at ${is.airport ?? "?"} is now stated`);
}

function stopWords(flight: string, stops: number | null): string {
  return `${stops === 1 ? "1 stop is" : `${stops} stops are`} now stated for ${flight}`;
}

function oneSided(was: string | number | null, is: string | number | null, sentence: string): readonly OneSided[] {
  if (!was === !is) return [];
  return [{ sentence: was ? null : sentence }];
}
