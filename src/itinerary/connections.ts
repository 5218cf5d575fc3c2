import type { OrderRecord } from "../contract/order-view.ts";
import { extend } from "../kernel/extend.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { JourneyPair } from "./align.ts";
import { type ConnectionTimes, isSameTerminal, minimumConnection } from "./connection-times.ts";
import { allOf, anyOf, difference, not, type Range } from "./fact-logic.ts";
import { changesAirport, type FlightPair, flightPairs, groundWaysOf, isGap } from "./flight-pairs.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { instantRange } from "./shifts.ts";

export interface Connection extends FlightPair {
  readonly minutes: Fact<Range>;
}

export interface ConnectionReport extends Connection {
  /** Whether the flights have different booking references, so that no airline protects the connection. */
  readonly selfTransfer: Fact<boolean>;
  /** The minimum, for a self-transfer if it is one; a range if that is unknown. */
  readonly minimum: Range;
  /** Whether it is too short, or leaves from another airport than it did. */
  readonly broken: Fact<boolean>;
  /** Whether it is not broken and has hardly more than the minimum. */
  readonly tight: Fact<boolean>;
  /** Whether it is a self-transfer that is shorter than booked, or was not booked there. */
  readonly selfTransferShorter: Fact<boolean>;
}

/** A wait of 24 hours or more is a stopover, not a connection. */
export const stopoverMinutes = 1440;

/**
 * Returns all changes of flight within a journey, in order, including stopovers. Over a gap nobody can change.
 * @param booked the booked flights of the journey.
 */
export function changesOfFlight(
  flights: readonly ItinerarySegment[],
  booked: readonly ItinerarySegment[],
): readonly Connection[] {
  const sold = groundWaysOf(booked);
  return flightPairs(flights)
    .filter((pair) => !isGap(pair, sold))
    .map(withMinutes);
}

/** Returns where no flight joins the flights of a journey any more. */
export function gapsIn(
  flights: readonly ItinerarySegment[],
  booked: readonly ItinerarySegment[],
): readonly FlightPair[] {
  const sold = groundWaysOf(booked);
  return flightPairs(flights).filter((pair) => isGap(pair, sold));
}

export function withMinutes({ arriving, leaving }: FlightPair): Connection {
  return { arriving, leaving, minutes: minutesBetween(arriving, leaving) };
}

/** Whether a change of flight lasts 24 hours or more, by both meanings of its times. */
export function isStopover({ minutes }: Connection): boolean {
  return minutes.known && minutes.value.low >= stopoverMinutes;
}

/** Returns every connection of the proposed journeys beside those booked at the same place, without stopovers. */
export function reportConnections(
  pairs: readonly JourneyPair[],
  records: readonly OrderRecord[],
  times: ConnectionTimes,
): readonly ConnectionReport[] {
  return pairs.flatMap((pair) => {
    const before = changesOfFlight(pair.before, pair.before).filter((connection) => !isStopover(connection));
    return changesOfFlight(pair.after, pair.before)
      .filter((connection) => !isStopover(connection))
      .map((connection) => report(connection, before, records, times));
  });
}

function report(
  connection: Connection,
  before: readonly Connection[],
  records: readonly OrderRecord[],
  times: ConnectionTimes,
): ConnectionReport {
  const booked = before.filter((other) => isSamePlace(connection, other));
  const selfTransfer = isSelfTransfer(connection, records);
  const minimum = minimumOf(connection, selfTransfer, times);
  const broken = isBroken(connection, booked, minimum, selfTransfer);
  return extend(connection, {
    selfTransfer,
    minimum,
    broken,
    tight: allOf([not(broken), isNarrow(connection, booked, minimum, selfTransfer, times)]),
    selfTransferShorter: allOf([selfTransfer, isShorter(connection, booked)]),
  });
}

function minimumOf(connection: Connection, selfTransfer: Fact<boolean>, times: ConnectionTimes): Range {
  const protectedMinimum = minimumConnection(times, connection);
  const floor = isSameTerminal(connection) ? times.selfTransfer : times.selfTransferWithChange;
  const unprotected = Math.max(protectedMinimum, floor);
  if (!selfTransfer.known) return { low: protectedMinimum, high: unprotected };
  const minimum = selfTransfer.value ? unprotected : protectedMinimum;
  return { low: minimum, high: minimum };
}

