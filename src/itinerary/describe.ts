import { gapsIn } from "./connections.ts";
import {
  differenceBetween,
  type FlightDifference,
  type FlightMember,
  type JourneyDifference,
  type MarkedFlight,
  type Shift,
} from "./difference.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import { nameOf } from "./flight-facts.ts";
import { type Itinerary, type ItinerarySegment, inOrderOf, type LocalPoint } from "./itinerary.ts";
import type { End } from "./shifts.ts";
import { spanOf } from "./span.ts";

export interface DescriptionInput {
  readonly booked: Itinerary;
  /** `Proposal.current`. If missing, the booked flights replace it if they have the proposed ones' keys. */
  readonly current?: Itinerary;
  readonly proposed: Itinerary;
  readonly facts: ChangeFacts;
  readonly withdrawnSegmentKeys: readonly string[];
}

/**
 * Describes a change in plain English and local times, for a line of a list: `LH1167 LIS-FRA on 14 Mar 2027 leaves 20
 * min later, 07:30, and arrives 11:40. Nothing else changes.`
 *
 * It names the first two changed flights and counts the others. Times are compared as instants. An arrival is called
 * later or earlier only if it moves by another amount than the departure; `(+1)` is the day after the departure. It
 * reads only flights, so it cannot name a traveller.
 */
