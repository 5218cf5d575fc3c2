import { isChangeHidden, type StoredFacts } from "../../itinerary/hidden-change.ts";
import { listed } from "../../kernel/listed.ts";
import type { LegalAssessment } from "./assessment.ts";
import { namePlace } from "./law-words.ts";

/** What was looked at: enough of an assessment, also of a stored one. */
export interface Coverage {
  readonly presets?: readonly Pick<LegalAssessment["presets"][number], "id" | "applies">[] | undefined;
  readonly journeys?: readonly string[] | undefined;
  readonly switchedOff?: readonly string[] | undefined;
  readonly silent?: LegalAssessment["silent"] | undefined;
  readonly verdicts: readonly Pick<LegalAssessment["verdicts"][number], "verdict">[];
}

/**
 * Says which laws were looked at for a change and whether they cover it, as sentences: silence of the laws that are on is
 * not the absence of rights.
 * @param coverage null if no law was looked at.
 * @param facts of the change; null if they are not known.
 */
export function describeCoverage(coverage: Coverage | null, facts: StoredFacts | null): readonly string[] {
  if (coverage === null) return ["No law was looked at for this decision."];
  const { presets, journeys = [], switchedOff = [] } = coverage;
  // Nothing can be said about laws that are not named.
  if (presets === undefined) return [];
  const off = switchedOff.map((id) => `${namePlace(id, "The")}'s law covers it and is off.`);
  if (presets.length === 0) return ["No law was looked at: all of them are off.", ...off];
  if (coverage.journeys?.length === 0) return ["No booked flight is known, so no law could be looked at."];
  const where = journeys.length === 0 ? "the trip" : listed(journeys.slice(0, journeysListed), " or ");
  const covering = presets.filter(({ applies }) => applies === true).map(({ id }) => id);
  const unclear = presets.filter(({ applies }) => applies === "unknown").map(({ id }) => namePlace(id, "the"));
  if (covering.length + unclear.length === 0) {
    const on = presets.map(({ id }) => namePlace(id, null));
    return [`None of the laws that are on (${on.join(", ")}) covers ${where}.`, ...off];
  }
  return [
    ...describeNoRight(covering, coverage, facts),
    ...(unclear.length === 0 ? [] : [`It is not known whether the law of ${listed(unclear)} covers ${where}.`]),
    ...off,
  ];
}

/** What the laws that cover the trip say where none gives a right, or may. */
function describeNoRight(
  covering: readonly string[],
  { verdicts, silent = [] }: Coverage,
  facts: StoredFacts | null,
): readonly string[] {
  if (covering.length === 0 || verdicts.some(({ verdict }) => verdict !== "not-entitled")) return [];
  if (facts !== null && isChangeHidden(facts)) {
    return [`What changes is not known, nor is whether the law of ${lawsOf(covering, "or")} gives a right.`];
  }
  const clear = covering.filter((id) => !silent.some(({ preset }) => preset === id));
  return [
    ...(clear.length === 0 ? [] : [`The law of ${lawsOf(clear, "and")} gives no right for this change.`]),
    ...silent.map(
      ({ preset, change }) =>
        `The law of ${namePlace(preset, "the")} does not say whether a journey that ${change} gives a right.`,
    ),
  ];
}

function lawsOf(presets: readonly string[], last: string): string {
  const places = presets.map((id) => namePlace(id, "the"));
  return listed(places, ` ${last} `);
}

/** Enough to know what trip it is. */
const journeysListed = 4;
