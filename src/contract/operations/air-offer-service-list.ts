import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { serviceListDataLists } from "../elements/extras-data-lists.ts";
import { offeredService, serviceOffer } from "../elements/service-offers.ts";
import { type Envelope, responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { exampleEnvelope, exampleResponseEnvelope } from "../examples/envelope.ts";
import { exampleOfferQuery } from "../examples/offer-query.ts";
import { offeredFlightsExample } from "../examples/offered-flights.ts";
import { offeredServicesExample, serviceDefinitionsExample, serviceOfferExample } from "../examples/service-list.ts";
import {
  type PassengerOfferQuery,
  passengerOfferRequest,
  passengerOfferRequestSchema,
  readPassengerOfferRequest,
} from "./offer-request.ts";
import type { Operation } from "./operation.ts";
import { createAnswerReader } from "./operation-answer.ts";
import { rooted } from "./rooted.ts";
import { refuseOrder } from "./shared-root.ts";

const requestRoot = "AirServiceListRQ";
const responseRoot = "AirServiceListRS";

const requestSchema = rooted(requestRoot, passengerOfferRequestSchema);

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  ServiceListResponseId: field(z.string(), "identifies this service list", { section: "Identifiers" }),
  ALaCarteOffer: field(serviceOffer, "the prices of the services"),
  ServiceList: field(z.array(offeredService), "the services"),
  DataLists: field(serviceListDataLists, "what the others refer to"),
  MetaData: responseMetaData.optional(),
});

const responseSchema = rooted(responseRoot, responseBody);

/** The services that can be bought with an offer, after normalisation. */
export type ServiceList = DomainShape<typeof responseBody>;

/**
 * Lists the services that can be bought with an offer, such as baggage or meals, and what they cost.
 *
 * @see interface document, "Endpoints", /AirOfferServiceList
 */
export const airOfferServiceList: Operation<
  PassengerOfferQuery,
  ServiceList,
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirOfferServiceList",
  path: "/AirOfferServiceList",
  summary: "Lists the services, such as baggage and meals, that can be bought with an offer.",
  requestRoot,
  responseRoot,
  readOnly: true,
  resendable: true,
  optionalService: true,
  host: "base",
  requestSchema,
  responseSchema,
  request,
  readRequest: (json) =>
    refuseOrder(requestRoot, json, "AirPostBookingAncillary") ?? readPassengerOfferRequest(requestRoot, json),
  interpret: createAnswerReader({
    responseRoot,
    body: responseBody,
    lacks: (answer) =>
      answer.aLaCarteOffer === undefined && answer.serviceList.length === 0
        ? { path: "/ALaCarteOffer", because: "It holds no ALaCarteOffer." }
        : null,
  }),
  examples: {
    query: exampleOfferQuery,
    request: request(exampleOfferQuery, exampleEnvelope),
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

function request(query: PassengerOfferQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  return { [requestRoot]: passengerOfferRequest(query, envelope) };
}
