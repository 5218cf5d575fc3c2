import type { Carrier, OrderRecord, OrderView, SegmentValues } from "../contract/order-view.ts";
import { nothingKnown } from "../contract/read-new-values.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { airportOf } from "../travel/airports.ts";
import { durationMinutes } from "../travel/duration.ts";
import { airlineCodeOf } from "./airlines.ts";
import { contradictedZones, withoutTimesAt, zoneSuspicions } from "./contradicted-zones.ts";
import { withFares } from "./fare.ts";
import type { Itinerary, ItinerarySegment, UnreadValues } from "./itinerary.ts";
import { buildItinerary, groupIntoJourneys, type KeyedJourney } from "./journeys.ts";
import { isSameName, type MergedValues, mergeDetails, statesAnything, unchangedValues } from "./merge.ts";
import { cityOf } from "./metropolitan-areas.ts";
import { suspicionsOf } from "./sanity.ts";
import { withdrawnSegments } from "./withdrawn.ts";

export interface MergedView {
  readonly current: Itinerary;
  /** The flights after the schedule change; equal to `current` if none is proposed. */
  readonly proposed: Itinerary;
  /** Keys of segments named as changed without new values: removed, or unknown. */
  readonly withdrawnSegmentKeys: readonly string[];
  /** Stable codes with the segment, for impossible or doubtful flights: `arrives-before-departure:Segment1`. */
  readonly suspicions: readonly string[];
  /** Whether the view shows a changed flight. An offer to accept without one hides what would be accepted. */
  readonly showsChange: boolean;
}

/**
 * Merges the new values of a view into the flights of one order, journey by journey. Adds the suspicions `repeated-key`
 * (one key for two flights; the first counts), `unlisted-segment` (new values for an unlisted segment),
 * `incomplete-journey`
 * (a flight behind a listed one is named and not listed), `other-destination` (the flights end elsewhere than their
 * journey), `contradictory-details` (differing lists of new values for a segment; the last counts) and `zone-contradicted` (stated
 * durations say that an airport is in another time zone: its times are unknown).
 * @param records all `Order` elements of the order; at least one.
 */
export function mergeView(view: OrderView, records: readonly OrderRecord[]): MergedView {
  const listed = withFares(segmentsOfOrder(view, records), records, view.priceClasses);
  const current = new Map([...listed].map(([key, values]) => [key, toItinerarySegment(key, unchangedValues(values))]));
  const details = detailsBySegment(view, listed);
  const withdrawn = withdrawnSegments(view, records, new Set(listed.keys()), details.bySegment);
  // New values that nobody can place may be those of a flight that seems to have none.
  const isAnyUnplaced = view.scheduleChangeSegments.some(({ segmentKey }) => segmentKey === "");
  const unplaced = isAnyUnplaced ? withdrawn.segmentKeys : new Set<string>();
  const gone = isAnyUnplaced ? new Set<string>() : withdrawn.segmentKeys;
  const suspicions = [
    ...repeatedKeys(view, listed),
    ...details.suspicions,
    ...withdrawn.suspicions,
    ...incompleteJourneys(view, listed),
  ];
  const proposed = new Map<string, readonly ItinerarySegment[]>();
  for (const [key, values] of listed) {
    const own = unplaced.has(key) ? [nothingKnown] : (details.bySegment.get(key) ?? []);
    const flights = gone.has(key) ? [] : mergeDetails(values, own).map((merged) => toItinerarySegment(key, merged));
    suspicions.push(...suspicionsOf(current.get(key)!, flights, own.length > 0));
    proposed.set(key, flights);
  }
  const journeys = groupIntoJourneys([...current.values()], view.flights, view.originDestinations);
  const contradicted = contradictedZones([...current.values(), ...[...proposed.values()].flat()]);
  const doubted = contradicted.zones.map(({ airport }) => airport);
  suspicions.push(...zoneSuspicions(contradicted), ...otherDestinations(journeys, current));
  return {
    current: withoutTimesAt(
      doubted,
      buildItinerary(journeys, (key) => [current.get(key)!]),
    ),
    proposed: withoutTimesAt(
      doubted,
      buildItinerary(journeys, (key) => proposed.get(key) ?? []),
    ),
    withdrawnSegmentKeys: journeys.flatMap(({ segmentKeys }) => segmentKeys.filter((key) => gone.has(key))),
    suspicions,
    showsChange: details.bySegment.size > 0 || withdrawn.segmentKeys.size > 0,
  };
}

/** Returns the order's segments by key: those that it refers to, or all if it refers to none. */
function segmentsOfOrder(view: OrderView, records: readonly OrderRecord[]): ReadonlyMap<string, SegmentValues> {
  const all = new Map<string, SegmentValues>();
  for (const segment of view.flightSegments) if (!all.has(segment.segmentKey)) all.set(segment.segmentKey, segment);
  const holdsOthers = view.orders.some((record) => record.orderId !== records[0]!.orderId);
  if (!holdsOthers) return all;
  const flights = new Map(view.flights.map((flight) => [flight.flightKey, flight.segmentKeys]));
  const referred = new Set(
    records.flatMap((record) => [
      ...record.segmentKeys,
      ...record.changedFlights.flatMap((changed) => [
        ...changed.segmentKeys,
        ...(flights.get(changed.flightKey) ?? []),
      ]),
    ]),
  );
  const own = new Map([...all].filter(([key]) => referred.has(key)));
  return own.size === 0 ? all : own;
}

/**
 * A flight of the order that the view names beside others and does not show: nobody can tell whether it is still reached.
 * Journeys whose first flights were flown may lack these.
 */
