import type { SeverityName } from "../itinerary/severity.ts";
import { getOrAdd } from "../kernel/get-or-add.ts";
import { sumOfDecimals } from "../travel/money.ts";
import {
  type AutomationOutcome,
  type AutomationReport,
  type AutomationTally,
  automationReportOf,
  type ChangeKind,
  countAutomation,
  createAutomationTally,
  mergeAutomation,
} from "./automation-report.ts";

export interface BacktestOutcome extends AutomationOutcome {
  readonly queue: string | null;
}

export interface BacktestCase {
  readonly id: string;
  readonly orderId: string;
  /** The airline code of the first booked flight; null if not stated. */
  readonly airline: string | null;
  readonly severity: SeverityName;
  readonly kind: ChangeKind;
  /** Of the order; null if the amount or the currency is unknown. */
  readonly value: Money | null;
  readonly before: BacktestOutcome;
  readonly after: BacktestOutcome;
}

interface Money {
  readonly currency: string;
  /** As decimal text. */
  readonly amount: string;
}

export interface BacktestSettings {
  readonly minutesPerReview: number;
  readonly examplesMax: number;
}

/** An estimate, to be replaced by the agency's own figure. */
export const defaultMinutesPerReview = 6;

export const defaultBacktestSettings: BacktestSettings = { minutesPerReview: defaultMinutesPerReview, examplesMax: 3 };

export interface BacktestCount {
  readonly compared: number;
  readonly flipped: number;
}

export interface NamedCount extends BacktestCount {
  readonly name: string;
}

export interface BacktestFlip {
  /** An action with its queue, such as `review:agent` → `accept`. */
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly value: readonly Money[];
  readonly examples: readonly BacktestExample[];
}

export interface BacktestExample {
  readonly id: string;
  readonly orderId: string;
  readonly beforeRule: string;
  readonly afterRule: string;
}

export interface BacktestReport extends BacktestCount {
  /** Bodies that name no readable order. */
  readonly unreadable: number;
  readonly flips: readonly BacktestFlip[];
  readonly byRule: readonly NamedCount[];
  readonly byAirline: readonly NamedCount[];
  readonly bySeverity: readonly NamedCount[];
  readonly valueAtStake: readonly Money[];
  readonly manual: { readonly before: number; readonly after: number };
  readonly minutesPerReview: number;
  /** Minutes of work for people; negative if work is added. */
  readonly minutesSaved: number;
  readonly automation: { readonly before: AutomationReport; readonly after: AutomationReport };
}

/**
 * What a thread sends. Its size depends on the number of kinds, not of cases. In maps, because a rule may be called
 * `constructor`, which every object has.
 */
export interface BacktestTally {
  compared: number;
  flipped: number;
  unreadable: number;
  manualBefore: number;
  manualAfter: number;
  /** By what flipped from and to. */
  readonly flips: Map<string, FlipTally>;
  readonly byRule: Counters;
  readonly byAirline: Counters;
  readonly bySeverity: Counters;
  readonly automation: { readonly before: AutomationTally; readonly after: AutomationTally };
}

interface FlipTally extends Pick<BacktestFlip, "from" | "to"> {
  count: number;
  readonly value: Sums;
  examples: BacktestExample[];
}

/** Currency → amount. */
type Sums = Map<string, string>;

type Counters = Map<string, Counter>;

interface Counter extends BacktestCount {
  compared: number;
  flipped: number;
}

/** Further airlines are counted together, because a hostile body can invent codes. */
const namesMax = 2_000;
const otherNames = "other";

export function createTally(): BacktestTally {
  return {
    compared: 0,
    flipped: 0,
    unreadable: 0,
    manualBefore: 0,
    manualAfter: 0,
    flips: new Map(),
    byRule: new Map(),
    byAirline: new Map(),
    bySeverity: new Map(),
    automation: { before: createAutomationTally(), after: createAutomationTally() },
  };
}

export function countCase(tally: BacktestTally, each: BacktestCase, { examplesMax }: BacktestSettings): void {
  const { before, after } = each;
  const from = nameOf(before);
  const to = nameOf(after);
  const isFlipped = from !== to;
  tally.compared += 1;
  if (isFlipped) tally.flipped += 1;
  if (needsPerson(before)) tally.manualBefore += 1;
  if (needsPerson(after)) tally.manualAfter += 1;
  countAutomation(tally.automation.before, each.kind, before);
  countAutomation(tally.automation.after, each.kind, after);
  count(tally.byRule, after.rule, isFlipped);
  count(tally.byAirline, each.airline ?? "unknown", isFlipped);
  count(tally.bySeverity, each.severity, isFlipped);
  if (!isFlipped) return;
  const flip = flipFor(tally, from, to);
  flip.count += 1;
  if (each.value !== null) addValue(flip.value, each.value.currency, each.value.amount);
  const example = { id: each.id, orderId: each.orderId, beforeRule: before.rule, afterRule: after.rule };
  flip.examples = firstOf([...flip.examples, example], examplesMax);
}

