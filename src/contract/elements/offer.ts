import { z } from "zod";
import { element, field } from "../element.ts";
import { digits, localDateTime, reference, references, yesNo } from "./codes.ts";
import { currencyFields, exchangeRate, moneyObject } from "./money.ts";
import { addedFareItem, fareItem } from "./offer-item.ts";
import {
  agentMarkupInfo,
  bookingFeeInfo,
  commission,
  penalty,
  portalCharges,
  reshopDifferential,
  rewardSettings,
} from "./offer-prices.ts";
import { resultStatus } from "./results.ts";

const section = "Order / offer object";

/** For which passengers on which segments. Real lists repeat entries. */
export const baggageAllowance = element(
  "BaggageAllowanceReference",
  section,
  z.strictObject({
    SegmentRefs: field(references, "segments on which it holds", { aliases: ["SegmentReferences"] }),
    PassengerRefs: field(references, "passengers for whom it holds"),
    BaggageAllowanceRef: field(reference, "key of BaggageAllowance"),
  }),
);

/** With how many cards an itinerary can be paid. */
export const splitPaymentInfo = element(
  "SplitPaymentInfo",
  section,
  z.strictObject({
    AirItineraryId: field(reference, "itinerary that is paid"),
    MultipleFop: field(yesNo, "whether several forms of payment can be used").optional(),
    MaxCardsPerPax: field(z.int().min(0), "most cards for one passenger").optional(),
    MaxCardsPerPaxInMFOP: field(
      z.int().min(0),
      "most cards for one passenger with several forms of payment",
    ).optional(),
  }),
);

/** The interface document shows only that this is a list; gateways send these fields. */
export const paxSeatInfo = element(
  "PaxSeatInfo",
  section,
  z.strictObject({
    SeatNumber: field(z.string().min(1), "row and column"),
    SegmentNumber: field(z.int().min(0), "position of the segment in the itinerary").optional(),
    Origin: field(z.string(), "departure airport of the segment").optional(),
    Destination: field(z.string(), "arrival airport of the segment").optional(),
    PaxRef: field(references, "passenger who sits there"),
    Status: field(resultStatus, "whether the airline confirmed it").optional(),
  }),
);

/** Local times without a zone. */
export const timeLimits = element(
  "TimeLimits",
  section,
  z.strictObject({
    OfferExpirationDateTime: field(localDateTime, "when the offer ends; local date-time without a zone").optional(),
    PaymentExpirationDateTime: field(
      z.string(),
      "until when it must be paid: local date and time without a zone, with a blank or a T between",
      { reads: "date-time" },
    ).optional(),
  }),
);

/** What every offer has: without identifier, currency and price it cannot be chosen. */
const identifiedAndPriced = {
  OfferID: field(digits, "identifies one offer in a result set; 'the service' in the interface document", {
    section: "Identifiers",
  }),
  BookingCurrencyCode: currencyFields.BookingCurrencyCode,
  TotalPrice: field(moneyObject, "base and taxes of all passengers"),
};

const offerItems = field(z.array(fareItem).min(1), "fares, one item for each type of passenger");

/**
 * The fields that orders and offers share, each optional: which are always present is not shown. An order view keeps them
 * so, since an order is worked on whatever of its price is missing. The offers below require what they are no use without.
 */
export const offerObjectShape = z
  .strictObject({
    ...identifiedAndPriced,
    NeedToTicket: field(yesNo, "whether tickets have still to be issued"),
    InstantTicket: field(yesNo, "whether tickets are issued with the booking"),
    Owner: field(z.string(), "airline code"),
    OwnerName: field(z.string(), "name of the airline"),
    IsBrandedFare: field(yesNo, "whether it is a branded fare"),
    IsAdditionalCabinType: field(yesNo, "whether other cabins are offered"),
    BrandedFareOptions: field(z.array(digits), "offer identifiers of the branded variants; may be empty"),
    CabinOptions: field(z.array(z.unknown()), "other cabins; may be empty"),
    Eticket: field(z.enum(["", "true", "false"]), "whether tickets are electronic; may be empty"),
    TimeLimits: field(timeLimits, "until when it holds"),
    EquivCurrencyCode: currencyFields.EquivCurrencyCode,
    HstPercentage: field(z.string(), "sales tax; may be empty"),
    RewardSettings: field(rewardSettings, "points"),
    BookingFeeInfo: field(bookingFeeInfo, "fee for booking"),
    BasePrice: field(moneyObject, "fares of all passengers without taxes"),
    TaxPrice: field(moneyObject, "taxes of all passengers"),
    Commission: field(commission, "commission on all fares"),
    PortalCharges: field(portalCharges, "charges of the gateway"),
    AgentMarkupInfo: field(agentMarkupInfo, "charges of the agency"),
    Penalty: field(penalty, "fees for changing and cancelling"),
    PaxSeatInfo: field(z.array(paxSeatInfo), "seats that have been chosen; may be empty"),
    OfferItem: offerItems,
    BaggageAllowance: field(z.array(baggageAllowance), "baggage allowances"),
    SplitPaymentInfo: field(z.array(splitPaymentInfo), "how payment can be split"),
    BookingToEquivExRate: exchangeRate,
    FopRef: field(reference, "key of FopList: the forms of payment"),
  })
  .partial().shape;

const onOfferShape = {
  ...offerObjectShape,
  ...identifiedAndPriced,
  AllowHold: field(yesNo, "whether it can be held without payment").optional(),
  PassportRequired: field(yesNo, "whether a passport must be given").optional(),
};

/** Identifier, currency, price and items are always there. */
export const offer = element("Offer", section, z.strictObject({ ...onOfferShape, OfferItem: offerItems }));

/**
 * `ReshopDifferential` is missing while exchanges are searched for, and there once one is priced. The new items are in
 * `AddOfferItem`.
 */
export const reshopOffer = element(
  "ReshopOffer",
  section,
  z.strictObject({
    ...onOfferShape,
    ReshopDifferential: field(reshopDifferential, "cost of the exchange; priced exchanges only").optional(),
    AddOfferItem: field(z.array(addedFareItem), "items that the exchange adds").optional(),
  }),
);
