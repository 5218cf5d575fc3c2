import { digestOfValue } from "../kernel/digest.ts";
import { airportOf } from "../travel/airports.ts";
import type { ItinerarySegment } from "./itinerary.ts";

/** The kinds of the arriving and the leaving flight, domestic or international. */
export type ConnectionType = "DD" | "DI" | "ID" | "II";

/**
 * Minimum connecting times and the limits around them, in minutes. The industry's own tables are licensed; the defaults
 * only catch gross cases, and an agency corrects them where it knows better.
 */
export interface ConnectionTimes {
  /** Stored with decisions so that they can be replayed: `defaults-2026-11`, or the SHA-256 of what was set. */
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
  /** At least this much between flights of different booking references: nobody waits, and bags are checked in again. */
  readonly selfTransfer: number;
  /** The same with another terminal, one that is not stated, or another airport. */
  readonly selfTransferWithChange: number;
  /** A connection with this much to spare, or less, is tight. */
  readonly tightMargin: number;
  /** A longer connection between two domestic flights is too long. */
  readonly longestDomestic: number;
  /** A longer connection with an international flight is too long. */
  readonly longestInternational: number;
  /** Times of certain airports, carriers and terminals. */
  readonly overrides: readonly ConnectionTimeOverride[];
}

/**
 * A minimum connecting time where everything that is stated holds. Of several that fit, the one that states most counts,
 * and of several that state as much the one listed last. With a terminal it is the whole time. Without one,
 * `terminalChange` is added like to a default.
 */
export interface ConnectionTimeOverride {
  /** IATA code of the airport of arrival. */
  readonly airport?: string;
  /** IATA code of the airport of departure, when it is another one. */
  readonly leavingAirport?: string;
  /** Operating carrier of the arriving flight. */
  readonly arrivingCarrier?: string;
  /** Operating carrier of the leaving flight. */
  readonly leavingCarrier?: string;
  readonly arrivingTerminal?: string;
  readonly leavingTerminal?: string;
  readonly type?: ConnectionType;
  readonly minutes: number;
}

/** What an agency sets. What it leaves out keeps its default. */
export type ConnectionTimeSettings = Partial<Omit<ConnectionTimes, "version">>;

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
  selfTransfer: 180,
  selfTransferWithChange: 240,
  tightMargin: 15,
  longestDomestic: 240,
  longestInternational: 480,
  overrides: [],
};

/** The defaults with an agency's settings in their place; without any, the defaults themselves. */
export function toConnectionTimes(settings: ConnectionTimeSettings): ConnectionTimes {
  const times = { ...defaultConnectionTimes, ...settings };
  const version = digestOfTimes(times);
  return version === digestOfTimes(defaultConnectionTimes) ? defaultConnectionTimes : { ...times, version };
}

function digestOfTimes(times: ConnectionTimes): string {
  return digestOfValue({ ...times, version: undefined });
}

/** Two flights in a row of one journey. */
export interface FlightPair {
  readonly arriving: ItinerarySegment;
  readonly leaving: ItinerarySegment;
}

/** The kind of a connection. A country that is not known counts as another one: international. */
export function connectionTypeOf({ arriving, leaving }: FlightPair): ConnectionType {
  return `${isDomestic(arriving) ? "D" : "I"}${isDomestic(leaving) ? "D" : "I"}`;
}

/**
 * The minimum connecting time between two flights, in minutes. A terminal that is not stated is the worst of those it
 * may be.
 */
export function minimumConnection(times: ConnectionTimes, connection: FlightPair): number {
  const fitting = times.overrides.filter((override) => fits(override, connection));
  const certain = fitting.filter((override) => isCertain(override, connection));
  const possible = fitting.filter((override) => !certain.includes(override));
  const withTerminal = mostSpecific(certain.filter(statesTerminal));
  const least =
    withTerminal?.minutes ??
    (mostSpecific(certain)?.minutes ?? defaultTime(times, connection)) + terminalSurcharge(times, connection);
  return Math.max(least, ...possible.map(({ minutes }) => minutes));
}

export function changesAirport({ arriving, leaving }: FlightPair): boolean {
  return arriving.arrival.airport !== leaving.departure.airport;
}

/** Whether both flights are known to use one terminal. */
export function isSameTerminal(connection: FlightPair): boolean {
  const { terminal } = connection.arriving.arrival;
  return !changesAirport(connection) && terminal !== null && terminal === connection.leaving.departure.terminal;
}

/** Whether an entry may apply: a terminal that a flight does not state may be the one that the entry states. */
function fits(override: ConnectionTimeOverride, connection: FlightPair): boolean {
  const { arriving, leaving } = connection;
  const leavesFrom = override.leavingAirport ?? (changesAirport(connection) ? null : leaving.departure.airport);
  const mayBe = (stated: string | undefined, terminal: string | null) =>
    stated === undefined || terminal === null || stated === terminal;
  return (
    leavesFrom === leaving.departure.airport &&
    (override.airport ?? arriving.arrival.airport) === arriving.arrival.airport &&
    (override.arrivingCarrier ?? arriving.operatingCarrier) === arriving.operatingCarrier &&
    (override.leavingCarrier ?? leaving.operatingCarrier) === leaving.operatingCarrier &&
    (override.type === undefined || override.type === connectionTypeOf(connection)) &&
    mayBe(override.arrivingTerminal, arriving.arrival.terminal) &&
    mayBe(override.leavingTerminal, leaving.departure.terminal)
  );
}

/** Another airport takes the time it takes; its terminals are not counted again. */
function terminalSurcharge(times: ConnectionTimes, connection: FlightPair): number {
  return changesAirport(connection) || isSameTerminal(connection) ? 0 : times.terminalChange;
}

function isCertain(override: ConnectionTimeOverride, { arriving, leaving }: FlightPair): boolean {
  return (
    (override.arrivingTerminal === undefined || override.arrivingTerminal === arriving.arrival.terminal) &&
    (override.leavingTerminal === undefined || override.leavingTerminal === leaving.departure.terminal)
  );
}

function statesTerminal({ arrivingTerminal, leavingTerminal }: ConnectionTimeOverride): boolean {
  return arrivingTerminal !== undefined || leavingTerminal !== undefined;
}

function mostSpecific(overrides: readonly ConnectionTimeOverride[]): ConnectionTimeOverride | null {
  return overrides.reduce<ConnectionTimeOverride | null>(
    (best, override) => (best !== null && sizeOf(best) > sizeOf(override) ? best : override),
    null,
  );
}

function sizeOf(override: ConnectionTimeOverride): number {
  return Object.values(override).filter((value) => value !== undefined).length;
}

function defaultTime(times: ConnectionTimes, connection: FlightPair): number {
  if (changesAirport(connection)) return times.airportChange;
  const country = countryOf(connection.arriving.arrival.airport);
  switch (connectionTypeOf(connection)) {
    case "DD":
      return times.domesticToDomestic;
    case "DI":
      return times.domesticToInternational;
    case "ID":
      return isEntry(country) ? times.entryUnitedStatesOrCanada : times.internationalToDomestic;
    case "II":
      return isEntry(country) ? times.entryUnitedStatesOrCanada : times.internationalToInternational;
  }
}

function isEntry(country: string): boolean {
  return country === "US" || country === "CA";
}

function isDomestic(flight: ItinerarySegment): boolean {
  const country = countryOf(flight.departure.airport);
  return country !== "" && country === countryOf(flight.arrival.airport);
}

function countryOf(airport: string | null): string {
  return airport === null ? "" : (airportOf(airport)?.country ?? "");
}
