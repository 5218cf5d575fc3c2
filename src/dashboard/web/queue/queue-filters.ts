import { shownStates } from "../../../cases/lifecycle.ts";
import type { ApiTypes } from "../../api/routes.ts";
import type { CaseSelection } from "../api/responses.ts";
import { formatInstant, formatLocalDate, parseInstant } from "../labels/moments.ts";
import {
  describeCaseStates,
  describeQueue,
  pendingStates,
  severityWords,
  stateGroups,
  toLabel,
} from "../labels/state-words.ts";

type Order = ApiTypes["POST /cases/search"]["body"]["order"] & string;

/**
 * The filters by their names in the address, which are those of `GET /cases`; `show` names a group of states. An empty one
 * asks for nothing.
 */
export const noFilters = {
  show: "waiting",
  /** Only these states, whatever `show` says; with commas between them. */
  state: "",
  q: "",
  queue: "",
  source: "",
  assignee: "",
  overdue: "",
  traveller: "",
  severities: "",
  airline: "",
  airport: "",
  route: "",
  flight: "",
  flightDate: "",
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
  order: "due" as Order,
};

/**
 * The filters of the queue. The address of the page holds them, so that a list can be bookmarked and sent, but not what is
 * searched for: it may be the name of a traveller.
 */
export type QueueFilters = Readonly<typeof noFilters>;

type FilterName = keyof QueueFilters;

const filterNames = Object.keys(noFilters) as readonly FilterName[];

interface FilterRow {
  /** What stands above the queue while the filter is set. */
  readonly chip?: (value: string, filters: QueueFilters, now: Date) => string;
  /** What the chip takes away besides. */
  readonly clears?: readonly FilterName[];
  /** Its field among all filters. */
  readonly field?: FilterField;
}

