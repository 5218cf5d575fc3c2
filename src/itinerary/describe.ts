import { isTrue } from "../kernel/fact.ts";
import { listed } from "../kernel/listed.ts";
import { alignItineraries } from "./align.ts";
import { gapsIn } from "./connections.ts";
import { differenceBetween, type FlightDifference, type JourneyDifference } from "./difference.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import {
  are,
  dated,
  describeFlightChange,
  flightsAfter,
  flightsBefore,
  flightsListed,
  isUnnumbered,
  isUnplaced,
  listFlights,
  numberOf,
  pointOf,
} from "./flight-change-words.ts";
import { nameOf } from "./flight-facts.ts";
import { isChangeHidden } from "./hidden-change.ts";
import { type Itinerary, type ItinerarySegment, inOrderOf } from "./itinerary.ts";
import type { MergedView } from "./merge-view.ts";
import { spanOf } from "./span.ts";
import { describeStatedOnce } from "./stated-once.ts";

export interface DescriptionInput extends Pick<MergedView, "proposed" | "withdrawnSegmentKeys"> {
  readonly booked: Itinerary;
  /** If missing, the booked flights replace it if they have the proposed ones' keys. */
  readonly current?: Itinerary;
  readonly facts: ChangeFacts;
}

/**
 * Describes a change in plain English and local times, for a line of a list: `LH1167 LIS-FRA on 14 Mar 2027 leaves 20
 * min later, 07:30, and arrives 11:40. Nothing else changes.`
 *
 * It names the two flights whose change matters most, in order of travel, and counts the others. Times are compared as
 * instants. An arrival is called later or earlier only if it moves by another amount than the departure; `(+1)` is the
 * day after the departure. It reads only flights, so it cannot name a traveller.
 */
export function describeChange(input: DescriptionInput): string {
  const { booked, proposed, facts } = input;
  const { journeys } = differenceBetween(booked, proposed, { current: input.current });
  const changed = journeys
    .flatMap(({ flights }) => joinWithdrawn(flights.filter((flight) => !isFlown(flight, facts))))
    .filter(({ action }) => action !== "unchanged");
  const named = mostImportant(changed);
  const described = named.map((flight) => describeFlight(flight, input));
  const consequences = changed.length === 0 ? [] : [...describeConnections(journeys, input), ...describeReturn(facts)];
  // Where every flight is withdrawn nothing else could change.
  const isAllGone =
    changed.length > 0 &&
    journeys.every(({ flights }) => flights.every((flight) => flight.action === "removed" && !isFlown(flight, facts)));
  const rest =
    isAllGone && changed.length <= flightsDescribed
      ? []
      : describeRemaining(
          { changed, named },
          journeys.flatMap(({ flights }) => flights),
          input,
        );
  const sentences = [...described, ...consequences, ...rest];
  const line = sentences.map((sentence) => `${sentence}.`).join(" ");
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1)}…`;
}

/** Says which flights are booked now instead of those that were proposed when the change was accepted. */
export function describeOtherFlights(proposed: Itinerary, booked: Itinerary): string {
  const printed = [booked, proposed].map(({ segments }) => segments.map(printFlight));
  const [is = [], was = []] = printed;
  const only = (flights: readonly string[], others: readonly string[]): string => {
    const differing = flights.filter((flight) => !others.includes(flight));
    const shown = differing.length === 0 ? flights : differing;
    const omitted = shown.length - flightsListed;
    return [...shown.slice(0, flightsListed), ...(omitted > 0 ? [`${omitted} more`] : [])].join(" and ") || "no flight";
  };
  const line = `Other flights are booked than were proposed. Booked now: ${only(is, was)}. Proposed: ${only(was, is)}.`;
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1)}…`;
}

/** Returns `AF1897 TNG-CDG on 1 Feb 2027, 13:00 to 16:55`. */
function printFlight(flight: ItinerarySegment): string {
  const { departure, arrival } = flight;
  const way = `${departure.airport ?? "?"}-${arrival.airport ?? "?"}`;
  return `${numberOf(flight)} ${way}${dated(departure)}, ${departure.time ?? "?"} to ${arrival.time ?? "?"}`;
}

