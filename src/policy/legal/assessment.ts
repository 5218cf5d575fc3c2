import type { ClockName } from "./clock-catalogue.ts";
import type { LegalRight } from "./preset.ts";

/** What the presets say of one change. Plain JSON: stored with the decision. */
export interface LegalAssessment {
  /** The presets that were asked. */
  readonly presets: readonly AskedPreset[];
  /**
   * One for each trigger of each preset that applies or may apply, in the order of the presets; several when the trigger
   * gives or may give a right on several journeys.
   */
  readonly verdicts: readonly LegalVerdict[];
  readonly hold: LegalHold;
  /** Presets past their review date, not in force yet, or not known; as sentences. */
  readonly warnings: readonly string[];
}

export interface AskedPreset {
  readonly id: string;
  /** SHA-256 (hex), one of `legalPresetVersions`. */
  readonly version: string;
  /** Whether it applies to a journey of the order. */
  readonly applies: boolean | "unknown";
}

export interface LegalVerdict {
  readonly preset: string;
  readonly trigger: string;
  readonly title: string;
  readonly right: LegalRight;
  readonly verdict: Entitlement;
  /** The journey that it is about, as its booked airports: `LIS-FRA`. Null when no journey gives the right. */
  readonly journey: string | null;
  /** With `cannot-tell` the fact that would tell: of the fact catalogue, or one of `unsettledFacts`. Else null. */
  readonly unknownFact: string | null;
  /** In words, what was read and compared. */
  readonly because: string;
  readonly paragraph: string;
  /** Of the preset. */
  readonly citation: string;
  readonly note: string | null;
  /** For each passenger; null when the right is not to an amount, or the amount cannot be told. */
  readonly amount: LegalAmount | null;
  readonly clocks: readonly LegalClock[];
}

export type Entitlement = "entitled" | "not-entitled" | "cannot-tell";

export interface LegalAmount {
  /** In whole units of the currency. */
  readonly value: string;
  readonly currency: string;
  /** To what the carrier may reduce it, since the new flight arrives soon enough; null when it may not. */
  readonly mayBeReducedTo: string | null;
}

export interface LegalClock {
  readonly name: ClockName;
  /** ISO 8601 in UTC; null while what starts the clock has not happened, or its time is not known. */
  readonly dueAt: string | null;
  /** What starts it and how long it runs, with the paragraph. */
  readonly rule: string;
}

/** Whether a change must not be accepted by itself, because that could give up a refund or another flight. */
export interface LegalHold {
  readonly held: boolean;
  /** Why it is held, or what released it; as sentences, each once. */
  readonly reasons: readonly string[];
}
