import { z } from "zod";
import { element, field } from "../element.ts";
import { reference } from "./codes.ts";
import {
  flightList,
  flightSegmentList,
  offerPassengerList,
  orderPassengerList,
  originDestinationList,
  serviceDefinitionList,
} from "./data-lists.ts";
import { flightSegment, marketingCarrier, operatingCarrier } from "./segment.ts";

const section = "DataLists";
const postBookingSection = "Service and seat offers";

const { Departure, Arrival, FlightDetail } = flightSegment.shape;
const { InterMediate: _, ...flightDetail } = FlightDetail.shape;
const { AirlineID: marketingAirline, ...marketingFields } = marketingCarrier.shape;
const { AirlineID: operatingAirline, ...operatingFields } = operatingCarrier.shape;

/**
 * The seat map of a booked flight spells `SegmentKey`, `AirlineID`, the name of the aircraft, `InterMediate` and `Code`
 * otherwise than all other responses.
 */
const postBookingSegment = element(
  "PostBookingSegment",
  postBookingSection,
  z.strictObject({
    FlightRef: field(reference, "key of the flight that it belongs to"),
    SegmentRef: field(reference, "key of the segment", { aliases: ["SegmentKey"] }),
    Departure,
    Arrival,
    MarketingCarrier: field(
      z.strictObject({ AirlineId: marketingAirline, ...marketingFields }),
      "the airline that sells it",
    ),
    OperatingCarrier: field(
      z.strictObject({ AirlineId: operatingAirline, ...operatingFields }),
      "the airline that flies it; values are null when it is the same",
    ),
    Equipment: field(
      z.strictObject({
        AircraftCode: field(z.string(), "code of the aircraft"),
        AircraftName: field(z.string(), "name of the aircraft", { aliases: ["Name"] }),
      }),
      "the aircraft",
    ),
    Code: field(
      z.strictObject({
        ResBookDesigCode: field(z.string(), "booking class"),
        Cabin: field(z.string(), "cabin"),
      }),
      "how the segment is booked",
    ),
    FlightDetail: field(
      z.strictObject({
        ...flightDetail,
        IntermediateInfo: field(z.array(z.unknown()), "the places of the stops", { aliases: ["InterMediate"] }),
      }),
      "duration, stops and distance",
    ),
  }),
);

const flightLists = { FlightList: flightList.optional(), OriginDestinationList: originDestinationList.optional() };

export const serviceListDataLists = element(
  "ServiceListDataLists",
  section,
  z.strictObject({
    PassengerList: offerPassengerList,
    FlightSegmentList: flightSegmentList,
    ...flightLists,
    ServiceDefinitionList: serviceDefinitionList,
  }),
);

export const postBookingServiceListDataLists = element(
  "PostBookingServiceListDataLists",
  section,
  serviceListDataLists.extend({ PassengerList: orderPassengerList }),
);

export const seatMapDataLists = element(
  "SeatMapDataLists",
  section,
  z.strictObject({ PassengerList: offerPassengerList, FlightSegmentList: flightSegmentList, ...flightLists }),
);

export const postBookingSeatMapDataLists = element(
  "PostBookingSeatMapDataLists",
  section,
  z.strictObject({
    PassengerList: orderPassengerList,
    FlightSegmentList: field(
      z.strictObject({ FlightSegment: field(z.array(postBookingSegment), "one entry for each segment") }),
      "the segments, with other keys than elsewhere",
      { section: postBookingSection },
    ),
    ...flightLists,
  }),
);
