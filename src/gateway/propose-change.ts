import { AppError, assertNever } from "../kernel/app-error.ts";
import { buildSegment } from "./book-order.ts";
import type { ParsedChangeRequest } from "./change-request.ts";
import { addMinutes, durationText, type LocalTime, readDuration } from "./local-time.ts";
import { type FlightSegmentElement, type SegmentDetailsElement, segmentKeysOf } from "./order-content.ts";
import type { AmendmentFlags, BookingReference, ChangedSegment, GatewayOrder, OpenChange } from "./ports.ts";

/** Why an order cannot be changed as asked. */
export const changeErrorCodes = {
  unknownSegment: "gateway.unknown_segment",
  unknownReference: "gateway.unknown_reference",
  nothingToChange: "gateway.nothing_to_change",
  notExpressible: "gateway.change_not_expressible",
} as const;

/**
 * The order with an airline's change pending on it. A change that is still pending is carried along: what it does to
 * other segments stays proposed, and only the newest change can be answered.
 *
 * Only the booking references that fly a changed segment are concerned. Their PnrStatus becomes SCHEDULE CHANGED, or
 * CANCELLED when every flight of theirs is withdrawn; their ScheduleChangeStatus becomes Initiated.
 *
 * @throws AppError with one of `changeErrorCodes`
 */
export function proposeChange(
  order: GatewayOrder,
  request: ParsedChangeRequest,
  changeId: string,
): GatewayOrder & { readonly change: OpenChange } {
  const changed = changedSegments(order, request);
  const segments = inBookedOrder(order, [...carriedSegments(order, changed), ...changed]);
  const references = concernedReferences(order, segments);
  assertKnownReferences(order, request);
  const change: OpenChange = { id: changeId, segments, references, settled: [] };
  return {
    ...order,
    change,
    references: order.references.map((reference) =>
      references.includes(reference.gdsBookingReference)
        ? { ...withPending(order, reference, segments), flags: flagsFor(request, reference.gdsBookingReference) }
        : reference,
    ),
  };
}

function changedSegments(order: GatewayOrder, request: ParsedChangeRequest): readonly ChangedSegment[] {
  switch (request.kind) {
    case "retime":
      return [retime(chosenSegment(order, request), request)];
    case "renumber":
      return [renumber(chosenSegment(order, request), request.flightNumber)];
    case "replace":
      return [replace(order, chosenSegment(order, request), request.with)];
    case "cancel":
      return withdrawnSegments(order, request).map(({ SegmentKey }) => ({
        segmentKey: SegmentKey,
        details: [],
        becomes: [],
      }));
    default:
      return assertNever(request);
  }
}

function retime(
  segment: FlightSegmentElement,
  request: Extract<ParsedChangeRequest, { kind: "retime" }>,
): ChangedSegment {
  const arrivalMinutes = request.arrivalMinutes ?? request.departureMinutes;
  const minutes = readDuration(segment.FlightDetail?.FlightDuration?.Value);
  const newMinutes = minutes === null ? null : minutes + arrivalMinutes - request.departureMinutes;
  if (newMinutes !== null && newMinutes <= 0) {
    throw notExpressible(segment, "would arrive before it leaves");
  }
  const flightDuration = newMinutes === null ? null : { FlightDuration: { Value: durationText(newMinutes) } };
  const Departure = { ...segment.Departure, ...moved(segment, segment.Departure, request.departureMinutes) };
  const becomes: FlightSegmentElement = {
    ...segment,
    Departure,
    Arrival: { ...segment.Arrival, ...moved(segment, segment.Arrival, arrivalMinutes) },
    FlightDetail: { ...segment.FlightDetail, ...flightDuration },
  };
  const newDeparture = { Date: Departure.Date, Time: Departure.Time, ...terminalOf(segment) };
  const details = (): SegmentDetailsElement => {
    switch (request.partial) {
      case "departure-only":
        return { Departure: newDeparture };
      case "departure-and-duration":
        if (flightDuration === null) throw notExpressible(segment, "has no length that is known");
        return { Departure: newDeparture, FlightDetail: flightDuration };
      case "full":
        return withoutKey(becomes);
      default:
        return assertNever(request.partial);
    }
  };
  return { segmentKey: segment.SegmentKey, details: [details()], becomes: [becomes] };
}

function moved(
  segment: FlightSegmentElement,
  point: FlightSegmentElement["Departure"],
  minutes: number,
): { Date: string; Time: string } {
  if (!point?.Date || !point.Time) throw notExpressible(segment, "states no local time to move");
  const local: LocalTime = addMinutes({ date: point.Date, time: point.Time }, minutes);
  return { Date: local.date, Time: local.time };
}

function terminalOf(segment: FlightSegmentElement): { Terminal?: unknown } {
  const terminal = segment.Departure?.Terminal;
  return terminal === undefined ? {} : { Terminal: terminal };
}

