import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { type Fact, isTrue } from "../kernel/fact.ts";
import { getOrAdd } from "../kernel/get-or-add.ts";
import type { PolicyAction } from "./policy.ts";

/** Kinds of changes, in the order of a report. */
export const changeKinds = [
  "times, up to 30 min",
  "times, 31 to 60 min",
  "times, 61 to 180 min",
  "times, over 180 min",
  "times of several flights",
  "times and aircraft",
  "aircraft only",
  "terminal only",
  "flight number only",
  "another flight",
  "more stops or connections",
  "withdrawn",
  "nothing",
  "other",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface AutomationOutcome {
  readonly action: PolicyAction;
  readonly rule: string;
  readonly reason: string;
}

export interface AutomationCounts {
  readonly decided: number;
  readonly accepted: number;
  readonly cancelled: number;
  /** The traveller is to be asked, by a person. */
  readonly asked: number;
  readonly waited: number;
  readonly reviewed: number;
  /** Nothing was to be done. */
  readonly closed: number;
}

/** What one policy decides without people, and the reviews that it causes. */
export interface AutomationReport extends AutomationCounts {
  readonly byKind: readonly (AutomationCounts & { readonly kind: ChangeKind })[];
  readonly reasons: readonly ReviewReason[];
  readonly otherReviews: number;
}

export interface ReviewReason {
  readonly rule: string;
  readonly reason: string;
  readonly count: number;
  /** The share of all decided changes, 0 to 1, that could at most be automated without this reason. */
  readonly share: number;
}

/**
 * What a thread sends. Its size depends on the number of rules, not of changes. In maps, because a rule may be called
 * `constructor`, which every object has.
 */
export interface AutomationTally {
  readonly byKind: Map<ChangeKind, Counts<PolicyAction>>;
  /** Reviews by rule, then by reason. */
  readonly reviews: Map<string, Counts<string>>;
}

type Counts<Name> = Map<Name, number>;

const reasonsMax = 10;

export function createAutomationTally(): AutomationTally {
  return { byKind: new Map(), reviews: new Map() };
}

export function countAutomation(tally: AutomationTally, kind: ChangeKind, outcome: AutomationOutcome): void {
  add(tally.byKind, kind, outcome.action, 1);
  if (outcome.action === "review") add(tally.reviews, outcome.rule, outcome.reason, 1);
}

export function mergeAutomation(into: AutomationTally, share: AutomationTally): void {
  for (const [kind, actions] of share.byKind) {
    for (const [action, count] of actions) add(into.byKind, kind, action, count);
  }
  for (const [rule, reasons] of share.reviews) {
    for (const [reason, count] of reasons) add(into.reviews, rule, reason, count);
  }
}

export function automationReportOf(tally: AutomationTally): AutomationReport {
  const byKind = changeKinds.flatMap((kind) => {
    const actions = tally.byKind.get(kind);
    return actions === undefined ? [] : [{ kind, ...countsOf([actions]) }];
  });
  const all = countsOf([...tally.byKind.values()]);
  const reasons = [...tally.reviews]
    .flatMap(([rule, counts]) =>
      [...counts].map(([reason, count]) => ({ rule, reason, count, share: count / all.decided })),
    )
    .sort((a, b) => b.count - a.count || compareText(a.rule, b.rule) || compareText(a.reason, b.reason));
  const named = reasons.slice(0, reasonsMax);
  const otherReviews = all.reviewed - named.reduce((sum, { count }) => sum + count, 0);
  return { ...all, byKind, reasons: named, otherReviews };
}

/** A missing fact, as in decisions of earlier versions, counts as unknown. */
type KindFacts = Partial<
  Pick<
    ChangeFacts,
    | "cancelled"
    | "partiallyCancelled"
    | "removedFlightCount"
    | "connectionsAdded"
    | "stopsAdded"
    | "flightNumberOnly"
    | "replaced"
    | "changedFlightCount"
    | "cumulativeShiftMinutes"
    | "cabinDowngraded"
    | "rbdChanged"
    | "brandChanged"
    | "airportChanged"
    | "operatingCarrierChanged"
    | "marriageBroken"
    | "aircraftChanged"
    | "terminalChanged"
  >
>;

/** Returns the kind of a change by its facts. Unknown facts are ignored; `other` is the fallback. */
export function kindOfChange(facts: KindFacts): ChangeKind {
  const { changedFlightCount, removedFlightCount, cumulativeShiftMinutes } = facts;
  if (isTrue(facts.cancelled) || isTrue(facts.partiallyCancelled) || valueOf(removedFlightCount) > 0)
    return "withdrawn";
  if (isTrue(facts.connectionsAdded) || isTrue(facts.stopsAdded)) return "more stops or connections";
  if (isTrue(facts.flightNumberOnly)) return "flight number only";
  if (isTrue(facts.replaced)) return "another flight";
  if (valueOf(changedFlightCount) === 0) return "nothing";
  if (otherChanges.some((name) => isTrue(facts[name]))) return "other";
  const minutes = valueOf(cumulativeShiftMinutes);
  if (minutes > 0) return kindOfRetiming(minutes, valueOf(changedFlightCount) > 1, isTrue(facts.aircraftChanged));
  if (minutes !== 0) return "other";
  if (isTrue(facts.aircraftChanged)) return "aircraft only";
  return isTrue(facts.terminalChanged) ? "terminal only" : "other";
}

/** Facts of a change beyond times, aircraft and terminals. */
const otherChanges = [
  "cabinDowngraded",
  "rbdChanged",
  "brandChanged",
  "airportChanged",
  "operatingCarrierChanged",
  "marriageBroken",
] as const;

function kindOfRetiming(minutes: number, areSeveral: boolean, withAircraft: boolean): ChangeKind {
  if (areSeveral) return "times of several flights";
  if (withAircraft) return "times and aircraft";
  if (minutes <= 30) return "times, up to 30 min";
  if (minutes <= 60) return "times, 31 to 60 min";
  return minutes <= 180 ? "times, 61 to 180 min" : "times, over 180 min";
}

function countsOf(all: readonly Counts<PolicyAction>[]): AutomationCounts {
  const of = (action: PolicyAction): number => all.reduce((sum, actions) => sum + (actions.get(action) ?? 0), 0);
  const counts = {
    accepted: of("accept"),
    cancelled: of("cancel"),
    asked: of("ask-traveller"),
    waited: of("wait"),
    reviewed: of("review"),
    closed: of("none"),
  };
  return { decided: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts };
}

/** Returns NaN for an unknown fact, which compares false with anything. */
function valueOf(fact: Fact<number> | undefined): number {
  return fact?.known === true ? fact.value : Number.NaN;
}

function add<Key, Name>(all: Map<Key, Counts<Name>>, key: Key, name: Name, count: number): void {
  const counts = getOrAdd(all, key, () => new Map<Name, number>());
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
