import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { postBookingServiceListDataLists } from "../elements/extras-data-lists.ts";
import { offeredService, serviceOffer } from "../elements/service-offers.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { exampleEnvelope, exampleResponseEnvelope } from "../examples/envelope.ts";
import { offeredFlightsExample } from "../examples/offered-flights.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { offeredServicesExample, serviceDefinitionsExample, serviceOfferExample } from "../examples/service-list.ts";
import type { Operation, OrderQuery } from "./operation.ts";
import { createAnswerReader } from "./operation-answer.ts";
import { orderRequest, orderRequestSchema, readOrderRequest } from "./order-request.ts";
import { rooted } from "./rooted.ts";
import { refuseOffer } from "./shared-root.ts";

const requestRoot = "AirServiceListRQ";
const responseRoot = "AirServiceListRS";

const requestSchema = orderRequestSchema(requestRoot);

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  ServiceListResponseId: field(z.string(), "identifies this service list", { section: "Identifiers" }),
  ALaCarteOffer: field(serviceOffer, "the prices of the services"),
  ServiceList: field(z.array(offeredService), "the services"),
  DataLists: field(postBookingServiceListDataLists, "what the others refer to"),
  MetaData: responseMetaData.optional(),
});

const responseSchema = rooted(responseRoot, responseBody);

/** The services that can be added to a booking, after normalisation. */
export type PostBookingServiceList = DomainShape<typeof responseBody>;

/**
 * Lists the services that can be added to a booking, such as baggage or meals, and what they cost.
 *
 * @see interface document, "Endpoints", /AirPostBookingAncillary
 */
export const airPostBookingAncillary: Operation<
  OrderQuery,
  PostBookingServiceList,
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirPostBookingAncillary",
  path: "/AirPostBookingAncillary",
  summary: "Lists the services, such as baggage and meals, that can be added to a booking.",
  requestRoot,
  responseRoot,
  readOnly: true,
  resendable: true,
  optionalService: false,
  host: "base",
  requestSchema,
  responseSchema,
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  readRequest: (json) => refuseOffer(requestRoot, json, "AirOfferServiceList") ?? readOrderRequest(requestRoot, json),
  interpret: createAnswerReader({
    responseRoot,
    body: responseBody,
    lacks: (answer) =>
      answer.aLaCarteOffer === undefined && answer.serviceList.length === 0
        ? { path: "/ALaCarteOffer", because: "It holds no ALaCarteOffer." }
        : null,
  }),
  examples: {
    query: exampleOrderQuery,
    request: orderRequest(requestRoot, exampleOrderQuery, exampleEnvelope),
    response: {
      [responseRoot]: {
        ...exampleResponseEnvelope,
        ServiceListResponseId: "1724067361311310319",
        ALaCarteOffer: serviceOfferExample,
        ServiceList: offeredServicesExample,
        DataLists: {
          ...offeredFlightsExample,
          ServiceDefinitionList: { ServiceDefinition: serviceDefinitionsExample },
        },
        MetaData: {},
      },
    },
  },
};