export type FilterField = {
  readonly label: string;
  readonly description?: string;
  /** In a row of its own. */
  readonly isWide?: true;
  readonly isRequired?: (filters: QueueFilters) => boolean;
} & (
  | { readonly kind: "choice"; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  | { readonly kind: "text" | "code"; readonly pattern: string; readonly example: string }
  | { readonly kind: "date" | "moment" }
);

/** The severities that the filter takes. */
export const severityFilterWords: Readonly<Record<string, string>> = { ...severityWords, unknown: "Not known yet" };

const travellerFilterWords: Readonly<Record<string, string>> = {
  "not-informed": "Not informed",
  asked: "Asked, no answer yet",
  answered: "Answered",
};

const stateChoices = [
  ...["awaiting-agent", "ask-traveller", "awaiting-traveller", "snoozed", pendingStates],
  ...["received", "checking", "accepting", "cancelling", "done", "resolved-elsewhere", "closed"],
].map((value) => ({ value, label: describeCaseStates(value) }));

const amountPattern = "[0-9]{1,15}([.][0-9]{1,4})?";

/** How the filters that narrow the list are shown and set, in this order. */
const filterRows: Readonly<Partial<Record<FilterName, FilterRow>>> = {
  state: {
    chip: (states) => `State: ${describeCaseStates(states)}`,
    field: {
      label: "State",
      kind: "choice",
      choices: [{ value: "", label: "Any of the list" }, ...stateChoices],
      isWide: true,
    },
  },
  queue: { chip: (queue) => `Queue: ${describeQueue(queue)}` },
  source: { chip: (source) => `Source: ${source}` },
  assignee: { chip: (assignee) => `Assignee: ${assignee}` },
  overdue: { chip: () => "Overdue" },
  traveller: {
    chip: (traveller) => `Traveller: ${travellerFilterWords[traveller] ?? traveller}`,
    field: {
      label: "Traveller",
      isWide: true,
      kind: "choice",
      choices: [
        { value: "", label: "Any" },
        ...Object.entries(travellerFilterWords).map(([value, label]) => ({ value, label })),
      ],
    },
  },
  severities: {
    chip: (names) =>
      `Severity: ${names
        .split(",")
        .map((name) => severityFilterWords[name] ?? name)
        .join(" or ")}`,
    field: {
      label: "Severity",
      kind: "choice",
      choices: [
        { value: "", label: "Any" },
        ...Object.entries(severityFilterWords).map(([value, label]) => ({ value, label })),
        { value: "critical,major", label: "Critical or major" },
      ],
    },
  },
  airline: {
    chip: (airline) => `Airline: ${airline}`,
    field: { label: "Airline", kind: "code", pattern: "[A-Za-z0-9]{2,3}", example: "LH" },
  },
  airport: {
    chip: (airport) => `Airport: ${airport}`,
    field: { label: "Airport", kind: "code", pattern: "[A-Za-z]{3}", example: "FRA" },
  },
  route: {
    chip: (route) => `Route: ${route}`,
    field: { label: "Route", kind: "code", pattern: "[A-Za-z]{3}-[A-Za-z]{3}", example: "FRA-JFK" },
  },
  flight: {
    chip: (flight, { flightDate }) => (flightDate === "" ? "" : `${flight} on ${formatLocalDate(flightDate)}`),
    clears: ["flightDate"],
    field: { label: "Flight", kind: "code", pattern: "[A-Za-z0-9]{2,3}[0-9]{1,4}[A-Za-z]?", example: "LH400" },
  },
  flightDate: { field: { label: "Date of the flight", kind: "date", isRequired: ({ flight }) => flight !== "" } },
  departsFrom: momentRow("Departs from"),
  departsBefore: momentRow("Departs before"),
  openedFrom: momentRow("Opened from", "Case opened from"),
  openedBefore: momentRow("Opened before", "Case opened before"),
  rule: {
    chip: (rule) => `Rule: ${rule}`,
    field: { label: "Rule or check", kind: "text", pattern: ".{1,200}", example: "small-shift" },
  },
  reason: {
    chip: (reason) => `Reason: ${toLabel(reason)}`,
    field: { label: "Reason code", kind: "text", pattern: ".{1,200}", example: "effect-outcome" },
  },
  member: { chip: (member) => `Member: ${member}` },
  valueMin: { field: { label: "Value from", kind: "text", pattern: amountPattern, example: "500" } },
  valueMax: { field: { label: "Value to", kind: "text", pattern: amountPattern, example: "2000.50" } },
  currency: {
    chip: (currency, { valueMin, valueMax }) =>
      ["Value:", valueMin && `from ${valueMin}`, valueMax && `to ${valueMax}`, currency].filter(Boolean).join(" "),
    clears: ["valueMin", "valueMax"],
    field: {
      label: "Currency of the value",
      description: "Orders in other currencies are left out.",
      kind: "code",
      pattern: "[A-Za-z]{3}",
      example: "EUR",
      isWide: true,
      isRequired: ({ valueMin, valueMax }) => valueMin !== "" || valueMax !== "",
    },
  },
};

const namedRows = Object.entries(filterRows) as readonly (readonly [FilterName, FilterRow])[];

/** The fields of the filters that few people set. */
export const filterFields = namedRows.flatMap(([name, { field }]) => (field === undefined ? [] : [{ name, field }]));

/** A filter that is set, as it stands above the queue, and what takes it away. */
export interface FilterChip {
  readonly text: string;
  readonly without: Partial<QueueFilters>;
}

export function filterChips(filters: QueueFilters, now: Date): readonly FilterChip[] {
  return namedRows.flatMap(([name, { chip, clears = [] }]) => {
    const text = filters[name] === "" ? "" : (chip?.(filters[name], filters, now) ?? "");
    return text === "" ? [] : [{ text, without: Object.fromEntries([name, ...clears].map((each) => [each, ""])) }];
  });
}

function momentRow(words: string, label = words): FilterRow {
  return {
    chip: (at, _, now) => `${words} ${formatInstant(parseInstant(at) ?? now, now)}`,
    field: { label, kind: "moment" },
  };
}

const timeNames = ["openedFrom", "openedBefore", "departsFrom", "departsBefore"] as const;

const orders: readonly Order[] = ["newest", "due", "departure"];

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
    // Bookmarks of older versions say `date`.
    flightDate: filters.flightDate || (parameters.get("date") ?? ""),
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

/**
 * The filters as `GET /cases` takes them. A flight counts only together with its date. A search looks in every state,
 * because who asks does not know it.
 */
export function queryOf(
  filters: QueueFilters,
): Partial<Record<keyof QueueFilters, string>> & { readonly order: Order } {
  const { show, state, flight, flightDate, ...others } = filters;
  const group = stateGroups.find(({ value }) => value === show) ?? stateGroups[0];
  const q = filters.q.trim();
  const asked = {
    ...others,
    ...(flight === "" || flightDate === "" ? {} : { flight, flightDate }),
    ...Object.fromEntries(timeNames.map((name) => [name, parseInstant(filters[name])?.toISOString() ?? ""])),
    state: state === "" && q === "" ? group.states.join(",") : state,
    overdue: filters.overdue === "" ? "" : "true",
    q,
  };
  return {
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "")),
    order: canSort(filters) ? filters.order : "newest",
  };
}

/** The filters as a search or a bulk action takes them. */
export function selectionOf(filters: QueueFilters): CaseSelection {
  const {
    q,
    state,
    overdue,
    traveller,
    severities,
    currency,
    valueMin,
    valueMax,
    order: _,
    ...others
  } = queryOf(filters);
  return {
    ...others,
    ...(q === undefined ? {} : { text: q }),
    ...(state === undefined ? {} : { states: state.split(",") as CaseSelection["states"] }),
    ...(overdue === undefined ? {} : { overdue: true }),
    ...(traveller === undefined ? {} : { traveller: traveller as CaseSelection["traveller"] }),
    ...(severities === undefined ? {} : { severities: severities.split(",") as CaseSelection["severities"] }),
    ...(currency === undefined ? {} : { value: { currency, min: valueMin, max: valueMax } }),
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
