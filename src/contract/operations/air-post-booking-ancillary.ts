import type { DomainShape } from "../domain-shape.ts";
import { postBookingServiceListDataLists } from "../elements/extras-data-lists.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { defineOperation } from "./define-operation.ts";
import { orderRequests } from "./order-request.ts";
import { serviceListBody, serviceListExample, serviceListResponses } from "./service-list-response.ts";

const responseBody = serviceListBody(postBookingServiceListDataLists);

export type PostBookingServiceList = DomainShape<typeof responseBody>;

/** @see interface document, "Endpoints", /AirPostBookingAncillary */
export const airPostBookingAncillary = defineOperation({
  name: "AirPostBookingAncillary",
  summary: "Lists the services, such as baggage and meals, that can be added to a booking.",
  readOnly: true,
  ...orderRequests("AirServiceListRQ", "AirOfferServiceList"),
  ...serviceListResponses(responseBody),
  example: { query: exampleOrderQuery, response: serviceListExample },
});
