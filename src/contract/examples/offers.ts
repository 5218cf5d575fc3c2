import type { z } from "zod";
import type { offer } from "../elements/offer.ts";
import type { fareItem } from "../elements/offer-item.ts";
import type { PassengerType } from "../passenger-rules.ts";

type Offer = z.infer<typeof offer>;
type FareItem = z.infer<typeof fareItem>;

/** Lisbon to New York by way of Frankfurt, or back without a stop. */
export interface ExampleJourney {
  readonly flight: string;
  readonly segments: readonly string[];
  /** One per segment. */
  readonly fareBases: readonly string[];
  readonly priceClass: string;
  readonly fareGroup: string;
  readonly cabins: readonly string[];
  /** Of one adult, in cents. Even, so that half of it is a whole number of cents. */
  readonly fare: number;
  readonly taxes: Readonly<Record<string, number>>;
}

export const outbound: ExampleJourney = {
  flight: "Flight1",
  segments: ["Segment1", "Segment2"],
  fareBases: ["QNR7AV", "QNR7AV"],
  priceClass: "PCR_1",
  fareGroup: "FG_1",
  cabins: ["Y", "Y"],
  fare: 18_600,
  taxes: { YQ: 6_400, PT: 1_220, RA: 2_846 },
};

export const inbound: ExampleJourney = {
  flight: "Flight2",
  segments: ["Segment3"],
  fareBases: ["LKS0TP"],
  priceClass: "PCR_2",
  fareGroup: "FG_2",
  cabins: ["Y"],
  fare: 16_250,
  taxes: { YQ: 5_200, US: 4_108 },
};

/** With a brand that can be changed and includes a bag. */
export const outboundFlex: ExampleJourney = {
  ...outbound,
  fareBases: ["QFR7AV", "QFR7AV"],
  priceClass: "PCR_3",
  fareGroup: "FG_3",
  fare: 24_900,
};

const travellers: readonly { readonly type: PassengerType; readonly keys: string; readonly share: number }[] = [
  { type: "ADT", keys: "T1 T2", share: 1 },
  { type: "CHD", keys: "T3", share: 0.8 },
  { type: "INF", keys: "T4", share: 0 },
];

interface ExampleOffer {
  readonly offerId: string;
  readonly journeys: readonly ExampleJourney[];
  /** Offers of the same flights under other brands. */
  readonly brandedVariants?: readonly string[];
  readonly refundable?: boolean;
}

/** The prices are the sums of those of the items, and theirs the sums of fares and taxes. */
export function exampleOffer(options: ExampleOffer): Offer {
  const items = travellers.map((_, position) => exampleFareItem(options, position));
  const journeys = options.journeys;
  const total = (part: "fare" | "tax") =>
    travellers.reduce((sum, { keys, type }) => sum + count(keys) * centsOf(journeys, type, part), 0);
  const segments = journeys.flatMap((journey) => journey.segments).join(" ");
  return {
    OfferID: options.offerId,
    InstantTicket: "N",
    Owner: "LH",
    OwnerName: "Lufthansa",
    IsBrandedFare: options.brandedVariants === undefined ? "N" : "Y",
    IsAdditionalCabinType: "N",
    BrandedFareOptions: [...(options.brandedVariants ?? [])],
    CabinOptions: [],
    Eticket: "true",
    AllowHold: "Y",
    PassportRequired: "Y",
    TimeLimits: {
      OfferExpirationDateTime: "2027-03-01T18:30:00",
      PaymentExpirationDateTime: "2027-03-01 17:30:00",
    },
    BookingCurrencyCode: "EUR",
    EquivCurrencyCode: "CAD",
    HstPercentage: "",
    RewardSettings: { RewardAvailable: "N", PointTypes: [], PointValues: {} },
    BookingFeeInfo: { FeeType: "", ...money(0) },
    TotalPrice: money(total("fare") + total("tax")),
    BasePrice: money(total("fare")),
    TaxPrice: money(total("tax")),
    Commission: { AgencyCommission: money(1_200), AgencyYqCommission: money(0) },
    PortalCharges: { Markup: money(0), Surcharge: money(0), Discount: money(0) },
    AgentMarkupInfo: {
      AgentMarkup: money(0),
      AgentDiscount: money(0),
      AgentHst: money(0),
      PromoDiscount: { ...money(0), PromoCode: "" },
    },
    Penalty: {
      ChangeFee: { Before: money(7_000), After: notAvailable },
      CancelationFee: { Before: options.refundable === true ? money(0) : notAvailable, After: notAvailable },
    },
    PaxSeatInfo: [],
    OfferItem: items,
    BaggageAllowance: [
      { SegmentRefs: segments, PassengerRefs: "T1 T2 T3", BaggageAllowanceRef: "BG_1" },
      { SegmentRefs: segments, PassengerRefs: "T4", BaggageAllowanceRef: "BG_2" },
    ],
    SplitPaymentInfo: [
      { AirItineraryId: options.offerId, MultipleFop: "Y", MaxCardsPerPax: 1, MaxCardsPerPaxInMFOP: 2 },
    ],
    BookingToEquivExRate: exchangeRate,
    FopRef: "FOP_1",
  };
}

