import type { Carrier, SegmentPoint, SegmentValues } from "../contract/order-view.ts";
import { extend } from "../kernel/extend.ts";
import { airportOf } from "../travel/airports.ts";
import { durationMinutes } from "../travel/duration.ts";
import { instantOf, isOffsetAt, localTimeAt, offsetsAt } from "../travel/local-time.ts";
import { describeContradiction } from "./contradicted-time.ts";
import type { SoldSegment } from "./fare.ts";
import type { LocalPoint } from "./itinerary.ts";
import { printedAt } from "./shifts.ts";
import { contradictionMinutes } from "./time-facts.ts";

export interface MergedValues extends Omit<SoldSegment, "departure" | "arrival"> {
  readonly departure: MergedPoint;
  readonly arrival: MergedPoint;
}

interface MergedPoint extends LocalPoint {
  /** Null if the airport's code is known. */
  readonly airportName: string | null;
}

export function unchangedValues(original: SoldSegment): MergedValues {
  return extend(original, { departure: localPoint(original.departure), arrival: localPoint(original.arrival) });
}

/**
 * Returns the flights that a segment becomes by its `SegmentDetails`, in order.
 * One element: a missing value is unchanged, null is unknown. If only the departure moves, the old arrival could be
 * before it, so the arrival follows from the duration: one that equals the booked one moves it as far as the departure.
 * Without a duration it is unknown.
 * Several elements replace one flight. They inherit only the first departure and the last arrival.
 * @see interface document, "Schedule-change objects"
 */
export function mergeDetails(original: SoldSegment, details: readonly SegmentValues[]): readonly MergedValues[] {
  const [only, ...others] = details;
  if (only === undefined) return [unchangedValues(original)];
  if (others.length === 0) return [mergeOne(original, only)];
  const last = details.length - 1;
  return details.map((detail, position) => {
    const departure = mergePoint(position === 0 ? original.departure : undefined, detail.departure);
    const arrival = mergePoint(position === last ? original.arrival : undefined, detail.arrival);
    const followed = statesTime(detail.arrival) ? null : arrivalAfter(departure, arrival, detail.flightDuration);
    return extend(detail, { departure, arrival: followed ?? arrival });
  });
}

/** Whether a detail states anything. If not, its segment is removed or unknown. */
export function statesAnything(detail: SegmentValues): boolean {
  return Object.values(detail).some((value) =>
    value !== null && typeof value === "object" ? Object.keys(value).length > 0 : value !== undefined,
  );
}

function mergeOne(original: SoldSegment, detail: SegmentValues): MergedValues {
  const departure = mergePoint(original.departure, detail.departure);
  const arrival = mergePoint(original.arrival, detail.arrival);
  const values = extend(extend(original, detail), {
    departure,
    arrival,
    marketingCarrier: mergeCarrier(original.marketingCarrier, detail.marketingCarrier),
    operatingCarrier: mergeCarrier(original.operatingCarrier, detail.operatingCarrier),
    ...measuresOf(original, detail, departure, arrival),
  });
  if (statesTime(detail.arrival) || !hasMoved(localPoint(original.departure), departure)) return values;
  const followed = followingArrival(original, departure, arrival, detail.flightDuration);
  return { ...values, arrival: followed ?? { ...withoutContradiction(arrival), date: null, time: null } };
}

/** A duration and a distance that are not repeated hold only while times and airports do. */
function measuresOf(original: SegmentValues, detail: SegmentValues, departure: LocalPoint, arrival: LocalPoint) {
  const wasLeaving = localPoint(original.departure);
  const wasArriving = localPoint(original.arrival);
  const isElsewhere = wasLeaving.airport !== departure.airport || wasArriving.airport !== arrival.airport;
  const isRetimed = isElsewhere || isOtherTime(wasLeaving, departure) || isOtherTime(wasArriving, arrival);
  const { flightDuration = isRetimed ? null : (original.flightDuration ?? null) } = detail;
  const { airMilesFlown = isElsewhere ? null : (original.airMilesFlown ?? null) } = detail;
  return { flightDuration, airMilesFlown };
}

function isOtherTime(before: LocalPoint, after: LocalPoint): boolean {
  return before.date !== after.date || before.time !== after.time;
}

/** A date without a time, or the reverse, keeps the other half of the original. */
function mergePoint(original: SegmentPoint | null | undefined, detail: SegmentPoint | null | undefined): MergedPoint {
  // These belong to their own date and time.
  const { utcOffsets: _, unreadTime: __, ...placeOnly } = original ?? {};
  const values = mergePart(statesTime(detail) ? placeOnly : original, detail);
  const airportCode = mergedCode(
    { code: original?.airportCode, name: original?.airportName },
    { code: detail?.airportCode, name: detail?.airportName },
  );
  const merged = localPoint(values && extend(values, { airportCode }));
  // The terminal of one airport says nothing about another.
  const elsewhere = merged.airport !== localPoint(original).airport && detail?.terminal === undefined;
  return elsewhere ? { ...merged, terminal: null } : merged;
}

function mergeCarrier(original: Carrier | null | undefined, detail: Carrier | null | undefined): Carrier | null {
  const merged = mergePart(original, detail);
  if (merged === null || !detail) return merged;
  const airlineId = mergedCode(
    { code: original?.airlineId, name: original?.name },
    { code: detail.airlineId, name: detail.name },
  );
  // A code of null removes the name too.
  return extend(merged, { airlineId, name: (detail.airlineId === null ? detail.name : merged.name) ?? null });
}

interface Named {
  readonly code: string | null | undefined;
  readonly name: string | null | undefined;
}

