import type { OrderRecord } from "../contract/order-view.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { JourneyPair } from "./align.ts";
import { type ConnectionTimes, connectionTypeOf } from "./connection-times.ts";
import { shortConnectionWords } from "./connection-words.ts";
import {
  type Connection,
  type ConnectionReport,
  changesOfFlight,
  gapsIn,
  isSamePlace,
  isStopover,
  reportConnections,
  stopoverMinutes,
} from "./connections.ts";
import { factsFrom } from "./fact-definition.ts";
import { allOf, anyOf, difference, differs, largestOf, type Range, smallestOf } from "./fact-logic.ts";
import type { FlightPair } from "./flight-pairs.ts";
import { nightsBetween } from "./nights.ts";
import { spanOf } from "./span.ts";

const { bool, int, list } = factsFrom<ConnectionParts>();

/**
 * Facts about connections within an origin and destination. A connection takes less than 24 hours; a longer wait is a
 * stopover. Its minimum is the policy's entry for the place, or else the default of its type. A missing terminal counts
 * as another terminal and an unknown country as another country: the worst case, not an unknown. Between two cities
 * that no flight joins, as booked, is a gap: it is broken, and no connection.
 */
export const connectionFacts = {
  hasConnection: bool("Whether the proposed journey changes flights anywhere within 24 hours.", ({ reports }) =>
    hasConnection(reports),
  ),
  connections: list(
    "The proposed connections in order, as airport, minutes, minimum and type: FRA 80 of 75 min II. D is a domestic flight, I an international one.",
    ({ reports }) => listed(reports),
  ),
  brokenConnections: list(
    "The proposed connections that are too short or leave from another airport, in words: 40 min remain to connect at FRA and 75 min are needed; or the next flight from FRA leaves 2 h 25 min before they arrive. What cannot be told is called unknown. A gap is listed as no flight FRA-ZRH.",
    ({ reports, gaps }) => known([...gaps.map(nameOfGap), ...listedWhere(reports, ({ broken }) => broken)]),
  ),
  tightConnections: list("Likewise those that have little to spare.", ({ reports }) =>
    known(listedWhere(reports, ({ tight }) => tight)),
  ),
  longerWaits: list(
    "The proposed waits between flights that are too long or newly overnight, in words, beside the booked wait at the same place: 13 h at DEL instead of 11 h; 7 h at FRA instead of 5 h, now overnight; 9 h at DXB, where no wait was booked.",
    ({ waits }) => known(waits.filter(isNoteworthy).map(describeWait)),
  ),
  connectionTypes: list(
    "The types of the proposed connections in order: DD, DI, ID or II, by the countries of both flights.",
    ({ reports }) => known(reports.map(connectionTypeOf)),
  ),
  connectingAirports: list("Airports at which the proposed journey changes flights.", ({ reports }) =>
    connectingAirports(reports),
  ),
  connectingAirportsChanged: bool(
    "Whether an origin and destination changes flights at other airports than booked, or at more or fewer.",
    ({ pairs }) => anyOf(pairs.map(isChangingElsewhere)),
  ),
  shortestConnectionMinutes: int(
    "Shortest time between an arrival and the next departure of the same origin and destination. Very large when there is no connection.",
    ({ reports }) =>
      smallestOf(
        reports.map(({ minutes }) => minutes),
        noConnectionMinutes,
      ),
    { unit: "min" },
  ),
  longestConnectionMinutes: int(
    "Longest such time under 24 hours. 0 when there is no connection.",
    ({ reports }) =>
      largestOf(
        reports.map(({ minutes }) => minutes),
        0,
      ),
    { unit: "min", atLeast: 0 },
  ),
  minimumConnectionMinutes: int(
    "Largest minimum connecting time of the proposed connections. 0 when there is no connection.",
    ({ reports }) => largestOf(reports.map(minimumOf), 0),
    { unit: "min", atLeast: 0 },
  ),
  connectionMarginMinutes: int(
    "Smallest difference between a proposed connection and its minimum connecting time; negative when it is not reached. Very large when there is no connection.",
    ({ reports }) => smallestOf(reports.map(marginOf), noConnectionMinutes),
    { unit: "min" },
  ),
  connectionBroken: bool(
    "Whether a connection is shorter than the minimum connecting time, or leaves from another airport, or no flight goes to where the next one leaves. Not broken when it is no shorter than booked at the same terminals.",
    ({ reports, gaps }) => anyOf([...gaps.map(() => known(true)), ...reports.map(({ broken }) => broken)]),
  ),
  connectionTight: bool(
    "Whether a connection that is not broken has 15 minutes or less to spare over its minimum. Not tight when it is no shorter than booked at the same terminals.",
    ({ reports }) => anyOf(reports.map(({ tight }) => tight)),
  ),
  connectionTooLong: bool(
    "Whether a wait between flights is longer than booked and over the limit, which is 4 hours between domestic flights and 8 hours with an international one. A wait that becomes a stopover is too long.",
    ({ waits }) => anyOf(waits.map(({ isTooLong }) => isTooLong)),
  ),
  selfTransfer: bool(
    "Whether a proposed connection is between two booking references of the order, so that no airline protects it. It needs 180 minutes, or 240 with another terminal or airport.",
    ({ reports }) => anyOf(reports.map(({ selfTransfer }) => selfTransfer)),
  ),
  selfTransferShorter: bool(
    "Whether such a connection is shorter than booked, however long it still is, or was not booked there.",
    ({ reports }) => anyOf(reports.map(({ selfTransferShorter }) => selfTransferShorter)),
  ),
};

