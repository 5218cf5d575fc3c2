/** By airport. */
export interface TripPart {
  readonly departureCode: string;
  readonly arrivalCode: string;
}

export type TripKind = "one-way" | "round-trip" | "multi-city";

/**
 * Determines the kind by `OriginDestinationList`. Out and back between two airports is a round trip; two parts with a
 * gap, or more than two, are several cities.
 */
export function tripKindOf(parts: readonly TripPart[]): TripKind | null {
  const [outbound, inbound, ...others] = parts;
  if (outbound === undefined) return null;
  if (inbound === undefined) return "one-way";
  const returns = outbound.departureCode === inbound.arrivalCode && outbound.arrivalCode === inbound.departureCode;
  return others.length === 0 && returns ? "round-trip" : "multi-city";
}

/**
 * AirGetBrandedOffers applies only to one-way and multi-city offers.
 * @see interface document, "Limits"
 */
export function canHaveBrandedOffers(parts: readonly TripPart[]): boolean {
  const kind = tripKindOf(parts);
  return kind === "one-way" || kind === "multi-city";
}
