import { z } from "zod";
import { caseActionNames } from "../cases/case-actions.ts";
import type { CaseAction, CaseActionOutcome } from "../cases/case-command.ts";
import { caseApproval, caseContact, caseEffect, caseEvent, settlement } from "../cases/case-record.ts";
import { caseSummary } from "../cases/case-summary.ts";
import { decisionActions, reason } from "../cases/decision.ts";
import { shownStates } from "../cases/lifecycle.ts";
import type { ListedFacts } from "../cases/listed-facts.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { ItineraryDifference } from "../itinerary/difference.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { JourneyTimes } from "../itinerary/journey-times.ts";
import type { Severity } from "../itinerary/severity.ts";
import { decimal, describing, failure, id, instant, type Stored, tokenName } from "../kernel/stored.ts";
import { type CaseQuery, severityNames } from "./case-filter-ports.ts";
import { difference, facts, flags, itinerary, journeyTimes, legal } from "./change-schemas.ts";
import { changedFlight } from "./changed-flights.ts";
import { type NotificationQueries, notificationItem } from "./notification-ports.ts";
import type { Page } from "./paging-ports.ts";
import type { Reconciliation } from "./reconciliation-ports.ts";
import { caseTask, clockInForce } from "./task-ports.ts";

const decisionMembers = {
  id,
  action: z.enum(decisionActions),
  rule: z.string().meta({ description: "The rule that decided." }),
  reasons: z.array(reason).meta({ description: "The first one decided." }),
  decidedBy: z.string().meta({ description: "`policy`, or `person:` and who." }),
  token: tokenName,
  decidedAt: instant,
};

export const decisionSummary = z
  .strictObject({
    ...decisionMembers,
    settled: settlement.nullable().meta({
      description: "What a person has said since, if it asks whether an accept or a cancel was carried out; else null.",
    }),
  })
  .meta({ id: "DecisionSummary" });

export const caseChange = z.strictObject({
  facts: describing<ListedFacts | null>(z.unknown()),
  booked: itinerary.nullable(),
  /** The current flights in the status. Null in decisions of earlier versions. */
  current: itinerary.nullable(),
  proposed: itinerary.nullable(),
  /** When the status was read. Flights that had arrived by then were flown. */
  evaluatedAt: instant.nullable(),
});

/** What lists need to rank a change and to name its flights. */
export type CaseChange = Stored<typeof caseChange>;

/**
 * A case as it is stored. A member has a column of the same name in snake case, unless the query computes it. The query,
 * its type, the API and its description are derived from this.
 */
export const storedCase = z.strictObject({
  id,
  source: z.string(),
  orderId: z.string(),
  ...caseSummary.omit({ flightDates: true }).shape,
  state: z.enum(shownStates),
  reviewQueue: z.string().nullable().meta({ description: "The queue in which agents find it." }),
  priority: z.int().min(0).max(9).meta({ description: "0 is the most urgent." }),
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
  dueBy: clockInForce.nullable().meta({ description: "Deadline for the decision: the earliest of its clocks." }),
  overdue: z.boolean(),
  passengerCount: z.int().nullable().meta({ description: "Infants included; null if it is not known." }),
  value: z
    .strictObject({ amount: decimal, currency: z.string() })
    .nullable()
    .meta({ description: "The price of the order; null if it is not known." }),
  decision: decisionSummary.nullable().meta({ description: "The decision in force." }),
  /** The input of the decision in force; null if there is none or it had no flights to compare. */
  change: caseChange.nullable(),
});

export type CaseItem = Stored<typeof storedCase>;

const { change: _, ...shownMembers } = storedCase.shape;

/** A case as it is shown: with what is computed from its change. */
export const caseItem = z
  .strictObject({
    ...shownMembers,
    severity: z
      .enum(severityNames)
      .nullable()
      .meta({ description: "How much the change means for those who travel; null when no facts are known." }),
    severityFacts: z.array(z.string()).meta({ description: "Names of the facts that made it so." }),
    route: z.string().nullable().meta({
      description:
        "The airports of the journeys that change, such as LIS–FRA–LIS; null when no flight is known to change.",
    }),
    times: z
      .array(changedFlight)
      .nullable()
      .meta({ description: "Flights that change, at most 20; null when flights could not be compared." }),
    departure: z
      .strictObject({ airport: z.string(), local: z.string() })
      .nullable()
      .meta({ description: "`departureAt` by the clock of its airport, as printed; null if it is not known." }),
  })
  .meta({ id: "CaseItem" });

