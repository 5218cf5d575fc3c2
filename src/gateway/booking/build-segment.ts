import { durationText } from "../../travel/duration.ts";
import { findAirline } from "../airline-names.ts";
import { elapsedMinutes } from "../local-time.ts";
import type { FlightSegmentElement } from "../order-content.ts";
import type { ParsedFlightRequest } from "../order-request.ts";
import { findAirport } from "../served-airports.ts";

export function buildSegment(flight: ParsedFlightRequest, segmentKey: string, owner: string): FlightSegmentElement {
  const carrier = flight.carrier ?? owner;
  const flightNumber = flight.flightNumber ?? "100";
  const operator = flight.operatingCarrier === undefined ? carrier : flight.operatingCarrier;
  return {
    SegmentKey: segmentKey,
    Departure: buildPoint(flight.from, flight.departure, flight.fromTerminal),
    Arrival: buildPoint(flight.to, flight.arrival, flight.toTerminal),
    MarketingCarrier: { AirlineID: carrier, Name: findAirline(carrier).name, FlightNumber: flightNumber },
    OperatingCarrier:
      operator === null
        ? { AirlineID: null, Name: null, FlightNumber: null }
        : { AirlineID: operator, Name: findAirline(operator).name, FlightNumber: flightNumber },
    Equipment: { AircraftCode: flight.aircraft, Name: "" },
    Code: { MarriageGroup: "" },
    FlightDetail: {
      FlightDuration: { Value: lengthOf(flight) },
      Stops: { Value: flight.stops },
      InterMediate: [],
      AirMilesFlown: 0,
    },
    BrandId: "",
  };
}

function buildPoint(airportCode: string, local: { date: string; time: string }, terminal: string) {
  return {
    AirportCode: airportCode,
    Date: local.date,
    Time: local.time,
    AirportName: findAirport(airportCode)?.name ?? airportCode,
    Terminal: { Name: terminal },
  };
}

/** Empty if a time zone is unknown: a wrong duration would be read as a wrong arrival. */
function lengthOf(flight: ParsedFlightRequest): string {
  if (flight.durationMinutes !== undefined) return durationText(flight.durationMinutes);
  const from = findAirport(flight.from);
  const to = findAirport(flight.to);
  if (from === null || to === null) return "";
  const minutes = elapsedMinutes(flight.departure, from.timeZone, flight.arrival, to.timeZone);
  return minutes > 0 ? durationText(minutes) : "";
}
