import type { ChangeRequest } from "../change-request.ts";
import { draw, drawInteger, drawOne } from "../supply/simulated/draw.ts";
import { bookTravellers, flightsOfOrders } from "./book-travellers.ts";
import type { Scenario, ScenarioScript, ScenarioStep, Setting } from "./scenario-script.ts";
import { bookedFlight, datedFlight, dayAfter, type FlightRequest, flightsAtHub, nameOf } from "./timetable.ts";

const airline = "LH";
const hub = "FRA";

/** At the hub, in minutes. */
const connection = { min: 45, max: 180 };

/** Every order connects at the hub, and most flights are late or cancelled. */
export const hubStorm: Scenario = {
  name: "hub-storm",
  summary: `A storm over ${hub}: hundreds of orders that change planes there are delayed or cancelled in minutes.`,
  expectation: "How fast the queue is worked off, and that missed connections and cancelled flights go to people.",
  orders: { usual: 300, max: 5_000 },
  stepsPerSecond: 5,
  build: buildHubStorm,
};

function buildHubStorm(setting: Setting): ScenarioScript {
  const { seed, now } = setting;
  const connections = connectionsOn(dayAfter(now, 2));
  const orders = bookTravellers(setting, "STORM", (position) => drawOne(connections, seed, "connection", position));
  const steps = flightsOfOrders(orders).flatMap((flight): readonly ScenarioStep[] => {
    const hit = hitByStorm(flight, seed);
    if (hit === null) return [];
    const { what, change } = hit;
    return [{ happens: "flight-change", title: `${nameOf(flight)} ${what}`, flight: datedFlight(flight), change }];
  });
  return { orders, steps };
}

/** Two flights per order. */
function connectionsOn(date: string): readonly (readonly FlightRequest[])[] {
  const arriving = flightsAtHub(airline, hub, date, "to").map((flight) => bookedFlight(flight));
  const leaving = flightsAtHub(airline, hub, date, "from").map((flight) => bookedFlight(flight));
  return arriving.flatMap((first) =>
    leaving
      .filter(({ to, departure }) => to !== first.from && isConnection(first.arrival, departure))
      .map((second) => [first, second]),
  );
}

/** Both times are local to the hub. */
function isConnection(arrival: string, departure: string): boolean {
  const minutes = (Date.parse(`${departure}Z`) - Date.parse(`${arrival}Z`)) / 60_000;
  return minutes >= connection.min && minutes <= connection.max;
}

/** Returns null if the flight is not affected. */
function hitByStorm(
  flight: FlightRequest,
  seed: string,
): { readonly what: string; readonly change: ChangeRequest } | null {
  const luck = draw(seed, "luck", flight.flightNumber ?? "");
  if (luck < 0.2) return { what: "is cancelled", change: { kind: "cancel" } };
  if (luck > 0.85) return null;
  const minutes = drawInteger(luck < 0.5 ? 12 : 3, luck < 0.5 ? 48 : 9, seed, "delay", flight.flightNumber ?? "") * 5;
  const change: ChangeRequest = {
    kind: "retime",
    departureMinutes: minutes,
    flags: { accept: "Y", cancel: minutes >= 120 ? "Y" : "N", reSchedule: minutes >= 120 ? "Y" : "N" },
  };
  return { what: `leaves ${minutes} minutes later`, change };
}