export function describeChange(input: DescriptionInput): string {
  const { booked, proposed, facts } = input;
  const { journeys } = differenceBetween(booked, proposed, { current: input.current });
  const changed = journeys
    .flatMap(({ flights }) => joinWithdrawn(flights.filter((flight) => !isFlown(flight, facts))))
    .filter(({ action }) => action !== "unchanged");
  const described = changed.slice(0, flightsDescribed).map((flight) => describeFlight(flight, facts));
  const consequences = changed.length === 0 ? [] : [...describeConnections(journeys, input), ...describeReturn(facts)];
  // Where every flight is withdrawn nothing else could change.
  const isAllGone =
    changed.length > 0 &&
    journeys.every(({ flights }) => flights.every((flight) => flight.action === "removed" && !isFlown(flight, facts)));
  const rest = isAllGone && changed.length <= flightsDescribed ? [] : describeRemaining(changed, input);
  const sentences = [...described, ...consequences, ...rest];
  const line = sentences.map((sentence) => `${sentence}.`).join(" ");
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1)}…`;
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

function describeRemaining(
  changed: readonly FlightDifference[],
  { facts, booked, proposed }: DescriptionInput,
): readonly string[] {
  const hasFlights = booked.segments.length + proposed.segments.length > 0;
  if (changed.length === 0) {
    if (!hasFlights) return ["What changes is not known: no flight is stated"];
    if (isTrue(facts.flightsDiffer)) return ["The booking does not show the flights of the notification"];
    if (isTrue(facts.backToOriginal)) return ["All flights are back as booked"];
    const isCertain = facts.changedFlightCount.known && facts.changedFlightCount.value === 0 && facts.cancelled.known;
    return [isCertain ? "Nothing changes" : "Nothing is known to change"];
  }
  const omitted = changed
    .slice(flightsDescribed)
    .reduce((count, { action, before }) => count + (action === "removed" ? before.length : 1), 0);
  if (omitted > 0) return [omitted === 1 ? "1 more flight changes" : `${omitted} more flights change`];
  const isUnsure =
    isUnlisted(facts) ||
    facts.cabinDowngraded?.known === false ||
    changed.some(({ after }) => after.some(({ flight }) => isUnnumbered(flight) || isUnplaced(flight)));
  const rest = isUnsure ? "Nothing else is known to change" : "Nothing else changes";
  return isTrue(facts.improvement) ? [rest, "It is an improvement"] : [rest];
}

function describeFlight(difference: FlightDifference, facts: ChangeFacts): string {
  const { action } = difference;
  const before = flightsBefore(difference);
  const after = flightsAfter(difference);
  if (action === "added") return `${listed(after)}${dated(after[0]!.departure)} ${are(after)} added`;
  const subject = `${listed(before)}${dated(before[0]!.departure)}`;
  if (action === "removed") {
    const what = isTrue(facts.cancelled) ? "cancelled" : "withdrawn";
    const place = `in ${before.length === 1 ? "its" : "their"} place`;
    const offer = isUnlisted(facts) ? `what is offered ${place} cannot be told` : `nothing is offered ${place}`;
    return `${subject} ${are(before)} ${what}; ${offer}`;
  }
  const predicates = predicatesOf(difference);
  if (before.length === 1 && after.length === 1) return `${subject} ${joined(predicates)}`;
  const moves = predicates.length === 0 ? "leaves and arrives as booked" : joined(predicates);
  return `${subject} ${are(before)} replaced by ${listed(after)}: ${moves}`;
}

/** Describes one flight, verb first. Of several, only the first departure and the last arrival. */
function predicatesOf(difference: FlightDifference): readonly string[] {
  const isOneToOne = difference.before.length === 1 && difference.after.length === 1;
  const [identity, rest] = isOneToOne
    ? [describeIdentity(difference.before[0]!.flight, difference.after[0]!), describeOthers(difference)]
    : [[], []];
  return [...identity, ...describeEnd(difference, "departure"), ...describeEnd(difference, "arrival"), ...rest];
}

function describeIdentity(was: ItinerarySegment, { flight: is, changed }: MarkedFlight): readonly string[] {
  const isRenumbered = changed.includes("marketingCarrier") || changed.includes("marketingFlightNumber");
  const isOperatedByAnother = changed.includes("operatingCarrier") && !changed.includes("marketingCarrier");
  return [
    ...(isRenumbered ? [`becomes ${isUnnumbered(is) ? "a flight without a stated number" : numberOf(is)}`] : []),
    ...(isOperatedByAnother ? [`is operated by ${is.operatingCarrier} instead of ${was.operatingCarrier}`] : []),
  ];
}

/** Returns the changed parts of `leaves 20 min later, 07:30, from LGW instead of LHR`. */
function describeEnd(difference: FlightDifference, end: End): readonly string[] {
  const verb = end === "departure" ? "leaves" : "arrives";
  const time = describeTime(difference, end);
  const place = describePlace(difference, end);
  if (time === null && place === null) return [];
  return [[verb, [time, place].filter((part) => part !== null).join(", ")].join(" ")];
}

function describeTime(difference: FlightDifference, end: End): string | null {
  const was = pointOf(difference.before, end);
  const is = pointOf(difference.after, end);
  const hasMoved = was.date !== is.date || was.time !== is.time;
  // The arrival is described with a new departure, even if it stays.
  if (!hasMoved && !(end === "arrival" && isMoved(difference, "departure"))) return null;
  if (is.contradiction !== undefined) return `at a time that is not clear: ${is.contradiction}`;
  if (isUntimed(is)) return "at a time that is not stated";
  const printed = `${is.time}${describeDate(difference, end)}`;
  if (!hasMoved) return `${printed} as booked`;
  const span = describeShift(difference, end);
  if (span === null) return isUntimed(was) ? `at ${printed}` : `at ${printed} instead of ${was.time}`;
  return span === "" ? printed : `${span}, ${printed}`;
}

/** Empty if the departure has said it already; null if it is unknown. */
function describeShift(difference: FlightDifference, end: End): string | null {
  const shift = end === "departure" ? difference.departureShift : difference.arrivalShift;
  const minutes = minutesOf(shift);
  if (minutes === null) return null;
  const followsDeparture = end === "arrival" && minutesOf(difference.departureShift) === minutes;
  if (followsDeparture && isMoved(difference, "departure")) return "";
  if (minutes === 0) return "at the same moment";
  return `${spanOf(Math.abs(minutes))} ${minutes > 0 ? "later" : "earlier"}`;
}

const minutesPerDay = 1440;

/** A move by whole days on the clock counts in days, even over a clock change. */
function minutesOf({ minutes, wallClockMinutes }: Shift): number | null {
  if (!minutes.known) return null;
  const isWholeDays =
    wallClockMinutes.known && wallClockMinutes.value !== 0 && wallClockMinutes.value % minutesPerDay === 0;
  return isWholeDays ? wallClockMinutes.value : minutes.value;
}

function isMoved(difference: FlightDifference, end: End): boolean {
  const was = pointOf(difference.before, end);
  const is = pointOf(difference.after, end);
  return was.date !== is.date || was.time !== is.time;
}

/** A departure states its date if it differs; an arrival states how many days after the departure it is. */
function describeDate(difference: FlightDifference, end: End): string {
  const is = pointOf(difference.after, end);
  if (end === "departure") return is.date === pointOf(difference.before, end).date ? "" : dated(is);
  const departure = pointOf(difference.after, "departure");
  if (departure.date === null || is.date === null) return dated(is);
  const days = Math.round((Date.parse(is.date) - Date.parse(departure.date)) / 86_400_000);
  if (Number.isNaN(days)) return dated(is);
  return days === 0 ? "" : ` (${days > 0 ? "+" : "-"}${Math.abs(days)})`;
}

function describePlace(difference: FlightDifference, end: End): string | null {
  const was = pointOf(difference.before, end);
  const is = pointOf(difference.after, end);
  const preposition = end === "departure" ? "from" : "at";
  if (was.airport !== is.airport) {
    return `${preposition} ${is.airport ?? "an unknown airport"} instead of ${was.airport ?? "an unknown one"}`;
  }
  const isOtherTerminal = was.terminal !== null && is.terminal !== null && was.terminal !== is.terminal;
  return isOtherTerminal ? `${preposition} terminal ${is.terminal} instead of ${was.terminal}` : null;
}

function describeOthers({ before, after }: FlightDifference): readonly string[] {
  const was = before[0]!.flight;
  const { flight: is, changed } = after[0]!;
  const described: readonly (readonly [FlightMember, string])[] = [
    ["cabinType", `is in cabin ${is.cabinType} instead of ${was.cabinType}`],
    ["rbd", `is in booking class ${is.rbd} instead of ${was.rbd}`],
    ["aircraftCode", `is flown with aircraft ${is.aircraftCode} instead of ${was.aircraftCode}`],
    ["stops", `makes ${is.stops === 1 ? "1 stop" : `${is.stops} stops`} instead of ${was.stops}`],
    ["stopPlaces", `stops at ${is.stopPlaces} instead of ${was.stopPlaces}`],
    ["brandId", `is sold as brand ${is.brandId} instead of ${was.brandId}`],
    ["priceClass", `is sold as ${is.priceClass} instead of ${was.priceClass}`],
  ];
  return described.flatMap(([member, words]) => (changed.includes(member) ? [words] : []));
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

function flightsBefore({ before }: FlightDifference): readonly ItinerarySegment[] {
  return before.map(({ flight }) => flight);
}

function flightsAfter({ after }: FlightDifference): readonly ItinerarySegment[] {
  return after.map(({ flight }) => flight);
}

/** States the minutes of a single connection only: of several, the shortest need not be the broken one. */
function describeConnection(facts: ChangeFacts): readonly string[] {
  const { connectionBroken, connections, shortestConnectionMinutes, connectingAirports } = facts;
  if (!isTrue(connectionBroken)) return [];
  const airports = connectingAirports.known ? connectingAirports.value : [];
  const [from, to] = airports;
  if (connections.known && connections.value.length === 1 && airports.length === 2) {
    return [`The connection from ${from} to ${to} may not be made`];
  }
  const at = airports.length > 0 ? ` at ${joined(airports.slice(0, flightsListed), " or ")}` : "";
  if (airports.length > 1) return [`A connection${at} may not be made`];
  if (airports.length < 1 || !shortestConnectionMinutes.known) return [`The connection${at} may not be made`];
  const minutes = shortestConnectionMinutes.value;
  return [minutes <= 0 ? `The connection${at} is missed` : `Only ${spanOf(minutes)} remain to connect${at}`];
}

function describeReturn({ returnCoherent }: ChangeFacts): readonly string[] {
  const isIncoherent = returnCoherent?.known === true && !returnCoherent.value;
  return isIncoherent ? ["One journey arrives after the next one has left"] : [];
}

/** New values for a flight that the view does not list: it is unknown which flight they replace. */
function isUnlisted({ dataSuspect }: ChangeFacts): boolean {
  return dataSuspect?.known === false && dataSuspect.reason === "unlisted-segment";
}

function isUnnumbered({ marketingCarrier, marketingFlightNumber }: ItinerarySegment): boolean {
  return marketingCarrier === null || marketingFlightNumber === null;
}

function listed(flights: readonly ItinerarySegment[]): string {
  const described = flights
    .slice(0, flightsListed)
    .map((flight) => `${numberOf(flight)} ${flight.departure.airport ?? "?"}-${flight.arrival.airport ?? "?"}`);
  const omitted = flights.length - described.length;
  return joined([...described, ...(omitted > 0 ? [`${omitted} more`] : [])], " and ");
}

/** Keeps the text on one line whatever a gateway sends. */
const flightsListed = 4;

/** Returns `a`, `a, and b` or `a, b, and c`, since the parts contain commas. */
function joined(parts: readonly string[], lastTwo = ", and "): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}${lastTwo}${parts.at(-1)}`;
}

function are(flights: readonly ItinerarySegment[]): string {
  return flights.length === 1 ? "is" : "are";
}

function numberOf(flight: ItinerarySegment): string {
  return `${flight.marketingCarrier ?? "?"}${flight.marketingFlightNumber ?? "?"}`;
}

function pointOf(flights: readonly MarkedFlight[], end: End): LocalPoint {
  return end === "departure" ? flights[0]!.flight.departure : flights.at(-1)!.flight.arrival;
}

function isUnplaced({ departure, arrival }: ItinerarySegment): boolean {
  return [departure, arrival].some((point) => point.airport === null || isUntimed(point));
}

function isUntimed({ date, time }: LocalPoint): boolean {
  return date === null || time === null;
}

function dated({ date }: LocalPoint): string {
  const parts = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? "");
  const month = months[Number(parts?.[2]) - 1];
  if (parts === null || month === undefined) return " on an unknown date";
  return ` on ${Number(parts[3])} ${month} ${parts[1]}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function isTrue(fact: { readonly known: boolean; readonly value?: unknown } | undefined): boolean {
  return fact?.known === true && fact.value === true;
}
