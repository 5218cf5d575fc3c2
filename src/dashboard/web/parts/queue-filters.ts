import { useState } from "react";
import { useSearchParams } from "wouter";
import type { CaseListQuery } from "../api/api-client.ts";
import { useSession } from "../api/session.ts";
import { stateGroups } from "../words/state-words.ts";

/**
 * The filters are kept in the URL, so that a list can be bookmarked and sent. An address without any shows the view that
 * the user left last. What is searched for is in neither: it may be the name of a traveller. A flight is not remembered.
 */
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
  show: "waiting",
  q: "",
  queue: "",
  source: "",
  assignee: "",
  overdue: "",
  flight: "",
  date: "",
  order: "due",
};

/** For coming back from a case. In memory only. */
let lastSearch = "";

export function forgetSearch(): void {
  lastSearch = "";
}

/** Every case, in the order in which they came. */
export const allCases: Partial<QueueFilters> = { ...noFilters, show: "all", order: "newest" };

export function useQueueFilters(): [QueueFilters, (change: Partial<QueueFilters>) => void] {
  const { user } = useSession();
  const [address, setParameters] = useSearchParams();
  const remembered = `skedchange.queue.${user.username}`;
  const parameters = address.size > 0 ? address : new URLSearchParams(localStorage.getItem(remembered) ?? "");
  const [q, setSearch] = useState(address.get("q") ?? lastSearch);
  const read = (name: keyof QueueFilters): string => parameters.get(name) ?? noFilters[name];
  const filters: QueueFilters = {
    show: read("show"),
    q,
    queue: read("queue"),
    source: read("source"),
    assignee: read("assignee"),
    overdue: read("overdue"),
    flight: read("flight"),
    date: read("date"),
    order: read("order") === "newest" ? "newest" : "due",
  };
  const change = (changes: Partial<QueueFilters>): void => {
    if (changes.q !== undefined) {
      lastSearch = changes.q;
      setSearch(changes.q);
    }
    const changed = { ...filters, ...changes, q: "" };
    const { flight, date, ...lasting } = changed;
    localStorage.setItem(remembered, new URLSearchParams(namedFilters({ ...noFilters, ...lasting })).toString());
    setParameters(new URLSearchParams(namedFilters(changed)), { replace: true });
  };
  return [filters, change];
}

function namedFilters(filters: QueueFilters): [string, string][] {
  return Object.entries(filters).filter(([name, value]) => value !== noFilters[name as keyof QueueFilters]);
}

/** A flight counts only together with its date. A search looks in every state, because who asks does not know it. */
export function queryOf(filters: QueueFilters): CaseListQuery {
  const { q, queue, source, assignee, order } = filters;
  const group = stateGroups.find(({ value }) => value === filters.show) ?? stateGroups[0];
  const isSearch = q.trim() !== "";
  const isCohort = filters.flight !== "" && filters.date !== "";
  return {
    q,
    states: isSearch ? [] : group.states,
    queue,
    source,
    assignee,
    overdueOnly: filters.overdue !== "",
    flight: isCohort ? filters.flight : "",
    flightDate: isCohort ? filters.date : "",
    order: isSearch || !hasUrgency(filters) ? "newest" : order,
  };
}

/** Finished cases are not urgent: the most urgent cases are open ones only. */
export function hasUrgency({ show }: QueueFilters): boolean {
  return show !== "finished" && show !== "all";
}

/** The sort order is no filter, and neither is that a person must act. */
export function isFiltered(filters: QueueFilters): boolean {
  const { show, order } = noFilters;
  return namedFilters({ ...filters, show, order }).length > 0;
}

/** How many filters are set besides the search and the state. */
export function countFilters({ queue, source, assignee, overdue, flight }: QueueFilters): number {
  return [queue, source, assignee, overdue, flight].filter((value) => value !== "").length;
}
