import type { OrderRecord, OrderView, SegmentValues } from "../contract/order-view.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { durationMinutes } from "./duration.ts";
import { fareOfSegments, type SegmentFare } from "./fare.ts";
import type { Itinerary, ItinerarySegment } from "./itinerary.ts";
import { groupIntoJourneys, layOut } from "./journeys.ts";
import { type MergedValues, mergeDetails, statesAnything, unchangedValues } from "./merge.ts";
import { suspicionsOf } from "./sanity.ts";
import { withdrawnSegments } from "./withdrawn.ts";

/** The flights of one order before and after what a view proposes. The members are those of `Proposal`. */
export interface MergedView {
  readonly current: Itinerary;
  readonly proposed: Itinerary;
  readonly withdrawnSegmentKeys: readonly string[];
  readonly suspicions: readonly string[];
  /** Whether the view says anything of a changed flight. */
  readonly showsChange: boolean;
}

/**
 * Merges the new values of a view into the flights of one order, journey by journey. Suspicions besides those of the
 * sanity check and of withdrawn flights: `unlisted-segment` (new values for a segment that the view does not list) and
 * `contradictory-details` (a segment with several differing lists of new values; the last counts).
 *
 * @param records all `Order` elements of the order; at least one.
 */
export function mergeView(view: OrderView, records: readonly OrderRecord[]): MergedView {
  const fares = fareOfSegments(records);
  const listed = segmentsOfOrder(view, records);
  const current = new Map(
    [...listed].map(([key, values]) => [key, toItinerarySegment(key, unchangedValues(values), fares.get(key))]),
  );
  const details = detailsBySegment(view, listed);
  const withdrawn = withdrawnSegments(view, records, new Set(listed.keys()), details.bySegment);
  const suspicions = [...details.suspicions, ...withdrawn.suspicions];
  const proposed = new Map<string, readonly ItinerarySegment[]>();
  for (const [key, values] of listed) {
    const own = details.bySegment.get(key) ?? [];
    // Several flights in the place of one are other flights: the cabin that was booked is not known to hold for them.
    const fare = own.length > 1 ? undefined : fares.get(key);
    const flights = withdrawn.segmentKeys.has(key)
      ? []
      : mergeDetails(values, own).map((merged) => toItinerarySegment(key, merged, fare));
    suspicions.push(...suspicionsOf(current.get(key)!, flights, own.length > 0));
    proposed.set(key, flights);
  }
  const journeys = groupIntoJourneys([...current.values()], view.flights, view.originDestinations);
  return {
    current: layOut(journeys, (key) => [current.get(key)!]),
    proposed: layOut(journeys, (key) => proposed.get(key) ?? []),
    withdrawnSegmentKeys: journeys.flatMap(({ segmentKeys }) =>
      segmentKeys.filter((key) => withdrawn.segmentKeys.has(key)),
    ),
    suspicions,
    showsChange: details.bySegment.size > 0 || withdrawn.segmentKeys.size > 0,
  };
}

/**
 * The segments of the order by key. A view that holds several orders lists the flights of all of them: only those that
 * the order refers to count, and all when it refers to none.
 */
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

/** The new values of each segment, in order. Details of other orders' segments are left to those orders. */
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

function toItinerarySegment(segmentKey: string, values: MergedValues, fare: SegmentFare | undefined): ItinerarySegment {
  const marketingCarrier = values.marketingCarrier?.airlineId ?? null;
  return {
    segmentKey,
    departure: values.departure,
    arrival: values.arrival,
    marketingCarrier,
    marketingFlightNumber: values.marketingCarrier?.flightNumber ?? null,
    operatingCarrier: values.operatingCarrier?.airlineId ?? marketingCarrier,
    aircraftCode: values.aircraftCode ?? null,
    stops: values.stops ?? null,
    marriageGroup: values.marriageGroup ?? null,
    brandId: values.brandId ?? null,
    cabinType: fare?.cabinType ?? null,
    rbd: fare?.rbd ?? null,
    statedMinutes: durationMinutes(values.flightDuration),
    // Gateways write 0 for a distance that they do not know.
    miles: values.airMilesFlown || null,
  };
}
