import type { z } from "zod";
import type { offer as offerSchema } from "../../contract/elements/offer.ts";
import type { fareItem } from "../../contract/elements/offer-item.ts";
import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import type { MinorUnits } from "../../travel/money.ts";
import { findAirline } from "../airline-names.ts";
import { moneyIn } from "../booking/money-element.ts";
import type { Fee, Offer, OfferedJourney, PassengerFare } from "../supply/offer.ts";
import { offerPrice, passengerPrice } from "../supply/offer-price.ts";
import { formsOfPayment } from "./forms-of-payment.ts";
import { derivedOfferIds } from "./offer-ids.ts";
import type { OfferLists } from "./offer-lists.ts";

export interface ShownOffer {
  readonly offerId: string;
  readonly offer: Offer;
  readonly expiresAt: Date;
  /** If it is held. */
  readonly payableUntil: Date;
}

type OfferElement = z.infer<typeof offerSchema>;
type FareItemElement = z.infer<typeof fareItem>;
type Money = ReturnType<typeof moneyIn>;

/**
 * Adds whatever the offer refers to to the lists. The equivalent currency is that of the booking. Prices are the sums
 * of the items, and theirs the sums of fares and taxes.
 * @see interface document, "Order / offer object"
 */
export function offerElement(
  { offerId, offer, expiresAt, payableUntil }: ShownOffer,
  passengers: readonly RequestedPassenger[],
  lists: OfferLists,
): OfferElement {
  const money = moneyIn(offer.currency);
  const price = offerPrice(offer);
  const sumOf = (part: "commission" | "commissionOnSurcharges") =>
    offer.fares.reduce((sum, fare) => sum + fare.quantity * fare[part], 0);
  return {
    OfferID: offerId,
    NeedToTicket: "Y",
    InstantTicket: offer.holdable ? "N" : "Y",
    Owner: offer.owner,
    OwnerName: findAirline(offer.owner).name,
    IsBrandedFare: "Y",
    IsAdditionalCabinType: "N",
    BrandedFareOptions: [...derivedOfferIds(offerId, "variant", offer.dearerBrands)],
    CabinOptions: [],
    Eticket: "true",
    AllowHold: offer.holdable ? "Y" : "N",
    PassportRequired: offer.passportRequired ? "Y" : "N",
    TimeLimits: {
      OfferExpirationDateTime: dateTimeText(expiresAt),
      PaymentExpirationDateTime: dateTimeText(payableUntil).replace("T", " "),
    },
    BookingCurrencyCode: offer.currency,
    EquivCurrencyCode: offer.currency,
    HstPercentage: "",
    RewardSettings: { RewardAvailable: "N", PointTypes: [], PointValues: {} },
    BookingFeeInfo: { FeeType: "", ...money(0) },
    TotalPrice: money(price.total),
    BasePrice: money(price.base),
    TaxPrice: money(price.tax),
    Commission: {
      AgencyCommission: money(sumOf("commission")),
      AgencyYqCommission: money(sumOf("commissionOnSurcharges")),
    },
    PortalCharges: noCharges(money),
    AgentMarkupInfo: {
      AgentMarkup: money(0),
      AgentDiscount: money(0),
      AgentHst: money(0),
      PromoDiscount: { ...money(0), PromoCode: "" },
    },
    Penalty: { ChangeFee: feeElement(offer.changeFee, money), CancelationFee: feeElement(offer.cancelFee, money) },
    PaxSeatInfo: [],
    OfferItem: offer.fares.map((fare, position) => fareItemElement(offer, fare, position, passengers, lists)),
    BaggageAllowance: offer.journeys.flatMap((journey) => baggageReferences(journey, passengers, lists)),
    SplitPaymentInfo: [{ AirItineraryId: offerId, MultipleFop: "Y", MaxCardsPerPax: 1, MaxCardsPerPaxInMFOP: 2 }],
    BookingToEquivExRate: 1,
    FopRef: lists.addFormsOfPayment(formsOfPayment(price.total, offer.currency)),
  };
}

