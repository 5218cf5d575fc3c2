import type { PassengerType } from "../../../contract/passenger-rules.ts";
import { type MinorUnits, percentOf } from "../../../travel/money.ts";
import { findAirport } from "../../served-airports.ts";
import type { Cabin, OfferedFlight, OfferedJourney, PassengerFare } from "../offer.ts";
import { factorOf } from "./booking-classes.ts";
import { fareFromCents } from "./currencies.ts";
import { milesBetween } from "./distance.ts";
import { draw, drawInteger } from "./draw.ts";
import type { FareFamily } from "./fare-families.ts";
import { taxesOf } from "./taxes.ts";

export interface UnpricedJourney extends Pick<OfferedJourney, "from" | "to"> {
  readonly flights: readonly Omit<OfferedFlight, "fareBasis" | "fareCode">[];
  readonly airline: string;
  readonly cabin: Cabin;
}

export interface FareTerms {
  readonly seed: string;
  readonly currency: string;
  readonly family: FareFamily;
  /** Half of a round trip is cheaper. */
  readonly isHalfRoundTrip: boolean;
  /** Only types that travel. */
  readonly passengers: ReadonlyMap<PassengerType, number>;
}

const percentOfAdult = { ADT: 100, CHD: 75, INF: 10 } as const;

/** Children pay 75 percent of the adult fare. Infants pay 10 percent, and nothing within one country. */
export function faresOf(journey: UnpricedJourney, terms: FareTerms): readonly PassengerFare[] {
  const { seed, currency, passengers } = terms;
  const adult = fareFromCents(adultCents(journey, terms), currency);
  const commissionPercent = drawInteger(0, 5, seed, "commission", journey.airline);
  return [...passengers].map(([ptc, quantity]) => {
    const base = baseOf(ptc, adult, journey);
    const taxes = taxesOf(seed, journey.flights, ptc, journey.cabin, currency);
    const surcharges = taxes.find(({ code }) => code === "YQ")?.amount ?? 0;
    return {
      ptc,
      quantity,
      base,
      taxes,
      commission: percentOf(base, commissionPercent),
      commissionOnSurcharges: commissionPercent === 0 ? 0 : percentOf(surcharges, 1),
    };
  });
}

/** The sums over all journeys, for each passenger type. */
export function addFares(fares: readonly (readonly PassengerFare[])[]): readonly PassengerFare[] {
  const [first = [], ...others] = fares;
  return first.map((fare) =>
    others
      .flatMap((journey) => journey.filter(({ ptc }) => ptc === fare.ptc))
      .reduce(
        (sum, next) => ({
          ...sum,
          base: sum.base + next.base,
          taxes: addTaxes([...sum.taxes, ...next.taxes]),
          commission: sum.commission + next.commission,
          commissionOnSurcharges: sum.commissionOnSurcharges + next.commissionOnSurcharges,
        }),
        fare,
      ),
  );
}

function addTaxes(taxes: PassengerFare["taxes"]): PassengerFare["taxes"] {
  const amounts = new Map<string, number>();
  for (const { code, amount } of taxes) amounts.set(code, (amounts.get(code) ?? 0) + amount);
  return [...amounts].map(([code, amount]) => ({ code, amount }));
}

function baseOf(ptc: PassengerType, adult: MinorUnits, journey: UnpricedJourney): MinorUnits {
  if (ptc === "INF" && isDomestic(journey)) return 0;
  return percentOf(adult, percentOfAdult[ptc]);
}

function adultCents(journey: UnpricedJourney, { seed, family, isHalfRoundTrip }: FareTerms): number {
  const { from, to, flights, airline } = journey;
  const origin = findAirport(from);
  const destination = findAirport(to);
  const miles = origin === null || destination === null ? 1000 : milesBetween(origin, destination);
  const level = Math.max(1, ...flights.map(({ rbd }) => factorOf(rbd)));
  const market = 0.85 + 0.4 * draw(seed, "market", airline, ...[from, to].sort());
  const day = 0.92 + 0.25 * draw(seed, "day", from, to, flights[0]?.departure.date ?? "");
  const connection = flights.length > 1 ? 0.9 : 1;
  const half = isHalfRoundTrip ? 0.9 : 1;
  return distanceCents(miles) * level * market * day * connection * half * family.factor + family.supplement;
}

/** The cheapest economy fare, in US cents. Each mile after 1,500 adds less. */
function distanceCents(miles: number): number {
  return 3_200 + Math.min(miles, 1500) * 6 + Math.max(0, miles - 1500) * 4.2;
}

function isDomestic({ from, to }: UnpricedJourney): boolean {
  return findAirport(from)?.country === findAirport(to)?.country;
}
