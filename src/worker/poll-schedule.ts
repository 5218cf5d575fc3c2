import type { Itinerary } from "../itinerary/itinerary.ts";
import { instantsOf } from "../travel/local-time.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

const factors = [
  { withinMs: dayMs, factor: 0.25 },
  { withinMs: 3 * dayMs, factor: 0.5 },
  { withinMs: 30 * dayMs, factor: 1 },
  { withinMs: 90 * dayMs, factor: 2 },
  { withinMs: Number.POSITIVE_INFINITY, factor: 4 },
] as const;

/** The shortest interval, whatever the departure and the setting. */
const intervalMsMin = 15 * 60_000;
/** How long to poll after the last departure: what happened to that flight shows afterwards. */
const afterLastDepartureMs = dayMs;
/** The share of the interval by which polls are spread, so that orders polled together drift apart. */
const spread = 0.1;

/** The first wait after an unreadable status. It doubles with each failure. */
const failureWaitMs = 5 * 60_000;
/** Consecutive refusals after which an order is no longer polled. */
export const refusalsMax = 5;

export interface PollPlan {
  readonly pollHours: number;
  readonly now: Date;
  readonly random: () => number;
}

export type NextPoll =
  | { readonly nextPollAt: Date; readonly ended: null }
  | { readonly nextPollAt: null; readonly ended: "travelled" };

/**
 * Returns when to read the status of an order next. Without a known departure the usual interval applies.
 * @param flights all known itineraries of the order.
 */
export function nextPoll(flights: readonly Itinerary[], plan: PollPlan): NextPoll {
  return pollAfter(1 - spread + 2 * spread * plan.random(), flights, plan);
}

/** Returns a random time within the interval, so that an import causes no burst. */
export function firstPoll(flights: readonly Itinerary[], plan: PollPlan): NextPoll {
  return pollAfter(plan.random(), flights, plan);
}

/** @param part of the interval to wait. */
function pollAfter(part: number, flights: readonly Itinerary[], { pollHours, now }: PollPlan): NextPoll {
  const departures = departuresOf(flights);
  const last = departures.at(-1);
  const isOver = last !== undefined && last + afterLastDepartureMs <= now.getTime();
  if (isOver) return { nextPollAt: null, ended: "travelled" };
  return { nextPollAt: new Date(now.getTime() + pollIntervalMs(departures, pollHours, now) * part), ended: null };
}

export function pollAfterFailure(failures: number, { pollHours, now }: Pick<PollPlan, "pollHours" | "now">): Date {
  const longest = Math.max(intervalMsMin, pollHours * hourMs);
  return new Date(now.getTime() + Math.min(longest, failureWaitMs * 2 ** Math.min(failures - 1, 16)));
}

function pollIntervalMs(departures: readonly number[], pollHours: number, now: Date): number {
  const usual = pollHours * hourMs;
  if (departures.length === 0) return Math.max(intervalMsMin, usual);
  // Once the last flight has left, polling ends within a day.
  const next = departures.find((departure) => departure > now.getTime()) ?? now.getTime();
  const { factor } = factors.find(({ withinMs }) => next - now.getTime() <= withinMs)!;
  return Math.max(intervalMsMin, usual * factor);
}

/** Returns all known departures, ascending. If a time has two instants, the later counts. */
function departuresOf(flights: readonly Itinerary[]): readonly number[] {
  return flights
    .flatMap(({ segments }) => segments)
    .flatMap(({ departure }) => {
      const instants = instantsOf(departure);
      return instants.known ? [instants.value.candidates.at(-1)!] : [];
    })
    .sort((a, b) => a - b);
}
