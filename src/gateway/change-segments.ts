import { AppError } from "../kernel/app-error.ts";
import { buildSegment } from "./booking/build-segment.ts";
import type { ParsedFlightChange, ParsedRevision } from "./change-request.ts";
import { chooseSegment, namesFlight } from "./choose-segment.ts";
import type { FlightSegmentElement } from "./order-content.ts";
import type { ChangedSegment, FirstBooked, GatewayOrder } from "./ports.ts";
import { restoreSegments } from "./restore-segments.ts";
import { bothRevisions, notExpressible, type Revision, reviseSegment, withoutKey } from "./revise-segment.ts";
import { fareOfSegment } from "./segment-fare.ts";

/**
 * Applies the parts in order. Two revisions of one flight add up; otherwise the second part replaces the first.
 * @throws AppError with one of `changeErrorCodes`
 */
export function changeSegments(
  order: GatewayOrder,
  parts: readonly ParsedFlightChange[],
  firstBooked: FirstBooked,
): readonly ChangedSegment[] {
  const changed = new Map<string, ChangedSegment>();
  const revisions = new Map<string, Revision>();
  for (const part of parts) {
    for (const segment of changesOfPart(order, part, revisions, firstBooked)) {
      changed.set(segment.segmentKey, withBooked(order, segment));
    }
  }
  return [...changed.values()];
}

function changesOfPart(
  order: GatewayOrder,
  part: ParsedFlightChange,
  revisions: Map<string, Revision>,
  firstBooked: FirstBooked,
): readonly ChangedSegment[] {
  switch (part.kind) {
    case "replace":
      return replaceSegments(order, part);
    case "cancel":
      return segmentsToWithdraw(order, part).map(withdrawn);
    case "restore":
      return restoreSegments(order, part, firstBooked);
    default:
      return [reviseOnce(order, part, revisions)];
  }
}

function reviseOnce(order: GatewayOrder, part: ParsedRevision, revisions: Map<string, Revision>): ChangedSegment {
  const booked = chooseSegment(order, part);
  const before = revisions.get(booked.SegmentKey);
  const fare = before?.fare ?? fareOfSegment(order.content.Order, booked.SegmentKey);
  const single = reviseSegment(before?.becomes ?? booked, fare, part);
  const revision = before === undefined ? single : bothRevisions(before, single);
  revisions.set(booked.SegmentKey, revision);
  return {
    segmentKey: booked.SegmentKey,
    details: [revision.details],
    becomes: [revision.becomes],
    ...(revision.fare === null ? {} : { fare: revision.fare }),
  };
}

/**
 * The first flight keeps the key of the first replaced segment; the others get keys when they are accepted. Other
 * replaced segments are shown as withdrawn.
 */
function replaceSegments(
  order: GatewayOrder,
  part: Extract<ParsedFlightChange, { kind: "replace" }>,
): readonly ChangedSegment[] {
  const choices = part.flightIndexes?.map((flightIndex) => ({ flightIndex })) ?? [part];
  const [first, ...others] = choices.map((choice) => chooseSegment(order, choice).SegmentKey);
  if (first === undefined || new Set([first, ...others]).size <= others.length) {
    throw notExpressible(first ?? order.orderId, "is named twice among the flights to replace");
  }
  const becomes = part.with.map((flight) => buildSegment(flight, first, order.owner));
  return [{ segmentKey: first, details: becomes.map(withoutKey), becomes }, ...others.map(withdrawnKey)];
}

function withdrawn({ SegmentKey }: FlightSegmentElement): ChangedSegment {
  return withdrawnKey(SegmentKey);
}

function withdrawnKey(segmentKey: string): ChangedSegment {
  return { segmentKey, details: [], becomes: [] };
}

function segmentsToWithdraw(
  order: GatewayOrder,
  part: Extract<ParsedFlightChange, { kind: "cancel" }>,
): readonly FlightSegmentElement[] {
  if (namesFlight(part)) return [chooseSegment(order, part)];
  const { FlightSegment } = order.content.DataLists.FlightSegmentList;
  if (FlightSegment.length > 0) return FlightSegment;
  throw new AppError("gateway.nothing_to_change", `Order ${order.orderId} has no flight left to cancel.`);
}

/** With what is booked in its place now. */
export function withBooked(order: GatewayOrder, changed: ChangedSegment): ChangedSegment {
  const segment = chooseSegment(order, changed);
  return { ...changed, booked: { segment, fare: fareOfSegment(order.content.Order, changed.segmentKey) } };
}