/** @param position 0 for the adults, 1 for the child, 2 for the infant. */
export function exampleFareItem(options: ExampleOffer, position: number): FareItem {
  const { type, keys } = travellers[position] ?? { type: "ADT", keys: "T1" };
  const { journeys } = options;
  const base = centsOf(journeys, type, "fare");
  const tax = centsOf(journeys, type, "tax");
  return {
    OfferItemID: `OFFERITEMID${position + 1}`,
    Refundable: options.refundable === true ? "true" : "false",
    PassengerType: type,
    PassengerQuantity: count(keys),
    TotalPriceDetail: { TotalAmount: money(count(keys) * (base + tax)) },
    Service: [
      {
        ServiceID: `SV_${position + 1}`,
        PassengerRefs: keys,
        FlightRefs: journeys.map((journey) => journey.flight).join(" "),
      },
    ],
    FareDetail: {
      PassengerRefs: keys,
      Price: {
        TotalAmount: money(base + tax),
        BaseAmount: money(base),
        TaxAmount: money(tax),
        Commission: { AgencyCommission: money(type === "ADT" ? 600 : 0), AgencyYqCommission: money(0) },
        BookingFee: money(0),
        PortalCharges: { Markup: money(0), Surcharge: money(0), Discount: money(0) },
        Taxes: type === "INF" ? [] : taxesOf(journeys),
      },
    },
    FareComponent: journeys.map((journey) => ({
      PriceClassRef: journey.priceClass,
      SegmentRefs: journey.segments.join(" "),
      FareBasis: {
        FareBasisCode: {
          Refs: journey.segments.map(() => journey.fareGroup).join(" "),
          Code: journey.fareBases.join(" "),
        },
        RBD: journey.fareBases.map((fareBasis) => fareBasis.slice(0, 1)).join(" "),
        CabinType: journey.cabins.join(" "),
        SeatLeft: journey.segments.map(() => "9").join(" "),
      },
    })),
  };
}

/** @param cents an even number of the booking currency. */
export function money(cents: number) {
  return { BookingCurrencyPrice: cents / 100, EquivCurrencyPrice: (cents * exchangeRate) / 100 };
}

const exchangeRate = 1.5;

const notAvailable = { BookingCurrencyPrice: "NA", EquivCurrencyPrice: "NA" } as const;

function centsOf(journeys: readonly ExampleJourney[], type: PassengerType, part: "fare" | "tax"): number {
  const share = travellers.find((traveller) => traveller.type === type)?.share ?? 1;
  const fares = journeys.map((journey) => journey.fare * share);
  const taxes = type === "INF" ? [] : journeys.flatMap((journey) => Object.values(journey.taxes));
  return (part === "fare" ? fares : taxes).reduce((sum, cents) => sum + cents, 0);
}

function taxesOf(journeys: readonly ExampleJourney[]) {
  const codes = [...new Set(journeys.flatMap((journey) => Object.keys(journey.taxes)))];
  return codes.map((code) => ({
    TaxCode: code,
    ...money(journeys.reduce((sum, journey) => sum + (journey.taxes[code] ?? 0), 0)),
  }));
}

function count(keys: string): number {
  return keys.split(" ").length;
}
