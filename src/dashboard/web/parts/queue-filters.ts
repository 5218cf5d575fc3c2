import { shownStates } from "../../../cases/lifecycle.ts";
import { type CaseListQuery, type OtherFilters } from "../api/api-client.ts";
import { parseInstant } from "../words/moments.ts";
import { stateGroups } from "../words/state-words.ts";

/**
 * The filters are kept in the URL, so that a list can be bookmarked and sent. What is searched for is not: it may be the name
 * of a traveller.
 */
export interface QueueFilters extends Required<OtherFilters> {
  readonly show: string;
  /** Only these states, whatever `show` says; with commas between them. */
  readonly state: string;
  readonly q: string;
  readonly queue: string;
  readonly source: string;
  readonly assignee: string;
  readonly overdue: string;
  readonly flight: string;
  readonly date: string;
  readonly order: CaseListQuery["order"];
}

export const noFilters: QueueFilters = {
  show: "waiting",
  state: "",
  q: "",
  queue: "",
  source: "",
  assignee: "",
  overdue: "",
  severities: "",
  airline: "",
  airport: "",
  route: "",
  flight: "",
  date: "",
  rule: "",
  reason: "",
  member: "",
  openedFrom: "",
  openedBefore: "",
  departsFrom: "",
  departsBefore: "",
  currency: "",
  valueMin: "",
  valueMax: "",
  order: "due",
};

const filterNames = Object.keys(noFilters) as readonly (keyof QueueFilters)[];

const timeNames = ["openedFrom", "openedBefore", "departsFrom", "departsBefore"] as const;

const orders: readonly CaseListQuery["order"][] = ["newest", "due", "departure"];

/** Every case, in the order in which they came. */
export const allCases: Partial<QueueFilters> = { ...noFilters, show: "all", order: "newest" };

export function readFilters(parameters: URLSearchParams): QueueFilters {
  const given = Object.fromEntries(filterNames.map((name) => [name, parameters.get(name) ?? noFilters[name]]));
  const filters = { ...noFilters, ...given };
  const order = orders.find((known) => known === filters.order) ?? noFilters.order;
  const notTimes = timeNames.filter((name) => parseInstant(filters[name]) === null);
  const isKnown = filters.state.split(",").every((state) => shownStates.some((known) => known === state));
  return {
    ...filters,
    order,
    state: isKnown ? filters.state : "",
    ...Object.fromEntries(notTimes.map((name) => [name, ""])),
  };
}

/** The query of the address, without the search. */
export function addressOf(filters: Partial<QueueFilters>): string {
  return new URLSearchParams(namedFilters({ ...noFilters, ...filters, q: "" })).toString();
}

function namedFilters(filters: QueueFilters): [string, string][] {
  return Object.entries(filters).filter(([name, value]) => value !== noFilters[name as keyof QueueFilters]);
}

/** A flight counts only together with its date. A search looks in every state, because who asks does not know it. */
export function queryOf(filters: QueueFilters): CaseListQuery {
  const { show, state, q, overdue, flight, date, order, queue, source, assignee, ...others } = filters;
  const group = stateGroups.find(({ value }) => value === show) ?? stateGroups[0];
  const isSearch = q.trim() !== "";
  const shown = isSearch ? [] : group.states;
  const isCohort = flight !== "" && date !== "";
  return {
    q,
    states: state === "" ? shown : state.split(","),
    queue,
    source,
    assignee,
    overdueOnly: overdue !== "",
    flight: isCohort ? flight : "",
    flightDate: isCohort ? date : "",
    order: canSort(filters) ? order : "newest",
    others: {
      ...others,
      ...Object.fromEntries(timeNames.map((name) => [name, parseInstant(others[name])?.toISOString() ?? ""])),
    },
  };
}

/** Finished cases are not urgent: the most urgent cases are open ones only. */
export function hasUrgency({ show }: QueueFilters): boolean {
  return show !== "finished" && show !== "all";
}

/** What is searched for may be finished, and so is shown newest first. */
export function canSort(filters: QueueFilters): boolean {
  return filters.q.trim() === "" && hasUrgency(filters);
}

/** The sort order is no filter, and neither is that a person must act. */
export function isFiltered(filters: QueueFilters): boolean {
  const { show, order } = noFilters;
  return namedFilters({ ...filters, show, order }).length > 0;
}

/** How many filters are set besides the search and the state. */
export function countFilters(filters: QueueFilters): number {
  const { show, q, order } = noFilters;
  return namedFilters({ ...filters, show, q, order }).length;
}
