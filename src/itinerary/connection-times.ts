import { digestOfValue } from "../kernel/digest.ts";
import { airportOf } from "../travel/airports.ts";
import { changesAirport, type FlightPair } from "./flight-pairs.ts";
import type { ItinerarySegment } from "./itinerary.ts";

/** The kinds of the arriving and the leaving flight: domestic (D) or international (I). */
export type ConnectionType = "DD" | "DI" | "ID" | "II";

/**
 * In minutes. The industry's tables are licensed; these defaults catch only gross cases, and an agency corrects them.
 */
export interface ConnectionTimes {
  /** Stored with decisions for reevaluation: `defaults-2026-11`, or the SHA-256 of the settings. */
  readonly version: string;
  readonly domesticToDomestic: number;
  readonly domesticToInternational: number;
  readonly internationalToDomestic: number;
  readonly internationalToInternational: number;
  /** Arriving in the United States or Canada from abroad: everyone enters the country, even in transit. */
  readonly entryUnitedStatesOrCanada: number;
  /** Added if terminals differ or one is not stated: the worst case counts. */
  readonly terminalChange: number;
  readonly airportChange: number;
  /** The minimum between flights of different booking references: no flight waits, and bags are checked in again. */
  readonly selfTransfer: number;
  /** The same with another airport, or another or missing terminal. */
  readonly selfTransferWithChange: number;
  readonly tightMargin: number;
  /** A longer connection between two domestic flights is too long. */
  readonly longestDomestic: number;
  /** A longer connection with an international flight is too long. */
  readonly longestInternational: number;
  readonly overrides: readonly ConnectionTimeOverride[];
}

/**
 * A minimum connection time that applies if everything stated holds. The entry that states most counts, then the last
 * one. With a terminal it is the whole time; without, `terminalChange` is added as to a default.
 */
export interface ConnectionTimeOverride {
  /** IATA code of the airport of arrival. */
  readonly airport?: string;
  readonly leavingAirport?: string;
  readonly arrivingCarrier?: string;
  readonly leavingCarrier?: string;
  readonly arrivingTerminal?: string;
  readonly leavingTerminal?: string;
  readonly type?: ConnectionType;
  readonly minutes: number;
}

/** Missing settings keep their default. */
export type ConnectionTimeSettings = Partial<Omit<ConnectionTimes, "version">>;

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

/** Applies an agency's settings; without any, returns the defaults themselves. */
export function toConnectionTimes(settings: ConnectionTimeSettings): ConnectionTimes {
  const times = { ...defaultConnectionTimes, ...settings };
  const version = digestOfTimes(times);
  return version === digestOfTimes(defaultConnectionTimes) ? defaultConnectionTimes : { ...times, version };
}

function digestOfTimes(times: ConnectionTimes): string {
  return digestOfValue({ ...times, version: undefined });
}

/** An unknown country counts as another one: international. */
export function connectionTypeOf({ arriving, leaving }: FlightPair): ConnectionType {
  return `${isDomestic(arriving) ? "D" : "I"}${isDomestic(leaving) ? "D" : "I"}`;
}

/** Returns the minimum connection time in minutes. A missing terminal counts as the worst possible one. */
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

export function isSameTerminal(connection: FlightPair): boolean {
  const { terminal } = connection.arriving.arrival;
  return !changesAirport(connection) && terminal !== null && terminal === connection.leaving.departure.terminal;
}

/** Whether an entry may apply: a missing terminal of a flight may be the entry's. */
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

/** An airport change already includes the terminals. */
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
