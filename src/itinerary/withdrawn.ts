import type { OrderRecord, OrderView, SegmentValues } from "../contract/order-view.ts";

export interface Withdrawn {
  readonly segmentKeys: ReadonlySet<string>;
  readonly suspicions: readonly string[];
}

/**
 * Returns the withdrawn segments: named in `ScheduleChange` without new values, or only of a CANCELLED reference that
 * is offered nothing instead. Suspicions: `unlisted-flight:<key>` if a changed flight or one of its segments is not in
 * the view; `unknown-cancelled-flights:<reference>` if one of several references is cancelled and its flights are
 * unknown.
 *
 * @param listed keys of the order's segments.
 * @param details new values by segment key; segments without any are missing.
 */
export function withdrawnSegments(
  view: OrderView,
  records: readonly OrderRecord[],
  listed: ReadonlySet<string>,
  details: ReadonlyMap<string, readonly SegmentValues[]>,
): Withdrawn {
  const flights = new Map(view.flights.map((flight) => [flight.flightKey, flight.segmentKeys]));
  const keys: (readonly string[])[] = [];
  const suspicions: string[] = [];
  // A cancelled reference may still name a flight that another reference of the order holds.
  const held = new Set(records.filter((record) => !isCancelled(record)).flatMap(({ segmentKeys }) => segmentKeys));
  const isKnown = (key: string) => listed.has(key);
  for (const record of records) {
    for (const changed of record.changedFlights) {
      const ofFlight = flights.get(changed.flightKey) ?? [];
      if (changed.segmentKeys.length > 0) keys.push(changed.segmentKeys);
      // A flight named without segments is one whole: new values for one of its segments are its change.
      else if (!ofFlight.some((key) => details.has(key))) keys.push(ofFlight);
      const isListed = changed.segmentKeys.length === 0 ? ofFlight.length > 0 : changed.segmentKeys.every(isKnown);
      if (!isListed) suspicions.push(`unlisted-flight:${changed.flightKey}`);
    }
    if (!isCancelled(record)) continue;
    const referred = record.segmentKeys.length === 0 && records.length === 1 ? [...listed] : record.segmentKeys;
    if (referred.some((key) => details.has(key))) continue;
    const own = referred.filter((key) => !held.has(key));
    if (own.length > 0) keys.push(own);
    else if (records.length > 1) {
      suspicions.push(`unknown-cancelled-flights:${record.gdsBookingReferences.join("+")}`);
    }
  }
  const withdrawn = keys.flat().filter((key) => listed.has(key) && !details.has(key));
  return { segmentKeys: new Set(withdrawn), suspicions };
}

function isCancelled({ pnrStatus }: OrderRecord): boolean {
  return pnrStatus.known && pnrStatus.value === "CANCELLED";
}
