import type { AirlineDeadline } from "../contract/order-view.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Fact } from "../kernel/fact.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import { type ClockName, isMarkBeforeDeparture, isRefundClock } from "../policy/legal/clock-catalogue.ts";
import { nameLaw } from "../policy/legal/law-words.ts";
import { instantsOf } from "../travel/local-time.ts";
import type { Assessment } from "./assess.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import type { ResponseTarget } from "./timing.ts";

/** The rule of the agency SLA, which snoozing restarts. */
export const responseTargetRule = "response-target";

/** The rule of a limit that the airline states. */
export const airlineDeadlineRule = "airline-deadline";

/** The inputs of the clocks. An unknown input omits only its own clock. */
export interface ClockInput {
  /** When this change was first seen. The agency SLA counts from it; nobody could meet an earlier mark. */
  readonly since: Date;
  /** 0 (most urgent) to 9. */
  readonly priority: number;
  readonly responseTargets: readonly ResponseTarget[];
  readonly assessment: ClockedAssessment | null;
}

export type ClockedAssessment = Pick<Assessment, "booked" | "paymentTimeLimits" | "deadlines" | "evaluatedAt"> & {
  readonly proposal: Pick<Assessment["proposal"], "proposed">;
  readonly facts: Pick<Assessment["facts"], "held" | "minutesToDeparture" | "tripDeparted">;
  readonly legal: Pick<Assessment["legal"], "verdicts">;
};

export interface ClockMark {
  readonly at: Date;
  /**
   * `airline-deadline`, `payment-time-limit`, `departure-48h`, `departure-24h`, `departure`, `response-target`, or the
   * name of a legal clock.
   */
  readonly rule: string;
  readonly text: string;
}

export interface DueBy extends ClockMark {
  /** The same without the agency SLA, which snoozing restarts; null if no other clock runs. */
  readonly firmAt: Date | null;
  readonly all: readonly ClockMark[];
}

/** By when a task must be done. */
export interface TaskDueBy {
  readonly at: Date;
  /** `departure-24h`, `departure`, `agency-refund`, or the name of a legal clock. */
  readonly rule: string;
}

/**
 * Returns the earliest clock of a case, or null if none runs.
 * Nobody could meet a clock that ran out before the change was seen, so the next one counts. If all had run out, the
 * latest counts and the case is overdue at once. A deadline of the airline counts even if it had run out: what follows
 * may be undone only if somebody looks at once. A clock that runs out later keeps counting, whatever is read again. It
 * ends when its duty is met, as when the traveller is informed, or with another proposal, which is another change.
 * @see docs/clocks.md, "Clocks"
 */
export function dueByOf(input: ClockInput): DueBy | null {
  const { since, assessment } = input;
  const marks = assessment && [
    ...deadlineMarks(assessment),
    ...paymentMarks(assessment),
    ...departureMarks(assessment),
    ...legalMarks(assessment),
  ];
  const all = withoutDuplicates([...(marks ?? []), ...responseMark(input)]).sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
  const counting = effectiveMark(all, since);
  if (counting === null) return null;
  const withoutTarget = all.filter(({ rule }) => rule !== responseTargetRule);
  return { ...counting, firmAt: effectiveMark(withoutTarget, since)?.at ?? null, all };
}

/**
 * Returns the first mark that is after `since` or a deadline of the airline, or else the latest.
 * @param marks the earliest first.
 */
function effectiveMark<Mark extends Pick<ClockMark, "at" | "rule">>(marks: readonly Mark[], since: Date): Mark | null {
  return marks.find(({ at, rule }) => at > since || rule === airlineDeadlineRule) ?? marks.at(-1) ?? null;
}

/**
 * Returns the limits that the airline states, the earliest first. One without a zone is taken for the earliest instant
 * that it can mean, and so is one whose day and month may be either way round. One to pay does not count for an order
 * that is paid or ticketed.
 */
