import type { SeverityName } from "../../../itinerary/severity.ts";
import type { OverviewFigures } from "../api/responses.ts";
import { pendingStates } from "../labels/state-words.ts";
import { addressOf, type QueueFilters } from "../queue/queue-filters.ts";

/** What the queue is filtered by to show the cases that a figure of open work counts. */
export const openWorkFilters = {
  overdue: { overdue: "1" },
  askTraveller: { show: "waiting", state: "ask-traveller" },
  travellerAsked: { show: "moving", state: "awaiting-traveller" },
  travellersToInform: { show: "finished", traveller: "not-informed" },
  effectsPending: { show: "moving", state: pendingStates },
  effectsFailed: { reason: "effect-outcome" },
  ofQueue: (queue: string) => ({ show: "waiting", queue }),
  ofSeverity: (severity: SeverityName | null) => ({ severities: severity ?? "unknown" }),
} as const;

/** @param source Empty for all. */
export function openWorkHref(filters: Partial<QueueFilters>, source: string): string {
  return `/?${addressOf({ show: "open", ...filters, source })}`;
}

/** @param source Empty for all. */
export function blockedHref(source: string): string {
  return source === "" ? "/blocked" : `/blocked?${new URLSearchParams({ source }).toString()}`;
}

/** Figures of a range count what happened in it; the queue shows the cases that were opened in it. */
export function rangeHref(
  filters: Partial<QueueFilters>,
  { from, to }: Pick<OverviewFigures["range"], "from" | "to">,
  source: string,
): string {
  return `/?${addressOf({ show: "all", order: "newest", openedFrom: from, openedBefore: to, ...filters, source })}`;
}
