import type { DomainShape } from "../domain-shape.ts";
import { postBookingSeatMapDataLists } from "../elements/extras-data-lists.ts";
import { postBookingSeatMap } from "../elements/seat-map.ts";
import { bookedFlightsExample } from "../examples/offered-flights.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { postBookingSeatMapExample } from "../examples/seat-map.ts";
import { defineOperation } from "./define-operation.ts";
import { orderRequests } from "./order-request.ts";
import { seatMapBody, seatMapResponseExample, seatMapResponses } from "./seat-map-response.ts";

const responseBody = seatMapBody(postBookingSeatMap, postBookingSeatMapDataLists);

export type PostBookingSeatMaps = DomainShape<typeof responseBody>;

/** @see interface document, "Endpoints", /AirPostBookingSeatMap */
export const airPostBookingSeatMap = defineOperation({
  name: "AirPostBookingSeatMap",
  summary: "Shows the seats that can be taken on the flights of a booking.",
  readOnly: true,
  ...orderRequests("AirSeatMapRQ", "AirSeatMap"),
  ...seatMapResponses(responseBody),
  example: {
    query: exampleOrderQuery,
    response: seatMapResponseExample(postBookingSeatMapExample, bookedFlightsExample),
  },
});
