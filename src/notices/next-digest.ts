import { firstInstantIn, printedIn } from "../travel/zones.ts";
import type { Digest } from "./ports.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * When a digest is due next, by the clocks of the zone. A time that a change of the clocks skips is due as much later as
 * the clocks move; one that occurs twice is due the first time.
 */
export function nextDigestAt({ times, weekdays }: Digest, timeZone: string, after: Date): Date {
  const today = Math.floor(printedIn(timeZone, after.getTime()).getTime() / dayMs);
  const minutes = times.map(minutesOf).toSorted((a, b) => a - b);
  for (let day = today; day <= today + 8; day += 1) {
    if (!weekdays.includes(weekdayOf(day))) continue;
    for (const minute of minutes) {
      const at = firstInstantIn(timeZone, day * dayMs + minute * minuteMs);
      if (at > after.getTime()) return new Date(at);
    }
  }
  throw new Error("A digest without a time or a weekday is never due.");
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

/** 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return ((day + 3) % 7) + 1;
}
