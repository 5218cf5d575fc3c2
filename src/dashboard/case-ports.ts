import { z } from "zod";
import { shownStates } from "../cases/lifecycle.ts";
import { id, instant, type Stored } from "./stored.ts";

export const failure = z.looseObject({ code: z.string(), message: z.string() });

/**
 * The columns of a case that are shown as stored; the column has the same name in snake case. The query, its type, the API
 * and its description are derived from this.
 */
export const caseColumns = {
  id,
  source: z.string(),
  orderId: z.string(),
  gdsBookingReferences: z.array(z.string()),
  state: z.enum(shownStates),
  reviewQueue: z.string().nullable().meta({ description: "The queue in which agents find it." }),
  headline: z.string().nullable().meta({ description: "What changed, in one sentence." }),
  priority: z.int().min(0).max(9).meta({ description: "0 is the most urgent." }),
  departureAt: instant.nullable(),
  openedAt: instant,
  updatedAt: instant,
  closedAt: instant.nullable(),
  dueAt: instant.nullable().meta({ description: "Next check of the booking." }),
  assignee: z.string().nullable().meta({ description: "`person:` and the assignee." }),
  undoUntil: instant
    .nullable()
    .meta({ description: "An automatic effect is not sent before this, and `stop` prevents it." }),
  failures: z.int().meta({ description: "Failed attempts in a row." }),
  lastError: failure.nullable(),
  version: z.int(),
  proposalDigest: z.string().nullable(),
};

/** As read from the database: the API renders the dates as text. */
export type CaseColumns = { readonly [Name in keyof typeof caseColumns]: Stored<(typeof caseColumns)[Name]> };
