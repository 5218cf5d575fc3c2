import { z } from "zod";
import { taskKinds } from "../../cases/decision.ts";
import { shownStates } from "../../cases/lifecycle.ts";
import type { Problem } from "../../http/problem-document.ts";
import { type RequestProblem, toPointer } from "../../http/request-problems.ts";
import { instant } from "../../http/stored.ts";
import { bulkActionStateNames } from "../bulk-ports.ts";
import { caseOrderNames, severityNames, unknownSeverity } from "../case-ports.ts";
import { listedNotificationStates } from "../notification-ports.ts";
import { taskStateNames } from "../task-ports.ts";

export const pageLimitMax = 200;
const pageLimitDefault = 50;

/** As many names as a path keeps, each as long as may be. */
export const memberPathMax = 4_000;

/** Longer than any order id of a gateway. */
const nameLengthMax = 200;

const limit = z
  .string()
  .regex(/^\d{1,3}$/, `must be a whole number from 1 to ${pageLimitMax}`)
  .transform(Number)
  .pipe(z.number().min(1, `must be at least 1`).max(pageLimitMax, `must be at most ${pageLimitMax}`))
  .default(pageLimitDefault)
  .meta({ description: `Items per page, 1 to ${pageLimitMax}; ${pageLimitDefault} when not given.` });

export const name = z
  .string("may be given once only")
  .min(1, "must not be empty")
  .max(nameLengthMax, "is too long")
  .refine(hasNoNul, "must not contain a NUL");

const cursor = z
  .string("may be given once only")
  .min(1, "must not be empty")
  .max(500, "is too long")
  .meta({ description: "`nextCursor` of the page before." });

/** `state=a,b` */
function stateList<const Name extends string>(names: readonly Name[]) {
  return listOf(names, "state");
}

function listOf<const Name extends string>(names: readonly Name[], what: string) {
  return z
    .string("may be given once only; separate several by commas")
    .transform((text, context) => {
      const given: Name[] = [];
      for (const part of text.split(",").map((one) => one.trim())) {
        const known = names.find((candidate) => candidate === part);
        if (known === undefined) {
          context.addIssue(`names the unknown ${what} '${part}'; allowed are ${names.join(", ")}`);
          return z.NEVER;
        }
        if (!given.includes(known)) given.push(known);
      }
      return given;
    })
    .meta({ description: `Separated by commas, any of: ${names.join(", ")}.` });
}

const searchLengthMax = 100;
const searchWordsMax = 8;

/** All words must be found. */
const searchWords = z
  .string("may be given once only")
  .max(searchLengthMax, "is too long")
  .refine(hasNoNul, "must not contain a NUL")
  .transform((text) => text.split(/\s+/).filter((word) => word !== ""))
  .pipe(
    z.array(z.string()).min(1, "must not be empty").max(searchWordsMax, `must have at most ${searchWordsMax} words`),
  )
  .meta({
    description: `Words that are each at least three characters of the OrderID or of a booking reference, or a flight, an airline, an airport or a route. Case does not matter. At most ${searchLengthMax} characters and ${searchWordsMax} words. To find travellers, use POST /cases/search, so that their names stay out of addresses.`,
  });

/** Marketing carrier and number of a flight, as in `LH1167`. */
export const flightNumber = z
  .string()
  .regex(/^[A-Z0-9]{2,3}\d{1,4}[A-Z]?$/, "must be carrier and number of a flight, such as LH1167");

export const localDate = z.iso.date("must be a date: yyyy-mm-dd");

const code = (description: string, pattern: RegExp, message: string) =>
  z
    .string()
    .transform((text) => text.replaceAll(/\s/g, "").toUpperCase())
    .pipe(z.string().regex(pattern, message))
    .optional()
    .meta({ description });

const decimal = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,4})?$/, "must be an amount as text, such as 1200.50")
  .optional();

const severitiesToFind = [...severityNames, unknownSeverity] as const;

