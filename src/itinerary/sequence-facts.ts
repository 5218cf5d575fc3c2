import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { JourneyPair } from "./align.ts";
import type { ChangeHistory } from "./change-history.ts";
import { factsFrom } from "./fact-definition.ts";
import { smallestOf } from "./fact-logic.ts";
import type { FactsInput } from "./facts-input.ts";
import { isChanged } from "./flight-comparison.ts";
import { type Itinerary, sameFlights } from "./itinerary.ts";
import { type End, instantRange } from "./shifts.ts";

const { bool, int } = factsFrom<SequenceParts>();

/**
 * Facts about this change among the earlier ones of the order. All but `noticeDays` need stored history; without it, as
 * for a notification from a file, they are unknown: `no-history`.
 */
export const sequenceFacts = {
  changeSequence: int(
    "Which change of the order this is: 1 for the first. Proposals that differ only in their flags are one. 0 when nothing has changed yet.",
    withHistory(({ steps }) => known(steps.length - 1)),
    { atLeast: 0 },
  ),
  supersedes: bool(
    "Whether other flights were proposed before, and nobody has accepted or cancelled since.",
    withHistory(({ input, history: { awaiting } }) =>
      known(awaiting !== null && !sameFlights(awaiting, input.proposal.proposed)),
    ),
  ),
  flappingCount: int(
    "How often in the last 30 days, this change included, flights went back to what they were before, or a time moved the other way than the change before had moved it.",
    withHistory(({ input, steps }) => known(flappingCount(steps, input.now))),
    { atLeast: 0 },
  ),
  alreadyAcceptedEarlier: bool(
    "Whether a change of this order was accepted before. Most airlines treat what is asked for after that as voluntary.",
    withHistory(({ history }) => known(history.acceptedBefore)),
  ),
  changedAfterNotice: bool(
    "Whether the gateway lists flights that were neither booked, accepted nor proposed: somebody changed the order since the notice, and the airline may treat it as voluntary.",
    withHistory(({ input, history }) => isChangedAfterNotice(input, history)),
  ),
  noticeDays: int(
    "Whole days from telling the traveller to the booked departure of the first changed journey, or of the first journey when none is changed. Telling the agency does not count. Negative when they were told after it.",
    ({ input }) => noticeDaysOf(input),
    { unit: "days" },
  ),
};

export interface SequenceInput extends Pick<FactsInput, "booked" | "accepted" | "proposal" | "now"> {
  readonly pairs: readonly JourneyPair[];
  /** When the traveller, not the agency, was informed; null if they were not, or it is unknown. */
  readonly travellerInformedAt: Date | null;
  readonly history: ChangeHistory | null;
}

export interface SequenceParts extends ReturnType<typeof sequenceParts> {}

export function sequenceParts(input: SequenceInput) {
  const { history } = input;
  return { input, past: history === null ? null : { input, history, steps: stepsOf(input, history) } };
}

interface Past {
  readonly input: SequenceInput;
  readonly history: ChangeHistory;
  readonly steps: readonly Step[];
}

function withHistory<T>(compute: (past: Past) => Fact<T>) {
  return ({ past }: SequenceParts) => (past === null ? unknown<T>("no-history") : compute(past));
}

interface Step {
  readonly flights: Itinerary;
  readonly at: number;
}

/** Returns the steps from the booked flights to the proposed ones. A difference in flags alone is no step. */
function stepsOf({ booked, proposal, now }: SequenceInput, { proposals }: ChangeHistory): readonly Step[] {
  const steps: Step[] = [{ flights: booked, at: Number.NEGATIVE_INFINITY }];
  const later = proposals.map(({ proposed, decidedAt }) => ({ flights: proposed, at: Date.parse(decidedAt) }));
  for (const step of [...later, { flights: proposal.proposed, at: now.getTime() }]) {
    if (!sameFlights(steps.at(-1)!.flights, step.flights)) steps.push(step);
  }
  return steps;
}

function flappingCount(steps: readonly Step[], now: Date): number {
  const since = now.getTime() - flappingDays * 86_400_000;
  return steps.filter((step, position) => step.at >= since && isReversal(steps, position)).length;
}

const flappingDays = 30;

function isReversal(steps: readonly Step[], position: number): boolean {
  if (position < 2) return false;
  const [earlier, before, after] = steps.slice(position - 2, position + 1).map(({ flights }) => flights);
  const isBack = steps.slice(0, position - 1).some(({ flights }) => sameFlights(flights, after!));
  return isBack || movesBack(earlier!, before!, after!);
}

/** Whether a time of one flight moved one way and then back. Other numbers of flights cannot be compared. */
function movesBack(earlier: Itinerary, before: Itinerary, after: Itinerary): boolean {
  const { length } = before.segments;
  if (earlier.segments.length !== length || after.segments.length !== length) return false;
  return (["departure", "arrival"] as const).some((end) => {
    const [first, second, third] = [earlier, before, after].map((itinerary) => instantsAt(itinerary, end));
    return second!.some((instant, i) => Math.sign(instant - first![i]!) * Math.sign(third![i]! - instant) < 0);
  });
}

/** Returns NaN for an inexact time, which has moved neither way. */
function instantsAt({ segments }: Itinerary, end: End): readonly number[] {
  return segments.map((segment) => {
    const range = instantRange(segment[end], end);
    return range.known && range.value.low === range.value.high ? range.value.low : Number.NaN;
  });
}

function isChangedAfterNotice({ booked, accepted, proposal }: SequenceInput, history: ChangeHistory): Fact<boolean> {
  const { notified, proposals } = history;
  if (notified === null) return unknown("no-notification");
  const expected = [
    booked,
    accepted,
    notified.current,
    notified.proposed,
    ...proposals.map(({ proposed }) => proposed),
  ];
  return known(!expected.some((flights) => sameFlights(flights, proposal.current)));
}

function noticeDaysOf({ pairs, travellerInformedAt }: SequenceInput): Fact<number> {
  if (travellerInformedAt === null) return unknown("traveller-not-informed");
  const booked = pairs.filter((pair) => pair.before.length > 0);
  const changed = booked.filter((pair) => pair.counterparts.some(isChanged));
  const affected = changed.length > 0 ? changed : booked;
  if (affected.length === 0) return unknown("no-flights");
  const departures = affected.map((pair) => instantRange(pair.before[0]!.departure, "departure"));
  const days = (instant: number) => Math.floor((instant - travellerInformedAt.getTime()) / 86_400_000);
  return smallestOf(
    departures.map((departure) =>
      departure.known ? known({ low: days(departure.value.low), high: days(departure.value.high) }) : departure,
    ),
    Number.POSITIVE_INFINITY,
  );
}
