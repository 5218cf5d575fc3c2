import { percentOf } from "../../../travel/money.ts";
import type { ExtraPrice, OfferedService, Trip, TripFlight } from "../extras.ts";
import { fromCents } from "./currencies.ts";

type PassengerType = Trip["passengers"][number]["ptc"];

/** With the code of an IATA special service request. */
interface CataloguedService {
  readonly type: OfferedService["type"];
  readonly code: string;
  readonly name: string;
  /** Who can buy it. */
  readonly passengerTypes: readonly PassengerType[];
  /** Shorter flights do not offer it. */
  readonly minutesMin: number;
  /** In cents of a US dollar, for one passenger on one flight. */
  readonly cents: readonly [short: number, long: number];
  readonly taxPercent: number;
}

const seated = ["ADT", "CHD"] as const;
const withMealsMinutes = 90;
const bagTax = 19;

const catalogue: readonly CataloguedService[] = [
  bag("XBAG", "Additional checked bag up to 23 kg", [3_500, 7_500]),
  bag("XXBG", "Two additional checked bags up to 23 kg each", [8_000, 16_000]),
  bag("SPEQ", "Sports equipment up to 23 kg", [5_000, 11_000]),
  bag("BIKE", "Bicycle in a case", [6_000, 12_000]),
  meal("AVML", "Asian vegetarian meal", seated),
  meal("DBML", "Diabetic meal", seated),
  meal("GFML", "Gluten intolerant meal", seated),
  meal("KSML", "Kosher meal", seated),
  meal("MOML", "Muslim meal", seated),
  meal("VGML", "Vegan meal", seated),
  meal("CHML", "Child meal", ["CHD"]),
  meal("BBML", "Baby meal", ["INF"]),
];

/** On long flights bags cost more, and meals are free. */
const longFlightMinutes = 300;

/** One entry per service and price. Meals are free in the front cabins. */
export function simulatedServices(trip: Trip): readonly OfferedService[] {
  return catalogue.flatMap((service) => {
    const passengerIds = trip.passengers
      .filter(({ ptc }) => service.passengerTypes.includes(ptc))
      .map(({ passengerId }) => passengerId);
    if (passengerIds.length === 0) return [];
    const { type, code, name } = service;
    return trip.flights
      .filter((flight) => flight.minutes >= service.minutesMin)
      .map((flight) => ({
        type,
        code,
        name,
        segmentKeys: [flight.segmentKey],
        passengerIds,
        price: priceOn(service, flight, trip.currency),
      }));
  });
}

function priceOn(service: CataloguedService, flight: TripFlight, currency: string): ExtraPrice {
  const isIncluded = service.type === "MEAL" && flight.cabin !== "Y";
  const [short, long] = service.cents;
  const base = isIncluded ? 0 : fromCents(flight.minutes >= longFlightMinutes ? long : short, currency);
  return { base, tax: percentOf(base, service.taxPercent) };
}

function bag(code: string, name: string, cents: CataloguedService["cents"]): CataloguedService {
  return { type: "BAG", code, name, passengerTypes: seated, minutesMin: 0, cents, taxPercent: bagTax };
}

function meal(code: string, name: string, passengerTypes: CataloguedService["passengerTypes"]): CataloguedService {
  return { type: "MEAL", code, name, passengerTypes, minutesMin: withMealsMinutes, cents: [1_400, 0], taxPercent: 7 };
}
