import type { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { serviceListDataLists } from "../elements/extras-data-lists.ts";
import { defineOperation } from "./define-operation.ts";
import { passengerOfferRequests } from "./offer-request.ts";
import type { OperationResponses } from "./operation-response.ts";
import { serviceListBody, serviceListResponses } from "./service-list-response.ts";

const responseBody = serviceListBody(serviceListDataLists);

export interface ServiceList extends DomainShape<typeof responseBody> {}

interface ServiceListBody extends z.infer<typeof responseBody> {}

const responses: OperationResponses<ServiceList, Record<"AirServiceListRS", ServiceListBody>> = serviceListResponses(
  responseBody,
);

/** @see interface document, "Endpoints", /AirOfferServiceList */
export const airOfferServiceList = defineOperation({
  name: "AirOfferServiceList",
  summary: "Lists the services, such as baggage and meals, that can be bought with an offer.",
  readOnly: true,
  optionalService: true,
  ...passengerOfferRequests("AirServiceListRQ", "AirPostBookingAncillary"),
  ...responses,
});
