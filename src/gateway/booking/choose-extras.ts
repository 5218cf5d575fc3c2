import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import { AppError } from "../../kernel/app-error.ts";
import type { ParsedOfferOrderRequest } from "../offer-order-request.ts";
import type { OfferLists } from "../shopping/offer-lists.ts";
import type { CabinSeats, ExtraPrice, OfferedService, TripFlight } from "../supply/extras.ts";
import type { Offer } from "../supply/offer.ts";
import type { Supply } from "../supply/supply.ts";

export const extraErrorCodes = {
  unknownPlace: "gateway.extra_without_place",
  seatNotAvailable: "gateway.seat_not_available",
  serviceNotOffered: "gateway.service_not_offered",
} as const;

export interface ChosenExtras {
  readonly seats: readonly ChosenSeat[];
  readonly services: readonly ChosenService[];
}

interface ChosenExtra {
  readonly passengerId: string;
  readonly segmentKey: string;
}

export interface ChosenSeat extends ChosenExtra {
  readonly seatNumber: string;
  /** From 1. */
  readonly segmentNumber: number;
  readonly from: string;
  readonly to: string;
  /** Null if it is free. */
  readonly price: ExtraPrice | null;
}

export interface ChosenService extends ChosenExtra {
  readonly service: Pick<OfferedService, "type" | "code" | "name">;
  readonly price: ExtraPrice;
}

export interface ExtrasChoice {
  readonly offer: Offer;
  readonly lists: OfferLists;
  readonly passengers: readonly RequestedPassenger[];
  readonly request: Pick<ParsedOfferOrderRequest, "seats" | "services">;
}

/**
 * Finds the requested seats and services at the supply, with their prices. Gives the segments their keys, in the order
 * of travel.
 * @throws AppError one of `extraErrorCodes`
 */
export async function chooseExtras(supply: Supply, choice: ExtrasChoice): Promise<ChosenExtras> {
  const { offer, lists, passengers, request } = choice;
  const flights = offer.journeys
    .flatMap((journey) => journey.flights)
    .map((flight) => ({ ...flight, segmentKey: lists.segmentKey(flight) }));
  const trip = { currency: offer.currency, flights, passengers };
  const cabins = request.seats.length === 0 ? [] : await supply.seatMaps(trip);
  const services = request.services.length === 0 ? [] : await supply.services(trip);
  const placeOf = (asked: { readonly flight: number; readonly passenger: number }): Place => {
    const [flight, passenger] = [flights[asked.flight], passengers[asked.passenger]];
    if (flight !== undefined && passenger !== undefined) return { flight, passenger, segmentNumber: asked.flight + 1 };
    const message = `There is no flight ${asked.flight} or no passenger ${asked.passenger}. Count both from 0.`;
    throw new AppError(extraErrorCodes.unknownPlace, message);
  };
  const taken = new Set<string>();
  return {
    seats: request.seats.map((asked) => chooseSeat(cabins, placeOf(asked), asked.seatNumber, taken)),
    services: request.services.map((asked) => chooseService(services, placeOf(asked), asked.code)),
  };
}

interface Place {
  readonly flight: TripFlight;
  readonly passenger: RequestedPassenger;
  readonly segmentNumber: number;
}

function chooseSeat(cabins: readonly CabinSeats[], place: Place, seatNumber: string, taken: Set<string>): ChosenSeat {
  const { flight, passenger, segmentNumber } = place;
  const { segmentKey, from, to } = flight;
  const row = cabins
    .filter((cabin) => cabin.segmentKey === segmentKey)
    .flatMap(({ rows }) => rows)
    .find(({ number, seats }) => seats.some(({ column }) => `${number}${column}` === seatNumber));
  const seat = row?.seats.find(({ column }) => seatNumber.endsWith(column));
  const maySitThere = passenger.ptc === "ADT" || (passenger.ptc === "CHD" && row?.exit === false);
  const keys = [`${segmentKey} ${seatNumber}`, `${segmentKey} ${passenger.passengerId}`];
  if (seat === undefined || !seat.available || !maySitThere || keys.some((key) => taken.has(key))) {
    const message = `Seat ${seatNumber} of flight ${flight.carrier}${flight.flightNumber} cannot be taken by passenger ${passenger.passengerId}. Read the seat map.`;
    throw new AppError(extraErrorCodes.seatNotAvailable, message);
  }
  for (const key of keys) taken.add(key);
  const { passengerId } = passenger;
  return { passengerId, segmentKey, seatNumber, segmentNumber, from, to, price: seat.price };
}

function chooseService(services: readonly OfferedService[], { flight, passenger }: Place, code: string): ChosenService {
  const { passengerId } = passenger;
  const { segmentKey } = flight;
  const service = services.find(
    (one) => one.code === code && one.segmentKeys.includes(segmentKey) && one.passengerIds.includes(passengerId),
  );
  if (service !== undefined) return { passengerId, segmentKey, service, price: service.price };
  const message = `The service ${code} is not offered to passenger ${passengerId} on flight ${flight.carrier}${flight.flightNumber}. Read the service list.`;
  throw new AppError(extraErrorCodes.serviceNotOffered, message);
}
