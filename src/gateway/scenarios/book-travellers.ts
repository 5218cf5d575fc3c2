import { draw, drawOne } from "../supply/simulated/draw.ts";
import type { ScenarioOrder, Setting } from "./scenario-script.ts";
import { datedFlight, type FlightRequest } from "./timetable.ts";

const alone = [{ ptc: "ADT" }] as const;
const couple = [...alone, ...alone] as const;
const family = [...couple, { ptc: "CHD" }] as const;
const familyWithInfant = [...family, { ptc: "INF" }] as const;

/** Repeated by frequency. */
const parties = [alone, alone, alone, alone, alone, couple, couple, couple, family, familyWithInfant] as const;

/** Fares of one flight, in US dollars; whole ones are rare. */
const fares = ["89.00", "129.50", "165.00", "214.90", "389.00", "742.25"] as const;

/**
 * Numbers the orders from 1: `STORM-7-0042`.
 * @param prefix of the scenario
 * @param flightsOf the flights of the order at that position, from 0
 */
export function bookTravellers(
  { seed, orders }: Setting,
  prefix: string,
  flightsOf: (position: number) => readonly FlightRequest[],
): readonly ScenarioOrder[] {
  return Array.from({ length: orders }, (_, position) => {
    const orderId = `${prefix}-${seed}-${String(position + 1).padStart(4, "0")}`;
    return {
      orderId,
      gdsBookingReferences: [recordLocator(orderId)],
      passengers: [...drawOne(parties, "party", orderId)],
      baseFare: drawOne(fares, "fare", orderId),
      flights: [...flightsOf(position)],
    };
  });
}

/** Each once, by departure. */
export function flightsOfOrders(orders: readonly ScenarioOrder[]): readonly FlightRequest[] {
  const byFlight = new Map<string, FlightRequest>();
  for (const flight of orders.flatMap(({ flights = [] }) => flights)) {
    byFlight.set(JSON.stringify(datedFlight(flight)), flight);
  }
  return [...byFlight.values()].sort((a, b) => (a.departure < b.departure ? -1 : 1));
}

/** Without characters that look alike. */
function recordLocator(orderId: string): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const at = (place: number): string => letters.charAt(Math.floor(draw("locator", orderId, place) * letters.length));
  return Array.from({ length: 6 }, (_, place) => at(place)).join("");
}
