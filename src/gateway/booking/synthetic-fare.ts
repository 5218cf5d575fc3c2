import { type MinorUnits, minorDigitsOf, percentOf, toMinorUnits } from "../../travel/money.ts";
import {
  flightsOf,
  type PassengerGroup,
  passengerGroups,
  type RequestWithFlights,
  type SyntheticBooking,
} from "./synthetic-booking.ts";

/** The fare of one passenger for the flights of one booking reference. */
export interface SyntheticFare {
  readonly base: MinorUnits;
  readonly taxes: readonly { readonly code: string; readonly amount: MinorUnits }[];
  readonly tax: MinorUnits;
  readonly total: MinorUnits;
}

const basePercent = { ADT: 100, CHD: 75, INF: 10 } as const;
const taxPercents = [
  { code: "XT", percent: 15 },
  { code: "YQ", percent: 10 },
] as const;

/** The parts are rounded before they are added, so they add up. */
export function fareOf(request: RequestWithFlights, ptc: PassengerGroup["ptc"], flightCount: number): SyntheticFare {
  const adult = toMinorUnits(request.baseFare, minorDigitsOf(request.currency)) ?? 0;
  const base = percentOf(adult * flightCount, basePercent[ptc]);
  const taxes = taxPercents.map((tax) => ({ code: tax.code, amount: percentOf(base, tax.percent) }));
  const tax = taxes.reduce((sum, entry) => sum + entry.amount, 0);
  return { base, taxes, tax, total: base + tax };
}

/** Adds up the fares of all passengers of a booking reference. */
export function totalOf(booking: SyntheticBooking, position: number): MinorUnits {
  const flightCount = flightsOf(booking, position).length;
  return passengerGroups(booking, position).reduce(
    (sum, group) => sum + fareOf(booking.request, group.ptc, flightCount).total * group.passengerIds.length,
    0,
  );
}
