import { z } from "zod";
import type { ChangeFacts, FactName } from "../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import { describing } from "../kernel/stored.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import { type ListedFacts, listedFactNames } from "./listed-facts.ts";

/**
 * What a decision is based on and how it was made: with its other columns, all that is needed to evaluate it again. It is
 * stored as one value, into which no statement can look. What statements need of it stands beside it as well.
 */
export const decisionDocument = z.object({
  /** Facts introduced later are missing. */
  facts: describing<ChangeFacts | null>(z.record(z.string(), z.unknown()).nullable()),
  itineraries: describing<DecidedItineraries | null>(z.looseObject({}).nullable()),
  /** The rules that were tried, in order, and what each came to. */
  trace: z.unknown(),
  /** Null if no rules were evaluated. As JSON, so dates are text. */
  inputs: z.unknown(),
  /** The results of the legal presets; null if they were not evaluated. */
  legal: describing<LegalAssessment | null>(z.looseObject({}).nullable()),
  versions: z.record(z.string(), z.string()),
});

export type DecisionDocument = Readonly<z.output<typeof decisionDocument>>;

export interface DecidedItineraries {
  readonly booked: Itinerary;
  readonly accepted: Itinerary;
  /** What the view listed; missing in older decisions. */
  readonly current?: Itinerary;
  readonly proposed: Itinerary;
}

/** Besides what lists need. */
const furtherFactNames = [
  "passengerCount",
  // For whoever decides about many cases at once.
  "ordersToStop",
  // For the task after an accept.
  "ancillariesAtRisk",
  // For a person's decision, if its program knows no documents: whether a second person must agree, and what finds the case.
  "orderValue",
  "currency",
  "unreadMembers",
  // What a person must know before an effect is sent.
  "bookingStands",
  "scheduleChangeStatus",
  "unrecognisedChangeStatus",
  "unreadMember",
  "passengersDiffer",
  "referencesDiffer",
  "priceDiffers",
  "aircraftClassLowered",
  "durationContradicted",
  "marriageRegrouped",
] as const satisfies readonly FactName[];

/** The facts that statements and the worker read of a stored decision. The others are in its document only. */
export type SearchedFactName = keyof ListedFacts | (typeof furtherFactNames)[number];
export type SearchedFacts = Partial<Pick<ChangeFacts, SearchedFactName>>;

export const searchedFactNames: ReadonlySet<string> = new Set([...listedFactNames, ...furtherFactNames]);
