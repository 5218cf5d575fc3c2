import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { postBookingSeatMapDataLists } from "../elements/extras-data-lists.ts";
import { postBookingSeatMap } from "../elements/seat-map.ts";
import { seatOffer } from "../elements/service-offers.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { exampleEnvelope, exampleResponseEnvelope } from "../examples/envelope.ts";
import { bookedFlightsExample } from "../examples/offered-flights.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { postBookingSeatMapExample, seatOfferExample } from "../examples/seat-map.ts";
import type { Operation, OrderQuery } from "./operation.ts";
import { createAnswerReader } from "./operation-answer.ts";
import { orderRequest, orderRequestSchema, readOrderRequest } from "./order-request.ts";
import { rooted } from "./rooted.ts";
import { refuseOffer } from "./shared-root.ts";

const requestRoot = "AirSeatMapRQ";
const responseRoot = "AirSeatMapRS";

const requestSchema = orderRequestSchema(requestRoot);

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  SeatResponseId: field(z.string(), "identifies this seat map", { section: "Identifiers" }),
  ALaCarteOffer: field(seatOffer, "the prices of the seats"),
  SeatMap: field(z.array(postBookingSeatMap), "one cabin for each segment"),
  DataLists: field(postBookingSeatMapDataLists, "what the others refer to"),
  MetaData: responseMetaData.optional(),
});

const responseSchema = rooted(responseRoot, responseBody);

/** The seats that can be taken on the flights of a booking, after normalisation. */
export type PostBookingSeatMaps = DomainShape<typeof responseBody>;

/**
 * Shows the cabins of a booking's flights: which seats can be taken, by whom, and what they cost.
 *
 * @see interface document, "Endpoints", /AirPostBookingSeatMap
 */
export const airPostBookingSeatMap: Operation<
  OrderQuery,
  PostBookingSeatMaps,
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirPostBookingSeatMap",
  path: "/AirPostBookingSeatMap",
  summary: "Shows the seats that can be taken on the flights of a booking.",
  requestRoot,
  responseRoot,
  readOnly: true,
  resendable: true,
  optionalService: false,
  host: "base",
  requestSchema,
  responseSchema,
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  readRequest: (json) => refuseOffer(requestRoot, json, "AirSeatMap") ?? readOrderRequest(requestRoot, json),
  interpret: createAnswerReader({
    responseRoot,
    body: responseBody,
    lacks: (answer) => (answer.seatMap.length > 0 ? null : { path: "/SeatMap", because: "It holds no SeatMap." }),
  }),
  examples: {
    query: exampleOrderQuery,
    request: orderRequest(requestRoot, exampleOrderQuery, exampleEnvelope),
    response: {
      [responseRoot]: {
        ...exampleResponseEnvelope,
        SeatResponseId: "1724067361311310320",
        ALaCarteOffer: seatOfferExample,
        SeatMap: [postBookingSeatMapExample],
        DataLists: bookedFlightsExample,
        MetaData: {},
      },
    },
  },
};
