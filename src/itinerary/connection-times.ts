import { airportOf } from "./airports.ts";
import type { ItinerarySegment } from "./itinerary.ts";

/**
 * Minimum connecting times in minutes. The industry's own tables are licensed; these defaults only catch gross cases.
 * The letters are the kinds of the two flights, Domestic or International.
 */
export interface ConnectionTimes {
  /** Stored with decisions so that they can be replayed. */
  readonly version: string;
  readonly domesticToDomestic: number;
  readonly domesticToInternational: number;
  readonly internationalToDomestic: number;
  readonly internationalToInternational: number;
  /** Arriving in the United States or Canada from abroad: everyone enters the country, transit or not. */
  readonly entryUnitedStatesOrCanada: number;
  /** Added when terminals differ, or when one is not stated: the worst case counts. */
  readonly terminalChange: number;
  /** When the next flight leaves from another airport. */
  readonly airportChange: number;
}

/** Identifies {@link defaultConnectionTimes}. */
export const connectionTimesVersion = "defaults-2026-11";

export const defaultConnectionTimes: ConnectionTimes = {
  version: connectionTimesVersion,
  domesticToDomestic: 45,
  domesticToInternational: 75,
  internationalToDomestic: 90,
  internationalToInternational: 75,
  entryUnitedStatesOrCanada: 105,
  terminalChange: 30,
  airportChange: 240,
};

/** The minimum connecting time between two flights, in minutes. A country that is not known counts as another one. */
export function minimumConnection(
  times: ConnectionTimes,
  arriving: ItinerarySegment,
  leaving: ItinerarySegment,
): number {
  if (arriving.arrival.airport !== leaving.departure.airport) return times.airportChange;
  const terminal = arriving.arrival.terminal;
  const sameTerminal = terminal !== null && terminal === leaving.departure.terminal;
  return baseTime(times, arriving, leaving) + (sameTerminal ? 0 : times.terminalChange);
}

function baseTime(times: ConnectionTimes, arriving: ItinerarySegment, leaving: ItinerarySegment): number {
  const arrivesDomestic = isDomestic(arriving);
  const leavesDomestic = isDomestic(leaving);
  const country = countryOf(arriving.arrival.airport);
  if (!arrivesDomestic && (country === "US" || country === "CA")) return times.entryUnitedStatesOrCanada;
  if (arrivesDomestic) return leavesDomestic ? times.domesticToDomestic : times.domesticToInternational;
  return leavesDomestic ? times.internationalToDomestic : times.internationalToInternational;
}

function isDomestic(flight: ItinerarySegment): boolean {
  const country = countryOf(flight.departure.airport);
  return country !== "" && country === countryOf(flight.arrival.airport);
}

function countryOf(airport: string | null): string {
  return airport === null ? "" : (airportOf(airport)?.country ?? "");
}
