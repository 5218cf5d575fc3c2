import { airOfferServiceList as contract } from "../../contract/operations/air-offer-service-list.ts";
import type { PassengerOfferQuery } from "../../contract/operations/offer-request.ts";
import { digitsOf } from "../booking/booked-keys.ts";
import { offerResponseHead } from "../extras/extras-response.ts";
import { gatewayTime } from "../extras/gateway-time.ts";
import { segmentElement, tripListsOf } from "../extras/journey-trip.ts";
import { serviceListContent } from "../extras/service-list-content.ts";
import type { GatewayOperation } from "../operation.ts";
import { findTrip } from "./find-trip.ts";
import { responseMetaDataOf } from "./offer-response.ts";

export const airOfferServiceList: GatewayOperation<PassengerOfferQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const { trip, expiresAt } = await findTrip(context, contract.name, query);
    const services = await context.supply.services(trip);
    const { ServiceDefinitionList, ...offered } = serviceListContent(services, trip.currency, gatewayTime(expiresAt));
    return {
      [contract.responseRoot]: {
        ...offerResponseHead(party, query.shoppingResponseId),
        ServiceListResponseId: digitsOf(`services ${query.offerIds.join(" ")}`, 19),
        ...offered,
        DataLists: { ...tripListsOf(trip, segmentElement), ServiceDefinitionList },
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};
