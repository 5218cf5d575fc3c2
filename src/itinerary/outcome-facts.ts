import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { JourneyPair } from "./align.ts";
import { describePastDepartures } from "./departure-words.ts";
import { factsFrom } from "./fact-definition.ts";
import { allOf, anyOf, not } from "./fact-logic.ts";
import { type Itinerary, type ItinerarySegment, sameFlights } from "./itinerary.ts";
import type { Proposal } from "./proposal.ts";
import { isUnverifiable } from "./sanity.ts";
import { describeSuspicions } from "./suspicion-words.ts";

/** The origin of the booked flights: an import, the first status or the first notification. */
export type Baseline = "imported" | "status" | "notice";

const { bool, text, list } = factsFrom<OutcomeParts>();

export const outcomeFacts = {
  cancelled: bool(
    "Whether every flight of at least one origin and destination is withdrawn with nothing in its place.",
    ({ cancelled }) => cancelled,
    { implies: ["removedFlightCount > 0"] },
  ),
  partiallyCancelled: bool(
    "Whether an origin and destination is withdrawn while another remains.",
    ({ partiallyCancelled }) => partiallyCancelled,
    { implies: ["cancelled"] },
  ),
  backToOriginal: bool(
    "Whether all flights are proposed exactly as booked, after others were accepted, proposed or listed in between. Accepting is safe, but earlier moves and messages are to be undone.",
    ({ proposal, booked, between }) => isBackToOriginal(booked, between, proposal.proposed),
  ),
  improvement: bool(
    "Whether a journey arrives earlier or lands less often on the way, and none leaves earlier, arrives later, lands more often, changes its date or an airport, goes down in cabin, or has a broken or tight connection.",
    ({ details, cancelled, dataSuspect }) => isImprovement(details, [cancelled, dataSuspect]),
  ),
  baseline: text(
    "Where the booked flights were first seen: imported (given by the agency), status, or notice (the notification itself, which may not be what was sold).",
    ({ baseline }) => (baseline === null ? unknown("not-stated") : known(baseline)),
    { values: ["imported", "status", "notice"] },
  ),
  dataSuspect: bool(
    "Whether the merged itinerary is impossible: it arrives before it leaves, is too fast, or does not chain; or a flight still to come would have left more than a day ago.",
    ({ dataSuspect }) => dataSuspect,
  ),
  ordersToStop: list(
    "What the status or the notification states that tells to follow up, warns, refuses, cancels, waits or names a need, by its path and the word for it, such as Order.Remarks: cancel; the first 20. No policy acts on such a change.",
    ({ unread }) => ifShown(unread, ({ ordersToStop }) => firstOf(ordersToStop)),
  ),
  unreadMember: bool(
    "Whether the status or the notification states anything that is not known here and not marked as harmless for the source, or anything that a fact needs in a form that cannot be read, or twice. What the change is about may stand there.",
    ({ unread }) => ifShown(unread, ({ mayBear }) => mayBear),
  ),
  unreadMembers: list(
    "Everything that the status or the notification states, nobody reads and nobody has marked as harmless, by its path, such as Order.Remarks; the first 20. unreadMember says whether it may matter.",
    ({ unread }) => ifShown(unread, ({ paths }) => firstOf(paths)),
  ),
  dataProblems: list(
    "What is impossible or missing in the flights as sent, in words: LH98 FRA-MUC arrives before it leaves. Empty when nothing is.",
    ({ proposal, problems }) =>
      known([...describeSuspicions(proposal.suspicions, proposal.current, proposal.proposed), ...problems]),
  ),
};

/** What the views state, nobody reads and nobody has marked as harmless. */
export interface UnreadStatements {
  /** `path` or `path: word`, each once. */
  readonly ordersToStop: readonly string[];
  /** Paths of all of it, each once. */
  readonly paths: readonly string[];
  /** Whether anything of it may bear on the change. */
  readonly mayBear: boolean;
}

export interface OutcomeInput {
  readonly pairs: readonly JourneyPair[];
  readonly booked: Itinerary;
  /** Flights that the order had in between: accepted, proposed before, listed now. */
  readonly between: readonly Itinerary[];
  readonly proposal: Proposal;
  /** What the view contradicts in the notification, in words: see `contradictedFlights`. */
  readonly contradictions: readonly string[];
  readonly baseline: Baseline | null;
  /** Null without a view. */
  readonly unread: UnreadStatements | null;
  readonly details: ImprovementDetails;
  readonly now: Date;
}

/** Numbers that must not be above or below 0, and flags that must be false. */
export interface ImprovementDetails {
  readonly journeyDepartureEarlierMinutes: Fact<number>;
  readonly journeyArrivalEarlierMinutes: Fact<number>;
  readonly journeyArrivalLaterMinutes: Fact<number>;
  readonly stopCountDelta: Fact<number>;
  readonly stopsAdded: Fact<boolean>;
  readonly connectionsAdded: Fact<boolean>;
  readonly dateChanged: Fact<boolean>;
  readonly originChanged: Fact<boolean>;
  readonly destinationChanged: Fact<boolean>;
  readonly cabinDowngraded: Fact<boolean>;
  readonly connectionBroken: Fact<boolean>;
  readonly connectionTight: Fact<boolean>;
}

