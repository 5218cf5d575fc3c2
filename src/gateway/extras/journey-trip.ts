import { durationText } from "../../travel/duration.ts";
import { findAirline } from "../airline-names.ts";
import { elapsedMinutes } from "../local-time.ts";
import { findAirport } from "../served-airports.ts";
import type { Trip, TripFlight } from "../supply/extras.ts";

export interface JourneyTrip extends Trip {
  readonly journeys: readonly Journey[];
}

export interface Journey {
  readonly flightKey: string;
  /** In the order of travel, at least one. */
  readonly segmentKeys: readonly string[];
}

/** @param elementOf renders an element of `FlightSegment`; the key is that of its journey. */
export function tripListsOf<Flight extends TripFlight, Element>(
  trip: Omit<JourneyTrip, "flights"> & { readonly flights: readonly Flight[] },
  elementOf: (flight: Flight, flightKey: string) => Element,
) {
  const flightKeyOf = ({ segmentKey }: Flight) =>
    trip.journeys.find(({ segmentKeys }) => segmentKeys.includes(segmentKey))!.flightKey;
  return {
    PassengerList: {
      Passengers: trip.passengers.map(({ passengerId, ptc }) => ({ PassengerID: passengerId, PTC: ptc })),
    },
    FlightSegmentList: { FlightSegment: trip.flights.map((flight) => elementOf(flight, flightKeyOf(flight))) },
    ...journeyListsOf(trip),
  };
}

function journeyListsOf({ journeys, flights }: Pick<JourneyTrip, "journeys" | "flights">) {
  const flightOf = (segmentKey: string | undefined) => flights.find((flight) => flight.segmentKey === segmentKey)!;
  return {
    FlightList: {
      Flight: journeys.map(({ flightKey, segmentKeys }) => ({
        FlightKey: flightKey,
        Journey: { Time: journeyTime(segmentKeys.map(flightOf)), Stops: segmentKeys.length - 1 },
        SegmentReferences: segmentKeys.join(" "),
      })),
    },
    OriginDestinationList: {
      OriginDestination: journeys.map(({ flightKey, segmentKeys }, position) => ({
        OriginDestinationKey: `OD${position + 1}`,
        DepartureCode: flightOf(segmentKeys[0]).from,
        ArrivalCode: flightOf(segmentKeys.at(-1)).to,
        FlightReferences: flightKey,
      })),
    },
  };
}

/** Flights and connections; empty if the length of one is unknown. */
function journeyTime(flights: readonly TripFlight[]): string {
  const parts = flights.flatMap((flight, position) => {
    const next = flights[position + 1];
    return next === undefined ? [flight.minutes] : [flight.minutes, connectionMinutes(flight, next)];
  });
  return parts.every((minutes) => minutes > 0) ? durationText(parts.reduce((sum, minutes) => sum + minutes)) : "";
}

/** 0 if a time zone is unknown. */
function connectionMinutes(before: TripFlight, after: TripFlight): number {
  const [fromZone, toZone] = [findAirport(before.to)?.timeZone, findAirport(after.from)?.timeZone];
  if (fromZone === undefined || toZone === undefined) return 0;
  return elapsedMinutes(before.arrival, fromZone, after.departure, toZone);
}

export function segmentPoints(flight: TripFlight) {
  return {
    Departure: pointElement(flight.from, flight.departure, flight.fromTerminal),
    Arrival: pointElement(flight.to, flight.arrival, flight.toTerminal),
  };
}

/** The duration is empty if it is unknown. */
export function flightDetail(flight: TripFlight) {
  return {
    FlightDuration: { Value: flight.minutes > 0 ? durationText(flight.minutes) : "" },
    Stops: { Value: 0 },
    AirMilesFlown: flight.miles,
  };
}

export function segmentElement(flight: TripFlight) {
  const { carrier, operatedBy, aircraft } = flight;
  return {
    SegmentKey: flight.segmentKey,
    ...segmentPoints(flight),
    MarketingCarrier: { AirlineID: carrier, Name: findAirline(carrier).name, FlightNumber: flight.flightNumber },
    OperatingCarrier:
      operatedBy === null
        ? { AirlineID: null, Name: null, FlightNumber: null }
        : {
            AirlineID: operatedBy.carrier,
            Name: findAirline(operatedBy.carrier).name,
            FlightNumber: operatedBy.flightNumber,
          },
    Equipment: { AircraftCode: aircraft.code, Name: aircraft.name },
    Code: { MarriageGroup: "" },
    FlightDetail: { ...flightDetail(flight), InterMediate: [] },
    BrandId: "",
  };
}

function pointElement(airportCode: string, local: TripFlight["departure"], terminal: string) {
  return {
    AirportCode: airportCode,
    Date: local.date,
    Time: local.time,
    AirportName: findAirport(airportCode)?.name ?? airportCode,
    Terminal: { Name: terminal },
  };
}
