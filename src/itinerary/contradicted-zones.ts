import { instantOf } from "../travel/local-time.ts";
import { activeTimeZones } from "../travel/zones.ts";
import type { Itinerary, ItinerarySegment, LocalPoint } from "./itinerary.ts";
import { printedAt } from "./shifts.ts";

/** An airport whose offset by the table does not fit the stated durations. In minutes ahead of UTC. */
export interface ContradictedZone {
  readonly airport: string;
  readonly byTable: number;
  readonly byDurations: number;
}

/** What tables of time zones are wrong by: clocks that are changed no more, or are changed again. */
const zoneErrors: ReadonlySet<number> = new Set([30, 60]);

/**
 * Returns the airports whose every flight with a stated duration says that the table is off by the same 30 or 60 minutes.
 * Such airports are alternatives if one flight joins them. Any other difference is the fault of the duration.
 * @param flights booked and proposed ones of a view: a flight that is not changed tells as much about a zone.
 */
export function contradictedZones(flights: readonly ItinerarySegment[]): {
  readonly zones: readonly ContradictedZone[];
  readonly areAlternatives: boolean;
} {
  const checks = flights.flatMap(checkDuration);
  const zones = [...new Set(checks.flatMap(({ ends }) => ends.map(({ airport }) => airport)))].flatMap((airport) => {
    const own = checks.flatMap(({ ends }) => ends.filter((end) => end.airport === airport));
    const [first, ...others] = own;
    const isOff = first !== undefined && zoneErrors.has(Math.abs(first.error));
    if (!isOff || others.some(({ error }) => error !== first.error)) return [];
    return [{ airport, byTable: first.offset, byDurations: first.offset - first.error }];
  });
  const blamed = new Set(zones.map(({ airport }) => airport));
  return {
    zones,
    areAlternatives: checks.some(({ ends }) => ends.every(({ airport }) => blamed.has(airport))),
  };
}

/** Returns the flights with no known times at these airports. */
export function withoutTimesAt(airports: readonly string[], { segments, journeys }: Itinerary): Itinerary {
  if (airports.length === 0) return { segments, journeys };
  const doubted = (point: LocalPoint): LocalPoint =>
    airports.includes(point.airport ?? "") ? { ...point, isZoneContradicted: true } : point;
  return {
    journeys,
    segments: segments.map((segment) => ({
      ...segment,
      departure: doubted(segment.departure),
      arrival: doubted(segment.arrival),
    })),
  };
}

/** Returns it as a suspicion, for which `suspicion-words.ts` has the words. */
export function zoneSuspicions({ zones, areAlternatives }: ReturnType<typeof contradictedZones>): readonly string[] {
  const { release } = activeTimeZones();
  const texts = zones.map(
    ({ airport, byTable, byDurations }) => `${airport} ${offsetText(byTable)} ${offsetText(byDurations)}`,
  );
  const groups = areAlternatives ? [texts.join(" ")] : texts;
  return groups.map((text) => `zone-contradicted:${release} ${text}`);
}

/** `+1`, `-3:30`, `0` */
function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return minutes === 0 ? "0" : `${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${rest}`;
}

interface CheckedEnd {
  readonly airport: string;
  readonly offset: number;
  /** How many minutes the offset would be too large if the difference were this airport's fault. */
  readonly error: number;
}

/** Empty if the flight states no duration, or if its times do not mean one instant each. */
function checkDuration({ statedMinutes, departure, arrival }: ItinerarySegment): { ends: readonly CheckedEnd[] }[] {
  const left = instantOf(departure);
  const arrived = instantOf(arrival);
  if (typeof statedMinutes !== "number" || !left.known || !arrived.known) return [];
  const missing = statedMinutes - (arrived.value - left.value) / 60_000;
  const end = (point: LocalPoint, instant: number, error: number): CheckedEnd => ({
    airport: point.airport!,
    offset: (printedAt(point.date, point.time) - instant) / 60_000,
    error,
  });
  return [{ ends: [end(departure, left.value, -missing), end(arrival, arrived.value, missing)] }];
}
