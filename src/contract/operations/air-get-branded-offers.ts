import type { z } from "zod";
import type { Envelope } from "../envelope.ts";
import { exampleEnvelope, exampleResponseEnvelope } from "../examples/envelope.ts";
import { oneWayListsExample } from "../examples/offer-lists.ts";
import { brandedOffersExample } from "../examples/offers-group.ts";
import { type OfferQuery, offerRequest, offerRequestSchema, readOfferRequest } from "./offer-request.ts";
import { createOffersGroupReader, type GroupedOffers, offersGroupBody } from "./offers-group-answer.ts";
import type { Operation } from "./operation.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "GetBrandedOffersRQ";
const responseRoot = "GetBrandedOffersRS";

const requestSchema = rooted(requestRoot, offerRequestSchema);
const responseSchema = rooted(responseRoot, offersGroupBody);

const exampleQuery: OfferQuery = {
  shoppingResponseId: "1724067361311310318",
  offerIds: ["172406736131131031860001"],
  traceId: "482910377563",
};

/**
 * Lists the branded variants of an offer, which cost more than the basic fare. It applies only to one-way and multi-city
 * offers, which the request does not show: a gateway that knows the offer asks `canHaveBrandedOffers`.
 *
 * @see interface document, "Endpoints", /AirGetBrandedOffers
 */
export const airGetBrandedOffers: Operation<
  OfferQuery,
  GroupedOffers,
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirGetBrandedOffers",
  path: "/AirGetBrandedOffers",
  summary: "Lists the branded variants of a one-way or multi-city offer.",
  requestRoot,
  responseRoot,
  readOnly: true,
  resendable: true,
  optionalService: true,
  host: "base",
  requestSchema,
  responseSchema,
  request,
  readRequest: (json) => readOfferRequest(requestRoot, json),
  interpret: createOffersGroupReader(responseRoot),
  examples: {
    query: exampleQuery,
    request: request(exampleQuery, exampleEnvelope),
    response: {
      [responseRoot]: {
        ...exampleResponseEnvelope,
        OffersGroup: brandedOffersExample,
        DataLists: oneWayListsExample,
        MetaData: {},
      },
    },
  },
};

function request(query: OfferQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  return { [requestRoot]: offerRequest(query, envelope) };
}
