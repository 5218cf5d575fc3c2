import type { RequestedPassenger } from "../passenger-rules.ts";
import { exampleOffer, inbound, outbound } from "./offers.ts";

/** Two adults, a child and an infant, as the examples of pricing and of exchanges ask for them. */
export const examplePassengers: readonly RequestedPassenger[] = [
  { passengerId: "T1", ptc: "ADT" },
  { passengerId: "T2", ptc: "ADT" },
  { passengerId: "T3", ptc: "CHD" },
  { passengerId: "T4", ptc: "INF" },
];

/** There and back: two fares, one for each way. */
export const pricedOfferExample = exampleOffer({
  offerId: "172406736131131031840271",
  journeys: [outbound, inbound],
});
