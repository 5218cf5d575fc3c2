import { AppError, assertNever } from "../kernel/app-error.ts";
import { isRecord } from "../kernel/record.ts";
import { durationMinutes, durationText } from "../travel/duration.ts";
import { findAirline } from "./airline-names.ts";
import type { ParsedRevision } from "./change-request.ts";
import { addMinutes, elapsedMinutes, printedTimeOf } from "./local-time.ts";
import type { FlightSegmentElement, SegmentDetailsElement } from "./order-content.ts";
import type { SegmentFare } from "./ports.ts";
import { findAirport } from "./served-airports.ts";

export const changeNotExpressible = "gateway.change_not_expressible";

/** A change of one flight that stays one flight. */
export interface Revision {
  readonly becomes: FlightSegmentElement;
  /** As `SegmentDetails` in the order view. */
  readonly details: SegmentDetailsElement;
  /** Null if booking class and cabin stay. */
  readonly fare: SegmentFare | null;
}

/** Members of members may be missing. */
type NewValues = SegmentDetailsElement;

/**
 * Revises one flight.
 * Times move by real minutes if the zone of the airport is known, so a printed time that crosses a clock change moves
 * by an hour more or less; otherwise by minutes on the printed clock.
 * @param fare current booking class and cabin; null where the fare components do not state them.
 * @throws AppError `gateway.change_not_expressible`
 */
export function reviseSegment(segment: FlightSegmentElement, fare: SegmentFare, request: ParsedRevision): Revision {
  const values = newValues(segment, request);
  const becomes = withValues(segment, values);
  const newFare = fareAfter(segment, fare, request);
  return { becomes, details: shownDetails(becomes, values, request), fare: newFare };
}

/** The second was made from the result of the first. */
export function bothRevisions(first: Revision, second: Revision): Revision {
  const fare = second.fare === null ? first.fare : { ...first.fare, ...second.fare };
  return { becomes: second.becomes, details: withValues(first.details, second.details), fare };
}

export function withoutKey({ SegmentKey: _, ...details }: FlightSegmentElement): SegmentDetailsElement {
  return details;
}

export function notExpressible(segmentKey: string, because: string): AppError {
  return new AppError(changeNotExpressible, `${segmentKey} ${because}. Ask for another change.`);
}

function newValues(segment: FlightSegmentElement, request: ParsedRevision): NewValues {
  switch (request.kind) {
    case "retime":
      return retimed(segment, request.departureMinutes, request.arrivalMinutes ?? request.departureMinutes);
    case "duration": {
      const minutes = lengthOf(segment);
      if (minutes === null) throw notExpressible(segment.SegmentKey, "has no length that is known");
      const { Arrival, FlightDetail } = retimed(segment, 0, request.durationMinutes - minutes);
      return { Arrival, FlightDetail };
    }
    case "renumber":
      return {
        MarketingCarrier: renumbered(segment.MarketingCarrier, request.flightNumber),
        OperatingCarrier: renumbered(segment.OperatingCarrier, request.flightNumber),
      };
    case "carrier":
      return newCarriers(segment, request);
    case "airport":
      return newAirports(segment, request);
    case "terminal":
      return {
        ...(request.fromTerminal === undefined ? {} : { Departure: { Terminal: { Name: request.fromTerminal } } }),
        ...(request.toTerminal === undefined ? {} : { Arrival: { Terminal: { Name: request.toTerminal } } }),
      };
    case "aircraft":
      return { Equipment: { AircraftCode: request.aircraft, Name: "" } };
    case "stops":
      return {
        FlightDetail: {
          ...(request.stops === undefined ? {} : { Stops: { Value: request.stops } }),
          ...(request.miles === undefined ? {} : { AirMilesFlown: request.miles }),
        },
      };
    case "fare":
    case "downgrade":
      return {};
    default:
      return assertNever(request);
  }
}

function retimed(segment: FlightSegmentElement, departureMinutes: number, arrivalMinutes: number): NewValues {
  const minutes = lengthOf(segment);
  const newMinutes = minutes === null ? null : minutes + arrivalMinutes - departureMinutes;
  if (newMinutes !== null && newMinutes <= 0) {
    throw notExpressible(segment.SegmentKey, "would arrive before it leaves");
  }
  return {
    Departure: moved(segment.SegmentKey, segment.Departure, departureMinutes),
    Arrival: moved(segment.SegmentKey, segment.Arrival, arrivalMinutes),
    ...(newMinutes === null ? {} : { FlightDetail: { FlightDuration: { Value: durationText(newMinutes) } } }),
  };
}

type Point = FlightSegmentElement["Departure"];

/** Repeats the terminal, as gateways do. */
function moved(segmentKey: string, point: Point, minutes: number): NonNullable<Point> {
  const before = printedTimeOf(point);
  if (before === null) throw notExpressible(segmentKey, "states no local time to move");
  const after = addMinutes(before, minutes, zoneOf(point));
  const terminal = point?.Terminal === undefined ? {} : { Terminal: point.Terminal };
  return { Date: after.date, Time: after.time, ...terminal };
}