/** A name without a code keeps the original's code only if it is the original's name. */
function mergedCode(original: Named, detail: Named): string | null {
  if (detail.code) return detail.code;
  const isOriginal = detail.name ? isSameName(detail.name, original.name) : detail.code === undefined;
  return isOriginal ? (original.code ?? null) : null;
}

/** Ignores case and blanks. */
export function isSameName(a: string, b: string | null | undefined): boolean {
  const [first, second] = [a, b].map((name) => name?.toUpperCase().replace(/\s+/g, ""));
  return first === second;
}

function mergePart<T extends object>(original: T | null | undefined, detail: T | null | undefined): T | null {
  if (detail === null) return null;
  return extend(original ?? {}, detail ?? {}) as T;
}

/** A time whose offset is not the airport's is dropped, since either could be meant; what contradicts it is kept. */
function localPoint(point: SegmentPoint | null | undefined): MergedPoint {
  const {
    airportCode: airport = null,
    date = null,
    time = null,
    terminal = null,
    utcOffsets,
    unreadTime,
  } = point ?? {};
  const airportName = airport === null ? (point?.airportName ?? null) : null;
  const printed = {
    ...{ airport, date, time: time?.slice(0, 5) ?? null, terminal, airportName },
    ...(unreadTime === undefined ? {} : { unreadTime }),
  };
  if (utcOffsets === undefined || utcOffsets.some((offset) => isOffsetAt(printed, offset))) return printed;
  const contradiction = contradictionOf(printed, utcOffsets);
  return { ...printed, time: null, ...(contradiction === null ? {} : { contradiction }) };
}

/** Null if the airport's own offset is unknown. */
function contradictionOf(printed: LocalPoint, [stated]: readonly number[]): string | null {
  const own = offsetsAt(printed);
  if (stated === undefined || own.length === 0) return null;
  return describeContradiction(printed, stated, own);
}

function statesTime(point: SegmentPoint | null | undefined): boolean {
  return point === null || point?.date !== undefined || point?.time !== undefined;
}

/** Another airport of the city at the same local time is the same instant: the flight has not moved. */
function hasMoved(before: LocalPoint, after: LocalPoint): boolean {
  const from = instantOf(before);
  const to = instantOf(after);
  if (from.known && to.known) return from.value !== to.value;
  return before.airport !== after.airport || before.date !== after.date || before.time !== after.time;
}

/** The arrival of one flight whose departure moved, null if it does not follow from the duration. */
function followingArrival(
  original: SoldSegment,
  departure: LocalPoint,
  arrival: MergedPoint,
  duration: string | null | undefined,
): MergedPoint | null {
  const minutes = durationMinutes(duration);
  const before = { departure: localPoint(original.departure), arrival: localPoint(original.arrival) };
  const isElsewhere = before.departure.airport !== departure.airport || before.arrival.airport !== arrival.airport;
  if (minutes === null || isElsewhere) return arrivalAfter(departure, arrival, duration);
  const bookedMinutes = durationMinutes(original.flightDuration);
  if (minutes === bookedMinutes) {
    const shift = shiftBetween(before.departure, departure);
    const moved = shift === null ? null : movedBy(before.arrival, shift);
    if (moved !== null) return { ...withoutContradiction(arrival), ...moved };
  }
  // By the time zones, if those of the two airports fit the flight as it was.
  const isFitting = fitsTimes(bookedMinutes ?? minutes, before);
  return isFitting ? arrivalAfter(departure, arrival, duration) : null;
}

/** In milliseconds, null if it is not known. Where no zone is known, as printed. */
function shiftBetween(before: LocalPoint, after: LocalPoint): number | null {
  const [from, to] = [instantOf(before), instantOf(after)];
  if (from.known && to.known) return to.value - from.value;
  return isWithoutZone(before) ? printedShift(before, after) : null;
}

function movedBy(point: LocalPoint, shift: number): Pick<LocalPoint, "date" | "time"> | null {
  const instant = instantOf(point);
  if (instant.known) return localTimeAt(point.airport!, instant.value + shift);
  const printed = printedAt(point.date, point.time) + shift;
  if (!isWithoutZone(point) || Number.isNaN(printed)) return null;
  const text = new Date(printed).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

function printedShift(before: LocalPoint, after: LocalPoint): number | null {
  const shift = printedAt(after.date, after.time) - printedAt(before.date, before.time);
  return Number.isNaN(shift) ? null : shift;
}

function isWithoutZone({ airport }: LocalPoint): boolean {
  return airport === null || airportOf(airport) === null;
}

/** Whether a duration fits times and zones of a flight, or nothing is known against it. */
function fitsTimes(minutes: number, { departure, arrival }: Record<"departure" | "arrival", LocalPoint>): boolean {
  const [left, arrived] = [instantOf(departure), instantOf(arrival)];
  if (!left.known || !arrived.known) return true;
  return Math.abs((arrived.value - left.value) / 60_000 - minutes) < contradictionMinutes;
}

function arrivalAfter(
  departure: LocalPoint,
  arrival: MergedPoint,
  duration: string | null | undefined,
): MergedPoint | null {
  const minutes = durationMinutes(duration);
  const left = instantOf(departure);
  if (minutes === null || !left.known || arrival.airport === null) return null;
  const local = localTimeAt(arrival.airport, left.value + minutes * 60_000);
  return local === null ? null : { ...withoutContradiction(arrival), ...local };
}

/** What was wrong with the time of a point does not hold for another time. */
function withoutContradiction({ contradiction: _, unreadTime: __, ...point }: MergedPoint): MergedPoint {
  return point;
}
