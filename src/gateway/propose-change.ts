import { AppError } from "../kernel/app-error.ts";
import { type ParsedChangeRequest, partsOf } from "./change-request.ts";
import { changeSegments } from "./change-segments.ts";
import { segmentKeysOf } from "./order-content.ts";
import { isChangeable, setReferenceState } from "./order-states.ts";
import type {
  AmendmentFlags,
  BookingReference,
  ChangedSegment,
  FirstBooked,
  GatewayOrder,
  OpenChange,
} from "./ports.ts";
import { changeNotExpressible } from "./revise-segment.ts";

export const changeErrorCodes = {
  unknownSegment: "gateway.unknown_segment",
  unknownReference: "gateway.unknown_reference",
  nothingToChange: "gateway.nothing_to_change",
  notExpressible: changeNotExpressible,
} as const;

/**
 * Adds an airline's change to an order. A change that is still pending is merged: its effect on other segments stays
 * proposed, and only the newest change can be settled.
 * It concerns only booking references that fly a changed segment. Their PnrStatus becomes SCHEDULE CHANGED, or
 * CANCELLED if all their flights are withdrawn; their ScheduleChangeStatus becomes Initiated.
 * @param firstBooked for a change of the kind `restore`.
 * @throws AppError with one of `changeErrorCodes`
 */
export function proposeChange(
  order: GatewayOrder,
  request: ParsedChangeRequest,
  changeId: string,
  firstBooked: FirstBooked = new Map(),
): GatewayOrder & { readonly change: OpenChange } {
  assertKnownReferences(order, request);
  const changed = changeSegments(order, partsOf(request), firstBooked);
  return proposeSegments(order, changed, changeId, (reference, pending) => flagsFor(request, reference, pending));
}

/**
 * @param flagsOf what a reference allows, from all its pending segments.
 * @throws AppError `gateway.nothing_to_change`
 */
export function proposeSegments(
  order: GatewayOrder,
  asked: readonly ChangedSegment[],
  changeId: string,
  flagsOf: (gdsBookingReference: string, own: readonly ChangedSegment[]) => AmendmentFlags,
): GatewayOrder & { readonly change: OpenChange } {
  const changed = unflown(order, asked);
  const segments = inBookedOrder(order, [...carriedSegments(order, changed), ...changed]);
  const references = concernedReferences(order, segments);
  const change: OpenChange = { id: changeId, segments, references, settled: [] };
  return {
    ...order,
    change,
    references: order.references.map((reference) => {
      const { gdsBookingReference } = reference;
      if (!references.includes(gdsBookingReference)) return reference;
      const keys = segmentKeysOf(order.content, gdsBookingReference);
      const own = segments.filter(({ segmentKey }) => keys.includes(segmentKey));
      return { ...withPending(order, reference, segments), flags: flagsOf(gdsBookingReference, own) };
    }),
  };
}

/** Flown segments do not change. */
function unflown(order: GatewayOrder, changed: readonly ChangedSegment[]): readonly ChangedSegment[] {
  const flown = order.tickets.flatMap((ticket) => ticket.flownSegmentKeys);
  const left = changed.filter((segment) => !flown.includes(segment.segmentKey));
  if (left.length > 0) return left;
  const keys = changed.map((segment) => segment.segmentKey).join(", ");
  throw new AppError(
    changeErrorCodes.nothingToChange,
    `${keys} of order ${order.orderId} was flown. Change a later flight.`,
  );
}

/** Pending changes of segments that the new change leaves alone. */
function carriedSegments(order: GatewayOrder, changed: readonly ChangedSegment[]): readonly ChangedSegment[] {
  const keys = new Set(changed.map((segment) => segment.segmentKey));
  return (order.change?.segments ?? []).filter((segment) => !keys.has(segment.segmentKey));
}

function inBookedOrder(order: GatewayOrder, segments: readonly ChangedSegment[]): readonly ChangedSegment[] {
  const booked = order.content.DataLists.FlightSegmentList.FlightSegment.map((segment) => segment.SegmentKey);
  return segments.toSorted((a, b) => booked.indexOf(a.segmentKey) - booked.indexOf(b.segmentKey));
}

/** Without bookings that have failed or ended. */
function concernedReferences(order: GatewayOrder, segments: readonly ChangedSegment[]): readonly string[] {
  const changed = new Set(segments.map((segment) => segment.segmentKey));
  const concerned = order.references
    .filter(isChangeable)
    .map((reference) => reference.gdsBookingReference)
    .filter((reference) => segmentKeysOf(order.content, reference).some((key) => changed.has(key)));
  if (concerned.length > 0) return concerned;
  throw new AppError(
    changeErrorCodes.nothingToChange,
    `No booking reference of order ${order.orderId} still flies that segment. Make another order.`,
  );
}

function withPending(
  order: GatewayOrder,
  reference: BookingReference,
  segments: readonly ChangedSegment[],
): BookingReference {
  const withdrawn = new Set(segments.filter(({ becomes }) => becomes.length === 0).map(({ segmentKey }) => segmentKey));
  const isCancelled = segmentKeysOf(order.content, reference.gdsBookingReference).every((key) => withdrawn.has(key));
  const pnrStatus = isCancelled ? "CANCELLED" : "SCHEDULE CHANGED";
  const moved = setReferenceState(reference, "change", { pnrStatus, scheduleChangeStatus: "Initiated" });
  return { ...moved, scheduleChangeIndicator: true };
}

/** Airlines usually allow both actions; flights that are only withdrawn leave nothing to accept. */
export function usualFlags(pending: readonly ChangedSegment[]): AmendmentFlags {
  const withdraws = pending.every(({ becomes }) => becomes.length === 0);
  return { accept: withdraws ? "N" : "Y", cancel: "Y", reSchedule: "N" };
}

function flagsFor(
  request: ParsedChangeRequest,
  gdsBookingReference: string,
  pending: readonly ChangedSegment[],
): AmendmentFlags {
  return {
    ...usualFlags(pending),
    ...given(request.flags),
    ...given(request.flagsByReference[gdsBookingReference] ?? {}),
  };
}

function given(flags: ParsedChangeRequest["flags"]): Partial<AmendmentFlags> {
  const { accept, cancel, reSchedule } = flags;
  return {
    ...(accept === undefined ? {} : { accept }),
    ...(cancel === undefined ? {} : { cancel }),
    ...(reSchedule === undefined ? {} : { reSchedule }),
  };
}

function assertKnownReferences(order: GatewayOrder, request: ParsedChangeRequest): void {
  const known = order.references.map((reference) => reference.gdsBookingReference);
  for (const reference of Object.keys(request.flagsByReference)) {
    if (known.includes(reference)) continue;
    throw new AppError(
      changeErrorCodes.unknownReference,
      `Order ${order.orderId} has no booking reference ${reference}. It has: ${known.join(", ")}.`,
    );
  }
}