export interface OutcomeParts extends ReturnType<typeof outcomeParts> {}

export function outcomeParts(input: OutcomeInput) {
  const { pairs, booked, between, proposal, contradictions, baseline, unread, details, now } = input;
  const { cancelled, partiallyCancelled } = cancellation(proposal, pairs);
  const flights = pairs.flatMap((pair) => pair.counterparts);
  const problems = [...contradictions, ...describePastDepartures(flights, now)];
  const dataSuspect = problems.length > 0 ? known(true) : suspicion(proposal);
  return { booked, between, proposal, baseline, unread, details, cancelled, partiallyCancelled, problems, dataSuspect };
}

function ifShown<T>(unread: UnreadStatements | null, read: (statements: UnreadStatements) => T): Fact<T> {
  return unread === null ? unknown("order-not-given") : known(read(unread));
}

const shownMax = 20;

function firstOf(texts: readonly string[]): readonly string[] {
  if (texts.length <= shownMax) return texts;
  return [...texts.slice(0, shownMax), `and ${texts.length - shownMax} more`];
}

/** A journey without flights is cancelled if the status says CANCELLED; otherwise it is removed or unknown. */
function cancellation(proposal: Proposal, journeys: readonly JourneyPair[]) {
  const gone = journeys.filter((pair) => pair.before.length > 0 && pair.after.length === 0).length;
  const isCancelled = proposal.pnrStatus.known && proposal.pnrStatus.value === "CANCELLED";
  const unverifiable = proposal.suspicions.find((suspicion) =>
    ["unknown-cancelled-flights:", "unlisted-flight:", "unreadable-values:"].some((start) =>
      suspicion.startsWith(start),
    ),
  );
  const certain = (value: boolean): Fact<boolean> => {
    if (gone > 0) return isCancelled ? known(value) : unknown("removed-or-unknown");
    if (unverifiable !== undefined) return unknown(unverifiable.slice(0, unverifiable.indexOf(":")));
    return isCancelled ? unknown("cancelled-with-offer") : known(false);
  };
  return { cancelled: certain(gone > 0), partiallyCancelled: certain(gone > 0 && gone < journeys.length) };
}

/** Does the same for one of several journeys, whatever happens to the others. */
export function isCancelled(journey: JourneyPair, journeys: readonly JourneyPair[], proposal: Proposal): Fact<boolean> {
  const isGone = (pair: JourneyPair) => pair.before.length > 0 && pair.after.length === 0;
  if (isGone(journey)) return cancellation(proposal, [journey]).cancelled;
  if (!journeys.some(isGone)) return cancellation(proposal, journeys).cancelled;
  return cancellation({ ...proposal, pnrStatus: unknown("another-journey") }, [journey]).cancelled;
}

function isBackToOriginal(booked: Itinerary, between: readonly Itinerary[], proposed: Itinerary): Fact<boolean> {
  const wasElsewhere = between.some((flights) => !sameFlights(flights, booked));
  if (!wasElsewhere || booked.segments.length === 0 || !sameFlights(booked, proposed)) return known(false);
  return proposed.segments.every(isStated) ? known(true) : unknown("unknown-flights");
}

function isStated({ departure, arrival, marketingFlightNumber }: ItinerarySegment): boolean {
  const points = [departure, arrival].flatMap(({ airport, date, time }) => [airport, date, time]);
  return marketingFlightNumber !== null && !points.includes(null);
}

function isImprovement(details: ImprovementDetails, flaws: readonly Fact<boolean>[]): Fact<boolean> {
  const isBetter = anyOf([
    isAbove(details.journeyArrivalEarlierMinutes, 0),
    // Stop counts are often missing; that is no gain, and `stopsAdded` reports a loss.
    details.stopCountDelta.known ? known(details.stopCountDelta.value < 0) : known(false),
  ]);
  const isWorse = anyOf([
    isAbove(details.journeyDepartureEarlierMinutes, 0),
    isAbove(details.journeyArrivalLaterMinutes, 0),
    details.stopsAdded,
    details.connectionsAdded,
    details.dateChanged,
    details.originChanged,
    details.destinationChanged,
    details.cabinDowngraded,
    details.connectionBroken,
    details.connectionTight,
    ...flaws,
  ]);
  return allOf([isBetter, not(isWorse)]);
}

function isAbove(fact: Fact<number>, limit: number): Fact<boolean> {
  return fact.known ? known(fact.value > limit) : fact;
}

function suspicion(proposal: Proposal): Fact<boolean> {
  const impossible = proposal.suspicions.some((code) => !isUnverifiable(code));
  if (impossible) return known(true);
  const [unverifiable] = proposal.suspicions;
  return unverifiable === undefined ? known(false) : unknown(unverifiable.slice(0, unverifiable.indexOf(":")));
}
