import { elapsedMinutes, printedTimeOf } from "./local-time.ts";
import type { FlightSegmentElement } from "./order-content.ts";
import { findAirport } from "./served-airports.ts";

/** A flight from an airport with an unknown zone has not departed. */
export function departedSegmentKeys(segments: readonly FlightSegmentElement[], now: Date): readonly string[] {
  return segments.filter((segment) => hasDeparted(segment, now)).map((segment) => segment.SegmentKey);
}

export function hasDeparted({ Departure }: FlightSegmentElement, now: Date): boolean {
  const airport = findAirport(Departure?.AirportCode ?? "");
  const departure = printedTimeOf(Departure);
  if (airport === null || departure === null) return false;
  const [date = "", time = ""] = now.toISOString().split("T");
  const utc = { date, time: time.slice(0, 8) };
  return elapsedMinutes(departure, airport.timeZone, utc, "UTC") >= 0;
}