/** As stated, else from the times and zones. */
function lengthOf(segment: FlightSegmentElement): number | null {
  const stated = durationMinutes(segment.FlightDetail?.FlightDuration?.Value);
  if (stated !== null) return stated;
  const { Departure, Arrival } = segment;
  const [left, arrived, fromZone, toZone] = [
    printedTimeOf(Departure),
    printedTimeOf(Arrival),
    zoneOf(Departure),
    zoneOf(Arrival),
  ];
  if (left === null || arrived === null || fromZone === null || toZone === null) return null;
  return elapsedMinutes(left, fromZone, arrived, toZone);
}

function zoneOf(point: Point): string | null {
  return findAirport(point?.AirportCode ?? "")?.timeZone ?? null;
}

function renumbered(carrier: unknown, flightNumber: string): unknown {
  return isNumberedCarrier(carrier) ? { ...carrier, FlightNumber: flightNumber } : carrier;
}

function isNumberedCarrier(carrier: unknown): carrier is { readonly FlightNumber: string } {
  return carrier !== null && typeof carrier === "object" && "FlightNumber" in carrier && carrier.FlightNumber !== null;
}

function newCarriers(segment: FlightSegmentElement, request: Extract<ParsedRevision, { kind: "carrier" }>): NewValues {
  const { carrier, operatingCarrier } = request;
  const flightNumber =
    request.flightNumber ?? (isNumberedCarrier(segment.MarketingCarrier) ? segment.MarketingCarrier.FlightNumber : "");
  const element = (code: string) => ({ AirlineID: code, Name: findAirline(code).name, FlightNumber: flightNumber });
  const operator =
    operatingCarrier === null ? { AirlineID: null, Name: null, FlightNumber: null } : element(operatingCarrier ?? "");
  return {
    ...(carrier === undefined ? {} : { MarketingCarrier: element(carrier) }),
    ...(operatingCarrier === undefined ? {} : { OperatingCarrier: operator }),
  };
}

/** Distance and duration change with the airports: unknown ones are omitted or 0 miles. */
function newAirports(segment: FlightSegmentElement, request: Extract<ParsedRevision, { kind: "airport" }>): NewValues {
  const from = request.from === undefined ? null : airportValues(request.from, request.fromTerminal);
  const to = request.to === undefined ? null : airportValues(request.to, request.toTerminal);
  const values: NewValues = {
    ...(from === null ? {} : { Departure: from }),
    ...(to === null ? {} : { Arrival: to }),
  };
  const { FlightDetail: _, ...places } = withValues(segment, values);
  if (places.Departure?.AirportCode === places.Arrival?.AirportCode) {
    throw notExpressible(segment.SegmentKey, "would arrive where it leaves");
  }
  const minutes = lengthOf({ ...places, SegmentKey: segment.SegmentKey });
  if (minutes !== null && minutes <= 0) throw notExpressible(segment.SegmentKey, "would arrive before it leaves");
  const length = minutes === null ? {} : { FlightDuration: { Value: durationText(minutes) } };
  return { ...values, FlightDetail: { ...length, AirMilesFlown: 0 } };
}

function airportValues(code: string, terminal: string) {
  return { AirportCode: code, AirportName: findAirport(code)?.name ?? code, Terminal: { Name: terminal } };
}

/** From the highest to the lowest, with the booking class of the full fare. */
const cabins = [
  { cabin: "F", rbd: "F" },
  { cabin: "C", rbd: "J" },
  { cabin: "W", rbd: "W" },
  { cabin: "Y", rbd: "Y" },
] as const;

function fareAfter(segment: FlightSegmentElement, fare: SegmentFare, request: ParsedRevision): SegmentFare | null {
  if (request.kind === "fare") return { rbd: request.rbd ?? fare.rbd, cabin: request.cabin ?? fare.cabin };
  if (request.kind !== "downgrade") return null;
  const now = cabins.findIndex(({ cabin }) => cabin === (fare.cabin === "J" ? "C" : fare.cabin));
  const lower = now === -1 ? undefined : cabins[now + 1];
  if (lower === undefined) throw notExpressible(segment.SegmentKey, `has no cabin below ${fare.cabin ?? "its own"}`);
  return lower;
}

function shownDetails(
  becomes: FlightSegmentElement,
  values: NewValues,
  request: ParsedRevision,
): SegmentDetailsElement {
  // A flight without new values would be read as withdrawn.
  if (!("partial" in request) || request.partial === "full") return withoutKey(becomes);
  const { Departure, Arrival, FlightDetail } = values;
  switch (request.partial) {
    case "changed":
      return values;
    case "departure-only":
      return { Departure };
    case "arrival-only":
      return { Arrival };
    case "departure-and-duration":
      if (!FlightDetail) throw notExpressible(becomes.SegmentKey, "has no length that is known");
      return { Departure, FlightDetail };
    default:
      return assertNever(request.partial);
  }
}

/** Members that are merged with the booked ones; others are replaced as a whole. */
const mergedMembers = ["Departure", "Arrival", "MarketingCarrier", "OperatingCarrier", "FlightDetail"] as const;

function withValues<T extends SegmentDetailsElement>(segment: T, values: NewValues): T {
  const merged = mergedMembers.flatMap((name) => {
    const [before, after] = [segment[name], values[name]];
    return isRecord(before) && isRecord(after) ? [[name, { ...before, ...after }] as const] : [];
  });
  return { ...segment, ...values, ...Object.fromEntries(merged) };
}
