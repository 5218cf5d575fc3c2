import type { ChangeRequest } from "../change-request.ts";
import { draw, drawInteger, drawOne } from "../supply/simulated/draw.ts";
import { isSummer } from "../supply/simulated/schedule.ts";
import { bookTravellers, flightsOfOrders } from "./book-travellers.ts";
import type { Scenario, ScenarioScript, ScenarioStep, Setting } from "./scenario-script.ts";
import { bookedFlight, datedFlight, dayAfter, type FlightRequest, flightsAtHub, nameOf } from "./timetable.ts";

const airline = "LH";
const hub = "FRA";

/** Days ahead. */
const noticeDays = 21;
/** Days around the clock change, and two weeks after it, because America changes on another Sunday. */
const travelDays = [-1, 0, 1, 5, 14] as const;

/** A new timetable takes effect on the Sunday on which European clocks change. */
export const seasonChange: Scenario = {
  name: "season-change",
  summary: "A new timetable from the Sunday on which the clocks change: other times, numbers and aircraft.",
  expectation: "Lengths and connections in the night of the change, and changes of exactly one hour.",
  orders: { usual: 60, max: 2_000 },
  stepsPerSecond: 5,
  build: buildSeasonChange,
};

function buildSeasonChange(setting: Setting): ScenarioScript {
  const { seed, now } = setting;
  const switchDays = nextClockChange(now);
  const flights = travelDays.flatMap((days) => {
    const date = dayAfter(now, switchDays + days);
    const all = [...flightsAtHub(airline, hub, date, "from"), ...flightsAtHub(airline, hub, date, "to")];
    return all.map((flight) => bookedFlight(flight));
  });
  const orders = bookTravellers(setting, "SEASON", (position) => [drawOne(flights, seed, "flight", position)]);
  const steps = flightsOfOrders(orders).map((flight): ScenarioStep => {
    const { what, change } = remapToSchedule(flight, seed);
    const title = `${nameOf(flight)} on ${flight.departure.slice(0, 10)} ${what}`;
    return { happens: "flight-change", title, flight: datedFlight(flight), change };
  });
  return { orders, steps };
}

/** Days until that Sunday, at least this many days ahead. */
function nextClockChange(now: Date): number {
  let days = noticeDays;
  while (isSummer(dayAfter(now, days)) === isSummer(dayAfter(now, days - 1))) days += 1;
  return days;
}

function remapToSchedule(
  flight: FlightRequest,
  seed: string,
): { readonly what: string; readonly change: ChangeRequest } {
  const keys = [seed, flight.flightNumber ?? "", flight.departure];
  const minutes = drawInteger(1, 14, "shift", ...keys) * 5 * (draw("sign", ...keys) < 0.5 ? -1 : 1);
  const flightNumber = String((Number(flight.flightNumber) % 9_000) + 11);
  const luck = draw("what", ...keys);
  if (luck < 0.3) {
    const hour = luck < 0.15 ? 60 : -60;
    const what = `keeps its time in UTC: ${hour} minutes on the clock`;
    return { what, change: { kind: "retime", departureMinutes: hour } };
  }
  if (luck < 0.7) return { what: `moves by ${minutes} minutes`, change: { kind: "retime", departureMinutes: minutes } };
  if (luck < 0.85) {
    const parts: Extract<ChangeRequest, { kind: "combined" }>["parts"] = [
      { kind: "retime", departureMinutes: minutes },
      { kind: "renumber", flightNumber },
    ];
    return { what: `moves by ${minutes} minutes, as number ${flightNumber}`, change: { kind: "combined", parts } };
  }
  if (luck < 0.95) return { what: "has another aircraft", change: { kind: "aircraft", aircraft: "333" } };
  return { what: "is not in it any more", change: { kind: "cancel" } };
}
