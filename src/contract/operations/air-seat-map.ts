import type { DomainShape } from "../domain-shape.ts";
import { seatMapDataLists } from "../elements/extras-data-lists.ts";
import { seatMap } from "../elements/seat-map.ts";
import { exampleOfferQuery } from "../examples/offer-query.ts";
import { offeredFlightsExample } from "../examples/offered-flights.ts";
import { seatMapExample } from "../examples/seat-map.ts";
import { defineOperation } from "./define-operation.ts";
import { passengerOfferRequests } from "./offer-request.ts";
import { seatMapBody, seatMapResponseExample, seatMapResponses } from "./seat-map-response.ts";

const responseBody = seatMapBody(seatMap, seatMapDataLists);

export type SeatMaps = DomainShape<typeof responseBody>;

/** @see interface document, "Endpoints", /AirSeatMap */
export const airSeatMap = defineOperation({
  name: "AirSeatMap",
  summary: "Shows the seats that can be taken with an offer.",
  readOnly: true,
  optionalService: true,
  ...passengerOfferRequests("AirSeatMapRQ", "AirPostBookingSeatMap"),
  ...seatMapResponses(responseBody),
  example: { query: exampleOfferQuery, response: seatMapResponseExample(seatMapExample, offeredFlightsExample) },
});
