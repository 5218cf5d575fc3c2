import { bookOffer } from "../../src/gateway/book-offer.ts";
import { passengerIdAt, segmentKeyAt } from "../../src/gateway/booking/booked-keys.ts";
import { instantOf, type LocalTime } from "../../src/gateway/local-time.ts";
import { offerOrderRequestSchema } from "../../src/gateway/offer-order-request.ts";
import type { GatewayOrder } from "../../src/gateway/ports.ts";
import { findAirport } from "../../src/gateway/served-airports.ts";
import { offerIdOf } from "../../src/gateway/shopping/offer-ids.ts";
import type { Trip } from "../../src/gateway/supply/extras.ts";
import type { Offer, OfferedFlight } from "../../src/gateway/supply/offer.ts";
import { createSimulatedSupply } from "../../src/gateway/supply/simulated/simulated-supply.ts";
import { worldSeed } from "../../src/gateway/supply/simulated/world-seed.ts";
import type { ShoppingRequest } from "../../src/gateway/supply/supply.ts";
import type { RandomNumbers } from "../../test/builders/random-numbers.ts";
import { drawEntry, drawFraction, drawFrom, drawYes, type Mix } from "./read-mix.ts";
import type { TrueFlight, TruePoint, Truth } from "./truth.ts";

/** An order as the gateway booked it, and what is true about it. */
export interface DrawnTrip extends Pick<Truth, "booked" | "passengers" | "ticketed"> {
  readonly order: GatewayOrder;
}

/** What the trip has to be, so that the change can be made of it. */
export interface WantedTrip {
  readonly orderId: string;
  /** Null draws it. */
  readonly roundTrip: boolean | null;
  readonly fits: (booked: readonly TrueFlight[]) => boolean;
}

const supply = createSimulatedSupply(worldSeed);
const dayMs = 86_400_000;
/** Routes that nobody flies that way on that day, or only unlike what is wanted, are drawn again. */
const attemptsMax = 200;

/** Books an offer of the simulated world that fits. */
export async function drawTrip(random: RandomNumbers, mix: Mix, wanted: WantedTrip): Promise<DrawnTrip> {
  const { bookings } = mix;
  const now = new Date(mix.now);
  const days = -Math.log(1 - drawFraction(random)) * bookings.daysToDeparture.mean;
  const date = (nights: number): string => new Date(now.getTime() + (days + nights) * dayMs).toISOString().slice(0, 10);
  const isRoundTrip = wanted.roundTrip ?? drawYes(random, bookings.roundTrip);
  const isConnecting = drawYes(random, bookings.connecting);
  const { passengers } = drawEntry(random, bookings.parties);
  const { cabin } = drawEntry(random, bookings.cabins);
  const nights = drawFrom(random, bookings.stayNights);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const route = drawEntry(random, bookings.routes);
    const ends = [random.pick(route.from), random.pick(route.to)];
    const [from, to] = random.oneIn(2) ? ends : ends.toReversed();
    const out = { from: from!, to: to!, date: date(0) };
    const request: ShoppingRequest = {
      journeys: isRoundTrip ? [out, { from: to!, to: from!, date: date(nights) }] : [out],
      passengers,
      cabin,
      owner: null,
      currency: "EUR",
      limit: 30,
    };
    const offers = await supply.shop(request, now);
    const fitting = offers.filter(
      (offer) =>
        !offer.bookedSeparately &&
        offer.journeys.some(({ flights }) => flights.length > 1) === isConnecting &&
        wanted.fits(flightsOf(offer)),
    );
    if (fitting.length > 0) return await book(random, mix, { offers, request, offer: random.pick(fitting) }, wanted);
  }
  throw new Error(`No trip was found for ${wanted.orderId} in ${attemptsMax} attempts. Change the routes of mix.yaml.`);
}

