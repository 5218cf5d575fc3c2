import type { FlightMember } from "./difference.ts";
import type { ItinerarySegment } from "./itinerary.ts";

/** What is said of a flight beside its number, its airports and its times. */
export interface FlightDetail {
  /** What the value is, such as `aircraft`; empty if the value says it. */
  readonly label: string;
  readonly value: string;
  readonly isDifferent: boolean;
}

type Flight = Pick<
  ItinerarySegment,
  "marketingCarrier" | "operatingCarrier" | "cabinType" | "rbd" | "aircraftCode" | "stops" | "stopPlaces"
> &
  Partial<Pick<ItinerarySegment, "brandId" | "priceClass">>;

/**
 * Returns the details of a flight that are worth a look, in one order for pages and terminal: what is stated, and of
 * operator, stops and brand only what is unusual or differs from the other side.
 */
export function detailsOf(flight: Flight, changed: readonly string[]): readonly FlightDetail[] {
  const { operatingCarrier, marketingCarrier, cabinType, rbd, aircraftCode, stops, stopPlaces } = flight;
  const isChanged = (...members: readonly FlightMember[]) => members.some((member) => changed.includes(member));
  const detail = (label: string, value: string | null, ...members: readonly FlightMember[]): FlightDetail[] =>
    value === null || value === "" ? [] : [{ label, value, isDifferent: isChanged(...members) }];
  const isOtherOperator = isChanged("operatingCarrier") && !isChanged("marketingCarrier");
  const isOperatorShown = operatingCarrier !== marketingCarrier || isOtherOperator;
  const cabin = [cabinType, rbd].filter((part) => part !== null).join("/");
  const places = stopPlaces == null || stopPlaces === "" ? "" : ` (${stopPlaces})`;
  const stopWords = stops === 0 ? "no stop" : stops === 1 ? `1 stop${places}` : `${stops ?? "some"} stops${places}`;
  const areStopsShown = (stops ?? 0) > 0 || isChanged("stops", "stopPlaces");
  const isBrandShown = isChanged("brandId", "priceClass");
  return [
    ...(isOperatorShown ? detail("operated by", operatingCarrier, "operatingCarrier") : []),
    ...detail("cabin", cabin, "cabinType", "rbd"),
    ...detail("aircraft", aircraftCode, "aircraftCode"),
    ...(areStopsShown ? detail("", stopWords, "stops", "stopPlaces") : []),
    ...(isBrandShown ? detail("brand", flight.priceClass ?? flight.brandId ?? null, "brandId", "priceClass") : []),
  ];
}
