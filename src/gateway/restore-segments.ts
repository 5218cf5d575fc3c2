import { isDeepStrictEqual } from "node:util";
import { AppError } from "../kernel/app-error.ts";
import { chooseSegment, type FlightChoice, namesFlight } from "./choose-segment.ts";
import { type FlightSegmentElement, keysIn } from "./order-content.ts";
import type { BookedSegment, ChangedSegment, FirstBooked, GatewayOrder } from "./ports.ts";
import { withoutKey } from "./revise-segment.ts";
import { fareOfSegment } from "./segment-fare.ts";

/**
 * Restores the flights that were first booked, in place of accepted or pending ones. The order view shows each as a
 * whole, because gateways have no way to state "as before". If one booked flight had become several, the others are
 * withdrawn; if several had become one, all of them replace it.
 * @throws AppError `gateway.unknown_segment`, `gateway.nothing_to_change`
 */
export function restoreSegments(
  order: GatewayOrder,
  choice: FlightChoice,
  firstBooked: FirstBooked,
): readonly ChangedSegment[] {
  const { FlightSegment } = order.content.DataLists.FlightSegmentList;
  const asked = namesFlight(choice) ? [chooseSegment(order, choice)] : FlightSegment;
  const pending = new Set(order.change?.segments.map(({ segmentKey }) => segmentKey));
  const restored = asked.flatMap((segment) => {
    const now: BookedSegment = { segment, fare: fareOfSegment(order.content.Order, segment.SegmentKey) };
    const first = firstBooked.get(segment.SegmentKey) ?? now;
    if (!pending.has(segment.SegmentKey) && isDeepStrictEqual(first, now)) return [];
    const becomes = [first.segment, ...flightsLost(order, segment, first.segment, firstBooked)];
    return [
      {
        segmentKey: segment.SegmentKey,
        details: becomes.map(withoutKey),
        becomes,
        ...(isDeepStrictEqual(first.fare, now.fare) ? {} : { fare: first.fare }),
      },
      ...flightsBehind(order, segment, first.segment).map((segmentKey) => ({ segmentKey, details: [], becomes: [] })),
    ];
  });
  if (restored.length > 0) return restored;
  throw new AppError("gateway.nothing_to_change", `Order ${order.orderId} is as it was booked: nothing to restore.`);
}

/** The flights that were dropped because a single flight replaced them and the one before. */
function flightsLost(
  order: GatewayOrder,
  segment: FlightSegmentElement,
  first: FlightSegmentElement,
  firstBooked: FirstBooked,
): readonly FlightSegmentElement[] {
  const booked = new Set(order.content.DataLists.FlightSegmentList.FlightSegment.map(({ SegmentKey }) => SegmentKey));
  const gone = [...firstBooked.values()].map((one) => one.segment).filter(({ SegmentKey }) => !booked.has(SegmentKey));
  const end = segment.Arrival?.AirportCode;
  const lost: FlightSegmentElement[] = [];
  for (let at = first.Arrival?.AirportCode; at !== end; at = lost.at(-1)?.Arrival?.AirportCode) {
    const next = gone.find((one) => one.Departure?.AirportCode === at && !lost.includes(one));
    // The dropped flights do not lead there, so they were withdrawn separately.
    if (next === undefined) return [];
    lost.push(next);
  }
  return lost;
}

/** Keys of the segments that together replaced a single flight, without the first. */
function flightsBehind(
  order: GatewayOrder,
  segment: FlightSegmentElement,
  first: FlightSegmentElement,
): readonly string[] {
  const end = first.Arrival?.AirportCode;
  if (segment.Arrival?.AirportCode === end) return [];
  const { FlightSegmentList, FlightList } = order.content.DataLists;
  const flight = FlightList.Flight.map(({ SegmentReferences }) => keysIn(SegmentReferences)).find((keys) =>
    keys.includes(segment.SegmentKey),
  );
  const behind = flight?.slice(flight.indexOf(segment.SegmentKey) + 1) ?? [];
  const arrivesThere = (key: string): boolean =>
    FlightSegmentList.FlightSegment.find(({ SegmentKey }) => SegmentKey === key)?.Arrival?.AirportCode === end;
  const last = behind.findIndex(arrivesThere);
  // The airport itself was changed, so what follows is another flight.
  if (last === -1) return [];
  return behind.slice(0, last + 1);
}