async function book(
  random: RandomNumbers,
  { now: nowText, bookings }: Mix,
  { offers, request, offer }: { offers: readonly Offer[]; request: ShoppingRequest; offer: Offer },
  { orderId }: WantedTrip,
): Promise<DrawnTrip> {
  const now = new Date(nowText);
  const ticketed = !offer.holdable || drawYes(random, bookings.ticketed);
  const passengers = request.passengers.map((type) => ({
    type,
    needsAssistance: drawYes(random, bookings.assistance),
  }));
  const response = { shoppingResponseId, request, offers, createdAt: now, expiresAt: new Date(now.getTime() + dayMs) };
  const shopping = { readResponse: async () => response, addResponse: async () => true };
  const order = await bookOffer(
    { supply, shopping, clock: { now: () => now } },
    offerOrderRequestSchema.parse({
      orderId,
      shoppingResponseId,
      offerId: offerIdOf(shoppingResponseId, offers.indexOf(offer)),
      gdsBookingReferences: [orderId.slice(-6)],
      held: !ticketed,
      ticketed,
      passengers: passengers.map(({ type, needsAssistance }) => ({
        ptc: type,
        wheelchairReason: needsAssistance ? "WCHR" : "",
      })),
      ...(await drawExtras(random, bookings, offer, request)),
    }),
  );
  return { order, booked: flightsOf(offer), passengers, ticketed };
}

const shoppingResponseId = "1796115600000000001";

/** A seat and a bag of the first passenger on the first flight. */
async function drawExtras(
  random: RandomNumbers,
  bookings: Mix["bookings"],
  offer: Offer,
  request: ShoppingRequest,
): Promise<{ seats: readonly object[]; services: readonly object[] }> {
  const where = { passenger: 0, flight: 0 };
  const trip: Trip = {
    currency: offer.currency,
    flights: offer.journeys
      .flatMap(({ flights }) => flights)
      .map((flight, position) => ({ ...flight, segmentKey: segmentKeyAt(position) })),
    passengers: request.passengers.map((ptc, position) => ({ passengerId: passengerIdAt(position), ptc })),
  };
  const wantsSeat = drawYes(random, bookings.seats);
  const wantsBag = drawYes(random, bookings.bags);
  const [cabin] = wantsSeat ? await supply.seatMaps(trip) : [];
  const row = cabin?.rows.find(({ exit, seats }) => !exit && seats.some(({ available }) => available));
  const seat = row?.seats.find(({ available }) => available);
  const bag = wantsBag
    ? (await supply.services(trip)).find(
        ({ type, segmentKeys, passengerIds }) =>
          type === "BAG" && segmentKeys.includes(segmentKeyAt(0)) && passengerIds.includes(passengerIdAt(0)),
      )
    : undefined;
  return {
    seats: row === undefined || seat === undefined ? [] : [{ ...where, seatNumber: `${row.number}${seat.column}` }],
    services: bag === undefined ? [] : [{ ...where, code: bag.code }],
  };
}

function flightsOf(offer: Offer): readonly TrueFlight[] {
  return offer.journeys.flatMap(({ flights }, journey) => flights.map((flight) => trueFlight(flight, journey)));
}

/** A flight of the simulated world in plain values. */
export function trueFlight(
  flight: Omit<OfferedFlight, "rbd" | "fareBasis" | "fareCode" | "seatsLeft">,
  journey: number,
): TrueFlight {
  const { carrier, flightNumber, operatedBy, cabin, aircraft } = flight;
  return {
    journey,
    carrier,
    flightNumber,
    cabin,
    operator: operatedBy?.carrier ?? carrier,
    from: truePoint(flight.from, flight.fromTerminal, flight.departure),
    to: truePoint(flight.to, flight.toTerminal, flight.arrival),
    stops: 0,
    aircraft: aircraft.code,
  };
}

function truePoint(airport: string, terminal: string, local: LocalTime): TruePoint {
  const { country, timeZone } = findAirport(airport)!;
  return { airport, country, terminal, at: instantOf(local, timeZone), date: local.date };
}
