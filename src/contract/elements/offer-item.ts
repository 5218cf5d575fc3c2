import { z } from "zod";
import { element, field } from "../element.ts";
import { passengerType, reference, references, tokens } from "./codes.ts";
import { moneyObject } from "./money.ts";
import { commission, portalCharges, reshopDifferential, tax } from "./offer-prices.ts";
import { resultStatus } from "./results.ts";

const section = "Order / offer object";

/** Fare basis, booking class, cabin and seats left: one token per segment each. */
export const fareComponent = element(
  "FareComponent",
  section,
  z.strictObject({
    PriceClassRef: field(reference, "key of PriceClass").optional(),
    SegmentRefs: field(references, "segments that it prices", { aliases: ["SegmentReferences"] }),
    FareBasis: field(
      z.strictObject({
        FareBasisCode: field(
          z.strictObject({
            Refs: field(tokens, "keys of FareGroup").optional(),
            Code: field(tokens, "fare basis codes, one for each segment"),
          }),
          "the fare bases",
        ).optional(),
        RBD: field(tokens, "booking classes, one for each segment").optional(),
        CabinType: field(tokens, "cabin codes, one for each segment").optional(),
        SeatLeft: field(tokens, "seats left, one for each segment").optional(),
      }),
      "fare basis, booking class, cabin and seats left of each segment",
    ).optional(),
  }),
);

/** For one passenger of an item. `Taxes` may be empty. */
export const fareDetail = element(
  "FareDetail",
  section,
  z.strictObject({
    PassengerRefs: field(references, "passengers for whom it holds").optional(),
    Price: field(
      z.strictObject({
        TotalAmount: field(moneyObject, "base and taxes of one passenger"),
        BaseAmount: field(moneyObject, "fare of one passenger without taxes").optional(),
        TaxAmount: field(moneyObject, "taxes of one passenger").optional(),
        Commission: field(commission, "commission on this fare").optional(),
        BookingFee: field(moneyObject, "booking fee of this fare").optional(),
        PortalCharges: field(portalCharges, "charges of the gateway; may be empty").optional(),
        Taxes: field(z.array(tax), "each tax of the fare; may be empty").optional(),
      }),
      "the price and what it is made of",
    ),
  }),
);

const fareItemShape = {
  OfferItemID: field(reference, "key of the item in its offer"),
  Refundable: field(z.enum(["true", "false"]), "whether the fare is refundable").optional(),
  PassengerType: field(passengerType, "type of its passengers"),
  PassengerQuantity: field(z.int().min(1).max(9), "number of its passengers"),
  TotalPriceDetail: field(
    z.strictObject({ TotalAmount: field(moneyObject, "base and taxes of all its passengers") }),
    "the price of the item",
  ),
  Service: field(
    z.array(
      z.strictObject({
        ServiceID: field(reference, "key of the service"),
        PassengerRefs: field(references, "passengers who are carried").optional(),
        FlightRefs: field(references, "keys of the flights of FlightList").optional(),
      }),
    ),
    "flights and passengers that it covers",
  ).optional(),
  FareDetail: field(fareDetail, "price of one passenger").optional(),
  FareComponent: field(z.array(fareComponent), "fares, each for some segments").optional(),
};

/** The fare of all passengers of one type. Type, number and price are always there; the rest depends on the airline. */
export const fareItem = element("FareItem", section, z.strictObject(fareItemShape));

/** The fare after an exchange, and what the exchange costs. */
export const addedFareItem = element(
  "AddedFareItem",
  section,
  z.strictObject({
    ...fareItemShape,
    ReshopDifferential: field(reshopDifferential, "cost of the exchange; priced exchanges only").optional(),
  }),
);

/**
 * A booked service or seat. The interface document does not show this form; gateways send it with money objects or with
 * bare amounts in the booking currency. `OptinalServiceId` is spelt so.
 */
export const serviceItem = element(
  "ServiceItem",
  section,
  z.strictObject({
    OfferItemID: field(reference, "key of the item in its order"),
    Status: field(resultStatus, "whether the airline confirmed it"),
    Service: field(
      z.strictObject({
        OptinalServiceId: field(reference, "key of the service").optional(),
        PassengerRefs: field(references, "passengers who get it").optional(),
        SegmentRefs: field(references, "segments on which they get it").optional(),
      }),
      "what is bought, for whom and where",
    ).optional(),
    Price: field(
      z.strictObject({
        Base: field(moneyObject, "price without taxes").optional(),
        Tax: field(moneyObject, "taxes").optional(),
        Total: field(moneyObject, "base and taxes"),
      }),
      "what it costs",
    ),
    ServiceDefinitionRef: field(reference, "key of ServiceDefinition").optional(),
  }),
);

export const offerItem = z.union([fareItem, serviceItem]);
