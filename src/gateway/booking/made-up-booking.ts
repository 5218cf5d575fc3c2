import type { ParsedFlightRequest, ParsedOrderRequest } from "../order-request.ts";
import { passengerIdAt } from "./booked-keys.ts";

/** An order that is made up of a request: what its elements are built from. */
export interface SyntheticBooking {
  readonly request: FlownRequest;
  readonly orderId: string;
  readonly owner: string;
  readonly references: readonly string[];
  /** Positions in the flights of each origin and destination. */
  readonly journeys: readonly (readonly number[])[];
}

/** An order request with its flights. */
export type FlownRequest = ParsedOrderRequest & { readonly flights: readonly ParsedFlightRequest[] };

/** The passengers of one type that a booking reference holds. */
export interface PassengerGroup {
  readonly ptc: "ADT" | "CHD" | "INF";
  readonly passengerIds: readonly string[];
}

/** Positions of the flights that a booking reference holds. */
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

/** Positions of the passengers that a booking reference holds. */
export function passengersOf(booking: SyntheticBooking, position: number): readonly number[] {
  const { request, references, journeys } = booking;
  const all = request.passengers.map((_, index) => index);
  const isSplitParty =
    !namesReferences(booking) && journeys.length < references.length && all.length >= references.length;
  if (!isSplitParty) return all;
  return all.filter((index) => Math.floor((index * references.length) / all.length) === position);
}

/** The passengers of a booking reference by type, adults first. */
export function passengerGroups(booking: SyntheticBooking, position: number): readonly PassengerGroup[] {
  const { passengers } = booking.request;
  return (["ADT", "CHD", "INF"] as const).flatMap((ptc) => {
    const passengerIds = passengersOf(booking, position)
      .filter((index) => passengers[index]?.ptc === ptc)
      .map(passengerIdAt);
    return passengerIds.length === 0 ? [] : [{ ptc, passengerIds }];
  });
}

/** Whether flights name the booking references that they belong to. */
function namesReferences({ request }: SyntheticBooking): boolean {
  return request.flights.some((flight) => flight.gdsBookingReference !== undefined);
}
