import { airOfferServiceList as contract } from "../../contract/operations/air-offer-service-list.ts";
import type { PassengerOfferQuery } from "../../contract/operations/offer-request.ts";
import { digitsOf } from "../booking/booked-keys.ts";
import { offerAnswerHead } from "../extras/extras-answer.ts";
import { gatewayTime } from "../extras/gateway-time.ts";
import { flightListsOf } from "../extras/journey-trip.ts";
import { serviceListContent } from "../extras/service-list-content.ts";
import type { GatewayOperation } from "../operation.ts";
import { findTrip } from "./find-trip.ts";
import { responseMetaDataOf } from "./offer-answer.ts";

/** The services that can be bought with an offer, and what they cost. */
export const airOfferServiceList: GatewayOperation<PassengerOfferQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const { trip, expiresAt } = await findTrip(context, contract.name, query);
    const services = await context.supply.services(trip);
    const content = serviceListContent(services, trip.currency, gatewayTime(expiresAt));
    const { ServiceDefinitionList, ...offered } = content;
    return {
      [contract.responseRoot]: {
        ...offerAnswerHead(party, query.shoppingResponseId),
        ServiceListResponseId: digitsOf(`services ${query.offerIds.join(" ")}`, 19),
        ...offered,
        DataLists: {
          PassengerList: {
            Passengers: trip.passengers.map(({ passengerId, ptc }) => ({ PassengerID: passengerId, PTC: ptc })),
          },
          ...flightListsOf(trip),
          ServiceDefinitionList,
        },
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};