/** Builds the item of one type of passenger. */
export function fareItemElement(
  offer: Offer,
  fare: PassengerFare,
  position: number,
  passengers: readonly RequestedPassenger[],
  lists: OfferLists,
): FareItemElement {
  const money = moneyIn(offer.currency);
  const { base, tax, total } = passengerPrice(fare);
  const keys = keysOf(passengers, (ptc) => ptc === fare.ptc);
  return {
    OfferItemID: `OFFERITEMID${position + 1}`,
    Refundable: offer.refundable ? "true" : "false",
    PassengerType: fare.ptc,
    PassengerQuantity: fare.quantity,
    TotalPriceDetail: { TotalAmount: money(fare.quantity * total) },
    Service: [
      {
        ServiceID: `SV_${position + 1}`,
        PassengerRefs: keys,
        FlightRefs: offer.journeys.map((journey) => lists.flightKey(journey)).join(" "),
      },
    ],
    FareDetail: {
      PassengerRefs: keys,
      Price: {
        TotalAmount: money(total),
        BaseAmount: money(base),
        TaxAmount: money(tax),
        Commission: {
          AgencyCommission: money(fare.commission),
          AgencyYqCommission: money(fare.commissionOnSurcharges),
        },
        BookingFee: money(0),
        PortalCharges: noCharges(money),
        Taxes: fare.taxes.map(({ code, amount }) => ({ TaxCode: code, ...money(amount) })),
      },
    },
    FareComponent: offer.journeys.map((journey) => fareComponentElement(journey, lists)),
  };
}

/** Builds the fare component of one journey, with one token per segment. */
function fareComponentElement({ brand, flights }: OfferedJourney, lists: OfferLists) {
  const tokens = (tokenOf: (flight: OfferedJourney["flights"][number]) => string | number) =>
    flights.map(tokenOf).join(" ");
  return {
    PriceClassRef: lists.priceClassKey(brand),
    SegmentRefs: tokens((flight) => lists.segmentKey(flight)),
    FareBasis: {
      FareBasisCode: {
        Refs: tokens((flight) => lists.fareGroupKey(flight)),
        Code: tokens(({ fareBasis }) => fareBasis),
      },
      RBD: tokens(({ rbd }) => rbd),
      CabinType: tokens(({ cabin }) => cabin),
      SeatLeft: tokens(({ seatsLeft }) => seatsLeft),
    },
  };
}

function baggageReferences(journey: OfferedJourney, passengers: readonly RequestedPassenger[], lists: OfferLists) {
  const SegmentRefs = journey.flights.map((flight) => lists.segmentKey(flight)).join(" ");
  const groups = [
    { keys: keysOf(passengers, (ptc) => ptc !== "INF"), bags: journey.brand.bags },
    { keys: keysOf(passengers, (ptc) => ptc === "INF"), bags: journey.brand.bagsOfInfants },
  ];
  return groups
    .filter(({ keys }) => keys !== "")
    .map(({ keys, bags }) => ({ SegmentRefs, PassengerRefs: keys, BaggageAllowanceRef: lists.baggageKey(bags) }));
}

function keysOf(passengers: readonly RequestedPassenger[], belongs: (ptc: RequestedPassenger["ptc"]) => boolean) {
  return passengers
    .filter(({ ptc }) => belongs(ptc))
    .map(({ passengerId }) => passengerId)
    .join(" ");
}

function feeElement(fee: Fee, money: Money) {
  return { Before: amountElement(fee.before, money), After: amountElement(fee.after, money) };
}

/** `NA` if the airline states no fee. */
function amountElement(amount: MinorUnits | null, money: Money) {
  return amount === null ? ({ BookingCurrencyPrice: "NA", EquivCurrencyPrice: "NA" } as const) : money(amount);
}

function noCharges(money: Money) {
  return { Markup: money(0), Surcharge: money(0), Discount: money(0) };
}

/** In UTC, which is the gateway's clock, without a zone. */
function dateTimeText(at: Date): string {
  return at.toISOString().slice(0, 19);
}