/** An unlisted flight is withdrawn only if the facts say so: they leave out flown flights. */
function isFlown({ action, before }: FlightDifference, { flightActions }: ChangeFacts): boolean {
  if (action !== "removed" || flightActions?.known !== true) return false;
  const name = nameOf({ before: before.map(({ flight }) => flight), after: [] });
  return !flightActions.value.includes(`${name} ${action}`);
}

/** Joins flights of one day that are withdrawn one after the other, so that one sentence tells of them. */
function joinWithdrawn(flights: readonly FlightDifference[]): readonly FlightDifference[] {
  const joined: FlightDifference[] = [];
  for (const flight of flights) {
    const last = joined.at(-1);
    const isNext =
      last?.action === "removed" &&
      flight.action === "removed" &&
      pointOf(last.before, "departure").date === pointOf(flight.before, "departure").date;
    if (isNext) joined.splice(-1, 1, { ...last, before: [...last.before, ...flight.before] });
    else joined.push(flight);
  }
  return joined;
}

const flightsDescribed = 2;

/** Far more than real flights need: names and numbers from the gateway are unbounded. */
const longestLine = 600;

/** Withdrawn flights first, then those at another airport or an unknown time, then the largest move. */
function mostImportant(changed: readonly FlightDifference[]): readonly FlightDifference[] {
  const ranked = changed.toSorted((a, b) => importanceOf(b) - importanceOf(a)).slice(0, flightsDescribed);
  return changed.filter((flight) => ranked.includes(flight));
}

function importanceOf({ action, after, departureShift, arrivalShift }: FlightDifference): number {
  if (action === "removed") return Number.POSITIVE_INFINITY;
  const isElsewhere = after.some(({ changed }) => changed.some((member) => member.endsWith(".airport")));
  const moves = [departureShift, arrivalShift].map(({ minutes }) =>
    minutes.known ? Math.abs(minutes.value) : Number.MAX_VALUE,
  );
  return isElsewhere ? Number.MAX_VALUE : Math.max(...moves);
}

function describeRemaining(
  { changed, named }: Readonly<Record<"changed" | "named", readonly FlightDifference[]>>,
  all: readonly FlightDifference[],
  { facts, booked, proposed }: DescriptionInput,
): readonly string[] {
  const hasFlights = booked.segments.length + proposed.segments.length > 0;
  const statedOnce = describeStatedOnce(all);
  if (changed.length === 0) {
    if (!hasFlights) return ["What changes is not known: no flight is stated"];
    if (isTrue(facts.flightsDiffer))
      return ["The booking shows no change, and states the flights otherwise than the notification"];
    if (isTrue(facts.backToOriginal)) return ["All flights are back as booked"];
    if (statedOnce.sentences.length > 0) return [...statedOnce.sentences, "Nothing else is known to change"];
    if (isChangeHidden(facts)) return ["A change is open, but no difference from the booked flights is found"];
    const isCertain = facts.changedFlightCount.known && facts.changedFlightCount.value === 0 && facts.cancelled.known;
    return [isCertain ? "Nothing changes" : "Nothing is known to change"];
  }
  const omitted = changed
    .filter((flight) => !named.includes(flight))
    .reduce((count, { action, before }) => count + (action === "removed" ? before.length : 1), 0);
  if (omitted > 0) return [omitted === 1 ? "1 more flight changes" : `${omitted} more flights change`];
  const isUnsure =
    isUnlisted(facts) ||
    statedOnce.isMore ||
    [facts.cabinDowngraded, facts.rbdChanged, facts.brandChanged, facts.operatingCarrierChanged].some(isUnknown) ||
    changed.some(({ after }) => after.some(({ flight }) => isUnnumbered(flight) || isUnplaced(flight)));
  const rest = isUnsure ? "Nothing else is known to change" : "Nothing else changes";
  return [...statedOnce.sentences, rest, ...(isClearImprovement(facts) ? ["It is an improvement"] : [])];
}

/** Nobody can tell whether a time that occurs twice is better, nor whether the traveller likes another airline. */
function isClearImprovement(facts: ChangeFacts): boolean {
  const { improvement, timeAmbiguous, marketingCarrierChanged, operatingCarrierChanged } = facts;
  return isTrue(improvement) && ![timeAmbiguous, marketingCarrierChanged, operatingCarrierChanged].some(isTrue);
}

