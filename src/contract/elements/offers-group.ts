import { z } from "zod";
import { element, field } from "../element.ts";
import { offer } from "./offer.ts";

const section = "Result objects of other operations";

/** How many passengers and offers there are. Gateways add `Lowest` and `Highest`, which the offers themselves say as well. */
export const airlineOfferSnapshot = element(
  "AirlineOfferSnapshot",
  section,
  z.strictObject({
    PassengerQuantity: field(z.int().min(1), "number of passengers"),
    MatchedOfferQuantity: field(z.int().min(0), "number of offers"),
  }),
);

/** `OffersGroup` of branded and split results. */
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
