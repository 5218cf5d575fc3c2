import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { offerDataLists } from "../elements/data-lists.ts";
import { offer } from "../elements/offer.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { defineOperation } from "./define-operation.ts";
import { passengerOfferRequests } from "./offer-request.ts";
import { lackOfPricedOffers, type OperationResponses, responsesUnder } from "./operation-response.ts";

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  OfferResponseId: field(z.string(), "identifies this pricing", { section: "Identifiers" }).optional(),
  PricedOffer: field(z.array(offer).min(1), "the offers at their price now", { section: "Order / offer object" }),
  DataLists: field(offerDataLists, "what the offers refer to").optional(),
  MetaData: responseMetaData.optional(),
});

export interface PricedOffers extends DomainShape<typeof responseBody> {}

interface PricedOffersBody extends z.infer<typeof responseBody> {}

const responses: OperationResponses<PricedOffers, Record<"OfferPriceRS", PricedOffersBody>> = responsesUnder(
  "OfferPriceRS",
  responseBody,
  ({ pricedOffer }) => lackOfPricedOffers(pricedOffer, "/PricedOffer", "PricedOffer"),
);

/**
 * Prices an offer before it is booked. A response is usable if an offer has its OfferID and its total price.
 * @see interface document, "Endpoints", /AirOfferPrice
 */
export const airOfferPrice = defineOperation({
  name: "AirOfferPrice",
  summary: "Prices an offer.",
  readOnly: true,
  ...passengerOfferRequests("OfferPriceRQ"),
  ...responses,
});
