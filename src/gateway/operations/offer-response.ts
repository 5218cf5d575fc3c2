import type { OfferQuery } from "../../contract/operations/offer-request.ts";
import type { OperationName, QueryOptions } from "../../contract/operations/operation.ts";
import { offerResponseHead } from "../extras/extras-response.ts";
import type { GatewayOperation, OperationContext } from "../operation.ts";
import { type FoundOffer, findOffers, findResponse } from "../shopping/find-offer.ts";
import { derivedOfferIds } from "../shopping/offer-ids.ts";
import type { ShoppingResponse } from "../shopping/ports.ts";
import { passengersOf, showOffers } from "../shopping/show-offers.ts";

/** The trace identifier of the request, if it has one. */
export function responseMetaDataOf({ traceId }: QueryOptions): { readonly TraceId?: string } {
  return traceId === undefined ? {} : { TraceId: traceId };
}

/** Groups offers of one search by airline. */
function offersGroup(response: ShoppingResponse, found: readonly FoundOffer[]) {
  const { elements, dataLists } = showOffers(found, passengersOf(response));
  const owners = [...new Set(elements.map(({ Owner }) => Owner))];
  return {
    OffersGroup: {
      AirlineOffers: owners.map((owner) => {
        const Offer = elements.filter(({ Owner }) => Owner === owner);
        return {
          AirlineOfferSnapshot: {
            PassengerQuantity: response.request.passengers.length,
            MatchedOfferQuantity: Offer.length,
          },
          Offer,
        };
      }),
    },
    DataLists: dataLists,
  };
}

/**
 * An operation that responds with other offers than those of the request.
 * @throws OperationRefusal as `findOffers`, and what `derive` throws
 */
export function derivedOffersOperation(
  contract: GatewayOperation<OfferQuery>["contract"],
  derive: (context: OperationContext, found: FoundOffer) => Promise<readonly FoundOffer[]>,
): GatewayOperation<OfferQuery> {
  return {
    contract,
    async carryOut(context, { query, party }) {
      const response = await findResponse(context, query.shoppingResponseId);
      const derived: FoundOffer[] = [];
      for (const found of await findOffers(context, query)) derived.push(...(await derive(context, found)));
      await recordOfferCall(context, contract.name);
      return {
        [contract.responseRoot]: {
          ...offerResponseHead(party, query.shoppingResponseId),
          ...offersGroup(response, derived),
          MetaData: responseMetaDataOf(query),
        },
      };
    },
  };
}

/** Their ids follow from the id of the found one. */
export function derivedOffers(
  found: FoundOffer,
  kind: Parameters<typeof derivedOfferIds>[1],
  offers: readonly FoundOffer["offer"][],
): readonly FoundOffer[] {
  const offerIds = derivedOfferIds(found.offerId, kind, offers.length);
  return offers.map((offer, position) => ({ ...found, offer, offerId: offerIds[position] ?? "" }));
}

/** Not in a transaction, because the call concerns no order. */
export async function recordOfferCall({ store, clock }: OperationContext, operation: OperationName): Promise<void> {
  await store.recordCall({
    operation,
    orderId: null,
    gdsBookingReferences: [],
    result: "SUCCESS",
    errorCode: null,
    changeId: null,
    orderVersion: null,
    at: clock.now(),
  });
}
