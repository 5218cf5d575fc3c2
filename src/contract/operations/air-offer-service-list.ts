import type { DomainShape } from "../domain-shape.ts";
import { serviceListDataLists } from "../elements/extras-data-lists.ts";
import { exampleOfferQuery } from "../examples/offer-query.ts";
import { defineOperation } from "./define-operation.ts";
import { passengerOfferRequests } from "./offer-request.ts";
import { serviceListBody, serviceListExample, serviceListResponses } from "./service-list-response.ts";

const responseBody = serviceListBody(serviceListDataLists);

export type ServiceList = DomainShape<typeof responseBody>;

/** @see interface document, "Endpoints", /AirOfferServiceList */
export const airOfferServiceList = defineOperation({
  name: "AirOfferServiceList",
  summary: "Lists the services, such as baggage and meals, that can be bought with an offer.",
  readOnly: true,
  optionalService: true,
  ...passengerOfferRequests("AirServiceListRQ", "AirPostBookingAncillary"),
  ...serviceListResponses(responseBody),
  example: { query: exampleOfferQuery, response: serviceListExample },
});