/** A connection as sold is not broken: the airline knew better than the minimum. */
function isBroken(
  connection: Connection,
  booked: readonly Connection[],
  minimum: Range,
  selfTransfer: Fact<boolean>,
): Fact<boolean> {
  const { minutes } = connection;
  if (leavesElsewhere(connection) && booked.length === 0) return known(true);
  if (!minutes.known) return minutes;
  const { low, high } = minutes.value;
  if (high <= 0) return known(true);
  if (isAsSold(connection, booked) || low >= minimum.high) return known(false);
  if (high < minimum.low) return known(true);
  return low < high || selfTransfer.known ? unknown("ambiguous-time") : selfTransfer;
}

/** Whether both airports are stated and differ. A missing one may be the same: it leaves the time unknown. */
function leavesElsewhere(connection: Connection): boolean {
  const { arriving, leaving } = connection;
  return changesAirport(connection) && arriving.arrival.airport !== null && leaving.departure.airport !== null;
}

/** Whether at most the tight margin is left over the minimum, unless it was sold like that. */
function isNarrow(
  connection: Connection,
  booked: readonly Connection[],
  minimum: Range,
  selfTransfer: Fact<boolean>,
  times: ConnectionTimes,
): Fact<boolean> {
  const { minutes } = connection;
  if (isAsSold(connection, booked)) return known(false);
  if (!minutes.known) return minutes;
  const { low, high } = minutes.value;
  if (low > minimum.high + times.tightMargin) return known(false);
  if (high <= minimum.low + times.tightMargin) return known(true);
  return low < high || selfTransfer.known ? unknown("ambiguous-time") : selfTransfer;
}

function isAsSold(connection: Connection, booked: readonly Connection[]): boolean {
  const { minutes } = connection;
  return (
    minutes.known &&
    booked.some(
      (other) =>
        other.minutes.known && other.minutes.value.high <= minutes.value.low && hasSameTerminals(connection, other),
    )
  );
}

/** Whether it is shorter than every connection booked at its place. A new place counts as shorter. */
function isShorter({ minutes }: Connection, booked: readonly Connection[]): Fact<boolean> {
  return not(
    anyOf(
      booked.map((other) => {
        if (!minutes.known) return minutes;
        if (!other.minutes.known) return other.minutes;
        if (minutes.value.low >= other.minutes.value.high) return known(true);
        return minutes.value.high < other.minutes.value.low ? known(false) : unknown("ambiguous-time");
      }),
    ),
  );
}

/** Whether two flights belong to different references. `unknown-reference-of-flight` if several are not assigned. */
export function isOneBooking(flights: readonly ItinerarySegment[], records: readonly OrderRecord[]): Fact<boolean> {
  return not(anyOf(flightPairs(flights).map((pair) => isSelfTransfer(pair, records))));
}

function isSelfTransfer({ arriving, leaving }: FlightPair, records: readonly OrderRecord[]): Fact<boolean> {
  const references = new Set(records.flatMap((record) => record.gdsBookingReferences));
  if (references.size < 2) return known(false);
  const arrivingOn = records.filter((record) => record.segmentKeys.includes(arriving.segmentKey));
  const leavingOn = records.filter((record) => record.segmentKeys.includes(leaving.segmentKey));
  const isStated = arrivingOn.length > 0 && leavingOn.length > 0;
  const before = new Set(arrivingOn.flatMap((record) => record.gdsBookingReferences));
  const after = new Set(leavingOn.flatMap((record) => record.gdsBookingReferences));
  if (isStated && ![...before].some((reference) => after.has(reference))) return known(true);
  // The same elements on both sides, each with one reference: their passengers stay on it.
  const isSameRecords = isStated && arrivingOn.length === leavingOn.length;
  if (isSameRecords && arrivingOn.every((record) => leavingOn.includes(record) && isOneReference(record))) {
    return known(false);
  }
  return unknown("unknown-reference-of-flight");
}

function isOneReference(record: OrderRecord): boolean {
  return record.gdsBookingReferences.length === 1;
}

function minutesBetween(arriving: ItinerarySegment, leaving: ItinerarySegment): Fact<Range> {
  const arrival = instantRange(arriving.arrival, "arrival");
  const departure = instantRange(leaving.departure, "departure");
  if (!arrival.known) return arrival;
  if (!departure.known) return departure;
  const wait = difference(departure.value, arrival.value);
  return known({ low: wait.low / 60_000, high: wait.high / 60_000 });
}

export function isSamePlace(a: Connection, b: Connection): boolean {
  return (
    a.arriving.arrival.airport === b.arriving.arrival.airport &&
    a.leaving.departure.airport === b.leaving.departure.airport
  );
}

function hasSameTerminals(a: Connection, b: Connection): boolean {
  return (
    a.arriving.arrival.terminal === b.arriving.arrival.terminal &&
    a.leaving.departure.terminal === b.leaving.departure.terminal
  );
}
