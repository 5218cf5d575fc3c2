import type { QueueFilters } from "../parts/queue-filters.ts";
import { formatInstant, formatLocalDate, parseInstant } from "./moments.ts";
import { describeCaseStates, describeQueue, severityWords, toLabel } from "./state-words.ts";

/** A filter that is set, as it stands above the queue, and what takes it away. */
export interface FilterChip {
  readonly text: string;
  readonly without: Partial<QueueFilters>;
}

/** In the order in which they are shown. */
export function filterChips(filters: QueueFilters, now: Date): readonly FilterChip[] {
  const { severities, flight, date, currency, valueMin, valueMax } = filters;
  const one = (name: keyof QueueFilters, text: string): FilterChip[] =>
    filters[name] === "" ? [] : [{ text, without: { [name]: "" } }];
  const moment = (text: string): string => formatInstant(parseInstant(text) ?? now, now);
  return [
    ...one("state", `State: ${describeCaseStates(filters.state)}`),
    ...one("queue", `Queue: ${describeQueue(filters.queue)}`),
    ...one("source", `Source: ${filters.source}`),
    ...one("assignee", `Assignee: ${{ me: "me", none: "none" }[filters.assignee] ?? filters.assignee}`),
    ...one("overdue", "Overdue"),
    ...one("severities", `Severity: ${severities.split(",").map(describeSeverity).join(" or ")}`),
    ...one("airline", `Airline: ${filters.airline}`),
    ...one("airport", `Airport: ${filters.airport}`),
    ...one("route", `Route: ${filters.route}`),
    ...(flight === "" || date === ""
      ? []
      : [{ text: `${flight} on ${formatLocalDate(date)}`, without: { flight: "", date: "" } }]),
    ...one("departsFrom", `Departs from ${moment(filters.departsFrom)}`),
    ...one("departsBefore", `Departs before ${moment(filters.departsBefore)}`),
    ...one("openedFrom", `Opened from ${moment(filters.openedFrom)}`),
    ...one("openedBefore", `Opened before ${moment(filters.openedBefore)}`),
    ...one("rule", `Rule: ${filters.rule}`),
    ...one("reason", `Reason: ${toLabel(filters.reason)}`),
    ...one("member", `Member: ${filters.member}`),
    ...(currency === ""
      ? []
      : [
          {
            text: `Value: ${[valueMin === "" ? "" : `from ${valueMin}`, valueMax === "" ? "" : `to ${valueMax}`, currency].filter((part) => part !== "").join(" ")}`,
            without: { currency: "", valueMin: "", valueMax: "" },
          },
        ]),
  ];
}

/** The values that the filter takes, in the order in which they are offered. */
export const severityFilterWords: Readonly<Record<string, string>> = { ...severityWords, unknown: "Not known yet" };

function describeSeverity(name: string): string {
  return severityFilterWords[name] ?? name;
}
