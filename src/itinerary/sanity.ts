import type { Fact } from "../kernel/fact.ts";
import { distanceKm } from "../travel/airports.ts";
import { instantOf } from "../travel/local-time.ts";
import { isOnSurface } from "./aircraft.ts";
import { isRailway } from "./airlines.ts";
import type { Range } from "./fact-logic.ts";
import { type ItinerarySegment, isUnreadFlight } from "./itinerary.ts";
import { elapsedOf } from "./shifts.ts";

/**
 * Returns why the flights in place of one segment are impossible or doubtful, as `code:segmentKey`. Impossible:
 * - `arrives-before-departure`: by instants, so a flight over the date line is fine.
 * - `nonexistent-time`: a local time that the change to summer time skips.
 * - `does-not-chain`: a flight leaves from another airport than the one before arrived at.
 * - `implausible-duration`: between the same airports, less than half as long as listed, or more than half as long again
 *   and over 40 minutes longer, as with a stop.
 * - `implausible-speed`: over 300 km, faster than 1,100 km/h, or slower than 200 km/h without a stop. A bus or a train
 *   may be slow.
 *
 * An ambiguous local time is impossible only if both of its meanings are. Doubtful: `unknown-departure`,
 * `unknown-arrival`, `unknown-airport`, `offset-contradicted` (a stated offset is not the airport's),
 * `unreadable-time` (a date or time is stated that cannot be read), `unreadable-values` (new values are stated, and none can be read).
 * @param changed whether a notice changed the segment. For an unchanged one only the order of times is checked.
 */
export function suspicionsOf(
  original: ItinerarySegment,
  flights: readonly ItinerarySegment[],
  changed: boolean,
): readonly string[] {
  const codes = new Set<string>();
  for (const [position, flight] of flights.entries()) {
    const minutes = elapsedMinutes(flight);
    if (minutes !== null && minutes.high <= 0) codes.add("arrives-before-departure");
    if (!changed) continue;
    for (const code of timeAndPlaceProblems(flight)) codes.add(code);
    if (position > 0 && !chains(flights[position - 1]!, flight)) codes.add("does-not-chain");
    if (minutes === null || minutes.high <= 0) continue;
    if (isTooFastOrSlow(flight, minutes)) codes.add("implausible-speed");
    if (flights.length === 1 && isOtherDuration(original, flight, minutes)) codes.add("implausible-duration");
  }
  return [...codes].map((code) => `${code}:${original.segmentKey}`);
}

export function isUnverifiable(suspicion: string): boolean {
  return ["unknown-", "unlisted-", "unreadable-", "offset-contradicted:"].some((start) => suspicion.startsWith(start));
}

/** Returns the minutes between departure and arrival, stops included; null if either instant is unknown. */
function elapsedMinutes(flight: ItinerarySegment): Range | null {
  const elapsed = elapsedOf([flight]);
  return elapsed.known ? elapsed.value : null;
}

function* timeAndPlaceProblems(flight: ItinerarySegment): Iterable<string> {
  if (isUnreadFlight(flight)) {
    yield "unreadable-values";
    return;
  }
  const departure = instantOf(flight.departure);
  const arrival = instantOf(flight.arrival);
  const { departureAirport, arrivalAirport } = flight.unread ?? {};
  if (departureAirport !== undefined || arrivalAirport !== undefined) yield "unknown-airport";
  if (isReason(departure, "unknown-time") && departureAirport === undefined) yield "unknown-departure";
  if (isReason(arrival, "unknown-time") && arrivalAirport === undefined) yield "unknown-arrival";
  if (isReason(departure, "unreadable-time") || isReason(arrival, "unreadable-time")) yield "unreadable-time";
  if (isReason(departure, "offset-contradicted") || isReason(arrival, "offset-contradicted"))
    yield "offset-contradicted";
  if (isReason(departure, "nonexistent-time") || isReason(arrival, "nonexistent-time")) yield "nonexistent-time";
  if (isReason(departure, "unknown-airport") || isReason(arrival, "unknown-airport")) yield "unknown-airport";
}

function isReason(fact: Fact<unknown>, reason: string): boolean {
  return !fact.known && fact.reason === reason;
}

/** A missing airport may be the right one; it is reported as unknown. */
function chains({ arrival }: ItinerarySegment, { departure }: ItinerarySegment): boolean {
  return arrival.airport === null || departure.airport === null || arrival.airport === departure.airport;
}

function isTooFastOrSlow(flight: ItinerarySegment, minutes: Range): boolean {
  const km = distanceKm(flight.departure.airport ?? "", flight.arrival.airport ?? "");
  if (km === null || km <= 300) return false;
  const isTooFast = km / (minutes.high / 60) > 1100;
  const isTooSlow = minutes.low > 0 && km / (minutes.low / 60) < 200;
  const mayBeSlow = isByRail(flight) || isOnSurface(flight.aircraftCode) || (flight.stops !== null && flight.stops > 0);
  return isTooFast || (isTooSlow && !mayBeSlow);
}

/** Railways often state no vehicle. */
function isByRail({ marketingCarrier, operatingCarrier, aircraftCode }: ItinerarySegment): boolean {
  return aircraftCode === null && [marketingCarrier, operatingCarrier].some(isRailway);
}

function isOtherDuration(original: ItinerarySegment, flight: ItinerarySegment, minutes: Range): boolean {
  const listed = elapsedMinutes(original);
  const samePlaces =
    original.departure.airport === flight.departure.airport && original.arrival.airport === flight.arrival.airport;
  if (!samePlaces || listed === null || listed.low <= 0) return false;
  return minutes.high < listed.low / 2 || (minutes.low > listed.high * 1.5 && minutes.low - listed.high > 40);
}
