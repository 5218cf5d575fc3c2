import { durationMinutes } from "../travel/duration.ts";
import { spanOf } from "./span.ts";

/**
 * Says how short a connection is: `40 min remain to connect at JFK and 75 min are needed`, or `the next flight from JFK
 * leaves 2 h 25 min before they arrive`.
 * @param place `JFK`, or `JFK-LGA` from one airport to another.
 * @param minutes null if unknown.
 * @param minimum null if unknown.
 */
export function shortConnectionWords(place: string, minutes: number | null, minimum: number | null): string {
  const needed = minimum === null ? "an unknown time is needed" : `${spanOf(minimum)} are needed`;
  const start = startOfLine(place, minutes);
  return minutes !== null && minutes < 0 ? start : `${start} and ${needed}`;
}

function startOfLine(place: string, minutes: number | null): string {
  if (minutes === null) return `an unknown time remains to connect at ${place}`;
  return minutes < 0
    ? `the next flight from ${place} leaves ${spanOf(-minutes)} before they arrive`
    : `${spanOf(minutes)} remain to connect at ${place}`;
}

/**
 * Says how little remains between two journeys: `1 h 15 min remain at FRA between two journeys and 1 h 45 min are
 * needed`, or `the next journey leaves FRA 25 min before they arrive`.
 * @param places one airport, or two where the next journey leaves from another one.
 * @param minutes null if they have two meanings.
 * @param minimum null if none is known for the place.
 */
export function shortStayWords(places: readonly string[], minutes: number | null, minimum: number | null): string {
  if (minutes !== null && minutes < 0) {
    const there = places.length === 1 ? "" : ` at ${places[0]}`;
    return `the next journey leaves ${places.at(-1)} ${spanOf(-minutes)} before they arrive${there}`;
  }
  const where = places.length === 1 ? `at ${places[0]}` : `from ${places[0]} to ${places[1]}`;
  const remaining = minutes === null ? "too little time remains" : `${spanOf(minutes)} remain`;
  const needed = minimum === null ? "" : ` and ${spanOf(minimum)} are needed`;
  return `${remaining} ${where} between two journeys${needed}`;
}

/**
 * Whether a line of the facts is about such a connection at such a place: as {@link shortConnectionWords} says it, `JFK 40
 * of 75 min DI`, or a spelling of earlier versions: `JFK: 40 of 75 min`.
 */
export function isAboutConnection(line: string, place: string, minutes: number | null): boolean {
  const start = startOfLine(place, minutes);
  if (line === start || line.startsWith(`${start} and `)) return true;
  const spelled =
    minutes === null
      ? ["unknown of "]
      : minutes < 0
        ? [`${minutes} of `, `leaves ${spanOf(-minutes)} before they arrive`]
        : [`${minutes} of `, `${spanOf(minutes)} of `];
  return spelled.some((each) => line.replace(":", "").startsWith(`${place} ${each}`));
}

/** The minimum in minutes that such a line states; null if it states none. */
export function minimumStatedIn(line: string): number | null {
  const [, needed, outOf] = minimumPattern.exec(line) ?? [];
  return durationMinutes(needed ?? outOf);
}

const span = String.raw`\d+ (?:h|min)(?: \d+ min)?`;
const minimumPattern = new RegExp(` and (${span}) are needed$| of (${span})(?: [DI]{2})?$`);
