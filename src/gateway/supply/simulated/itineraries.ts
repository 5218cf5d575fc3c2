import { addMinutes, elapsedMinutes, instantOf } from "../../local-time.ts";
import { findAirport } from "../../served-airports.ts";
import { type SimulatedAirline, simulatedAirlines } from "./airlines.ts";
import { milesBetween } from "./distance.ts";
import { flightsOn, type ScheduledFlight } from "./schedule.ts";

/** Flights of one airline. */
export interface Itinerary {
  readonly airline: string;
  readonly flights: readonly ScheduledFlight[];
  /** From the first departure to the last arrival. */
  readonly minutes: number;
}

const connectionMinutes = { min: 55, max: 360 } as const;
/** How much longer than the direct way a connection may be, with extra miles for short ways. */
const detour = { factor: 1.5, miles: 250 } as const;

/** Nonstop or with one connection at a hub, in the order of time. */
export function findItineraries(seed: string, from: string, to: string, date: string): readonly Itinerary[] {
  const origin = findAirport(from);
  const destination = findAirport(to);
  if (origin === null || destination === null || from === to) return [];
  const longest = milesBetween(origin, destination) * detour.factor + detour.miles;
  return simulatedAirlines
    .flatMap((airline) => [
      ...flightsOn(seed, airline, from, to, date).map((flight) => [flight]),
      ...airline.hubs
        .filter((hub) => hub !== from && hub !== to && milesOver(from, hub, to) <= longest)
        .flatMap((hub) => connectionsAt(seed, airline, from, hub, to, date)),
    ])
    .map((flights) => ({ airline: flights[0]?.carrier ?? "", flights, minutes: minutesOf(flights) }))
    .sort((a, b) => a.minutes - b.minutes);
}

/** Takes the first onward flight that can be reached. */
function connectionsAt(
  seed: string,
  airline: SimulatedAirline,
  from: string,
  hub: string,
  to: string,
  date: string,
): readonly (readonly ScheduledFlight[])[] {
  const toHub = flightsOn(seed, airline, from, hub, date);
  if (toHub.length === 0) return [];
  const onward = [date, addMinutes({ date, time: "00:00:00" }, 24 * 60).date].flatMap((day) =>
    flightsOn(seed, airline, hub, to, day),
  );
  const timeZone = findAirport(hub)?.timeZone ?? "UTC";
  return toHub.flatMap((first) => {
    const next = onward.find((second) => {
      const wait = elapsedMinutes(first.arrival, timeZone, second.departure, timeZone);
      return wait >= connectionMinutes.min && wait <= connectionMinutes.max;
    });
    return next === undefined ? [] : [[first, next]];
  });
}

function milesOver(from: string, hub: string, to: string): number {
  const [a, b, c] = [from, hub, to].map(findAirport);
  return a && b && c ? milesBetween(a, b) + milesBetween(b, c) : Number.POSITIVE_INFINITY;
}

/** Returns the minutes from the first departure to the last arrival. */
export function minutesOf(flights: readonly Pick<ScheduledFlight, "from" | "to" | "departure" | "arrival">[]): number {
  const first = flights[0];
  const last = flights.at(-1);
  return first === undefined || last === undefined ? 0 : Math.round((arrivalOf(last) - departureOf(first)) / 60_000);
}

/** In milliseconds. */
export function departureOf(flight: Pick<ScheduledFlight, "departure" | "from">): number {
  return instantOf(flight.departure, findAirport(flight.from)?.timeZone ?? "UTC");
}

/** In milliseconds. */
export function arrivalOf(flight: Pick<ScheduledFlight, "arrival" | "to">): number {
  return instantOf(flight.arrival, findAirport(flight.to)?.timeZone ?? "UTC");
}
