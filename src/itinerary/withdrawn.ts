import type { OrderRecord, OrderView, SegmentValues } from "../contract/order-view.ts";

/** The segments that a view takes away, and what could not be told. */
export interface Withdrawn {
  readonly segmentKeys: ReadonlySet<string>;
  readonly suspicions: readonly string[];
}

/**
 * The segments that are withdrawn: named in `ScheduleChange` without new values, or of a reference that is CANCELLED
 * with nothing offered in its place and of no other. Suspicions: `unlisted-flight:<key>` when a changed flight or one
 * of its segments is not in the view, and `unknown-cancelled-flights:<reference>` when one of several references is cancelled and its flights
 * cannot be told.
 *
 * @param listed keys of the order's segments.
 * @param details new values by segment key; a segment without any is not in it.
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
  // A cancelled reference may go on naming a flight that another one of the order still holds.
  const held = new Set(records.filter((record) => !isCancelled(record)).flatMap(({ segmentKeys }) => segmentKeys));
  const isKnown = (key: string) => listed.has(key);
  for (const record of records) {
    for (const changed of record.changedFlights) {
      const ofFlight = flights.get(changed.flightKey) ?? [];
      if (changed.segmentKeys.length > 0) keys.push(changed.segmentKeys);
      // A flight named without its segments is one whole: new values for one of them are its change.
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
