import type { Itinerary } from "../itinerary/itinerary.ts";
import { instantsOf } from "../travel/local-time.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** How often an order is polled, by the time to its next departure: the usual interval times the factor. */
const factors = [
  { withinMs: dayMs, factor: 0.25 },
  { withinMs: 3 * dayMs, factor: 0.5 },
  { withinMs: 30 * dayMs, factor: 1 },
  { withinMs: 90 * dayMs, factor: 2 },
  { withinMs: Number.POSITIVE_INFINITY, factor: 4 },
] as const;

/** However near the departure, and however small the setting. */
const intervalMsMin = 15 * 60_000;
/** Polling goes on this long after the last departure: what happened to the last flight shows afterwards. */
const afterLastDepartureMs = dayMs;
/** Part of the interval by which polls are spread, so that orders read together do not stay together. */
const spread = 0.1;

/** A status that cannot be read is read again sooner than usual, then less and less often. */
const failureWaitMs = 5 * 60_000;
/** Refusals in a row after which nobody asks about an order any more. */
export const refusalsMax = 5;

export interface PollPlan {
  readonly pollHours: number;
  readonly now: Date;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** When to poll an order next, or why never again. */
export type NextPoll =
  | { readonly nextPollAt: Date; readonly ended: null }
  | { readonly nextPollAt: null; readonly ended: "travelled" };

/**
 * When to read the status of an order next. An order of which no departure is known is polled at the usual interval.
 *
 * @param flights what is known of its flights; those of several itineraries when they differ.
 */
export function nextPoll(flights: readonly Itinerary[], plan: PollPlan): NextPoll {
  return pollAfter(1 - spread + 2 * spread * plan.random(), flights, plan);
}

/** The first poll of an order that was not polled before: anywhere in its interval, so that an import is no burst. */
export function firstPoll(flights: readonly Itinerary[], plan: PollPlan): NextPoll {
  return pollAfter(plan.random(), flights, plan);
}

/** @param part of the interval that is waited for. */
function pollAfter(part: number, flights: readonly Itinerary[], { pollHours, now }: PollPlan): NextPoll {
  const departures = departuresOf(flights);
  const last = departures.at(-1);
  const isOver = last !== undefined && last + afterLastDepartureMs <= now.getTime();
  if (isOver) return { nextPollAt: null, ended: "travelled" };
  return { nextPollAt: new Date(now.getTime() + pollIntervalMs(departures, pollHours, now) * part), ended: null };
}

/** When to try again after so many polls in a row that could not be read, or were refused. */
export function pollAfterFailure(failures: number, { pollHours, now }: Pick<PollPlan, "pollHours" | "now">): Date {
  const longest = Math.max(intervalMsMin, pollHours * hourMs);
  return new Date(now.getTime() + Math.min(longest, failureWaitMs * 2 ** Math.min(failures - 1, 16)));
}

function pollIntervalMs(departures: readonly number[], pollHours: number, now: Date): number {
  const usual = pollHours * hourMs;
  if (departures.length === 0) return Math.max(intervalMsMin, usual);
  // Once the last flight has left, the rest is over within a day.
  const next = departures.find((departure) => departure > now.getTime()) ?? now.getTime();
  const { factor } = factors.find(({ withinMs }) => next - now.getTime() <= withinMs)!;
  return Math.max(intervalMsMin, usual * factor);
}

/** All departures that are known, ascending. Of a time that may mean two instants the later one counts. */
function departuresOf(flights: readonly Itinerary[]): readonly number[] {
  return flights
    .flatMap(({ segments }) => segments)
    .flatMap(({ departure }) => {
      const instants = instantsOf(departure);
      return instants.known ? [instants.value.candidates.at(-1)!] : [];
    })
    .sort((a, b) => a - b);
}
