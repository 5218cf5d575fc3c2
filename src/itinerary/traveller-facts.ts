import type { Passenger } from "../contract/order-view.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { anyOf } from "./fact-logic.ts";

/** Facts about who travels. All are unknown when the view names no passenger. */
export interface TravellerFacts {
  readonly passengerCount: Fact<number>;
  readonly hasInfant: Fact<boolean>;
  readonly unaccompaniedMinor: Fact<boolean>;
  readonly assistanceRequested: Fact<boolean>;
}

/** @param travelDate local date of the first departure, for ages; null when it is not known. */
export function travellerFacts(passengers: readonly Passenger[], travelDate: string | null): TravellerFacts {
  if (passengers.length === 0) {
    const none = unknown("no-passengers");
    return { passengerCount: none, hasInfant: none, unaccompaniedMinor: none, assistanceRequested: none };
  }
  const adults = passengers.map((passenger) => isAdult(passenger, travelDate));
  const anAdult = anyOf(adults);
  return {
    passengerCount: known(passengers.length),
    hasInfant: anyOf(passengers.map(({ ptc }) => (ptc === null ? unknownType : known(infants.has(ptc))))),
    unaccompaniedMinor: anAdult.known ? known(!anAdult.value) : anAdult,
    assistanceRequested: known(passengers.some((passenger) => passenger.assistance)),
  };
}

const unknownType = unknown("unknown-passenger-type");
const infants: ReadonlySet<string> = new Set(["INF", "INS"]);
const children: ReadonlySet<string> = new Set(["CHD", "CNN", "UNN", "UMN", ...infants]);

/** An ADT under 16 is sold as an adult and travels as a minor. A date of birth that is missing is no reason to doubt. */
function isAdult({ ptc, birthDate }: Passenger, travelDate: string | null): Fact<boolean> {
  if (ptc === null) return unknownType;
  if (children.has(ptc)) return known(false);
  return known(birthDate === null || travelDate === null || ageOn(birthDate, travelDate) >= 16);
}

/** Completed years. Both dates are yyyy-mm-dd, so month and day compare as text. */
function ageOn(birthDate: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
