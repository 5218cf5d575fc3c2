import { rulesOf } from "./traced-rules.ts";

/** Facts that say the same as another one whenever both have the same value. */
const repetitions: Readonly<Record<string, string>> = {
  sinceAcceptedDepartureEarlierMinutes: "departureEarlierMinutes",
  sinceAcceptedDepartureLaterMinutes: "departureLaterMinutes",
  sinceAcceptedArrivalEarlierMinutes: "arrivalEarlierMinutes",
  sinceAcceptedArrivalLaterMinutes: "arrivalLaterMinutes",
  journeyDepartureEarlierMinutes: "departureEarlierMinutes",
  journeyDepartureLaterMinutes: "departureLaterMinutes",
  journeyArrivalEarlierMinutes: "arrivalEarlierMinutes",
  journeyArrivalLaterMinutes: "arrivalLaterMinutes",
};

interface DecidedCase {
  /** Newest first. */
  readonly decisions: readonly {
    readonly trace?: unknown;
    readonly legal?: { readonly verdicts: readonly { readonly unknownFact: string | null }[] } | null;
  }[];
  readonly severityFacts: readonly string[];
  readonly facts: Readonly<Record<string, unknown>> | null;
}

/** The names of the facts on which the rule that decided, the severity or the law rests, without repetitions. */
export function usedFacts({ decisions, severityFacts, facts }: DecidedCase): ReadonlySet<string> {
  const decided = decisions.find(({ trace }) => rulesOf(trace).length > 0);
  const deciding = rulesOf(decided?.trace).filter(({ outcome }) => outcome === "matched" || outcome === "unknown");
  const used = new Set([
    ...deciding.flatMap(({ reads }) => Object.keys(reads)),
    ...severityFacts,
    ...(decisions[0]?.legal?.verdicts ?? []).flatMap(({ unknownFact }) => unknownFact ?? []),
  ]);
  const known = facts ?? {};
  const isRepeated = (name: string): boolean => {
    const original = repetitions[name];
    return (
      original !== undefined && used.has(original) && JSON.stringify(known[original]) === JSON.stringify(known[name])
    );
  };
  return new Set([...used].filter((name) => !isRepeated(name)));
}