/** Shows the carriers only, as gateways do when nothing else differs. */
function renumber(segment: FlightSegmentElement, flightNumber: string): ChangedSegment {
  const renumbered = (carrier: unknown): unknown =>
    isNumberedCarrier(carrier) ? { ...carrier, FlightNumber: flightNumber } : carrier;
  const carriers = {
    MarketingCarrier: renumbered(segment.MarketingCarrier),
    OperatingCarrier: renumbered(segment.OperatingCarrier),
  };
  return { segmentKey: segment.SegmentKey, details: [carriers], becomes: [{ ...segment, ...carriers }] };
}

function isNumberedCarrier(carrier: unknown): carrier is { FlightNumber: string } {
  return carrier !== null && typeof carrier === "object" && "FlightNumber" in carrier && carrier.FlightNumber !== null;
}

/** The first flight keeps the segment's key; the others get keys of their own once they are accepted. */
function replace(
  order: GatewayOrder,
  segment: FlightSegmentElement,
  flights: Extract<ParsedChangeRequest, { kind: "replace" }>["with"],
): ChangedSegment {
  const becomes = flights.map((flight) => buildSegment(flight, segment.SegmentKey, order.owner));
  return { segmentKey: segment.SegmentKey, details: becomes.map(withoutKey), becomes };
}

function withoutKey({ SegmentKey: _, ...details }: FlightSegmentElement): SegmentDetailsElement {
  return details;
}

function withdrawnSegments(
  order: GatewayOrder,
  request: Extract<ParsedChangeRequest, { kind: "cancel" }>,
): readonly FlightSegmentElement[] {
  if (request.segmentKey !== undefined || request.flightIndex !== undefined) return [chosenSegment(order, request)];
  const { FlightSegment } = order.content.DataLists.FlightSegmentList;
  if (FlightSegment.length === 0) {
    throw new AppError(changeErrorCodes.nothingToChange, `Order ${order.orderId} has no flight left to cancel.`);
  }
  return FlightSegment;
}

function chosenSegment(
  order: GatewayOrder,
  choice: { readonly segmentKey?: string | undefined; readonly flightIndex?: number | undefined },
): FlightSegmentElement {
  const { FlightSegment } = order.content.DataLists.FlightSegmentList;
  const found =
    choice.segmentKey === undefined
      ? FlightSegment[choice.flightIndex ?? 0]
      : FlightSegment.find((segment) => segment.SegmentKey === choice.segmentKey);
  if (found !== undefined) return found;
  const asked = choice.segmentKey ?? `at position ${choice.flightIndex ?? 0}`;
  const keys = FlightSegment.map((segment) => segment.SegmentKey).join(", ") || "none";
  throw new AppError(
    changeErrorCodes.unknownSegment,
    `Order ${order.orderId} has no flight ${asked}. Its segments are: ${keys}.`,
  );
}

/** What the pending change does to segments that the new one leaves alone. */
function carriedSegments(order: GatewayOrder, changed: readonly ChangedSegment[]): readonly ChangedSegment[] {
  const keys = new Set(changed.map((segment) => segment.segmentKey));
  return (order.change?.segments ?? []).filter((segment) => !keys.has(segment.segmentKey));
}

function inBookedOrder(order: GatewayOrder, segments: readonly ChangedSegment[]): readonly ChangedSegment[] {
  const booked = order.content.DataLists.FlightSegmentList.FlightSegment.map((segment) => segment.SegmentKey);
  return segments.toSorted((a, b) => booked.indexOf(a.segmentKey) - booked.indexOf(b.segmentKey));
}

/** A booking that was given up takes no further part. */
function concernedReferences(order: GatewayOrder, segments: readonly ChangedSegment[]): readonly string[] {
  const changed = new Set(segments.map((segment) => segment.segmentKey));
  const concerned = order.references
    .filter((reference) => reference.scheduleChangeStatus !== "Rejected")
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
  return {
    ...reference,
    pnrStatus: isCancelled ? "CANCELLED" : "SCHEDULE CHANGED",
    scheduleChangeIndicator: true,
    scheduleChangeStatus: "Initiated",
  };
}

/** Airlines usually offer both answers; a withdrawn flight leaves nothing to accept. */
function flagsFor(request: ParsedChangeRequest, gdsBookingReference: string): AmendmentFlags {
  const usual = { accept: request.kind === "cancel" ? "N" : "Y", cancel: "Y", reSchedule: "N" } as const;
  return { ...usual, ...given(request.flags), ...given(request.flagsByReference[gdsBookingReference] ?? {}) };
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

function notExpressible(segment: FlightSegmentElement, because: string): AppError {
  return new AppError(changeErrorCodes.notExpressible, `${segment.SegmentKey} ${because}. Ask for another change.`);
}