/** Adds the tally of another thread. The order of the tallies does not matter. */
export function mergeTally(into: BacktestTally, share: BacktestTally, { examplesMax }: BacktestSettings): void {
  into.compared += share.compared;
  into.flipped += share.flipped;
  into.unreadable += share.unreadable;
  into.manualBefore += share.manualBefore;
  into.manualAfter += share.manualAfter;
  for (const name of ["byRule", "byAirline", "bySeverity"] as const) {
    for (const [key, { compared, flipped }] of share[name]) {
      const total = counterFor(into[name], key);
      total.compared += compared;
      total.flipped += flipped;
    }
  }
  mergeAutomation(into.automation.before, share.automation.before);
  mergeAutomation(into.automation.after, share.automation.after);
  for (const flip of share.flips.values()) {
    const total = flipFor(into, flip.from, flip.to);
    total.count += flip.count;
    addValues(total.value, flip.value);
    total.examples = firstOf([...total.examples, ...flip.examples], examplesMax);
  }
}

export function reportOf(tally: BacktestTally, { minutesPerReview }: BacktestSettings): BacktestReport {
  const { compared, flipped, unreadable, manualBefore, manualAfter } = tally;
  const atStake: Sums = new Map();
  for (const { value } of tally.flips.values()) addValues(atStake, value);
  const flips = [...tally.flips.values()].map((flip) => ({ ...flip, value: valuesOf(flip.value) }));
  return {
    compared,
    flipped,
    unreadable,
    flips: flips.sort((a, b) => b.count - a.count || compareText(a.from + a.to, b.from + b.to)),
    byRule: countsOf(tally.byRule),
    byAirline: countsOf(tally.byAirline),
    bySeverity: countsOf(tally.bySeverity),
    valueAtStake: valuesOf(atStake),
    manual: { before: manualBefore, after: manualAfter },
    minutesPerReview,
    minutesSaved: (manualBefore - manualAfter) * minutesPerReview,
    automation: {
      before: automationReportOf(tally.automation.before),
      after: automationReportOf(tally.automation.after),
    },
  };
}

function nameOf({ action, queue }: BacktestOutcome): string {
  return queue === null ? action : `${action}:${queue}`;
}

/** Asking the traveller is work for a person too. */
function needsPerson({ action }: BacktestOutcome): boolean {
  return action === "review" || action === "ask-traveller";
}

function count(counters: Counters, name: string, isFlipped: boolean): void {
  const counter = counterFor(counters, name);
  counter.compared += 1;
  if (isFlipped) counter.flipped += 1;
}

function counterFor(counters: Counters, name: string): Counter {
  const isFull = !counters.has(name) && counters.size >= namesMax;
  return getOrAdd(counters, isFull ? otherNames : name, () => ({ compared: 0, flipped: 0 }));
}

function flipFor({ flips }: BacktestTally, from: string, to: string): FlipTally {
  return getOrAdd(flips, `${from} → ${to}`, () => ({ from, to, count: 0, value: new Map(), examples: [] }));
}

function addValue(sums: Sums, currency: string, amount: string): void {
  const sum = sums.get(currency) ?? "0";
  sums.set(currency, sumOfDecimals([sum, amount]) ?? sum);
}

function addValues(sums: Sums, added: Sums): void {
  for (const [currency, amount] of added) addValue(sums, currency, amount);
}

function valuesOf(sums: Sums): readonly Money[] {
  return [...sums]
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((a, b) => compareText(a.currency, b.currency));
}

function countsOf(counters: Counters): readonly NamedCount[] {
  return [...counters]
    .map(([name, counter]) => ({ name, ...counter }))
    .sort((a, b) => b.flipped - a.flipped || b.compared - a.compared || compareText(a.name, b.name));
}

/** Returns the first examples by id, so that they do not depend on the number of threads. */
function firstOf(examples: readonly BacktestExample[], max: number): BacktestExample[] {
  return examples.toSorted((a, b) => compareText(a.id, b.id) || compareText(a.orderId, b.orderId)).slice(0, max);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
