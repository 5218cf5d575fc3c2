import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { offerDataLists } from "../elements/data-lists.ts";
import { offersGroup } from "../elements/offers-group.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { lackOfPricedOffers, type OperationResponses, responsesUnder } from "./operation-response.ts";

const offersGroupBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  OffersGroup: field(offersGroup, "the offers", { section: "Result objects of other operations" }),
  DataLists: field(offerDataLists, "what the offers refer to").optional(),
  MetaData: responseMetaData.optional(),
});

/**
 * Without what the interface document does not show: `Lowest` and `Highest` of the snapshot, and `TicketType` of an
 * offer.
 */
export interface GroupedOffers extends DomainShape<typeof offersGroupBody> {}

export interface GroupedOffersBody extends z.infer<typeof offersGroupBody> {}

/** Usable if an offer has its OfferID and its total price. */
export function offersGroupResponses<Root extends string>(responseRoot: Root) {
  const responses = responsesUnder(responseRoot, offersGroupBody, ({ offersGroup }) =>
    lackOfPricedOffers(
      (offersGroup?.airlineOffers ?? []).flatMap((group) => group.offer),
      "/OffersGroup/AirlineOffers",
      "Offer",
    ),
  );
  // The compiler does not follow a root that is a parameter.
  return responses as OperationResponses<GroupedOffers, Record<Root, GroupedOffersBody>>;
}
