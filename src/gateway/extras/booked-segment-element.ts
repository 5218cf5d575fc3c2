import { findAirline } from "../airline-names.ts";
import type { BookedFlight } from "./booked-trip.ts";
import { flightDetail, segmentPoints } from "./journey-trip.ts";

/**
 * The seat map of a booking spells many members otherwise than all other responses.
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
