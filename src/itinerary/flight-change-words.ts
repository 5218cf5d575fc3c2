import { listed } from "../kernel/listed.ts";
import type { FlightDifference, FlightMember, MarkedFlight, Shift } from "./difference.ts";
import { type ItinerarySegment, isUnreadFlight, type LocalPoint } from "./itinerary.ts";
import type { End } from "./shifts.ts";
import { spanOf } from "./span.ts";
import { isSameTerminal } from "./terminals.ts";

/**
 * Describes what becomes of flights that are not withdrawn, without a full stop: `BA2661 AGA-LHR on 27 Feb 2027 arrives
 * at LGW instead of LHR`. Times are local. An arrival is called later or earlier only if it moves by another amount than
 * the departure; `(+1)` is the day after the departure.
 */
export function describeFlightChange(difference: FlightDifference): string {
  const before = flightsBefore(difference);
  const after = flightsAfter(difference);
  if (difference.action === "added") return `${listFlights(after)}${dated(after[0]!.departure)} ${are(after)} added`;
  const subject = `${listFlights(before)}${dated(before[0]!.departure)}`;
  if (after.every(isUnreadFlight))
    return `What ${subject} ${before.length === 1 ? "becomes" : "become"} cannot be read`;
  const predicates = predicatesOf(difference);
  if (before.length === 1 && after.length === 1) return `${subject} ${joinPredicates(predicates)}`;
  const moves = predicates.length === 0 ? "leaves and arrives as booked" : joinPredicates(predicates);
  return `${subject} ${are(before)} replaced by ${listFlights(after)}: ${moves}`;
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
  if (is.unreadTime !== undefined) return `at a time that cannot be read: ${is.unreadTime}`;
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
  const isOtherTerminal = was.terminal !== null && is.terminal !== null && !isSameTerminal(was.terminal, is.terminal);
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
export function flightsBefore({ before }: FlightDifference): readonly ItinerarySegment[] {
  return before.map(({ flight }) => flight);
}

export function flightsAfter({ after }: FlightDifference): readonly ItinerarySegment[] {
  return after.map(({ flight }) => flight);
}

export function isUnnumbered({ marketingCarrier, marketingFlightNumber }: ItinerarySegment): boolean {
  return marketingCarrier === null || marketingFlightNumber === null;
}

export function listFlights(flights: readonly ItinerarySegment[]): string {
  const described = flights
    .slice(0, flightsListed)
    .map((flight) => `${numberOf(flight)} ${flight.departure.airport ?? "?"}-${flight.arrival.airport ?? "?"}`);
  const omitted = flights.length - described.length;
  return listed([...described, ...(omitted > 0 ? [`${omitted} more`] : [])]);
}

/** Keeps the text on one line whatever a gateway sends. */
export const flightsListed = 4;

/** The predicates contain commas. */
function joinPredicates(predicates: readonly string[]): string {
  return listed(predicates, ", and ");
}

export function are(flights: readonly ItinerarySegment[]): string {
  return flights.length === 1 ? "is" : "are";
}

export function numberOf(flight: ItinerarySegment): string {
  return `${flight.marketingCarrier ?? "?"}${flight.marketingFlightNumber ?? "?"}`;
}

export function pointOf(flights: readonly MarkedFlight[], end: End): LocalPoint {
  return end === "departure" ? flights[0]!.flight.departure : flights.at(-1)!.flight.arrival;
}

export function isUnplaced({ departure, arrival }: ItinerarySegment): boolean {
  return [departure, arrival].some((point) => point.airport === null || isUntimed(point));
}

function isUntimed({ date, time }: LocalPoint): boolean {
  return date === null || time === null;
}

export function dated({ date }: LocalPoint): string {
  const parts = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? "");
  const month = months[Number(parts?.[2]) - 1];
  if (parts === null || month === undefined) return " on an unknown date";
  return ` on ${Number(parts[3])} ${month} ${parts[1]}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
