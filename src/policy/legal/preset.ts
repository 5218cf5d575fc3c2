import type { JourneyChangeFactName } from "../../itinerary/journey-changes.ts";
import type { ClockName } from "./clock-catalogue.ts";
import type { Territory } from "./territories.ts";

/**
 * A law as data: where it applies, what gives which right, until when, and where that is written. It is engineering
 * research and no legal advice; {@link asOf} says how old it is, and past {@link reviewBy} a person must read it again.
 */
export interface LegalPreset {
  /** Stable; settings, decisions and pages name it. */
  readonly id: string;
  readonly title: string;
  readonly citation: string;
  /** Where the text was read. */
  readonly sources: readonly string[];
  /** The day on which the sources were read, yyyy-mm-dd. */
  readonly asOf: string;
  /** The last day on which it may be relied on without a review, yyyy-mm-dd. */
  readonly reviewBy: string;
  /** Whether it is on unless the agency says otherwise. */
  readonly onByDefault: boolean;
  /** For a law that does not apply yet: why, as a sentence. Whoever switches it on is warned. */
  readonly notInForce?: string;
  /** Applies when one clause does. */
  readonly scope: readonly ScopeClause[];
  /** A journey within this territory is domestic. Left out when the law makes no difference. */
  readonly domesticWithin?: Territory;
  readonly triggers: readonly LegalTrigger[];
  /** What a reader must know beside the triggers. */
  readonly notes: readonly string[];
}

/** On which journeys a law applies. */
export type ScopeClause =
  /** One of the booked airports is there, be it only to change flights. */
  | { readonly touches: Territory }
  | { readonly departs: Territory }
  /** It comes from elsewhere, on carriers licensed in one of these territories; left out: on any carrier. */
  | { readonly arrives: Territory; readonly licensedIn?: readonly Territory[] }
  /** It passes through in this way, and whether the law applies then is not settled. */
  | { readonly unsettled: { readonly arrives: Territory } | { readonly connectsIn: Territory } };

/**
 * What a traveller may be owed. Only `refund-or-rerouting` can be given up by accepting; compensation and a partial
 * refund are owed all the same.
 */
export type LegalRight = "refund-or-rerouting" | "compensation" | "partial-refund";

/** Something that gives a right. */
export interface LegalTrigger {
  /** Unique within the preset. */
  readonly id: string;
  readonly title: string;
  readonly right: LegalRight;
  /** The paragraph that says so. */
  readonly paragraph: string;
  readonly when: LegalCondition;
  /** What a reader must know about this trigger; shown with the verdict. */
  readonly note?: string;
  /** The last day on which the authority does not enforce it, yyyy-mm-dd: no right until then, doubtful from then on. */
  readonly notEnforcedUntil?: string;
  readonly amount?: AmountTable;
  readonly clocks?: readonly ClockName[];
}

/** A condition on one journey, three-valued: true, false, or unknown with the name of the fact that is missing. */
export type LegalCondition =
  | NumberCondition
  | FlagCondition
  | NoticeCondition
  | UnsettledCondition
  /** With `words` for pages where the parts would not read well. */
  | { readonly any: readonly LegalCondition[]; readonly words?: string }
  | { readonly all: readonly LegalCondition[] };

/** `>=` includes the limit, `>` does not. Larger numbers are always worse for the traveller. */
export interface NumberCondition {
  readonly fact: NumberFact;
  readonly comparison: ">=" | ">";
  readonly limit: number | { readonly domestic: number; readonly international: number };
}

export interface FlagCondition {
  readonly flag: FlagFact;
}

/** The traveller was told less than so long before the booked departure, or can no longer be told in time. */
export interface NoticeCondition {
  readonly toldLessThan: Notice;
  /** Whether telling exactly that long before still counts as less. */
  readonly inclusive?: boolean;
}

export type Notice = { readonly days: number } | { readonly hours: number };

/** Never known: no order tells it. */
export interface UnsettledCondition {
  readonly unsettled: UnsettledFact;
}

export type NumberFact = Extract<JourneyChangeFactName, `${string}Minutes` | `${string}Count`>;

export type FlagFact = Exclude<JourneyChangeFactName, NumberFact | "journeyDistanceKm"> | "assistanceRequested";

/** What law asks for and no order tells, or what lawyers disagree on. */
export const unsettledFacts = {
  aircraftAccessibility: "Whether the new aircraft has the feature that the traveller needs.",
  carrierControl: "Whether the cause lies within the carrier's control and is no matter of safety.",
  courtReading: "How courts read this change: the law does not name it, and no settled reading was found.",
  enforcement: "Whether the authority enforces this part of the rule; the term in which it does not is over.",
  cancelled: "Whether a flight without new values is withdrawn, or its new values are only missing.",
} as const;

export type UnsettledFact = keyof typeof unsettledFacts;

/** What is paid for each passenger. The first row whose limits are kept counts. */
export interface AmountTable {
  readonly currency: string;
  readonly by: "distance" | "carrier-and-delay";
  readonly rows: readonly AmountRow[];
}

export interface AmountRow {
  /** In whole units of the currency, as text. */
  readonly value: string;
  /** Great-circle distance up to and including this. */
  readonly upToKm?: number;
  /** Only for a journey that stays within the territory, or only for one that leaves it. */
  readonly within?: Territory;
  /** Only for a domestic journey, or only for another one. */
  readonly domestic?: boolean;
  /** Only for a carrier of this size. */
  readonly carrier?: "large" | "small";
  /** Arrival later by this many minutes or more. */
  readonly fromMinutes?: number;
  /** What it may be reduced to when the arrival is later by no more, or by less, than so many minutes. */
  readonly reduced?: { readonly value: string; readonly comparison: "<=" | "<"; readonly minutes: number };
}