/** What else a case is selected by, as text. */
const describedFilters = {
  airline: code("Marketing or operating carrier, booked or proposed.", /^[A-Z0-9]{2,3}$/, "must be a code such as LH"),
  airport: code("An airport of the flights, booked or proposed.", /^[A-Z]{3}$/, "must be a code such as FRA"),
  route: code(
    "From and to of a flight or of a journey.",
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
  openedBefore: instant.optional(),
  departsFrom: instant.optional().meta({ description: "The next departure is then or later." }),
  departsBefore: instant.optional(),
};

const currency = z.string().regex(/^[A-Z]{3}$/, "must be a code such as EUR");

const orderDescription =
  "`newest`: all, the last opened first. The others list unfinished cases only: `due`, the most urgent first: what is overdue, then what is to be decided next, and at the same time by priority; `departure`, the next departure first; `deadline`, the same as `due`.";

export const caseListQuery = z.strictObject({
  orderId: name.optional().meta({ description: "The OrderID, exactly." }),
  state: stateList(shownStates).optional(),
  source: name.optional().meta({ description: "The source, exactly." }),
  queue: name.optional().meta({ description: "The review queue, exactly." }),
  assignee: name.optional().meta({
    description: "Who has taken them: a user name, `me` for your own, or `none` for those that nobody has.",
  }),
  overdue: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((value) => value === "true")
    .optional()
    .meta({ description: "`true`: only those that should have been decided by now." }),
  flight: z
    .string("may be given once only")
    .transform((flight) => flight.replaceAll(/\s/g, "").toUpperCase())
    .pipe(flightNumber)
    .optional()
    .meta({ description: "A booked flight that the change touches: carrier and number, such as `LH1167`." }),
  flightDate: localDate
    .optional()
    .meta({ description: "The local date on which such a flight was to leave, yyyy-mm-dd." }),
  severities: listOf(severitiesToFind, "severity").optional(),
  ...describedFilters,
  currency: currency.optional().meta({ description: "Of `valueMin` and `valueMax`; orders in others are left out." }),
  valueMin: decimal.meta({ description: "Needs `currency`." }),
  valueMax: decimal.meta({ description: "Needs `currency`." }),
  q: searchWords.optional(),
  order: z
    .enum(caseOrderNames, { error: `must be one of ${caseOrderNames.join(", ")}` })
    .default("newest")
    .meta({ description: orderDescription }),
  cursor: cursor.optional(),
  limit,
});

/** Which cases, as searches and other requests about many cases take it. */
export const caseSelection = z.strictObject({
  text: searchWords.optional().meta({
    description: `Words of which each is in the OrderID or a booking reference (three characters or more); or begins a name of a traveller; or is a ticket number or its beginning (six digits or more, with or without the code of the airline); or is a flight, an airline, an airport or a route such as \`FRA-JFK\`. Names and tickets are found for agents and above, and the audit then has who searched. At most ${searchLengthMax} characters and ${searchWordsMax} words.`,
  }),
  states: z.array(z.enum(shownStates)).max(shownStates.length).optional(),
  source: name.optional(),
  queue: name.optional(),
  assignee: name.optional().meta({ description: "A user name, `me`, or `none`." }),
  overdue: z.boolean().optional(),
  flight: code("A booked flight that the change touches.", /^[A-Z0-9]{2,3}\d{1,4}[A-Z]?$/, "must be a flight"),
  flightDate: localDate.optional().meta({ description: "The local date on which such a flight was to leave." }),
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
export type CaseSelectionBody = z.output<typeof caseSelection>;

export const caseSearchBody = caseSelection.extend({
  order: z.enum(caseOrderNames).default("newest").meta({ description: orderDescription }),
  cursor: cursor.optional(),
  limit: z.int().min(1).max(pageLimitMax).default(pageLimitDefault),
});

export const notificationListQuery = z.strictObject({
  state: z
    .enum(listedNotificationStates, { error: `must be one of ${listedNotificationStates.join(", ")}` })
    .optional()
    .meta({ description: "One state. `quarantined` leaves out those that were discarded." }),
  source: name.optional().meta({ description: "The source, exactly." }),
  code: name.optional().meta({ description: "The code of the problem, exactly." }),
  cursor: cursor.optional(),
  limit,
});

const taskFilters = {
  state: z
    .enum(taskStateNames, { error: `must be one of ${taskStateNames.join(", ")}` })
    .optional()
    .meta({ description: "`open` or `closed`; both when not given." }),
  kind: z
    .enum(taskKinds, { error: `must be one of ${taskKinds.join(", ")}` })
    .optional()
    .meta({ description: "One kind." }),
  assignee: name.optional().meta({ description: "A user name, `me` for your own, or `none` for those of nobody." }),
  cursor: cursor.optional(),
};

export const taskListQuery = z.strictObject({ ...taskFilters, limit });

export const taskSearchBody = z.strictObject({
  ...taskFilters,
  text: caseSelection.shape.text,
  limit: z.int().min(1).max(pageLimitMax).default(pageLimitDefault),
});

export const bulkActionListQuery = z.strictObject({
  state: z
    .enum(bulkActionStateNames, { error: `must be one of ${bulkActionStateNames.join(", ")}` })
    .optional()
    .meta({ description: "One state; every state when not given." }),
  cursor: cursor.optional(),
  limit,
});

export const note = z
  .string()
  .trim()
  .max(2_000)
  .refine(hasNoNul, "must not contain a NUL")
  .meta({ description: "Why, for the people who read the case later." });

/** PostgreSQL cannot store it in a text. */
function hasNoNul(text: string): boolean {
  return !text.includes("\0");
}

export function refuseQuery(error: z.ZodError, schema: z.ZodObject): Problem {
  const problems = describeIssues(error, Object.keys(schema.shape), false);
  return {
    status: 400,
    code: "api.query_invalid",
    title: "The query cannot be read",
    detail: problems.map(({ path, message }) => `'${path}' ${message}`).join("; "),
    extensions: { problems },
  };
}

/** Names what is allowed. */
export function describeIssues(error: z.ZodError, allowed: readonly string[], asPointer: boolean): RequestProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      const allowedNames = allowed.length === 0 ? "none is allowed here" : `allowed are ${allowed.join(", ")}`;
      const parent = toPointer(issue.path);
      return issue.keys.map((key) => ({
        path: asPointer ? toPointer([...issue.path, key]) : key,
        message: parent === "" ? `is unknown; ${allowedNames}` : "is unknown",
      }));
    }
    return [{ path: asPointer ? toPointer(issue.path) : issue.path.map(String).join("."), message: issue.message }];
  });
}
