import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { seatMapDataLists } from "../elements/extras-data-lists.ts";
import { seatMap } from "../elements/seat-map.ts";
import { seatOffer } from "../elements/service-offers.ts";
import { type Envelope, responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { exampleEnvelope, exampleResponseEnvelope } from "../examples/envelope.ts";
import { exampleOfferQuery } from "../examples/offer-query.ts";
import { offeredFlightsExample } from "../examples/offered-flights.ts";
import { seatMapExample, seatOfferExample } from "../examples/seat-map.ts";
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

const requestRoot = "AirSeatMapRQ";
const responseRoot = "AirSeatMapRS";

const requestSchema = rooted(requestRoot, passengerOfferRequestSchema);

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  SeatResponseId: field(z.string(), "identifies this seat map", { section: "Identifiers" }),
  ALaCarteOffer: field(seatOffer, "the prices of the seats"),
  SeatMap: field(z.array(seatMap), "one cabin for each segment"),
  DataLists: field(seatMapDataLists, "what the others refer to"),
  MetaData: responseMetaData.optional(),
});

const responseSchema = rooted(responseRoot, responseBody);

/** The seats that can be taken with an offer, after normalisation. */
export type SeatMaps = DomainShape<typeof responseBody>;

/**
 * Shows the cabins of an offer's flights: which seats can be taken, by whom, and what they cost.
 *
 * @see interface document, "Endpoints", /AirSeatMap
 */
export const airSeatMap: Operation<
  PassengerOfferQuery,
  SeatMaps,
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirSeatMap",
  path: "/AirSeatMap",
  summary: "Shows the seats that can be taken with an offer.",
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
    refuseOrder(requestRoot, json, "AirPostBookingSeatMap") ?? readPassengerOfferRequest(requestRoot, json),
  interpret: createAnswerReader({
    responseRoot,
    body: responseBody,
    lacks: (answer) => (answer.seatMap.length > 0 ? null : { path: "/SeatMap", because: "It holds no SeatMap." }),
  }),
  examples: {
    query: exampleOfferQuery,
    request: request(exampleOfferQuery, exampleEnvelope),
    response: {
      [responseRoot]: {
        ...exampleResponseEnvelope,
        SeatResponseId: "1724067361311310320",
        ALaCarteOffer: seatOfferExample,
        SeatMap: [seatMapExample],
        DataLists: offeredFlightsExample,
        MetaData: {},
      },
    },
  },
};

function request(query: PassengerOfferQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  return { [requestRoot]: passengerOfferRequest(query, envelope) };
}
