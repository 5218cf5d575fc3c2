import { z } from "zod";
import { shownStates } from "../cases/lifecycle.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { SeverityName } from "../itinerary/severity.ts";
import type { Actor } from "../kernel/actor.ts";
import { instant } from "../kernel/stored.ts";
import type { PageRequest } from "./paging-ports.ts";
import {
  code,
  cursor,
  decimal,
  flightNumber,
  hasNoNul,
  listOf,
  localDate,
  memberPathMax,
  name,
  pageLimitDefault,
  pageLimitMax,
  pageMembers,
  searchLengthMax,
  searchWords,
  searchWordsMax,
} from "./request-fields.ts";

export const severityNames = [
  "none",
  "improvement",
  "minor",
  "major",
  "critical",
] as const satisfies readonly SeverityName[];

/** Among `severities`, selects cases whose severity is not known. */
export const unknownSeverity = "unknown";

const severitiesToFind = [...severityNames, unknownSeverity] as const;

/** What the travellers of a case know of its change, as people recorded it. */
export const travellerStates = ["asked", "answered", "not-informed"] as const;

/** `due`: by the time by which it must be decided, so what is overdue first, then by priority. `deadline` is the same. */
export const caseOrderNames = ["newest", "due", "departure", "deadline"] as const;
export type CaseOrder = (typeof caseOrderNames)[number];

/** What else a case is selected by, as text. */
const describedFilters = {
  airline: code("Marketing or operating carrier, booked or proposed.", /^[A-Z0-9]{2,3}$/, "must be a code such as LH"),
  airport: code("An airport of the flights, booked or proposed.", /^[A-Z]{3}$/, "must be a code such as FRA"),
  route: code(
    "From and to of a flight or journey, such as `FRA-JFK`.",
    /^[A-Z]{3}-[A-Z]{3}$/,
    "must be two airports such as FRA-JFK",
  ),
  rule: name.optional().meta({ description: "The rule or check that decided, exactly." }),
  reason: name.optional().meta({ description: "The code of the first reason or of the question, exactly." }),
  member: z
    .string("may be given once only")
    .min(1, "must not be empty")
    .max(memberPathMax, "is too long")
    .refine(hasNoNul, "must not contain a NUL")
    .optional()
    .meta({ description: "The path of a member that nobody reads, because of which a person was asked, exactly." }),
  openedFrom: instant.optional().meta({ description: "The case was opened then or later." }),
  openedBefore: instant.optional().meta({ description: "Opened before then." }),
  departsFrom: instant.optional().meta({ description: "The next departure is then or later." }),
  departsBefore: instant.optional().meta({ description: "Departs next before then." }),
};

/** Written alike in the query of a list and in the body of a search, as are those of flights and `describedFilters`. */
const workFilters = {
  source: name.optional().meta({ description: "The source, exactly." }),
  queue: name.optional().meta({ description: "The review queue, exactly." }),
  assignee: name.optional().meta({
    description: "Who has taken them: a user name, `me` for your own, or `none` for those that nobody has.",
  }),
  traveller: z
    .enum(travellerStates, `must be one of ${travellerStates.join(", ")}`)
    .optional()
    .meta({
      description:
        "What people have recorded of the traveller: `asked` about the change and without an answer since, `answered`, or `not-informed`: an open case without a record that they were informed, or a finished one whose task to inform them is open.",
    }),
};

const flightFilters = {
  flight: z
    .string("may be given once only")
    .transform((flight) => flight.replaceAll(/\s/g, "").toUpperCase())
    .pipe(flightNumber)
    .optional()
    .meta({ description: "A booked flight that the change touches: carrier and number, such as `LH1167`." }),
  flightDate: localDate
    .optional()
    .meta({ description: "The local date on which such a flight was to leave, yyyy-mm-dd." }),
};

const currency = z.string().regex(/^[A-Z]{3}$/, "must be a code such as EUR");

const orderDescription =
  "`newest`: all, the last opened first. The others list unfinished cases only: `due`, the most urgent first: what is overdue, then what is to be decided next, and at the same time by priority; `departure`, the next departure first; `deadline`, the same as `due`.";

/** Names of travellers must not stand in an address. */
export const searchText = searchWords.optional().meta({
  description: `Words of which each is in the OrderID or a booking reference (three characters or more); or begins a name of a traveller; or is a ticket number or its beginning (six digits or more, with or without the code of the airline); or is a flight, an airline, an airport or a route such as \`FRA-JFK\`. Names and tickets are found for agents and above, and the audit then has who searched. At most ${searchLengthMax} characters and ${searchWordsMax} words.`,
});

/** Which cases, as searches and other requests about many cases take it. */
export const caseFilter = z.strictObject({
  text: searchText,
  states: z.array(z.enum(shownStates)).max(shownStates.length).optional(),
  ...workFilters,
  overdue: z.boolean().optional(),
  ...flightFilters,
  severities: z.array(z.enum(severitiesToFind)).max(severitiesToFind.length).optional().meta({
    description:
      "Any of these. This and the following are known of cases that were decided by version 0.3 or later; others are left out. With `unknown`, which has those before their first decision, only open cases are found.",
  }),
  ...describedFilters,
  value: z
    .strictObject({
      currency,
      min: decimal,
      max: decimal,
    })
    .optional()
    .meta({ description: "The price of the order. Orders in other currencies are left out." }),
});
export type CaseFilter = z.output<typeof caseFilter>;

export const caseSearchBody = caseFilter.extend({
  order: z.enum(caseOrderNames).default("newest").meta({ description: orderDescription }),
  cursor: cursor.optional(),
  limit: z.int().min(1).max(pageLimitMax).default(pageLimitDefault),
});

/** The same in the query of a list, which never searches for names. */
export const caseListQuery = z.strictObject({
  orderId: name.optional().meta({ description: "The OrderID, exactly." }),
  state: listOf(shownStates, "state").optional(),
  ...workFilters,
  overdue: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((value) => value === "true")
    .optional()
    .meta({ description: "Only those that should have been decided by now." }),
  ...flightFilters,
  severities: listOf(severitiesToFind, "severity").optional(),
  ...describedFilters,
  currency: currency
    .optional()
    .meta({ description: "Currency of `valueMin` and `valueMax`; orders in others are left out." }),
  valueMin: decimal.meta({ description: "At least this price; needs `currency`." }),
  valueMax: decimal.meta({ description: "At most this price; needs `currency`." }),
  q: searchWords.optional(),
  order: z
    .enum(caseOrderNames, { error: `must be one of ${caseOrderNames.join(", ")}` })
    .default("newest")
    .meta({ description: orderDescription }),
  ...pageMembers,
});

/** Which cases somebody who sees `visible` asks for. */
export interface CaseSelection extends Omit<CaseFilter, "text" | "assignee"> {
  readonly visible: VisibleSources;
  readonly orderId?: string | undefined;
  /** `person:` and the user name; a null actor means unassigned. */
  readonly assignee?: { readonly actor: string | null } | null | undefined;
  /** Each must be part of the OrderID or of a booking reference, or be a flight, an airline, an airport or a route. */
  readonly words?: readonly string[] | undefined;
  /**
   * Who looks for travellers: each word may also begin a name, or be a ticket number. Takes the role that may read stored
   * bodies, and goes into the audit. Null: nobody does.
   */
  readonly namesSoughtBy?: Actor | null | undefined;
}

/** A page of them. */
export interface CaseQuery extends CaseSelection, PageRequest {
  /** All but `newest`, the default, list unfinished cases only. */
  readonly order?: CaseOrder;
}
