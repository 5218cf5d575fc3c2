import fc from "fast-check";
import type { RequestedPassenger } from "../../src/contract/passenger-rules.ts";
import type { JourneyTrip } from "../../src/gateway/extras/journey-trip.ts";
import type { TripFlight } from "../../src/gateway/supply/extras.ts";
import { cabins } from "../../src/gateway/supply/offer.ts";

/** LH 400 from Frankfurt to New York on 14 March 2027, unless told otherwise. */
export function tripFlight(overrides: Partial<TripFlight> = {}): TripFlight {
  return {
    segmentKey: "Segment1",
    cabin: "Y",
    carrier: "LH",
    flightNumber: "400",
    operatedBy: null,
    from: "FRA",
    to: "JFK",
    fromTerminal: "1",
    toTerminal: "1",
    departure: { date: "2027-03-14", time: "11:00:00" },
    arrival: { date: "2027-03-14", time: "13:40:00" },
    minutes: 520,
    miles: 3851,
    aircraft: { code: "359", name: "Airbus A350-900" },
    ...overrides,
  };
}

/** So many adults, children and infants, as T1, T2 and so on. */
export function party(adults: number, children = 0, infants = 0): readonly RequestedPassenger[] {
  const types = [
    ...Array<"ADT">(adults).fill("ADT"),
    ...Array<"CHD">(children).fill("CHD"),
    ...Array<"INF">(infants).fill("INF"),
  ];
  return types.map((ptc, position) => ({ passengerId: `T${position + 1}`, ptc }));
}

/** One journey of these flights. */
export function trip(overrides: Partial<JourneyTrip> = {}): JourneyTrip {
  const flights = overrides.flights ?? [tripFlight()];
  const segmentKeys = flights.map(({ segmentKey }) => segmentKey);
  return {
    currency: "EUR",
    passengers: party(1),
    flights,
    journeys: [{ flightKey: "Flight1", segmentKeys }],
    ...overrides,
  };
}

/** Trips of one to three flights on any aircraft, in any cabin and currency, with one to nine passengers. */
export const arbitraryTrip: fc.Arbitrary<JourneyTrip> = fc
  .record({
    currency: fc.constantFrom("EUR", "USD", "JPY", "GBP"),
    flights: fc.array(
      fc.record({
        cabin: fc.constantFrom(...cabins),
        flightNumber: fc.integer({ min: 1, max: 9999 }).map(String),
        minutes: fc.integer({ min: 30, max: 1000 }),
        aircraft: fc
          .constantFrom("AT7", "E90", "320", "738", "321", "333", "77W", "388", "ZZZ")
          .map((code) => ({ code, name: code })),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    passengers: fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 }))
      .map(([adults, children, infants]) => party(adults, children, Math.min(infants, adults))),
  })
  .map(({ flights, ...others }) =>
    trip({
      ...others,
      flights: flights.map((flight, position) => tripFlight({ ...flight, segmentKey: `Segment${position + 1}` })),
    }),
  );
