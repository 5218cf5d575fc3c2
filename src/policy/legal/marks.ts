import type { JourneyChange } from "../../itinerary/journey-changes.ts";
import { type Fact, known, unknown } from "../../kernel/fact.ts";
import { instantsOf } from "../../travel/local-time.ts";
import type { Notice } from "./preset.ts";

/**
 * Returns the last instant for a notice before a departure, in milliseconds. Days are calendar days at the airport: the
 * same local time on an earlier date, whatever the clocks do in between. Of two meanings of a local time the earlier
 * counts, so that no notice is late.
 */
export function markBefore(departure: JourneyChange["departure"], notice: Notice): Fact<number> {
  return markFrom(departure, "days" in notice ? { days: -notice.days } : { hours: -notice.hours });
}

/** Returns the instant so many days or hours from a departure; negative is before it. */
export function markFrom(
  departure: JourneyChange["departure"],
  offset: { readonly days: number } | { readonly hours: number },
): Fact<number> {
  if ("hours" in offset) {
    const instant = earliest(departure);
    return instant.known ? known(instant.value + offset.hours * 3_600_000) : instant;
  }
  const date = shiftedDate(departure.date, offset.days);
  return date === null ? unknown("unknown-departure") : earliest({ ...departure, date });
}

function earliest(departure: JourneyChange["departure"]): Fact<number> {
  const instants = instantsOf(departure);
  if (!instants.known) return unknown(instants.reason === "unknown-time" ? "unknown-departure" : instants.reason);
  return known(instants.value.candidates[0]!);
}

/** Returns the date so many days later, yyyy-mm-dd; null if the input is invalid. */
export function shiftedDate(date: string | null, days: number): string | null {
  const midnight = date === null ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight)) return null;
  const shifted = new Date(midnight + days * 86_400_000);
  return Number.isNaN(shifted.getTime()) ? null : shifted.toISOString().slice(0, 10);
}