export function deadlineMarks(assessment: DeadlineAssessment): ClockMark[] {
  const { evaluatedAt } = assessment;
  return deadlinesOf(assessment)
    .flatMap(({ purpose, at: printed, otherAt, utcOffset, consequence, unread }) => {
      const earliest = earliestMeaningOf(printed);
      if (earliest === null) return [];
      const at = utcOffset === null ? earliest : new Date(Date.parse(`${printed}Z`) - utcOffset * minuteMs);
      if (unread !== undefined)
        return [{ at: earliest, rule: airlineDeadlineRule, text: describeUnread({ purpose, unread, consequence }) }];
      const limit = { printed, otherAt, at, isZoned: utcOffset !== null };
      const when = describeLimit(limit, evaluatedAt);
      const text = `The airline's limit to ${purpose} ${when} ${consequenceWords[consequence]}`;
      return [{ at, rule: airlineDeadlineRule, text }];
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Says what the airline states of limits, the earliest that can be read first; null if it states none. */
export function describeDeadlines(assessment: DeadlineAssessment): string | null {
  const [earliest] = deadlineMarks(assessment);
  const unread = deadlinesOf(assessment).flatMap(({ unread, ...deadline }) =>
    unread === undefined ? [] : [describeUnread({ ...deadline, unread })],
  );
  const sentences = new Set([...(earliest === undefined ? [] : [earliest.text]), ...unread]);
  return sentences.size === 0 ? null : [...sentences].join(" ");
}

/** A limit of the airline as it is stated; `at` is the earliest instant that it can mean. */
interface StatedLimit {
  readonly printed: string;
  readonly otherAt: string | undefined;
  readonly at: Date;
  readonly isZoned: boolean;
}

function describeLimit({ printed, otherAt, at, isZoned }: StatedLimit, now: Date): string {
  const isPassed = at <= now;
  const stated = isZoned ? at.toISOString().replace(".000Z", "Z") : withoutMidnight(printed);
  if (otherAt !== undefined) {
    const other = withoutMidnight(otherAt);
    return isPassed
      ? `is ${other}, or ${stated} with day and month the other way round, which ${isZoned ? "has" : "may have"} passed. Ask the airline which is meant.`
      : `is ${stated} or ${other}; the earlier one is used.${isZoned ? "" : ` ${noZone}`}`;
  }
  if (isZoned) return isPassed ? `has passed: it was ${stated}. Ask the airline what applies now.` : `is ${stated}.`;
  if (!isPassed) return `is ${stated}. ${noZone}`;
  return Date.parse(`${printed}Z`) + westernmostHours * hourMs <= now.getTime()
    ? `has passed: it was ${stated}. Ask the airline what applies now.`
    : `is ${stated}. It states no time zone, and by the earliest possible one (${easternmostZone}) it has passed.`;
}

/** A date without a time is kept as the beginning of its day. */
function withoutMidnight(printed: string): string {
  return printed.replace(/T00:00:00$/, "");
}

function describeUnread({
  purpose,
  unread,
  consequence,
}: Pick<AirlineDeadline, "purpose" | "consequence"> & { readonly unread: string }): string {
  return `The airline states a limit to ${purpose} that cannot be read: ${unread}. ${consequenceWords[consequence]}`;
}

type DeadlineAssessment = Pick<ClockedAssessment, "deadlines" | "evaluatedAt"> & {
  readonly facts: Pick<ClockedAssessment["facts"], "held">;
};

function deadlinesOf({ deadlines, facts: { held } }: DeadlineAssessment): readonly AirlineDeadline[] {
  return deadlines.filter(({ purpose }) => purpose === "act" || !held.known || held.value);
}

const consequenceWords: Readonly<Record<AirlineDeadline["consequence"], string>> = {
  cancelled: "The airline cancels the order then.",
  accepted: "The airline takes the change as accepted then.",
  "unknown-code": "What happens then is stated by a code that is not known here: ask the airline.",
  "not-stated": "What happens then is not stated.",
};

/**
 * Returns when the ticket must be checked: 24 hours before the first accepted flight ahead, when check-in opens and
 * refuses an invalid ticket, or its departure if that has passed. Returns null if no flight is known to be ahead.
 * @param flights the accepted ones; null if unknown.
 */
export function ticketTaskDueBy(flights: Itinerary | null, now: Date): TaskDueBy | null {
  const departure = flights === null ? null : firstDepartureAhead(flights.segments, now);
  return departure === null ? null : effectiveMark(marksToCheckIn(departure), now);
}

function marksToCheckIn(departure: Date): TaskDueBy[] {
  return [
    { at: new Date(departure.getTime() - 24 * hourMs), rule: "departure-24h" },
    { at: departure, rule: "departure" },
  ];
}

/**
 * Returns by when the traveller must know what was accepted or cancelled: at the next mark of the law before which they
 * must be informed, else as for a ticket, before the first of the flights that they knew and of those that they have now.
 */
export function informDueBy({ legal, acceptedBefore, proposed }: InformClock, now: Date): TaskDueBy | null {
  const departure = firstDepartureAhead(
    [acceptedBefore, proposed].flatMap((flights) => flights?.segments ?? []),
    now,
  );
  const marks = [...marksToInform(legal?.verdicts ?? []), ...(departure === null ? [] : marksToCheckIn(departure))];
  return effectiveMark(
    marks.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    now,
  );
}

type InformClock = Pick<EffectSnapshot, "legal" | "acceptedBefore" | "proposed">;

function marksToInform(verdicts: LegalAssessment["verdicts"]): TaskDueBy[] {
  return verdicts
    .flatMap(({ clocks }) => clocks)
    .filter(({ name }) => isMarkBeforeDeparture(name))
    .flatMap(({ name, dueAt }) => (dueAt === null ? [] : [{ at: new Date(dueAt), rule: name }]));
}

function withoutDuplicates(marks: readonly ClockMark[]): ClockMark[] {
  return [...new Map(marks.map((mark) => [`${mark.rule} ${mark.at.toISOString()}`, mark])).values()];
}

function responseMark({ since, priority, responseTargets }: ClockInput): ClockMark[] {
  const [target] = responseTargets
    .filter((candidate) => candidate.priority <= priority)
    .sort((a, b) => b.priority - a.priority);
  if (target === undefined) return [];
  const text = `Agency SLA for priority ${priority}: decide within ${target.hours} h of seeing the change.`;
  return [{ at: new Date(since.getTime() + target.hours * hourMs), rule: responseTargetRule, text }];
}

/** The gateway states a local time without a zone, so the earliest instant counts: UTC+14. */
function paymentMarks({ paymentTimeLimits, facts }: ClockedAssessment): ClockMark[] {
  if (facts.held.known && !facts.held.value) return [];
  return paymentTimeLimits.flatMap((limit) => {
    const at = earliestMeaningOf(limit);
    const text = `The unpaid order must be paid by ${limit}. The gateway states no time zone, so the earliest possible one is used (${easternmostZone}).`;
    return at === null ? [] : [{ at, rule: "payment-time-limit", text }];
  });
}

function departureMarks(assessment: ClockedAssessment): ClockMark[] {
  const { tripDeparted } = assessment.facts;
  if (tripDeparted.known && tripDeparted.value) return [];
  const departure = departureOf(assessment);
  if (departure === null) return [];
  const { at, note } = departure;
  const before = (hours: number, who: string): ClockMark => ({
    at: new Date(at.getTime() - hours * hourMs),
    rule: `departure-${hours}h`,
    text: `${hours} hours before the first departure: ${who} charge for withdrawn flights that are still in the booking.${note}`,
  });
  const departs = { at, rule: "departure", text: `The first flight departs.${note}` };
  return [before(48, "the first airlines"), before(24, "airlines"), departs];
}

/** Marks for informing the traveller, listed until that is done, and for refunds. */
function legalMarks({ legal }: ClockedAssessment): ClockMark[] {
  return legal.verdicts.flatMap(({ preset, clocks }) =>
    clocks
      .filter(({ name }) => isCaseClock(name))
      .flatMap(({ name, dueAt, rule }) =>
        dueAt === null ? [] : [{ at: new Date(dueAt), rule: name, text: `${nameLaw(preset)}: ${rule}.` }],
      ),
  );
}

function isCaseClock(name: ClockName): boolean {
  return isMarkBeforeDeparture(name) || isRefundClock(name);
}

/** The same assessment, with no more than whether it holds the change and what tasks are due by. */
export function holdAndTaskClocks({ hold: { held }, verdicts }: LegalAssessment): LegalAssessment {
  return {
    presets: [],
    verdicts: verdicts.filter(({ clocks }) => clocks.some(({ name }) => isCaseClock(name))),
    hold: { held, reasons: [] },
    warnings: [],
  };
}

/** The first departure ahead, or the earliest possible one if that is inexact; null if unknown. */
function departureOf(assessment: ClockedAssessment): { readonly at: Date; readonly note: string } | null {
  const { facts, booked, proposal, evaluatedAt } = assessment;
  const exact = instantAfter(evaluatedAt, facts.minutesToDeparture);
  if (exact !== null) return { at: exact, note: "" };
  const at = firstDepartureAhead([...booked.segments, ...proposal.proposed.segments], evaluatedAt);
  const note = ` The exact time is not known; the earliest possible one is used (${easternmostZone} for a local time without a zone).`;
  return at && { at, note };
}

/** Returns the earliest possible departure of the flights that may still be ahead, or null if there is none. */
function firstDepartureAhead(segments: Itinerary["segments"], now: Date): Date | null {
  const candidates = segments.flatMap(({ departure }) => {
    const instants = instantsOf(departure);
    if (instants.known) return { first: instants.value.candidates[0]!, last: instants.value.candidates.at(-1)! };
    const first = departure.date === null ? null : earliestMeaningOf(`${departure.date}T${departure.time ?? "00:00"}`);
    return first === null ? [] : { first: first.getTime(), last: first.getTime() + uncertaintyMs };
  });
  const ahead = candidates.filter(({ last }) => last >= now.getTime()).map(({ first }) => first);
  return ahead.length === 0 ? null : new Date(Math.min(...ahead));
}

/** Rounds up, because minutes to departure are rounded down and flights leave on the minute. Null if unknown. */
export function instantAfter(now: Date, minutes: Fact<number>): Date | null {
  if (!minutes.known) return null;
  return new Date(Math.ceil((now.getTime() + minutes.value * minuteMs) / minuteMs) * minuteMs);
}

/** Returns the earliest instant of a local date and time anywhere on earth; null if it is invalid. */
function earliestMeaningOf(local: string): Date | null {
  const printed = Date.parse(`${local}Z`);
  return Number.isNaN(printed) ? null : new Date(printed - easternmostHours * hourMs);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The largest offset ahead of UTC (tz database). */
const easternmostHours = 14;
const easternmostZone = "UTC+14";
const noZone = `It states no time zone, so the earliest possible one is used (${easternmostZone}).`;
/** The largest offset behind UTC. */
const westernmostHours = 12;
/** From a time at UTC+14 to the same time at UTC-12, plus the day if no time is stated. */
const uncertaintyMs = (easternmostHours + westernmostHours + 24) * hourMs;
