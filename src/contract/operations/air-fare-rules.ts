import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { digits } from "../elements/codes.ts";
import { fareRules } from "../elements/fare-rules.ts";
import {
  documentSchema,
  type Envelope,
  fareRulesEnvelope,
  fareRulesPartySchema,
  responseEnvelope,
  responseMetaData,
  responseVersion,
  shoppingResponseId,
} from "../envelope.ts";
import { member, memberAt, textOf } from "../lenient-value.ts";
import { defineOperation } from "./define-operation.ts";
import { invalidOfferId, invalidShoppingResponseId, readOfferId } from "./offer-request.ts";
import { responsesUnder } from "./operation-response.ts";
import { elementsAt, refuseRequest, requestReader } from "./request-reader.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "FareRulesRQ";

/** Each offer names the result set that it is from. */
export interface FareRulesQuery {
  readonly offers: readonly { readonly shoppingResponseId: string; readonly offerId: string }[];
}

const requestSchema = rooted(
  requestRoot,
  z.strictObject({
    Document: field(documentSchema, "names the request"),
    Party: field(fareRulesPartySchema, "who asks"),
    Query: field(
      z.strictObject({
        Offer: field(
          z
            .array(
              z.strictObject({
                attributes: field(
                  z.strictObject({
                    ShoppingResponseId: field(shoppingResponseId, "identifies one shopping result set", {
                      aliases: ["ResponseID"],
                    }),
                    OfferID: field(digits, "identifies one offer; 'the service' in the interface document"),
                  }),
                  "names the offer",
                ),
              }),
            )
            .min(1),
          "the offers",
        ),
      }),
      "what is asked about",
      { section: "Endpoints" },
    ),
  }),
);

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  Rules: field(z.array(fareRules), "the rules of each fare", { section: "Fare rules" }),
  MetaData: responseMetaData.optional(),
});

export type FareRulesResult = DomainShape<typeof responseBody>;

/**
 * Unlike in other requests, the contact is one object. A response is usable if it has rules.
 * @see interface document, "Endpoints", /AirFareRules
 */
export const airFareRules = defineOperation({
  name: "AirFareRules",
  summary: "Reads the fare rules of an offer.",
  readOnly: true,
  optionalService: true,
  queryLists: ["offers"],
  requestRoot,
  requestSchema,
  request,
  readRequest: requestReader(requestRoot, readQuery),
  ...responsesUnder("AirFareRulesRS", responseBody, ({ rules }) =>
    rules.length > 0 ? null : { path: "/Rules", because: "It holds no Rules." },
  ),
});

function request(query: FareRulesQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  return {
    [requestRoot]: {
      ...fareRulesEnvelope(envelope),
      Query: {
        Offer: query.offers.map(({ shoppingResponseId, offerId }) => ({
          attributes: { ShoppingResponseId: shoppingResponseId, OfferID: offerId },
        })),
      },
    },
  };
}

/** Codes: `request.no_offer`, `request.no_shopping_response_id`, `request.no_offer_id`. */
function readQuery(content: object): FareRulesQuery {
  const path = "/Query/Offer";
  const offers = elementsAt(path, memberAt(content, "Query", "Offer"));
  if (offers.length === 0) {
    return refuseRequest("request.no_offer", path, "The request names no offer.", invalidOfferId);
  }
  return { offers: offers.map(([offer, offerPath]) => readOffer(offer, `${offerPath}/attributes`)) };
}

/**
 * Accepts offers without `attributes`, with the identifiers in the offer itself, and ResponseID as the name of the
 * result set, as in public samples. The `attributes` beside `Document`, which carry an access token, are not read.
 */
function readOffer(json: unknown, path: string): FareRulesQuery["offers"][number] {
  const attributes = member(json, "attributes") ?? json;
  const shoppingResponseId =
    textOf(member(attributes, "ShoppingResponseId")) ?? textOf(member(attributes, "ResponseID"));
  if (shoppingResponseId === null) {
    const message = "An offer of the request has no ShoppingResponseId.";
    const code = "request.no_shopping_response_id";
    return refuseRequest(code, `${path}/ShoppingResponseId`, message, invalidShoppingResponseId);
  }
  return { shoppingResponseId, offerId: readOfferId(attributes, path) };
}
