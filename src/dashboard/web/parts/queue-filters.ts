import { useSearchParams } from "wouter";
import type { CaseListQuery } from "../api/api-client.ts";
import { stateGroups } from "../words/state-words.ts";

/** The filters are kept in the URL, so that a list can be bookmarked and sent. */
export interface QueueFilters {
  readonly show: string;
  readonly q: string;
  readonly queue: string;
  readonly source: string;
  readonly assignee: string;
  readonly overdue: string;
  readonly flight: string;
  readonly date: string;
  readonly order: "newest" | "due";
}

export const noFilters: QueueFilters = {
  show: "all",
  q: "",
  queue: "",
  source: "",
  assignee: "",
  overdue: "",
  flight: "",
  date: "",
  order: "newest",
};

export function useQueueFilters(): [QueueFilters, (change: Partial<QueueFilters>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const read = (name: keyof QueueFilters): string => parameters.get(name) ?? noFilters[name];
  const filters: QueueFilters = {
    show: read("show"),
    q: read("q"),
    queue: read("queue"),
    source: read("source"),
    assignee: read("assignee"),
    overdue: read("overdue"),
    flight: read("flight"),
    date: read("date"),
    order: read("order") === "due" ? "due" : "newest",
  };
  const change = (changes: Partial<QueueFilters>): void => {
    setParameters(new URLSearchParams(namedFilters({ ...filters, ...changes })), { replace: true });
  };
  return [filters, change];
}

function namedFilters(filters: QueueFilters): [string, string][] {
  return Object.entries(filters).filter(([name, value]) => value !== noFilters[name as keyof QueueFilters]);
}

/** A flight counts only together with its date. */
export function queryOf(filters: QueueFilters): CaseListQuery {
  const { q, queue, source, assignee, order } = filters;
  const group = stateGroups.find(({ value }) => value === filters.show) ?? stateGroups[0];
  const isCohort = filters.flight !== "" && filters.date !== "";
  return {
    q,
    states: group.states,
    queue,
    source,
    assignee,
    overdueOnly: filters.overdue !== "",
    flight: isCohort ? filters.flight : "",
    flightDate: isCohort ? filters.date : "",
    order,
  };
}

/** The sort order is no filter. */
export function isFiltered(filters: QueueFilters): boolean {
  return namedFilters({ ...filters, order: noFilters.order }).length > 0;
}
