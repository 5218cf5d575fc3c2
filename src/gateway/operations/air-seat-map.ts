import { airSeatMap as contract } from "../../contract/operations/air-seat-map.ts";
import type { PassengerOfferQuery } from "../../contract/operations/offer-request.ts";
import { digitsOf } from "../booking/booked-keys.ts";
import { offerResponseHead } from "../extras/extras-response.ts";
import { gatewayTime } from "../extras/gateway-time.ts";
import { segmentElement, tripListsOf } from "../extras/journey-trip.ts";
import { seatMapContent } from "../extras/seat-map-content.ts";
import type { GatewayOperation } from "../operation.ts";
import { findTrip } from "./find-trip.ts";
import { responseMetaDataOf } from "./offer-response.ts";

export const airSeatMap: GatewayOperation<PassengerOfferQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const { trip, expiresAt } = await findTrip(context, contract.name, query);
    const cabins = await context.supply.seatMaps(trip);
    return {
      [contract.responseRoot]: {
        ...offerResponseHead(party, query.shoppingResponseId),
        SeatResponseId: digitsOf(`seats ${query.offerIds.join(" ")}`, 19),
        ...seatMapContent(cabins, trip.passengers, trip.currency, gatewayTime(expiresAt)),
        DataLists: tripListsOf(trip, segmentElement),
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};
