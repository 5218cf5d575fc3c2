import type { CaseView } from "../api/responses.ts";
import { formatDuration } from "../labels/moments.ts";

type Connection = NonNullable<CaseView["journeyTimes"]>[number]["proposed"]["connections"][number];

/** `15 min at JFK, minimum 1 h 15 min`, or `no flight FRA–ZRH` */
export function describeConnection({ airport, nextAirport, minutes, minimumMinutes, state }: Connection): string {
  if (state === "no-flight") return `no flight ${airport ?? "?"}–${nextAirport ?? "?"}`;
  const at = airport === null ? "" : ` at ${airport}`;
  const minimum = minimumMinutes === null ? "" : `, minimum ${formatDuration(minimumMinutes * 60)}`;
  if (minutes === null) return `unknown time${at}${minimum}`;
  if (minutes < 0) return `leaves ${formatDuration(-minutes * 60)} before the arrival${at}`;
  return `${minutes === 0 ? "0 min" : formatDuration(minutes * 60)}${at}${minimum}`;
}
