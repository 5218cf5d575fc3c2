import type { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { postBookingSeatMapDataLists } from "../elements/extras-data-lists.ts";
import { postBookingSeatMap } from "../elements/seat-map.ts";
import { defineOperation } from "./define-operation.ts";
import type { OperationResponses } from "./operation-response.ts";
import { orderRequests } from "./order-request.ts";
import { seatMapBody, seatMapResponses } from "./seat-map-response.ts";

const responseBody = seatMapBody(postBookingSeatMap, postBookingSeatMapDataLists);

export interface PostBookingSeatMaps extends DomainShape<typeof responseBody> {}

interface PostBookingSeatMapsBody extends z.infer<typeof responseBody> {}

const responses: OperationResponses<
  PostBookingSeatMaps,
  Record<"AirSeatMapRS", PostBookingSeatMapsBody>
> = seatMapResponses(responseBody);

/** @see interface document, "Endpoints", /AirPostBookingSeatMap */
export const airPostBookingSeatMap = defineOperation({
  name: "AirPostBookingSeatMap",
  summary: "Shows the seats that can be taken on the flights of a booking.",
  readOnly: true,
  ...orderRequests("AirSeatMapRQ", "AirSeatMap"),
  ...responses,
});
