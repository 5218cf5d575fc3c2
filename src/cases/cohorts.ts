import { differenceBetween } from "../itinerary/difference.ts";
import type { ItinerarySegment } from "../itinerary/itinerary.ts";
import type { Assessment } from "./assess.ts";

/**
 * The booked flights that a change touches, as `LH1167/2027-03-14`: marketing carrier and number, and the local date on
 * which the flight was to leave. Sorted, each once. Orders that share one are a cohort: what the airline did to the flight
 * it did to all of them. A flight whose carrier, number or date is not known belongs to none, nor does one that was added.
 */
export function flightDatesOf({
  booked,
  proposal,
  evaluatedAt,
}: Pick<Assessment, "booked" | "evaluatedAt"> & {
  readonly proposal: Pick<Assessment["proposal"], "current" | "proposed">;
}): readonly string[] {
  const { journeys } = differenceBetween(booked, proposal.proposed, { current: proposal.current, now: evaluatedAt });
  const changed = journeys.flatMap(({ flights }) => flights).filter(({ action }) => action !== "unchanged");
  const names = changed.flatMap(({ before }) => before.flatMap(({ flight }) => flightDateOf(flight)));
  return [...new Set(names)].sort();
}

function flightDateOf({ marketingCarrier, marketingFlightNumber, departure }: ItinerarySegment): readonly string[] {
  if (marketingCarrier === null || marketingFlightNumber === null || departure.date === null) return [];
  return [`${marketingCarrier}${marketingFlightNumber}/${departure.date}`];
}
