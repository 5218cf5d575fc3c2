import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { offerDataLists } from "../elements/data-lists.ts";
import { offer } from "../elements/offer.ts";
import { type Envelope, responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { exampleEnvelope, exampleResponseEnvelope } from "../examples/envelope.ts";
import { offerListsExample } from "../examples/offer-lists.ts";
import { examplePassengers, pricedOfferExample } from "../examples/offer-price.ts";
import {
  type PassengerOfferQuery,
  passengerOfferRequest,
  passengerOfferRequestSchema,
  readPassengerOfferRequest,
} from "./offer-request.ts";
import type { Operation } from "./operation.ts";
import { createAnswerReader } from "./operation-answer.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "OfferPriceRQ";
const responseRoot = "OfferPriceRS";

const requestSchema = rooted(requestRoot, passengerOfferRequestSchema);

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  OfferResponseId: field(z.string(), "identifies this pricing", { section: "Identifiers" }).optional(),
  PricedOffer: field(z.array(offer).min(1), "the offers at their price now", { section: "Order / offer object" }),
  DataLists: field(offerDataLists, "what the offers refer to").optional(),
  MetaData: responseMetaData.optional(),
});

const responseSchema = rooted(responseRoot, responseBody);

const exampleQuery: PassengerOfferQuery = {
  shoppingResponseId: "1724067361311310318",
  offerIds: ["172406736131131031840271"],
  passengers: examplePassengers,
  traceId: "482910377562",
};

/** The offers at their price now, after normalisation. */
export type PricedOffers = DomainShape<typeof responseBody>;

/**
 * Prices an offer again before it is booked. An answer is of use when at least one offer has its OfferID and its total
 * price.
 *
 * @see interface document, "Endpoints", /AirOfferPrice
 */
export const airOfferPrice: Operation<
  PassengerOfferQuery,
  PricedOffers,
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirOfferPrice",
  path: "/AirOfferPrice",
  summary: "Prices an offer.",
  requestRoot,
  responseRoot,
  readOnly: true,
  resendable: true,
  optionalService: false,
  host: "base",
  requestSchema,
  responseSchema,
  request,
  readRequest: (json) => readPassengerOfferRequest(requestRoot, json),
  interpret: createAnswerReader({
    responseRoot,
    body: responseBody,
    lacks: ({ pricedOffer }) =>
      pricedOffer.some(({ offerId, totalPrice }) => offerId !== undefined && totalPrice !== undefined)
        ? null
        : { path: "/PricedOffer", because: "It holds no PricedOffer with an OfferID and a TotalPrice." },
  }),
  examples: {
    query: exampleQuery,
    request: request(exampleQuery, exampleEnvelope),
    response: {
      [responseRoot]: {
        ...exampleResponseEnvelope,
        OfferResponseId: "1724067361311310320",
        PricedOffer: [pricedOfferExample],
        DataLists: offerListsExample,
        MetaData: {},
      },
    },
  },
};

function request(query: PassengerOfferQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  return { [requestRoot]: passengerOfferRequest(query, envelope) };
}
