import { addMinutes, type LocalTime, localTimeAfter } from "../../local-time.ts";
import { type Airport, airportCodes, findAirport } from "../../served-airports.ts";
import type { Cabin, Flight } from "../offer.ts";
import { aircraftFor } from "./aircraft.ts";
import { type SimulatedAirline, simulatedAirlines } from "./airlines.ts";
import { blockMinutes, milesBetween } from "./distance.ts";
import { draw, drawInteger } from "./draw.ts";

/** With the cabins of its aircraft. */
export interface ScheduledFlight extends Flight {
  readonly cabins: readonly Cabin[];
}

/** In miles. */
const shortest = 90;
/** Per airline, route and day; flight numbers are assigned by it. */
const frequenciesMax = 3;
const firstDeparture = 6 * 60;
const lastDeparture = 22 * 60 + 30;

/**
 * By departure. Routes, frequencies, weekdays, summer and winter times and aircraft follow from the seed and the route.
 */
export function flightsOn(
  seed: string,
  airline: SimulatedAirline,
  from: string,
  to: string,
  date: string,
): readonly ScheduledFlight[] {
  const origin = findAirport(from);
  const destination = findAirport(to);
  if (origin === null || destination === null || !isServed(seed, airline, origin, destination)) return [];
  const miles = milesBetween(origin, destination);
  const flights: ScheduledFlight[] = [];
  for (let frequency = 0; frequency < frequenciesOf(seed, airline, origin, destination, miles); frequency++) {
    if (!operatesOn(seed, airline, from, to, frequency, miles, date)) continue;
    flights.push(flightOn(seed, airline, { origin, destination, miles }, frequency, date));
  }
  return flights.sort((a, b) => (a.departure.time < b.departure.time ? -1 : 1));
}

export const airlinesByHub: ReadonlyMap<string, readonly SimulatedAirline[]> = new Map(
  airportCodes.map((code) => [code, simulatedAirlines.filter(({ hubs }) => hubs.includes(code))]),
);

/**
 * Both directions are served, or neither. Abroad, an airline flies only from its hubs; few fly long routes to a place
 * that is no hub.
 */
function isServed(seed: string, airline: SimulatedAirline, origin: Airport, destination: Airport): boolean {
  const hubs = [origin, destination].filter(({ code }) => airline.hubs.includes(code));
  if (hubs.length === 0) return false;
  const miles = milesBetween(origin, destination);
  if (miles < shortest || miles > airline.reach) return false;
  if (hubs.length === 2) return true;
  const [home] = hubs;
  const away = home === origin ? destination : origin;
  const isDomestic = home?.country === away.country;
  if (isDomestic) return draw(seed, "serves", airline.code, ...pair(origin, destination)) < 0.9;
  const isHub = (airlinesByHub.get(away.code)?.length ?? 0) > 0;
  const likely = miles < 2600 ? 0.8 : isHub ? 0.9 : 0.4;
  // A second hub has fewer routes abroad.
  const share = airline.hubs[0] === home?.code ? 1 : 0.6;
  return draw(seed, "serves", airline.code, ...pair(origin, destination)) < likely * share;
}

function frequenciesOf(
  seed: string,
  airline: SimulatedAirline,
  origin: Airport,
  destination: Airport,
  miles: number,
): number {
  const most = miles < 1200 ? frequenciesMax : miles < 4500 ? 2 : 1;
  return drawInteger(miles < 1200 ? 2 : 1, most, seed, "frequency", airline.code, ...pair(origin, destination));
}

/** The first flight of a short route is daily; others skip weekdays, and some the winter. */
function operatesOn(
  seed: string,
  airline: SimulatedAirline,
  from: string,
  to: string,
  frequency: number,
  miles: number,
  date: string,
): boolean {
  const route = [seed, airline.code, ...[from, to].sort(), frequency];
  if (frequency > 0 && !isSummer(date) && draw("summer-only", ...route) < 0.15) return false;
  if (frequency === 0 && miles < 4500) return true;
  const weekday = new Date(`${date}T12:00:00Z`).getUTCDay();
  return draw("weekday", weekday, ...route) < 0.85;
}

