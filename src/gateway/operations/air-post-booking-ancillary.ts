import { airPostBookingAncillary as contract } from "../../contract/operations/air-post-booking-ancillary.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import { digitsOf } from "../booking/booked-keys.ts";
import { orderResponseHead } from "../extras/extras-response.ts";
import { gatewayTime } from "../extras/gateway-time.ts";
import { segmentElement, tripListsOf } from "../extras/journey-trip.ts";
import { serviceListContent } from "../extras/service-list-content.ts";
import type { GatewayOperation } from "../operation.ts";
import { findBookedTrip } from "./find-booked-trip.ts";
import { responseMetaDataOf } from "./offer-response.ts";

/** For the flights that have not departed. */
export const airPostBookingAncillary: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const { order, trip, expiresAt } = await findBookedTrip(context, contract.name, query);
    const services = await context.supply.services(trip);
    const { ServiceDefinitionList, ...offered } = serviceListContent(services, trip.currency, gatewayTime(expiresAt));
    return {
      [contract.responseRoot]: {
        ...orderResponseHead(party, order),
        ServiceListResponseId: digitsOf(`services ${order.orderId} ${query.gdsBookingReferences.join(" ")}`, 19),
        ...offered,
        DataLists: { ...tripListsOf(trip, segmentElement), ServiceDefinitionList },
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};
