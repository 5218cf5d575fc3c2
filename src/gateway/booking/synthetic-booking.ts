import type { ParsedFlightRequest, ParsedOrderRequest } from "../order-request.ts";
import { passengerIdAt } from "./booked-keys.ts";

/** All that a generated order is built from. */
export interface SyntheticBooking {
  readonly request: RequestWithFlights;
  readonly orderId: string;
  readonly owner: string;
  readonly references: readonly string[];
  /** Positions of flights, by journey. */
  readonly journeys: readonly (readonly number[])[];
}

export type RequestWithFlights = ParsedOrderRequest & { readonly flights: readonly ParsedFlightRequest[] };

export interface PassengerGroup {
  readonly ptc: "ADT" | "CHD" | "INF";
  readonly passengerIds: readonly string[];
}

/** By position, for one booking reference. */
export function flightsOf(booking: SyntheticBooking, position: number): readonly number[] {
  const { request, references, journeys } = booking;
  const all = request.flights.map((_, index) => index);
  if (namesReferences(booking)) {
    const [first] = references;
    return all.filter((index) => (request.flights[index]?.gdsBookingReference ?? first) === references[position]);
  }
  if (journeys.length < references.length) return all;
  return journeys.filter((_, index) => Math.min(index, references.length - 1) === position).flat();
}

/** By position, for one booking reference. */
export function passengersOf(booking: SyntheticBooking, position: number): readonly number[] {
  const { request, references, journeys } = booking;
  const all = request.passengers.map((_, index) => index);
  const isSplitParty =
    !namesReferences(booking) && journeys.length < references.length && all.length >= references.length;
  if (!isSplitParty) return all;
  return all.filter((index) => Math.floor((index * references.length) / all.length) === position);
}

/** Adults first. */
export function passengerGroups(booking: SyntheticBooking, position: number): readonly PassengerGroup[] {
  const { passengers } = booking.request;
  return (["ADT", "CHD", "INF"] as const).flatMap((ptc) => {
    const passengerIds = passengersOf(booking, position)
      .filter((index) => passengers[index]?.ptc === ptc)
      .map(passengerIdAt);
    return passengerIds.length === 0 ? [] : [{ ptc, passengerIds }];
  });
}

function namesReferences({ request }: SyntheticBooking): boolean {
  return request.flights.some((flight) => flight.gdsBookingReference !== undefined);
}
