/** From where to where one part of a trip goes, by airport. */
export interface TripPart {
  readonly departureCode: string;
  readonly arrivalCode: string;
}

export type TripKind = "one-way" | "round-trip" | "multi-city";

/**
 * What kind of trip an offer is for, by its `OriginDestinationList`. There and back between the same two airports is a
 * round trip; two parts that leave a gap, or more than two, are several cities. Null when there is no part.
 */
export function tripKindOf(parts: readonly TripPart[]): TripKind | null {
  const [outbound, inbound, ...others] = parts;
  if (outbound === undefined) return null;
  if (inbound === undefined) return "one-way";
  const returns = outbound.departureCode === inbound.arrivalCode && outbound.arrivalCode === inbound.departureCode;
  return others.length === 0 && returns ? "round-trip" : "multi-city";
}

/**
 * Whether AirGetBrandedOffers applies: only to one-way and multi-city offers.
 *
 * @see interface document, "Limits"
 */
export function canHaveBrandedOffers(parts: readonly TripPart[]): boolean {
  const kind = tripKindOf(parts);
  return kind === "one-way" || kind === "multi-city";
}