function describeFlight(difference: FlightDifference, { booked, facts, current }: DescriptionInput): string {
  if (difference.action !== "removed") return describeFlightChange(difference);
  const before = flightsBefore(difference);
  const isListed = current === undefined || areListedIn(current, booked, before);
  const what = isTrue(facts.cancelled) ? "cancelled" : isListed ? "withdrawn" : "no longer listed";
  const place = `in ${before.length === 1 ? "its" : "their"} place`;
  const offer = isUnlisted(facts) ? `what is offered ${place} cannot be told` : `nothing is offered ${place}`;
  return `${listFlights(before)}${dated(before[0]!.departure)} ${are(before)} ${what}; ${offer}`;
}

/** Whether a view lists one of these booked flights. Found by what it is: a view may number its flights anew. */
function areListedIn(current: Itinerary, booked: Itinerary, flights: readonly ItinerarySegment[]): boolean {
  const counterparts = alignItineraries(booked, current, current).flatMap((pair) => pair.counterparts);
  return counterparts.some(
    ({ before, after }) => after.length > 0 && before.some((flight) => flights.includes(flight)),
  );
}

/** A gap that a withdrawn flight leaves is told already. */
function describeConnections(
  journeys: readonly JourneyDifference[],
  { facts, proposed }: DescriptionInput,
): readonly string[] {
  const gaps = journeys.flatMap(({ flights }) => {
    const withdrawn = flights.filter(({ action }) => action === "removed").flatMap(flightsBefore);
    return gapsIn(inOrderOf(proposed, flights.flatMap(flightsAfter)), flights.flatMap(flightsBefore)).map((gap) => ({
      from: gap.arriving.arrival.airport,
      to: gap.leaving.departure.airport,
      isTold: withdrawn.some(({ departure }) => departure.airport === gap.arriving.arrival.airport),
    }));
  });
  const { brokenConnections } = facts;
  const isElsewhere = brokenConnections.known && brokenConnections.value.length > gaps.length;
  return [
    ...gaps.filter(({ isTold }) => !isTold).map(({ from, to }) => `There is no flight from ${from} to ${to}`),
    ...(gaps.length === 0 || isElsewhere ? describeConnection(facts) : []),
  ];
}

/** States the minutes of a single connection only: of several, the shortest need not be the broken one. */
function describeConnection(facts: ChangeFacts): readonly string[] {
  const { connectionBroken, connections, shortestConnectionMinutes, connectingAirports, brokenConnections } = facts;
  if (!isTrue(connectionBroken)) return [];
  const airports = connectingAirports.known ? connectingAirports.value : [];
  const [from, to] = airports;
  if (connections.known && connections.value.length === 1 && airports.length === 2) {
    return [`The connection from ${from} to ${to} may not be made`];
  }
  const short = brokenConnections.known
    ? brokenConnections.value.filter((words) => !words.startsWith("no flight "))
    : [];
  if (airports.length > 1 && short.length > 0) return short.slice(0, flightsListed).map(capitalised);
  const at = airports.length > 0 ? ` at ${listed(airports.slice(0, flightsListed), " or ")}` : "";
  if (airports.length > 1) return [`A connection${at} may not be made`];
  if (airports.length < 1 || !shortestConnectionMinutes.known) return [`The connection${at} may not be made`];
  const minutes = shortestConnectionMinutes.value;
  return [minutes <= 0 ? `The connection${at} is missed` : `Only ${spanOf(minutes)} remain to connect${at}`];
}

/** Facts that were stored by an earlier version lack the words. */
function describeReturn({ returnCoherent, overlappingJourneys }: ChangeFacts): readonly string[] {
  if (returnCoherent?.known !== true || returnCoherent.value) return [];
  const overlaps = overlappingJourneys?.known === true ? overlappingJourneys.value : [];
  return overlaps.length === 0
    ? ["One journey arrives too late for the next one"]
    : overlaps.slice(0, flightsListed).map(capitalised);
}

function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** New values for a flight that the view does not list: it is unknown which flight they replace. */
function isUnlisted({ dataSuspect }: ChangeFacts): boolean {
  return dataSuspect?.known === false && dataSuspect.reason === "unlisted-segment";
}

function isUnknown(fact: { readonly known: boolean } | undefined): boolean {
  return fact?.known === false;
}
