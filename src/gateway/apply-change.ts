import { isRecord } from "../kernel/record.ts";
import {
  type FareComponentElement,
  type FlightElement,
  type FlightSegmentElement,
  keysIn,
  type OfferItemElement,
  type OrderContent,
  type OrderElement,
  type OriginDestinationElement,
} from "./order-content.ts";
import type { ChangedSegment } from "./ports.ts";
import { withNewFares } from "./segment-fare.ts";
import { mapTokens } from "./segment-tokens.ts";

/**
 * Puts the changed segments in place of the booked ones. If one becomes several, the first keeps the key, and
 * references to it become references to all. A withdrawn segment disappears, with each flight or journey that it leaves
 * empty.
 */
export function applyChange(before: OrderContent, changed: readonly ChangedSegment[]): OrderContent {
  const content = withNewFares(before, changed, () => true);
  const replacements = numberReplacements(content, changed);
  const newKeys = (key: string): readonly string[] =>
    replacements.get(key)?.map((segment) => segment.SegmentKey) ?? [key];
  const { DataLists } = content;
  const segments = DataLists.FlightSegmentList.FlightSegment.flatMap(
    (segment) => replacements.get(segment.SegmentKey) ?? [segment],
  );
  const flights = DataLists.FlightList.Flight.flatMap((flight) => renewFlight(flight, newKeys));
  const flightKeys = new Set(flights.map((flight) => flight.FlightKey));
  return {
    ...content,
    Order: content.Order.map((order) => renewOrder(order, newKeys, flightKeys)),
    DataLists: {
      ...DataLists,
      FlightSegmentList: { ...DataLists.FlightSegmentList, FlightSegment: segments },
      FlightList: { ...DataLists.FlightList, Flight: flights },
      OriginDestinationList: {
        ...DataLists.OriginDestinationList,
        OriginDestination: DataLists.OriginDestinationList.OriginDestination.flatMap((originDestination) =>
          renewOriginDestination(originDestination, flights, segments),
        ),
      },
    },
  };
}

function numberReplacements(
  content: OrderContent,
  changed: readonly ChangedSegment[],
): ReadonlyMap<string, readonly FlightSegmentElement[]> {
  const taken = new Set(content.DataLists.FlightSegmentList.FlightSegment.map((segment) => segment.SegmentKey));
  let next = taken.size;
  const newKey = (): string => {
    do next += 1;
    while (taken.has(`Segment${next}`));
    taken.add(`Segment${next}`);
    return `Segment${next}`;
  };
  return new Map(
    changed.map(({ segmentKey, becomes }) => [
      segmentKey,
      becomes.map((segment, position) => ({ ...segment, SegmentKey: position === 0 ? segmentKey : newKey() })),
    ]),
  );
}

type NewKeys = (key: string) => readonly string[];

function renewFlight(flight: FlightElement, newKeys: NewKeys): readonly FlightElement[] {
  const keys = keysIn(flight.SegmentReferences).flatMap(newKeys);
  if (keys.length === 0) return [];
  return [
    {
      ...flight,
      ...(flight.Journey ? { Journey: { ...flight.Journey, Stops: keys.length - 1 } } : {}),
      SegmentReferences: keys.join(" "),
    },
  ];
}

function renewOriginDestination(
  originDestination: OriginDestinationElement,
  flights: readonly FlightElement[],
  segments: readonly FlightSegmentElement[],
): readonly OriginDestinationElement[] {
  const own = keysIn(originDestination.FlightReferences).filter((key) => flights.some((one) => one.FlightKey === key));
  if (own.length === 0) return [];
  const keys = own.flatMap((key) => keysIn(flights.find((flight) => flight.FlightKey === key)?.SegmentReferences));
  const first = segments.find((segment) => segment.SegmentKey === keys[0]);
  const last = segments.find((segment) => segment.SegmentKey === keys.at(-1));
  return [
    {
      ...originDestination,
      DepartureCode: first?.Departure?.AirportCode ?? originDestination.DepartureCode,
      ArrivalCode: last?.Arrival?.AirportCode ?? originDestination.ArrivalCode,
      FlightReferences: own.join(" "),
    },
  ];
}

function renewOrder(order: OrderElement, newKeys: NewKeys, flightKeys: ReadonlySet<string>): OrderElement {
  return {
    ...order,
    OfferItem: order.OfferItem.map((item) => renewOfferItem(item, newKeys, flightKeys)),
    ...(order.BaggageAllowance === undefined
      ? {}
      : {
          BaggageAllowance: order.BaggageAllowance.flatMap((allowance) => {
            if (typeof allowance.SegmentRefs !== "string") return [allowance];
            const keys = keysIn(allowance.SegmentRefs).flatMap(newKeys);
            return keys.length === 0 ? [] : [{ ...allowance, SegmentRefs: keys.join(" ") }];
          }),
        }),
  };
}

/** Services of a fare name flights; services that were bought separately name segments. */
function renewOfferItem(item: OfferItemElement, newKeys: NewKeys, flightKeys: ReadonlySet<string>): OfferItemElement {
  const renewService = (service: unknown): unknown =>
    renewReferences(
      renewReferences(service, "FlightRefs", (key) => (flightKeys.has(key) ? [key] : [])),
      "SegmentRefs",
      newKeys,
    );
  const { Service } = item;
  return {
    ...item,
    ...(Service === undefined
      ? {}
      : { Service: Array.isArray(Service) ? Service.map(renewService) : renewService(Service) }),
    ...(item.FareComponent === undefined
      ? {}
      : { FareComponent: item.FareComponent.map((component) => renewFareComponent(component, newKeys)) }),
  };
}

/** Drops an empty reference field, which would be invalid. */
function renewReferences(element: unknown, name: "FlightRefs" | "SegmentRefs", newKeys: NewKeys): unknown {
  if (!isRecord(element)) return element;
  const { [name]: references, ...others } = element;
  if (typeof references !== "string") return element;
  const keys = keysIn(references).flatMap(newKeys);
  return keys.length === 0 ? others : { ...element, [name]: keys.join(" ") };
}

/**
 * A split segment repeats its tokens in the values of the fare basis. A component without segments stays, because it
 * shows that its booking reference flies nothing, but is not served.
 */
function renewFareComponent(component: FareComponentElement, newKeys: NewKeys): FareComponentElement {
  const renewTokens = (value: unknown): unknown =>
    mapTokens(component, value, (segmentKey, token) => newKeys(segmentKey).map(() => token));
  const { FareBasis } = component;
  return {
    ...component,
    SegmentRefs: keysIn(component.SegmentRefs).flatMap(newKeys).join(" "),
    ...(FareBasis
      ? {
          FareBasis: {
            ...renewMembers(FareBasis, ["RBD", "CabinType", "SeatLeft"], renewTokens),
            ...(FareBasis.FareBasisCode
              ? { FareBasisCode: renewMembers(FareBasis.FareBasisCode, ["Code"], renewTokens) }
              : {}),
          },
        }
      : {}),
  };
}

function renewMembers<T extends Readonly<Record<string, unknown>>>(
  element: T,
  names: readonly string[],
  renew: (value: unknown) => unknown,
): T {
  const renewed = names.filter((name) => name in element).map((name) => [name, renew(element[name])]);
  return { ...element, ...Object.fromEntries(renewed) };
}
