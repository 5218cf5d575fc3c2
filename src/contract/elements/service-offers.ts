import { z } from "zod";
import { element, field } from "../element.ts";
import { localDateTime, reference, references } from "./codes.ts";
import { moneyObject } from "./money.ts";

const section = "Service and seat offers";

/** A price for a service or a seat, and for whom and on which segments it can be bought. */
export const aLaCarteOfferItem = element(
  "ALaCarteOfferItem",
  section,
  z.strictObject({
    OfferItemID: field(reference, "key that OfferItemRefs of services and seats name"),
    Eligibility: field(
      z.strictObject({
        PassengerRefs: field(references, "passengers who can buy it"),
        SegmentRefs: field(references, "segments on which it can be bought"),
      }),
      "for whom and where the price holds",
    ),
    Price: field(
      z.strictObject({
        Base: field(moneyObject, "price without taxes"),
        Tax: field(moneyObject, "taxes"),
        Total: field(moneyObject, "base and taxes"),
      }),
      "what it costs",
    ),
  }),
);

const aLaCarteOfferFields = {
  TimeLimits: field(
    z.strictObject({ OfferExpiration: field(localDateTime, "until when the prices hold, local date and time") }),
    "until when the offer holds",
  ),
  ALaCarteOfferItem: field(z.array(aLaCarteOfferItem), "one entry for each price"),
};

/** `ALaCarteOffer` of a seat map: the prices of its seats. */
export const seatOffer = element("SeatALaCarteOffer", section, z.strictObject(aLaCarteOfferFields));

/** `ALaCarteOffer` of a service list, which also says how many items it holds. */
export const serviceOffer = element(
  "ServiceALaCarteOffer",
  section,
  z.strictObject({
    Parameters: field(
      z.strictObject({ TotalItemQuantity: field(z.int().min(0), "number of offer items") }),
      "parameters of the offer; service lists only",
    ),
    ...aLaCarteOfferFields,
  }),
);

/** One element of `ServiceList`: a service, the offer items that price it, and its definition. */
export const offeredService = element(
  "OfferedService",
  section,
  z.strictObject({
    OfferItemRefs: field(references, "keys of the ALaCarteOfferItem that price it"),
    ServiceID: field(reference, "key of the service"),
    ServiceDefinitionRef: field(reference, "key of the ServiceDefinition that says what it is"),
  }),
);
