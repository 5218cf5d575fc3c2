import type { z } from "zod";
import type { offersGroup } from "../elements/offers-group.ts";
import { exampleOffer, inbound, outbound, outboundFlex } from "./offers.ts";

type OffersGroup = z.infer<typeof offersGroup>;

const flexOfferId = "172406736131131031860002";

/** The requested outbound journey, and the same under a dearer brand. */
export const brandedOffersExample = groupOf([
  exampleOffer({ offerId: "172406736131131031860001", journeys: [outbound], brandedVariants: [flexOfferId] }),
  exampleOffer({ offerId: flexOfferId, journeys: [outboundFlex], brandedVariants: [], refundable: true }),
]);

/** Two offers: one out, one back. */
export const splitOffersExample = groupOf([
  exampleOffer({ offerId: "1724067361311310318", journeys: [outbound] }),
  exampleOffer({ offerId: "1724067361311310319", journeys: [inbound] }),
]);

function groupOf(offers: OffersGroup["AirlineOffers"][number]["Offer"]): OffersGroup {
  return {
    AirlineOffers: [
      { AirlineOfferSnapshot: { PassengerQuantity: 4, MatchedOfferQuantity: offers.length }, Offer: offers },
    ],
  };
}
