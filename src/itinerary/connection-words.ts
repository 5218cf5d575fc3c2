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