/** `shortestConnectionMinutes` and `connectionMarginMinutes` without connections: longer than any connection. */
export const noConnectionMinutes = 1_000_000;

export interface ConnectionParts extends ReturnType<typeof connectionParts> {}

/** @param records all `Order` elements of the order, which assign flights to booking references. */
export function connectionParts(
  pairs: readonly JourneyPair[],
  records: readonly OrderRecord[],
  times: ConnectionTimes,
) {
  return {
    pairs,
    reports: reportConnections(pairs, records, times),
    gaps: pairs.flatMap(({ before, after }) => gapsIn(after, before)),
    waits: pairs.flatMap((pair) => waitsOf(pair, times)),
  };
}

function hasConnection(reports: readonly ConnectionReport[]): Fact<boolean> {
  return anyOf(
    reports.map(({ minutes }) => {
      if (!minutes.known) return minutes;
      return minutes.value.high < stopoverMinutes ? known(true) : unknown("ambiguous-time");
    }),
  );
}

function connectingAirports(connections: readonly FlightPair[]): Fact<readonly string[]> {
  const airports = connections.flatMap(({ arriving, leaving }) => [
    arriving.arrival.airport,
    leaving.departure.airport,
  ]);
  const stated = airports.filter((airport) => airport !== null);
  return stated.length < airports.length ? unknown("unknown-airport") : known([...new Set(stated)]);
}

function listed(reports: readonly ConnectionReport[]): Fact<readonly string[]> {
  const lines: string[] = [];
  for (const report of reports) {
    const places = connectingAirports([report]);
    const minutes = smallestOf([report.minutes], Number.POSITIVE_INFINITY);
    const minimum = largestOf([minimumOf(report)], 0);
    for (const part of [places, minutes, minimum]) if (!part.known) return part;
    if (!places.known || !minutes.known || !minimum.known) continue;
    lines.push(`${places.value.join("-")} ${minutes.value} of ${minimum.value} min ${connectionTypeOf(report)}`);
  }
  return known(lines);
}

function nameOfGap({ arriving, leaving }: FlightPair): string {
  return `no flight ${arriving.arrival.airport}-${leaving.departure.airport}`;
}

function listedWhere(
  reports: readonly ConnectionReport[],
  isListed: (report: ConnectionReport) => Fact<boolean>,
): readonly string[] {
  return reports.flatMap((report) => {
    const fact = isListed(report);
    if (!fact.known || !fact.value) return [];
    const { arriving, leaving, minutes } = report;
    const places = [...new Set([arriving.arrival.airport ?? "?", leaving.departure.airport ?? "?"])];
    return [shortConnectionWords(places.join("-"), exactly(minutes), exactly(minimumOf(report)))];
  });
}

