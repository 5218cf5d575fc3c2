import type { z } from "zod";
import type { offerDataLists } from "../../contract/elements/data-lists.ts";
import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import { durationText } from "../../travel/duration.ts";
import { flightKeyAt, segmentKeyAt } from "../booking/booked-keys.ts";
import { segmentElement } from "../extras/journey-trip.ts";
import type { Brand, OfferedFlight, OfferedJourney } from "../supply/offer.ts";

type OfferDataLists = z.infer<typeof offerDataLists>;
type FopElement = NonNullable<OfferDataLists["FopList"]>[number];

/**
 * Collects the lists that offers refer to. Offers share equal entries, and every returned key is in the lists.
 * @see interface document, "DataLists"
 */
export interface OfferLists {
  /** Returns the key of a flight on one day. */
  segmentKey(flight: OfferedFlight): string;
  /** Returns the key of a journey's flights. */
  flightKey(journey: OfferedJourney): string;
  fareGroupKey(flight: OfferedFlight): string;
  priceClassKey(brand: Brand): string;
  baggageKey(bags: number): string;
  /** Charges differ by offer, so they are not shared. */
  addFormsOfPayment(element: Omit<FopElement, "FopKey">): string;
  dataLists(passengers: readonly RequestedPassenger[]): OfferDataLists;
}

export function createOfferLists(): OfferLists {
  const segments = keyed<OfferedFlight>(segmentKeyAt);
  const flights = keyed<OfferedJourney>(flightKeyAt);
  const fareGroups = keyed<OfferedFlight>((position) => `FG_${position + 1}`);
  const priceClasses = keyed<Brand>((position) => `PCR_${position + 1}`);
  const baggage = keyed<number>((position) => `BG_${position + 1}`);
  const formsOfPayment: FopElement[] = [];

  const segmentKey = (flight: OfferedFlight) => segments.keyOf(identityOf(flight), flight);
  const segmentKeys = (journey: OfferedJourney) => journey.flights.map(segmentKey).join(" ");
  return {
    segmentKey,
    flightKey: (journey) => flights.keyOf(segmentKeys(journey), journey),
    fareGroupKey: (flight) => fareGroups.keyOf(`${flight.carrier} ${flight.fareBasis}`, flight),
    priceClassKey: (brand) => priceClasses.keyOf(brand.key, brand),
    baggageKey: (bags) => baggage.keyOf(String(bags), bags),
    addFormsOfPayment(element) {
      const FopKey = `FOP_${formsOfPayment.length + 1}`;
      formsOfPayment.push({ ...element, FopKey });
      return FopKey;
    },
    dataLists: (passengers) => ({
      PassengerList: {
        Passengers: passengers.map(({ passengerId, ptc }) => ({ PassengerID: passengerId, PTC: ptc })),
      },
      DisclosureList: { Disclosures: [] },
      FareList: {
        FareGroup: fareGroups.entries().map(({ key, item }) => ({
          FareGroupRef: key,
          FareCode: item.fareCode,
          FareBasisCode: item.fareBasis,
        })),
      },
      FlightSegmentList: {
        FlightSegment: segments.entries().map(({ key, item }) => segmentElement({ ...item, segmentKey: key })),
      },
      FlightList: {
        Flight: flights.entries().map(({ key, item }) => ({
          FlightKey: key,
          Journey: { Time: durationText(item.minutes), Stops: item.flights.length - 1 },
          SegmentReferences: segmentKeys(item),
        })),
      },
      OriginDestinationList: { OriginDestination: originDestinations(flights.entries()) },
      PriceClassList: { PriceClass: priceClasses.entries().map(({ key, item }) => priceClassElement(key, item)) },
      BaggageAllowanceList: {
        BaggageAllowance: baggage.entries().map(({ key, item }) => baggageElement(key, item)),
      },
      FopList: formsOfPayment,
    }),
  };
}

interface Keyed<Item> {
  keyOf(identity: string, item: Item): string;
  entries(): readonly { readonly key: string; readonly item: Item }[];
}

/** Keys follow the order in which the items are first requested. */
function keyed<Item>(keyAt: (position: number) => string): Keyed<Item> {
  const items = new Map<string, { readonly key: string; readonly item: Item }>();
  return {
    keyOf(identity, item) {
      const entry = items.get(identity) ?? { key: keyAt(items.size), item };
      items.set(identity, entry);
      return entry.key;
    },
    entries: () => [...items.values()],
  };
}

/** Brand and class do not matter. */
function identityOf(flight: OfferedFlight): string {
  return `${flight.carrier}${flight.flightNumber} ${flight.from} ${flight.departure.date}`;
}

/** Each pair of places once, with all journeys between them. */
function originDestinations(flights: ReturnType<Keyed<OfferedJourney>["entries"]>) {
  const pairs = new Map<string, { readonly journey: OfferedJourney; readonly keys: string[] }>();
  for (const { key, item } of flights) {
    const identity = `${item.from} ${item.to} ${item.flights[0]?.departure.date ?? ""}`;
    const pair = pairs.get(identity) ?? { journey: item, keys: [] };
    pair.keys.push(key);
    pairs.set(identity, pair);
  }
  return [...pairs.values()].map(({ journey, keys }, position) => ({
    OriginDestinationKey: `OD${position + 1}`,
    DepartureCode: journey.from,
    ArrivalCode: journey.to,
    FlightReferences: keys.join(" "),
  }));
}

function priceClassElement(key: string, brand: Brand) {
  return {
    PriceClassID: key,
    Name: brand.name,
    Code: brand.code,
    Descriptions: {
      Description: brand.features.map(({ code, text }) => ({ Code: code, Type: "TEXT", Text: text })),
    },
  };
}

function baggageElement(key: string, bags: number) {
  return {
    BaggageAllowanceID: key,
    BaggageCategory: "Checked",
    AllowanceDescription: {
      ApplicableParty: "Traveler",
      Description: bags === 0 ? "No checked bag" : bags === 1 ? "One checked bag" : `${bags} checked bags`,
    },
    PieceAllowance: { ApplicableParty: "Traveler", TotalQuantity: String(bags), Unit: "Pieces" },
  };
}
