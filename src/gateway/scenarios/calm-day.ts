import type { ChangeRequest } from "../change-request.ts";
import { drawInteger, drawOne } from "../supply/simulated/draw.ts";
import { bookTravellers } from "./book-travellers.ts";
import type { Scenario, ScenarioScript, ScenarioStep, Setting } from "./scenario-script.ts";
import { bookedFlight, dayAfter, type FlightRequest, flightsAtHub, nameOf } from "./timetable.ts";

const airlines = [
  ["LH", "FRA"],
  ["TP", "LIS"],
  ["BA", "LHR"],
  ["UA", "EWR"],
] as const;

/** One order in this many is changed. */
const changedEvery = 4;

/** A few orders have small changes. */
export const calmDay: Scenario = {
  name: "calm-day",
  summary: "Small changes to one order in four: minutes, a terminal, an aircraft, a flight number.",
  expectation: "Nearly everything should be decided without a person.",
  orders: { usual: 40, max: 2_000 },
  stepsPerSecond: 2,
  build: buildCalmDay,
};

function buildCalmDay(setting: Setting): ScenarioScript {
  const { seed, now } = setting;
  const trips = airlines.map(([airline, hub], position) => {
    const [out, back] = [20 + position * 3, 27 + position * 3].map((days) => dayAfter(now, days)) as [string, string];
    const inbound = flightsAtHub(airline, hub, back, "to");
    return flightsAtHub(airline, hub, out, "from").flatMap((flight) => {
      const home = inbound.find(({ from }) => from === flight.to);
      return home === undefined ? [] : [[bookedFlight(flight), bookedFlight(home)] as const];
    });
  });
  const orders = bookTravellers(setting, "CALM", (position) => {
    const trip = drawOne(drawOne(trips, seed, "airline", position), seed, "trip", position);
    return drawInteger(0, 1, seed, "return", position) === 0 ? trip.slice(0, 1) : trip;
  });
  const steps = orders
    .filter((_, position) => position % changedEvery === 0)
    .map(({ orderId, flights: [flight] = [] }, position): ScenarioStep => {
      const { what, change } = smallChange(flight!, seed, position);
      return { happens: "order-change", title: `${nameOf(flight!)} ${what}`, orderId, change };
    });
  return { orders, steps };
}

/** To the first flight of an order, with its title. */
function smallChange(
  flight: FlightRequest,
  seed: string,
  position: number,
): { readonly what: string; readonly change: ChangeRequest } {
  const minutes = drawInteger(1, 4, seed, "minutes", position) * 5;
  switch (drawInteger(0, 5, seed, "kind", position)) {
    case 0:
      return { what: "has another terminal", change: { kind: "terminal", flightIndex: 0, fromTerminal: "2" } };
    case 1:
      return { what: "has another aircraft", change: { kind: "aircraft", flightIndex: 0, aircraft: "32Q" } };
    case 2: {
      const flightNumber = String((Number(flight.flightNumber) % 9_000) + 37);
      return { what: `is now number ${flightNumber}`, change: { kind: "renumber", flightIndex: 0, flightNumber } };
    }
    case 3: {
      const change: ChangeRequest = { kind: "retime", flightIndex: 0, departureMinutes: -minutes };
      return { what: `leaves ${minutes} minutes earlier`, change };
    }
    default: {
      const change: ChangeRequest = {
        kind: "retime",
        flightIndex: 0,
        departureMinutes: minutes,
        partial: "departure-and-duration",
      };
      return { what: `leaves ${minutes} minutes later`, change };
    }
  }
}
