import type { MinorUnits } from "../../travel/money.ts";
import type { Offer, PassengerFare } from "./offer.ts";

export interface Price {
  readonly base: MinorUnits;
  readonly tax: MinorUnits;
  readonly total: MinorUnits;
}

/** Returns the price of one passenger of a fare. */
export function passengerPrice({ base, taxes }: PassengerFare): Price {
  const tax = taxes.reduce((sum, { amount }) => sum + amount, 0);
  return { base, tax, total: base + tax };
}

/** Returns the price of all passengers of an offer. */
export function offerPrice({ fares }: Pick<Offer, "fares">): Price {
  const sumOf = (part: keyof Price) => fares.reduce((sum, fare) => sum + fare.quantity * passengerPrice(fare)[part], 0);
  return { base: sumOf("base"), tax: sumOf("tax"), total: sumOf("total") };
}