function exactly(range: Fact<Range>): number | null {
  return range.known && range.value.low === range.value.high ? range.value.low : null;
}

function minimumOf({ minimum, selfTransfer }: ConnectionReport) {
  return selfTransfer.known || minimum.low === minimum.high ? known(minimum) : selfTransfer;
}

function marginOf(report: ConnectionReport) {
  const minimum = minimumOf(report);
  if (!report.minutes.known) return report.minutes;
  return minimum.known ? known(difference(report.minutes.value, minimum.value)) : minimum;
}

export function isChangingElsewhere({ before, after }: JourneyPair): Fact<boolean> {
  if (before.length === 0 || after.length === 0) return known(false);
  const booked = connectingAirports(changesOfFlight(before, before));
  const proposed = connectingAirports(changesOfFlight(after, before));
  if (!booked.known) return booked;
  if (!proposed.known) return proposed;
  return differs([...booked.value].sort().join(), [...proposed.value].sort().join(), "unknown-airport");
}

/** A proposed wait between flights, and those booked at the same place. */
interface Wait {
  readonly wait: Connection;
  readonly sold: readonly Connection[];
  readonly isTooLong: Fact<boolean>;
}

/** Returns the waits of the proposed journey. A stopover is too long, unless one was booked. */
function waitsOf({ before, after }: JourneyPair, times: ConnectionTimes): readonly Wait[] {
  const booked = changesOfFlight(before, before);
  return changesOfFlight(after, before).map((wait) => {
    const sold = booked.filter((other) => isSamePlace(wait, other));
    if (isStopover(wait)) return { wait, sold, isTooLong: known(before.length > 0 && !booked.some(isStopover)) };
    const limit = connectionTypeOf(wait) === "DD" ? times.longestDomestic : times.longestInternational;
    return { wait, sold, isTooLong: allOf([isOver(wait, limit), ...sold.map((other) => isLonger(wait, other))]) };
  });
}

function isNoteworthy(wait: Wait): boolean {
  return (wait.isTooLong.known && wait.isTooLong.value) || isNewlyOvernight(wait);
}

function isNewlyOvernight({ wait, sold }: Wait): boolean {
  const nights = nightsOf(wait);
  return nights > 0 && sold.every((other) => nightsOf(other) < nights);
}

function nightsOf({ arriving, leaving }: FlightPair): number {
  const nights = nightsBetween(arriving, leaving);
  return nights.known ? nights.value : 0;
}

function describeWait(wait: Wait): string {
  const { arriving, leaving, minutes } = wait.wait;
  const places = [...new Set([arriving.arrival.airport ?? "?", leaving.departure.airport ?? "?"])].join("-");
  const [sold] = wait.sold;
  const before =
    sold === undefined
      ? ", where no wait was booked"
      : sold.minutes.known && minutes.known && sold.minutes.value.low !== minutes.value.low
        ? ` instead of ${spanOf(sold.minutes.value.low)}`
        : "";
  return `${minutes.known ? spanOf(minutes.value.low) : "unknown time"} at ${places}${before}${isNewlyOvernight(wait) ? ", now overnight" : ""}`;
}

function isOver({ minutes }: Connection, limit: number): Fact<boolean> {
  if (!minutes.known) return minutes;
  if (minutes.value.low > limit) return known(true);
  return minutes.value.high <= limit ? known(false) : unknown("ambiguous-time");
}

function isLonger(wait: Connection, other: Connection): Fact<boolean> {
  if (!wait.minutes.known) return wait.minutes;
  if (!other.minutes.known) return other.minutes;
  if (wait.minutes.value.low > other.minutes.value.high) return known(true);
  return wait.minutes.value.high <= other.minutes.value.low ? known(false) : unknown("ambiguous-time");
}
