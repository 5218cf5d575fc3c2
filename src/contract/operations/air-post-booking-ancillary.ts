import type { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { postBookingServiceListDataLists } from "../elements/extras-data-lists.ts";
import { defineOperation } from "./define-operation.ts";
import type { OperationResponses } from "./operation-response.ts";
import { orderRequests } from "./order-request.ts";
import { serviceListBody, serviceListResponses } from "./service-list-response.ts";

const responseBody = serviceListBody(postBookingServiceListDataLists);

export interface PostBookingServiceList extends DomainShape<typeof responseBody> {}

interface PostBookingServiceListBody extends z.infer<typeof responseBody> {}

const responses: OperationResponses<
  PostBookingServiceList,
  Record<"AirServiceListRS", PostBookingServiceListBody>
> = serviceListResponses(responseBody);

/** @see interface document, "Endpoints", /AirPostBookingAncillary */
export const airPostBookingAncillary = defineOperation({
  name: "AirPostBookingAncillary",
  summary: "Lists the services, such as baggage and meals, that can be added to a booking.",
  readOnly: true,
  ...orderRequests("AirServiceListRQ", "AirOfferServiceList"),
  ...responses,
});