function incompleteJourneys(view: OrderView, listed: ReadonlyMap<string, SegmentValues>): readonly string[] {
  const known = new Set(view.flightSegments.map(({ segmentKey }) => segmentKey));
  return view.flights.flatMap(({ segmentKeys }) => {
    const lastListed = segmentKeys.findLastIndex((key) => listed.has(key));
    const firstListed = segmentKeys.findIndex((key) => listed.has(key));
    return lastListed < 0
      ? []
      : segmentKeys
          .slice(firstListed)
          .flatMap((key) => (known.has(key) ? [] : [`incomplete-journey:${segmentKeys[lastListed]}`]));
  });
}

/** Journeys whose flights end elsewhere than the view says: one of them may be missing. The city counts. */
function otherDestinations(
  journeys: readonly KeyedJourney[],
  current: ReadonlyMap<string, ItinerarySegment>,
): readonly string[] {
  return journeys.flatMap(({ destination, segmentKeys }) => {
    const end = current.get(segmentKeys.at(-1)!)!.arrival.airport;
    const isElsewhere = end !== null && destination !== null && cityOf(end) !== cityOf(destination);
    return isElsewhere && airportOf(destination) !== null ? [`other-destination:${destination} ${end}`] : [];
  });
}

/** Two bookings of one order may each number their segments from 1. */
function repeatedKeys(view: OrderView, listed: ReadonlyMap<string, SegmentValues>): readonly string[] {
  const first = new Map<string, SegmentValues>();
  const repeated = new Set<string>();
  for (const segment of view.flightSegments) {
    const before = first.get(segment.segmentKey);
    if (before === undefined) first.set(segment.segmentKey, segment);
    else if (listed.has(segment.segmentKey) && digestOfValue(before) !== digestOfValue(segment)) {
      repeated.add(segment.segmentKey);
    }
  }
  return [...repeated].map((key) => `repeated-key:${key}`);
}

/** Returns the new values of each segment, in order, without those of other orders' segments. */
function detailsBySegment(view: OrderView, listed: ReadonlyMap<string, SegmentValues>) {
  const known = new Set(view.flightSegments.map((segment) => segment.segmentKey));
  const bySegment = new Map<string, readonly SegmentValues[]>();
  const suspicions: string[] = [];
  for (const { segmentKey, details } of view.scheduleChangeSegments) {
    if (!known.has(segmentKey)) suspicions.push(`unlisted-segment:${segmentKey}`);
    if (!listed.has(segmentKey) || !details.some(statesAnything)) continue;
    const before = bySegment.get(segmentKey);
    if (before !== undefined && digestOfValue(before) !== digestOfValue(details)) {
      suspicions.push(`contradictory-details:${segmentKey}`);
    }
    bySegment.set(segmentKey, details);
  }
  return { bySegment, suspicions };
}

function toItinerarySegment(segmentKey: string, values: MergedValues): ItinerarySegment {
  const statedMinutes = durationMinutes(values.flightDuration);
  const { airportName: from, ...departure } = values.departure;
  const { airportName: to, ...arrival } = values.arrival;
  const { rbd = null, cabinType = null, priceClass = null } = values;
  const operatingCarrier = operatorOf(values);
  const unread = withoutNulls({
    marketingCarrier: nameOnly(values.marketingCarrier),
    operatingCarrier: nameOnly(operatingCarrier),
    departureAirport: from,
    arrivalAirport: to,
    cabinType: cabinType === null ? values.unread?.cabinType : null,
    rbd: rbd === null ? values.unread?.rbd : null,
    priceClass: values.unread?.priceClass,
  });
  return {
    segmentKey,
    departure,
    arrival,
    marketingCarrier: codeOf(values.marketingCarrier),
    marketingFlightNumber: numberWithoutCarrier(values.marketingCarrier),
    operatingCarrier: codeOf(operatingCarrier),
    aircraftCode: values.aircraftCode ?? null,
    stops: values.stops ?? null,
    marriageGroup: values.marriageGroup ?? null,
    brandId: values.brandId ?? null,
    priceClass,
    cabinType,
    rbd,
    statedMinutes,
    unreadDuration: statedMinutes === null ? (values.flightDuration ?? null) : null,
    stopPlaces: values.stopPlaces ?? null,
    // Gateways write 0 for an unknown distance.
    miles: values.airMilesFlown || null,
    ...(Object.keys(unread).length > 0 ? { unread } : {}),
  };
}

function codeOf(carrier: Carrier | null | undefined): string | null {
  return carrier?.airlineId ? airlineCodeOf(carrier.airlineId) : null;
}

/** `LH1167`, `LH/1167`, `DLH1167`, `LH-01167` and `1167.0` of LH are 1167. Another airline's code stays, and so does a suffix. */
function numberWithoutCarrier(carrier: Carrier | null | undefined): string | null {
  const flightNumber = carrier?.flightNumber?.replace(/(?<=^\d{1,4})\.0+$/, "") ?? null;
  const airline = codeOf(carrier);
  if (airline === null || flightNumber === null) return flightNumber;
  const [, stated = "", number] = /^([A-Z]{3}|[A-Z\d]{2})[\s\p{Pd}/.]*0*(\d{1,4}[A-Z]?)$/u.exec(flightNumber) ?? [];
  return number !== undefined && airlineCodeOf(stated) === airline ? number : flightNumber;
}

function operatorOf({ operatingCarrier, marketingCarrier }: MergedValues): Carrier | null | undefined {
  const { airlineId, name } = operatingCarrier ?? {};
  if (airlineId) return operatingCarrier;
  return name && !isSameName(name, marketingCarrier?.name) ? operatingCarrier : marketingCarrier;
}

function nameOnly(carrier: Carrier | null | undefined): string | null | undefined {
  return carrier?.airlineId ? null : carrier?.name;
}

function withoutNulls(values: { readonly [Name in keyof UnreadValues]: string | null | undefined }): UnreadValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}