function flightOn(
  seed: string,
  airline: SimulatedAirline,
  route: { readonly origin: Airport; readonly destination: Airport; readonly miles: number },
  frequency: number,
  date: string,
): ScheduledFlight {
  const { origin, destination, miles } = route;
  const keys = [seed, airline.code, origin.code, destination.code, frequency];
  const minutes = blockMinutes(origin, destination);
  const departure = departureTime(keys, airline, route, frequency, date);
  const aircraft = aircraftFor(miles, airline.code, seed, ...pair(origin, destination), frequency);
  const flightNumber = String(flightNumberOf(airline, origin.code, destination.code, frequency));
  const isPartners = airline.partner !== null && miles < 700 && draw("partner", ...keys) < 0.4;
  return {
    carrier: airline.code,
    flightNumber,
    operatedBy: isPartners && airline.partner !== null ? { carrier: airline.partner, flightNumber } : null,
    from: origin.code,
    to: destination.code,
    fromTerminal: terminalOf(seed, airline, origin.code),
    toTerminal: terminalOf(seed, airline, destination.code),
    departure,
    arrival: localTimeAfter(departure, origin.timeZone, minutes, destination.timeZone),
    minutes,
    miles,
    aircraft: { code: aircraft.code, name: aircraft.name },
    cabins: aircraft.cabins,
  };
}

/** In steps of five minutes; up to 40 minutes apart between summer and winter. */
function departureTime(
  keys: readonly (string | number)[],
  airline: SimulatedAirline,
  route: { readonly origin: Airport; readonly destination: Airport; readonly miles: number },
  frequency: number,
  date: string,
): LocalTime {
  const count = frequenciesOf(String(keys[0]), airline, route.origin, route.destination, route.miles);
  const window = (lastDeparture - firstDeparture) / count;
  const usual = firstDeparture + window * (frequency + draw("departure", ...keys));
  const seasonal = isSummer(date) ? 0 : drawInteger(-8, 8, "winter", ...keys) * 5;
  const minute = Math.min(lastDeparture, Math.max(firstDeparture, Math.round((usual + seasonal) / 5) * 5));
  return addMinutes({ date, time: "00:00:00" }, minute);
}

/** Unique per route, direction and frequency of an airline, spread by a prime. */
function flightNumberOf(airline: SimulatedAirline, from: string, to: string, frequency: number): number {
  const hub = airline.hubs.findIndex((code) => code === from || code === to);
  const isOutbound = airline.hubs[hub] === from;
  const away = airportCodes.indexOf(isOutbound ? to : from);
  const position = ((hub * airportCodes.length + away) * 2 + (isOutbound ? 0 : 1)) * frequenciesMax + frequency;
  const start = drawInteger(0, numbersPerAirline - 1, "flight numbers", airline.code);
  return ((position * 4177 + start) % numbersPerAirline) + 1;
}

/** A prime above six hubs, all airports, two directions and every frequency. */
const numbersPerAirline = 9_973;

/** Only airports of hubs have terminals. */
function terminalOf(seed: string, airline: SimulatedAirline, airport: string): string {
  const hubs = airlinesByHub.get(airport)?.length ?? 0;
  if (hubs === 0) return "";
  return String(drawInteger(1, Math.min(4, hubs + 1), seed, "terminal", airline.code, airport));
}

/** The IATA season: from the last Sunday of March to the Saturday before the last Sunday of October. */
export function isSummer(date: string): boolean {
  const year = date.slice(0, 4);
  return date >= lastSundayOf(year, "03") && date < lastSundayOf(year, "10");
}

function lastSundayOf(year: string, month: string): string {
  const last = new Date(`${year}-${month}-31T12:00:00Z`);
  last.setUTCDate(31 - last.getUTCDay());
  return last.toISOString().slice(0, 10);
}

/** Regardless of the direction. */
function pair(a: Airport, b: Airport): readonly string[] {
  return [a.code, b.code].sort();
}
