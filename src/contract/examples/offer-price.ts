import type { RequestedPassenger } from "../passenger-rules.ts";
import { exampleOffer, inbound, outbound } from "./offers.ts";

/** Two adults, a child and an infant. */
export const examplePassengers: readonly RequestedPassenger[] = [
  { passengerId: "T1", ptc: "ADT" },
  { passengerId: "T2", ptc: "ADT" },
  { passengerId: "T3", ptc: "CHD" },
  { passengerId: "T4", ptc: "INF" },
];

/** Two fares: one out, one back. */
export const pricedOfferExample = exampleOffer({
  offerId: "172406736131131031840271",
  journeys: [outbound, inbound],
});
