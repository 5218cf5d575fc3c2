import { durationMinutes } from "../travel/duration.ts";
import { spanOf } from "./span.ts";

/**
 * Says how long a connection is: `40 of 75 min`, `40 min of 4 h`, or `leaves 2 h 25 min before they arrive`.
 * @param minutes null if unknown.
 * @param minimum null if unknown.
 */
export function connectionWords(minutes: number | null, minimum: number | null): string {
  if (minutes !== null && minutes < 0) return `leaves ${spanOf(-minutes)} before they arrive`;
  const isShort = [minutes, minimum].every((each) => each === null || isInMinutes(each));
  return isShort
    ? `${minutes ?? "unknown"} of ${minimum ?? "unknown"} min`
    : `${minutes === null ? "unknown" : spanOf(minutes)} of ${minimum === null ? "unknown" : spanOf(minimum)}`;
}

/**
 * Whether a line of the facts is about such a connection at such a place: `JFK: 40 of 75 min`, `JFK 40 of 75 min DI`, or
 * the spelling of earlier versions, which had minutes only.
 */
export function isAboutConnection(line: string, place: string, minutes: number | null): boolean {
  const spelled = minutes === null ? ["unknown"] : [String(minutes), ...(minutes < 0 ? [] : [spanOf(minutes)])];
  const starts = [
    ...spelled.map((each) => `${each} of `),
    ...(minutes !== null && minutes < 0 ? [connectionWords(minutes, null)] : []),
  ];
  return starts.some((start) => line.replace(":", "").startsWith(`${place} ${start}`));
}

/** The minimum in minutes that such a line states; null if it states none. */
export function minimumStatedIn(line: string): number | null {
  return durationMinutes(/ of (\d+ (?:h|min)(?: \d+ min)?)(?: [DI]{2})?$/.exec(line)?.[1]);
}

function isInMinutes(minutes: number): boolean {
  return spanOf(minutes) === `${minutes} min`;
}
