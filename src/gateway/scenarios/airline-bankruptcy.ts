import type { ChangeRequest } from "../change-request.ts";
import { drawInteger, drawOne } from "../supply/simulated/draw.ts";
import { bookTravellers } from "./book-travellers.ts";
import type { Scenario, ScenarioScript, ScenarioStep, Setting } from "./scenario-script.ts";
import { bookedFlight, dayAfter, type FlightRequest, flightsAtHub, nameOf } from "./timetable.ts";

/** A designator that no airline has. */
const bankrupt = "0X";
/** Flies the same timetable, and takes over travellers. */
const survivor = "TP";
const hub = "LIS";

/** All flights of an airline are withdrawn, and only some travellers are offered another one. */
export const airlineBankruptcy: Scenario = {
  name: "airline-bankruptcy",
  summary: `The airline ${bankrupt} stops flying: every flight is withdrawn, one order in four is offered another.`,
  expectation:
    "That nothing is accepted by itself, and that refunds are asked for only where a rule or a person says so.",
  orders: { usual: 80, max: 2_000 },
  stepsPerSecond: 5,
  build: buildBankruptcy,
};

function buildBankruptcy(setting: Setting): ScenarioScript {
  const { seed, now } = setting;
  const [out, back] = [dayAfter(now, 10), dayAfter(now, 17)];
  const leaving = flightsAtHub(survivor, hub, out, "from");
  const returning = flightsAtHub(survivor, hub, back, "to");
  const trips = leaving.flatMap((flight) => {
    const home = returning.find(({ from }) => from === flight.to);
    return home === undefined ? [] : [{ flight, home }];
  });
  const chosen = Array.from({ length: setting.orders }, (_, position) => drawOne(trips, seed, "trip", position));
  const orders = bookTravellers(setting, "BANKRUPT", (position) => {
    const { flight, home } = chosen[position]!;
    // One in four flies home with the surviving airline.
    const carrierHome = drawInteger(0, 3, seed, "home", position) === 0 ? survivor : bankrupt;
    return [bookedFlight(flight, bankrupt), bookedFlight(home, carrierHome)];
  });
  const steps = orders.map(({ orderId, flights = [] }, position): ScenarioStep => {
    const withdrawn = flights.flatMap(({ carrier }, index) => (carrier === bankrupt ? [index] : []));
    const names = withdrawn.map((index) => nameOf(flights[index]!)).join(" and ");
    if (drawInteger(0, 3, seed, "rescue", position) === 0) {
      const change = rescue(withdrawn.map((index) => [index, flights[index]!] as const));
      return { happens: "order-change", title: `${survivor} takes over ${names}`, orderId, change };
    }
    return { happens: "order-change", title: `${names} withdrawn`, orderId, change: withdraw(withdrawn) };
  });
  return { orders, steps };
}

function withdraw(flightIndexes: readonly number[]): ChangeRequest {
  return {
    kind: "combined",
    parts: flightIndexes.map((flightIndex) => ({ kind: "cancel", flightIndex })),
    flags: { accept: "N", cancel: "Y", reSchedule: "N" },
  };
}

/** The same flights of the surviving airline, two hours later. */
function rescue(flights: readonly (readonly [number, FlightRequest])[]): ChangeRequest {
  const later = (text: string): string => new Date(Date.parse(`${text}Z`) + 7_200_000).toISOString().slice(0, 16);
  return {
    kind: "combined",
    parts: flights.map(([flightIndex, flight]) => {
      const { departure, arrival } = flight;
      const instead = {
        ...flight,
        carrier: survivor,
        operatingCarrier: survivor,
        departure: later(departure),
        arrival: later(arrival),
      };
      return { kind: "replace", flightIndex, with: [instead] };
    }),
    flags: { accept: "Y", cancel: "Y", reSchedule: "Y" },
  };
}
