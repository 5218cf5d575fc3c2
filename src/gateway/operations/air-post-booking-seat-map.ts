import { airPostBookingSeatMap as contract } from "../../contract/operations/air-post-booking-seat-map.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import { digitsOf } from "../booking/booked-keys.ts";
import { withoutBookedSeats } from "../extras/booked-seats.ts";
import { bookedSegmentElement } from "../extras/booked-segment-element.ts";
import { orderResponseHead } from "../extras/extras-response.ts";
import { gatewayTime } from "../extras/gateway-time.ts";
import { tripListsOf } from "../extras/journey-trip.ts";
import { bookedSeatMapContent } from "../extras/seat-map-content.ts";
import type { GatewayOperation } from "../operation.ts";
import { findBookedTrip } from "./find-booked-trip.ts";
import { responseMetaDataOf } from "./offer-response.ts";

/** For the flights that have not departed. Seats of the booking are taken. */
export const airPostBookingSeatMap: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const { order, trip, expiresAt } = await findBookedTrip(context, contract.name, query);
    const cabins = withoutBookedSeats(await context.supply.seatMaps(trip), trip, order.content);
    return {
      [contract.responseRoot]: {
        ...orderResponseHead(party, order),
        SeatResponseId: digitsOf(`seats ${order.orderId} ${query.gdsBookingReferences.join(" ")}`, 19),
        ...bookedSeatMapContent(cabins, trip.passengers, trip.currency, gatewayTime(expiresAt)),
        DataLists: tripListsOf(trip, bookedSegmentElement),
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};
