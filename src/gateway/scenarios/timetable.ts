import type { OrderRequest } from "../order-request.ts";
import type { DatedFlight } from "../ports.ts";
import { airportCodes } from "../served-airports.ts";
import { simulatedAirlines } from "../supply/simulated/airlines.ts";
import { flightsOn, type ScheduledFlight } from "../supply/simulated/schedule.ts";
import { worldSeed } from "../supply/simulated/world-seed.ts";

/** As in the request of an order. */
export type FlightRequest = NonNullable<OrderRequest["flights"]>[number];

/** From and to a hub on a local date, by departure. @throws RangeError */
export function flightsAtHub(
  airlineCode: string,
  hub: string,
  date: string,
  direction: "from" | "to",
): readonly ScheduledFlight[] {
  const airline = simulatedAirlines.find(({ code }) => code === airlineCode);
  if (airline === undefined) throw new RangeError(`There is no airline ${airlineCode} in the simulated world.`);
  return airportCodes
    .filter((code) => code !== hub)
    .flatMap((away) =>
      direction === "from"
        ? flightsOn(worldSeed, airline, hub, away, date)
        : flightsOn(worldSeed, airline, away, hub, date),
    )
    .sort((a, b) => (departureText(a) < departureText(b) ? -1 : 1));
}

/** As a local date. */
export function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

/** @param carrier default: the airline of the timetable */
export function bookedFlight(flight: ScheduledFlight, carrier = flight.carrier): FlightRequest {
  return {
    from: flight.from,
    to: flight.to,
    departure: departureText(flight),
    arrival: `${flight.arrival.date}T${flight.arrival.time.slice(0, 5)}`,
    carrier,
    flightNumber: flight.flightNumber,
    operatingCarrier: carrier === flight.carrier ? (flight.operatedBy?.carrier ?? carrier) : carrier,
    aircraft: flight.aircraft.code,
    fromTerminal: flight.fromTerminal,
    toTerminal: flight.toTerminal,
    durationMinutes: flight.minutes,
  };
}

/** As the control routes name it. */
export function datedFlight({ carrier = "", flightNumber = "", departure }: FlightRequest): DatedFlight {
  return { carrier, flightNumber: String(flightNumber), date: departure.slice(0, 10) };
}

/** `LH1167 LIS-FRA` */
export function nameOf({ carrier = "", flightNumber = "", from, to }: FlightRequest): string {
  return `${carrier}${flightNumber} ${from}-${to}`;
}

function departureText({ departure }: ScheduledFlight): string {
  return `${departure.date}T${departure.time.slice(0, 5)}`;
}
