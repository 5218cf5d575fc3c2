import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { printedAt } from "./shifts.ts";

/**
 * Returns through how many nights a traveller waits between two flights: from 00:00 to 05:00, or 6 hours that reach into
 * these hours. Printed local times are comparable, since a wait is in one place or city.
 */
export function nightsBetween(arriving: ItinerarySegment, leaving: ItinerarySegment): Fact<number> {
  const from = printedAt(arriving.arrival.date, arriving.arrival.time);
  const to = printedAt(leaving.departure.date, leaving.departure.time);
  if (Number.isNaN(from)) return unknown("unknown-arrival");
  if (Number.isNaN(to)) return unknown("unknown-departure");
  const firstMidnight = Math.ceil(from / dayMs) * dayMs;
  const wholeNights = Math.max(0, Math.floor((to - nightEndsMs - firstMidnight) / dayMs) + 1);
  if (wholeNights > 0) return known(wholeNights);
  const reachesNight = to > firstMidnight || from - Math.floor(from / dayMs) * dayMs < nightEndsMs;
  return known(reachesNight && to - from >= longWaitMs ? 1 : 0);
}

const dayMs = 86_400_000;
const nightEndsMs = 5 * 3_600_000;
const longWaitMs = 6 * 3_600_000;
