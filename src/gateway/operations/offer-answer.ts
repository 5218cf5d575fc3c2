import type { OperationName, QueryOptions } from "../../contract/operations/operation.ts";
import type { OperationContext } from "../operation.ts";
import type { FoundOffer } from "../shopping/find-offer.ts";
import type { ShoppingResponse } from "../shopping/ports.ts";
import { passengersOf, showOffers } from "../shopping/show-offers.ts";

/** `MetaData` of an answer: the trace identifier of the request, when it had one. */
export function responseMetaDataOf({ traceId }: QueryOptions): { readonly TraceId?: string } {
  return traceId === undefined ? {} : { TraceId: traceId };
}

/** `OffersGroup` of offers of one search, grouped by airline, with its lists. */
export function offersGroup(response: ShoppingResponse, found: readonly FoundOffer[]) {
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

/** Writes a call about offers into the journal. It concerns no order, so it is one of no transaction. */
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