/** Functions of the domain, which the composition root injects. */
export interface ChangeReader {
  /** @param facts Some may be missing in decisions of earlier versions. */
  severityOf(facts: Partial<ChangeFacts>): Severity;
  differenceBetween(
    booked: Itinerary,
    proposed: Itinerary,
    view: { readonly current?: Itinerary | undefined; readonly now?: Date | undefined },
  ): ItineraryDifference;
  journeyTimes(
    difference: ItineraryDifference,
    proposed: Itinerary,
    facts: Partial<ChangeFacts>,
  ): readonly JourneyTimes[];
}

const itineraries = z
  .strictObject({
    booked: itinerary.nullable(),
    /** The flights accepted last. */
    accepted: itinerary.nullable(),
    current: itinerary
      .optional()
      .meta({ description: "What the status listed; decisions of earlier versions lack it." }),
    proposed: itinerary.nullable(),
  })
  .meta({ id: "Itineraries" });

export const caseNotification = notificationItem.pick({
  id: true,
  receivedAt: true,
  receipts: true,
  digest: true,
  state: true,
  bodyDeleted: true,
});

export type CaseNotification = Stored<typeof caseNotification>;

export const caseDecision = z.strictObject({
  ...decisionMembers,
  reviewQueue: z.string().nullable(),
  note: z.string().nullable(),
  priority: z.int().min(0).max(9).nullable().meta({ description: "0 is the most urgent." }),
  legal: legal.nullable().meta({ description: "What the law says of the change; null when it was not asked." }),
  proposalDigest: z.string().nullable(),
  flags: flags.nullable(),
  facts: facts.nullable(),
  itineraries: itineraries.nullable(),
  trace: z.unknown().meta({ description: "The rules that were tried, in order, and what each came to." }),
  evaluatedAt: instant.nullable(),
  versions: z.record(z.string(), z.string()).meta({ description: "What it was computed with." }),
  supersededAt: instant.nullable(),
  supersededBy: id.nullable(),
});

export type CaseDecision = Stored<typeof caseDecision>;

/** Each list has at most its newest 200 entries: notifications, decisions and effects newest first, others oldest first. */
const storedDetail = z.strictObject({
  flags: flags.nullable(),
  facts: facts.nullable(),
  itineraries,
  notifications: z.array(caseNotification),
  decisions: z.array(caseDecision),
  effects: z.array(caseEffect),
  timeline: z.array(caseEvent),
  approval: caseApproval.nullable().meta({ description: "What one person has asked for and another must agree to." }),
  snoozableUntil: instant.meta({ description: "The latest time until which it can be snoozed." }),
  travellerContacts: z
    .array(caseContact)
    .meta({ description: "What travellers of the order were told and said, oldest first." }),
  tasks: z.array(caseTask),
  reopenedFrom: id.nullable().meta({ description: "The finished case that a person opened again." }),
  possibleActions: z
    .array(z.enum(caseActionNames))
    .meta({ description: "Actions that are possible now, regardless of the role." }),
});

export const caseDetail = z
  .strictObject({
    ...caseItem.shape,
    ...storedDetail.shape,
    difference: difference.nullable().meta({ description: "Null as long as there is nothing to compare." }),
    journeyTimes: z
      .array(journeyTimes)
      .nullable()
      .meta({ description: "The journeys of `difference` as instants, with their connections." }),
    cancelNeedsApproval: z.boolean().meta({
      description:
        "Whether a second person must agree to a cancel: the order is worth too much, or its worth is not known.",
    }),
  })
  .meta({ id: "CaseDetail" });

export type CaseDetail = CaseItem & Stored<typeof storedDetail>;

export interface CaseTotal {
  readonly count: number;
  /** Whether there are more: counting ends at 10,000. */
  readonly isCapped: boolean;
}

/** One transaction. */
export type ActOnCase = (action: CaseAction) => Promise<CaseActionOutcome>;

/**
 * Each method is one transaction, which only reads and only adds to the audit that somebody searched for travellers. It
 * rejects with a retryable error while the database is down.
 */
export interface CaseQueries extends NotificationQueries {
  /** By default the latest opened first. */
  listCases(query: CaseQuery): Promise<Page<CaseItem>>;
  /** A page and how many there are; null after the first page. */
  searchCases(query: CaseQuery): Promise<Page<CaseItem> & { readonly total: CaseTotal | null }>;
  readCase(id: string, visible: VisibleSources): Promise<CaseDetail | null>;
  /** @param idsMax Limits the ids of each kind, not the counts. */
  reconcile(idsMax: number): Promise<Reconciliation>;
}
