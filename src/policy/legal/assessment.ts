import type { ClockName } from "./clock-catalogue.ts";
import type { LegalRight } from "./preset.ts";

/** The results of the legal presets for one change. Plain JSON, stored with the decision. */
export interface LegalAssessment {
  readonly presets: readonly AskedPreset[];
  /** The journeys that they were asked about, by their booked airports: `LIS-FRA`. Missing in decisions of version 0.3. */
  readonly journeys?: readonly string[];
  /** Presets in force that are switched off and cover a journey. Missing in decisions of version 0.3. */
  readonly switchedOff?: readonly string[];
  /** Presets that cover a journey and say nothing of its change. Missing in decisions of version 0.3. */
  readonly silent?: readonly SilentLaw[];
  /** One per trigger of each preset that applies or may; one per journey that gives or may give the right. */
  readonly verdicts: readonly LegalVerdict[];
  readonly hold: LegalHold;
  /** Presets past their review date, not in force yet, or unknown; as sentences. */
  readonly warnings: readonly string[];
}

export interface AskedPreset {
  readonly id: string;
  /** SHA-256 (hex), one of `legalPresetVersions`. */
  readonly version: string;
  readonly applies: boolean | "unknown";
}

export interface SilentLaw {
  readonly preset: string;
  /** The change, as a predicate: `leaves 8 h earlier`. */
  readonly change: string;
}

export interface LegalVerdict {
  readonly preset: string;
  readonly trigger: string;
  readonly title: string;
  readonly right: LegalRight;
  readonly verdict: Entitlement;
  /** The journey by its booked airports, such as `LIS-FRA`; null if no journey gives the right. */
  readonly journey: string | null;
  /** With `cannot-tell`, the missing fact: of the fact catalogue, or one of `unsettledFacts`. Else null. */
  readonly unknownFact: string | null;
  readonly because: string;
  readonly paragraph: string;
  readonly citation: string;
  readonly note: string | null;
  /** Per passenger; null if the right has no amount, or it cannot be computed. */
  readonly amount: LegalAmount | null;
  readonly clocks: readonly LegalClock[];
}

export type Entitlement = "entitled" | "not-entitled" | "cannot-tell";

export interface LegalAmount {
  /** In whole units of the currency. */
  readonly value: string;
  readonly currency: string;
  /** The amount to which the carrier may reduce it, because the new flight arrives soon enough; else null. */
  readonly mayBeReducedTo: string | null;
}

export interface LegalClock {
  readonly name: ClockName;
  /** ISO 8601 in UTC; null while the start of the clock has not happened or is unknown. */
  readonly dueAt: string | null;
  /** What starts it and how long it runs, with the paragraph. */
  readonly rule: string;
}

/** Whether a change must not be accepted automatically, because that could give up a refund or another flight. */
export interface LegalHold {
  readonly held: boolean;
  /** Why there is a hold, or what released it; unique sentences. */
  readonly reasons: readonly string[];
}
