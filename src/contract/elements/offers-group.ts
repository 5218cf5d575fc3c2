import { z } from "zod";
import { element, field } from "../element.ts";
import { offer } from "./offer.ts";

const section = "Result objects of other operations";

/** The numbers of passengers and offers. Gateways add `Lowest` and `Highest`, which the offers show, too. */
export const airlineOfferSnapshot = element(
  "AirlineOfferSnapshot",
  section,
  z.strictObject({
    PassengerQuantity: field(z.int().min(1), "number of passengers"),
    MatchedOfferQuantity: field(z.int().min(0), "number of offers"),
  }),
);

export const offersGroup = element(
  "OffersGroup",
  section,
  z.strictObject({
    AirlineOffers: field(
      z.array(
        z.strictObject({
          AirlineOfferSnapshot: field(airlineOfferSnapshot, "summary").optional(),
          Offer: field(z.array(offer), "the offers"),
        }),
      ),
      "offers, grouped by airline",
    ),
  }),
);
