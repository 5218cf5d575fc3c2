import { findAirline } from "../airline-names.ts";
import type { BookedFlight } from "./booked-trip.ts";
import { flightDetail, segmentPoints } from "./journey-trip.ts";

/**
 * A flight of a journey as an element of `FlightSegment` in the seat map of a booking, which spells much of it otherwise than all other
 * responses.
 *
 * @see interface document, "Service and seat offers"
 */
export function bookedSegmentElement(flight: BookedFlight, flightKey: string) {
  const { carrier, operatedBy, aircraft } = flight;
  return {
    FlightRef: flightKey,
    SegmentRef: flight.segmentKey,
    ...segmentPoints(flight),
    MarketingCarrier: { AirlineId: carrier, Name: findAirline(carrier).name, FlightNumber: flight.flightNumber },
    OperatingCarrier:
      operatedBy === null
        ? { AirlineId: null, Name: null, FlightNumber: null }
        : {
            AirlineId: operatedBy.carrier,
            Name: findAirline(operatedBy.carrier).name,
            FlightNumber: operatedBy.flightNumber,
          },
    Equipment: { AircraftCode: aircraft.code, AircraftName: aircraft.name },
    Code: { ResBookDesigCode: flight.rbd, Cabin: flight.cabin },
    FlightDetail: { ...flightDetail(flight), IntermediateInfo: [] },
  };
}
