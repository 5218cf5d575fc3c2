import { passengerType } from "../../contract/elements/codes.ts";
import { listOf, member, memberAt, textOf } from "../../contract/lenient-value.ts";
import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import { isRecord } from "../../kernel/record.ts";
import { durationMinutes } from "../../travel/duration.ts";
import { instantOf, type LocalTime, readLocalTime } from "../local-time.ts";
import { type FlightSegmentElement, keysIn, type OrderElement, segmentKeysOf } from "../order-content.ts";
import type { GatewayOrder } from "../ports.ts";
import { fareOfSegment } from "../segment-fare.ts";
import { findAirport } from "../served-airports.ts";
import type { TripFlight } from "../supply/extras.ts";
import { cabins } from "../supply/offer.ts";
import type { Journey, JourneyTrip } from "./journey-trip.ts";

/** The flights of a booking that have not departed, and their passengers. */
export interface BookedTrip extends JourneyTrip {
  readonly flights: readonly BookedFlight[];
}

export interface BookedFlight extends TripFlight {
  readonly rbd: string;
}

/**
 * For some booking references of an order. Omits flights that have departed, where the zone of the airport is known,
 * and flights of loaded order views that state no departure.
 */
export function bookedTrip(order: GatewayOrder, gdsBookingReferences: readonly string[], now: Date): BookedTrip {
  const { content } = order;
  const elements = content.Order.filter((element) => gdsBookingReferences.includes(element.GdsBookingReference));
  const keys = new Set(gdsBookingReferences.flatMap((reference) => segmentKeysOf(content, reference)));
  const flights = content.DataLists.FlightSegmentList.FlightSegment.filter((segment) => keys.has(segment.SegmentKey))
    .map((segment) => readFlight(order, elements, segment))
    .filter((flight) => flight !== null)
    .filter((flight) => !hasDeparted(flight, now));
  return {
    currency: textOf(elements[0]?.BookingCurrencyCode) ?? "USD",
    flights,
    journeys: bookedJourneys(order, flights),
    passengers: bookedPassengers(order, elements),
  };
}

/** The listed passengers with a fare in these elements; all of them if no listed passenger has one. */
function bookedPassengers(order: GatewayOrder, elements: readonly OrderElement[]): readonly RequestedPassenger[] {
  const listed = listOf(memberAt(order.content.DataLists, "PassengerList", "Passengers")).flatMap((passenger) => {
    const passengerId = textOf(member(passenger, "PassengerID"));
    const ptc = passengerType.safeParse(textOf(member(passenger, "PTC")));
    return passengerId === null || !ptc.success ? [] : [{ passengerId, ptc: ptc.data }];
  });
  const carried = new Set(
    elements.flatMap((element) => element.OfferItem.flatMap((item) => keysIn(item.FareDetail?.PassengerRefs))),
  );
  const own = listed.filter(({ passengerId }) => carried.has(passengerId));
  return own.length > 0 ? own : listed;
}

function readFlight(
  order: GatewayOrder,
  elements: readonly OrderElement[],
  segment: FlightSegmentElement,
): BookedFlight | null {
  const [from, to] = [readPoint(segment.Departure), readPoint(segment.Arrival)];
  if (from === null || to === null) return null;
  const [marketing, operating] = [segment["MarketingCarrier"], segment["OperatingCarrier"]];
  const carrier = textOf(member(marketing, "AirlineID")) ?? order.owner;
  const operator = textOf(member(operating, "AirlineID"));
  const flightNumber = textOf(member(marketing, "FlightNumber")) ?? "";
  const { rbd, cabin } = fareOfSegment(elements, segment.SegmentKey);
  return {
    segmentKey: segment.SegmentKey,
    carrier,
    flightNumber,
    operatedBy:
      operator === null || operator === carrier
        ? null
        : { carrier: operator, flightNumber: textOf(member(operating, "FlightNumber")) ?? flightNumber },
    from: from.airportCode,
    to: to.airportCode,
    fromTerminal: from.terminal,
    toTerminal: to.terminal,
    departure: from.local,
    arrival: to.local,
    minutes: durationMinutes(segment.FlightDetail?.FlightDuration?.Value) ?? 0,
    miles: Math.trunc(Number(textOf(segment.FlightDetail?.["AirMilesFlown"]) ?? 0)) || 0,
    aircraft: {
      code: textOf(memberAt(segment, "Equipment", "AircraftCode")) ?? "",
      name: textOf(memberAt(segment, "Equipment", "Name")) ?? "",
    },
    cabin: cabins.find((known) => known === cabin) ?? "Y",
    rbd: rbd ?? "",
  };
}

interface Point {
  readonly airportCode: string;
  readonly local: LocalTime;
  readonly terminal: string;
}

function readPoint(point: FlightSegmentElement["Departure"]): Point | null {
  const local = readLocalTime(`${point?.Date ?? ""}T${point?.Time ?? ""}`);
  const airportCode = point?.AirportCode ?? "";
  if (local === null || !/^[A-Z]{3}$/.test(airportCode)) return null;
  const terminal = point?.["Terminal"];
  return { airportCode, local, terminal: textOf(isRecord(terminal) ? member(terminal, "Name") : terminal) ?? "" };
}

/** Limited to these flights; a flight without a journey is a journey of its own. */
function bookedJourneys(order: GatewayOrder, flights: readonly TripFlight[]): readonly Journey[] {
  const known = flights.map(({ segmentKey }) => segmentKey);
  const journeys = order.content.DataLists.FlightList.Flight.map((flight) => ({
    flightKey: flight.FlightKey,
    segmentKeys: keysIn(flight.SegmentReferences).filter((key) => known.includes(key)),
  })).filter(({ segmentKeys }) => segmentKeys.length > 0);
  const alone = known.filter((key) => !journeys.some(({ segmentKeys }) => segmentKeys.includes(key)));
  return [...journeys, ...alone.map((key) => ({ flightKey: `Flight-${key}`, segmentKeys: [key] }))];
}

function hasDeparted(flight: BookedFlight, now: Date): boolean {
  const timeZone = findAirport(flight.from)?.timeZone;
  if (timeZone === undefined) return false;
  return instantOf(flight.departure, timeZone) <= now.getTime();
}
