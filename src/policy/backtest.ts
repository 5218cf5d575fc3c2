import type { SeverityName } from "../itinerary/severity.ts";
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
  /** The order's value as decimal text; null if the amount or the currency is unknown. */
  readonly value: { readonly amount: string; readonly currency: string } | null;
  readonly before: BacktestOutcome;
  readonly after: BacktestOutcome;
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

export interface BacktestFlip {
  /** An action with its queue, such as `review:agent` → `accept`. */
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly value: readonly { readonly currency: string; readonly amount: string }[];
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
  readonly byRule: readonly (BacktestCount & { readonly name: string })[];
  readonly byAirline: readonly (BacktestCount & { readonly name: string })[];
  readonly bySeverity: readonly (BacktestCount & { readonly name: string })[];
  readonly valueAtStake: readonly { readonly currency: string; readonly amount: string }[];
  readonly manual: { readonly before: number; readonly after: number };
  readonly minutesPerReview: number;
  /** Minutes of work for people; negative if work is added. */
  readonly minutesSaved: number;
  readonly automation: { readonly before: AutomationReport; readonly after: AutomationReport };
}

/** Plain JSON, so that threads can send theirs. Its size depends on the number of kinds, not of cases. */
export interface BacktestTally {
  compared: number;
  flipped: number;
  unreadable: number;
  manualBefore: number;
  manualAfter: number;
  readonly flips: Record<string, FlipTally>;
  readonly byRule: Record<string, Count>;
  readonly byAirline: Record<string, Count>;
  readonly bySeverity: Record<string, Count>;
  readonly automation: { readonly before: AutomationTally; readonly after: AutomationTally };
}

interface FlipTally {
  count: number;
  /** Currency → sum. */
  readonly value: Record<string, string>;
  examples: BacktestExample[];
}

interface Count {
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
    flips: {},
    byRule: {},
    byAirline: {},
    bySeverity: {},
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
  const flip = (tally.flips[`${from} → ${to}`] ??= { count: 0, value: {}, examples: [] });
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
    for (const [key, { compared, flipped }] of Object.entries(share[name])) {
      const total = counterFor(into[name], key);
      total.compared += compared;
      total.flipped += flipped;
    }
  }
  mergeAutomation(into.automation.before, share.automation.before);
  mergeAutomation(into.automation.after, share.automation.after);
  for (const [key, flip] of Object.entries(share.flips)) {
    const total = (into.flips[key] ??= { count: 0, value: {}, examples: [] });
    total.count += flip.count;
    for (const [currency, amount] of Object.entries(flip.value)) addValue(total.value, currency, amount);
    total.examples = firstOf([...total.examples, ...flip.examples], examplesMax);
  }
}

export function reportOf(tally: BacktestTally, { minutesPerReview }: BacktestSettings): BacktestReport {
  const { compared, flipped, unreadable, manualBefore, manualAfter } = tally;
  const atStake: Record<string, string> = {};
  const flips = Object.entries(tally.flips).map(([key, flip]) => {
    const [from = "", to = ""] = key.split(" → ");
    for (const [currency, amount] of Object.entries(flip.value)) addValue(atStake, currency, amount);
    return { from, to, count: flip.count, value: valuesOf(flip.value), examples: flip.examples };
  });
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

function count(counts: Record<string, Count>, name: string, isFlipped: boolean): void {
  const counter = counterFor(counts, name);
  counter.compared += 1;
  if (isFlipped) counter.flipped += 1;
}

function counterFor(counts: Record<string, Count>, name: string): Count {
  const isFull = !Object.hasOwn(counts, name) && Object.keys(counts).length >= namesMax;
  return (counts[isFull ? otherNames : name] ??= { compared: 0, flipped: 0 });
}

function addValue(values: Record<string, string>, currency: string, amount: string): void {
  values[currency] = sumOfDecimals([values[currency] ?? "0", amount]) ?? values[currency] ?? "0";
}

function valuesOf(values: Readonly<Record<string, string>>): readonly { currency: string; amount: string }[] {
  return Object.entries(values)
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((a, b) => compareText(a.currency, b.currency));
}

function countsOf(counts: Readonly<Record<string, Count>>): readonly (BacktestCount & { name: string })[] {
  return Object.entries(counts)
    .map(([name, { compared, flipped }]) => ({ name, compared, flipped }))
    .sort((a, b) => b.flipped - a.flipped || b.compared - a.compared || compareText(a.name, b.name));
}

/** Returns the first examples by id, so that they do not depend on the number of threads. */
function firstOf(examples: readonly BacktestExample[], max: number): BacktestExample[] {
  return examples.toSorted((a, b) => compareText(a.id, b.id) || compareText(a.orderId, b.orderId)).slice(0, max);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
