import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { offerDataLists } from "../elements/data-lists.ts";
import { offersGroup } from "../elements/offers-group.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import type { Interpretation } from "./operation.ts";
import { createAnswerReader } from "./operation-answer.ts";

/** What stands under the root of branded and split results. Strict: what we serve. */
export const offersGroupBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  OffersGroup: field(offersGroup, "the offers", { section: "Result objects of other operations" }),
  DataLists: field(offerDataLists, "what the offers refer to").optional(),
  MetaData: responseMetaData.optional(),
});

/**
 * Grouped offers after normalisation. What gateways add and the interface document does not show is left out: `Lowest`
 * and `Highest` of the snapshot, and the `TicketType` of an offer.
 */
export type GroupedOffers = DomainShape<typeof offersGroupBody>;

/** Reads branded and split results: of use when at least one offer has its OfferID and its total price. */
export function createOffersGroupReader(responseRoot: string): (json: unknown) => Interpretation<GroupedOffers> {
  return createAnswerReader({
    responseRoot,
    body: offersGroupBody,
    lacks: ({ offersGroup }) =>
      (offersGroup?.airlineOffers ?? []).some((group) =>
        group.offer.some(({ offerId, totalPrice }) => offerId !== undefined && totalPrice !== undefined),
      )
        ? null
        : {
            path: "/OffersGroup/AirlineOffers",
            because: "It holds no Offer with an OfferID and a TotalPrice.",
          },
  });
}
