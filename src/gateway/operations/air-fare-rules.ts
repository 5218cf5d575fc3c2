import { fareRuleTopics } from "../../contract/elements/fare-rules.ts";
import { airFareRules as contract, type FareRulesQuery } from "../../contract/operations/air-fare-rules.ts";
import { offerResponseHead } from "../extras/extras-response.ts";
import type { GatewayOperation } from "../operation.ts";
import { findOffer } from "../shopping/find-offer.ts";
import type { FareRules } from "../supply/offer.ts";
import { recordOfferCall } from "./offer-response.ts";

/** `ItineraryId` is the position of the offer in the request, from 1. */
export const airFareRules: GatewayOperation<FareRulesQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const rules: ReturnType<typeof rulesElement>[] = [];
    for (const [position, { shoppingResponseId, offerId }] of query.offers.entries()) {
      const { offer } = await findOffer(context, shoppingResponseId, offerId);
      rules.push(...(await context.supply.fareRules(offer)).map((fare) => rulesElement(fare, position + 1)));
    }
    await recordOfferCall(context, contract.name);
    return {
      [contract.responseRoot]: {
        ...offerResponseHead(party, query.offers[0]?.shoppingResponseId ?? ""),
        Rules: rules,
        MetaData: {},
      },
    };
  },
};

/** @see interface document, "Fare rules" */
function rulesElement(fare: FareRules, itineraryId: number) {
  return {
    FareBasisCode: fare.fareBases.map((code) => ({ Code: code })),
    AirlineID: fare.airline,
    FareCode: fare.fareCode,
    Rule: [
      { Category: "Status", Text: "Success" },
      { Category: "ItineraryId", Text: String(itineraryId) },
      { Category: "FareBasis", Text: fare.fareBases.join(" ") },
      { Category: "Departure", Text: fare.from },
      { Category: "Arrival", Text: fare.to },
      { Category: "Data", Text: paragraphsByTopic(fare) },
    ],
  };
}

/** In the order of the topics of the contract. */
function paragraphsByTopic({ paragraphs }: FareRules) {
  return Object.fromEntries(
    fareRuleTopics.flatMap((topic) => (paragraphs[topic] === undefined ? [] : [[topic, paragraphs[topic]] as const])),
  );
}
