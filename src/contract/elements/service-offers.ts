import { z } from "zod";
import { element, field } from "../element.ts";
import { localDateTime, reference, references } from "./codes.ts";
import { moneyObject } from "./money.ts";

const section = "Service and seat offers";

/** A price of a service or a seat, with the passengers and segments that it is for. */
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

/** The prices of a seat map. */
export const seatOffer = element("SeatALaCarteOffer", section, z.strictObject(aLaCarteOfferFields));

/** The prices of a service list, with their number. */
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

/** A service, its definition and the offer items that price it. */
export const offeredService = element(
  "OfferedService",
  section,
  z.strictObject({
    OfferItemRefs: field(references, "keys of the ALaCarteOfferItem that price it"),
    ServiceID: field(reference, "key of the service"),
    ServiceDefinitionRef: field(reference, "key of the ServiceDefinition that says what it is"),
  }),
);
