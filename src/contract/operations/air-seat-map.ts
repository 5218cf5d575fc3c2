import type { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { seatMapDataLists } from "../elements/extras-data-lists.ts";
import { seatMap } from "../elements/seat-map.ts";
import { defineOperation } from "./define-operation.ts";
import { passengerOfferRequests } from "./offer-request.ts";
import type { OperationResponses } from "./operation-response.ts";
import { seatMapBody, seatMapResponses } from "./seat-map-response.ts";

const responseBody = seatMapBody(seatMap, seatMapDataLists);

export interface SeatMaps extends DomainShape<typeof responseBody> {}

interface SeatMapsBody extends z.infer<typeof responseBody> {}

const responses: OperationResponses<SeatMaps, Record<"AirSeatMapRS", SeatMapsBody>> = seatMapResponses(responseBody);

/** @see interface document, "Endpoints", /AirSeatMap */
export const airSeatMap = defineOperation({
  name: "AirSeatMap",
  summary: "Shows the seats that can be taken with an offer.",
  readOnly: true,
  optionalService: true,
  ...passengerOfferRequests("AirSeatMapRQ", "AirPostBookingSeatMap"),
  ...responses,
});
