import type { z } from "zod";
import type { Envelope } from "../envelope.ts";
import { exampleEnvelope, exampleResponseEnvelope } from "../examples/envelope.ts";
import { offerListsExample } from "../examples/offer-lists.ts";
import { splitOffersExample } from "../examples/offers-group.ts";
import { type OfferQuery, offerRequest, offerRequestSchema, readOfferRequest } from "./offer-request.ts";
import { createOffersGroupReader, type GroupedOffers, offersGroupBody } from "./offers-group-answer.ts";
import type { Operation } from "./operation.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "AirSplitOfferRQ";
const responseRoot = "AirSplitOfferRS";

const requestSchema = rooted(requestRoot, offerRequestSchema);
const responseSchema = rooted(responseRoot, offersGroupBody);

const exampleQuery: OfferQuery = {
  shoppingResponseId: "1724067361311310318",
  offerIds: ["172406736131131031840271"],
  traceId: "482910377564",
};

/**
 * Splits an offer that would be booked as several bookings into single one-way offers, so that the way there and the way
 * back can be looked at separately. The roots name the words of the path in another order.
 *
 * @see interface document, "Endpoints", /AirOfferSplit
 */
export const airOfferSplit: Operation<
  OfferQuery,
  GroupedOffers,
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirOfferSplit",
  path: "/AirOfferSplit",
  summary: "Splits a multi-booking offer into single one-way offers.",
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
        OffersGroup: splitOffersExample,
        DataLists: offerListsExample,
        MetaData: {},
      },
    },
  },
};

function request(query: OfferQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  return { [requestRoot]: offerRequest(query, envelope) };
}
