import { z } from "zod";
import { element, field } from "../element.ts";
import { airportCode, localDate, localTime, reference, references, yesNo } from "./codes.ts";

const section = "DataLists";

const terminal = element(
  "Terminal",
  section,
  z.strictObject({ Name: field(z.string(), "digit or letter; empty when there is none") }),
  { bare: "Name" },
);

const segmentPoint = element(
  "SegmentPoint",
  section,
  z.strictObject({
    AirportCode: field(airportCode, "IATA code of the airport"),
    Date: field(localDate, "local date, yyyy-mm-dd"),
    Time: field(localTime, "local time, hh:mm:ss"),
    AirportName: field(z.string(), "name of the airport"),
    Terminal: field(terminal, "terminal of the airport"),
  }),
);

export const marketingCarrier = element(
  "MarketingCarrier",
  section,
  z.strictObject({
    AirlineID: field(z.string(), "IATA code of the airline"),
    Name: field(z.string(), "name of the airline"),
    FlightNumber: field(z.string(), "without padding"),
  }),
);

/** A null value means the marketing carrier. */
export const operatingCarrier = element(
  "OperatingCarrier",
  section,
  z.strictObject({
    AirlineID: field(z.string().nullable(), "IATA code of the airline"),
    Name: field(z.string().nullable(), "name of the airline"),
    FlightNumber: field(z.string().nullable(), "without padding"),
  }),
);

const flightDetail = z.strictObject({
  FlightDuration: field(
    z.strictObject({ Value: field(z.string(), "text such as 3 H 50 M") }).meta({ bare: "Value" }),
    "how long the flight takes",
  ),
  Stops: field(
    z.strictObject({ Value: field(z.int().min(0), "number of stops") }).meta({ bare: "Value" }),
    "stops on the way",
  ),
  InterMediate: field(z.array(z.unknown()), "the places of the stops"),
  AirMilesFlown: field(z.union([z.int().min(0), z.string().regex(/^\d+$/)]), "number, or digits", { reads: "decimal" }),
  AirlinePnr: field(z.string(), "the airline's own booking reference; not in the interface document").optional(),
});

const segmentValues = z.strictObject({
  Departure: field(segmentPoint, "where and when the flight leaves"),
  Arrival: field(segmentPoint, "where and when it arrives"),
  MarketingCarrier: field(marketingCarrier, "the airline that sells it"),
  OperatingCarrier: field(operatingCarrier, "the airline that flies it; values are null when it is the same"),
  Equipment: field(
    z.strictObject({
      AircraftCode: field(z.string(), "code of the aircraft"),
      Name: field(z.string(), "name of the aircraft"),
    }),
    "the aircraft",
  ),
  Code: field(
    z.strictObject({
      MarriageGroup: field(z.string(), "empty, O or I occur"),
      ResBookDesigCode: field(z.string(), "booking class, as segments of seat maps spell it").optional(),
      Cabin: field(z.string(), "cabin code, as segments of seat maps spell it").optional(),
    }),
    "how the segment is sold, by itself and with others",
  ),
  FlightDetail: field(flightDetail, "duration, stops and distance"),
  BrandId: field(z.string(), "brand of the fare; may be empty"),
});

export const flightSegment = element(
  "FlightSegment",
  section,
  z.strictObject({ SegmentKey: field(reference, "key that references name"), ...segmentValues.shape }),
);

const changesSection = "Schedule-change objects";

/** The new values of a segment, possibly only some. */
export const segmentDetails = element(
  "SegmentDetails",
  changesSection,
  segmentValues
    .extend({
      Departure: field(segmentPoint.partial(), "new values of the departure, possibly some of them"),
      Arrival: field(segmentPoint.partial(), "new values of the arrival, possibly some of them"),
      MarketingCarrier: field(marketingCarrier.partial(), "new values of the airline that sells it"),
      OperatingCarrier: field(operatingCarrier.partial(), "new values of the airline that flies it"),
      FlightDetail: field(flightDetail.partial(), "new duration, stops and distance, possibly some of them"),
    })
    .partial(),
);

export const scheduleChangeSegment = element(
  "ScheduleChangeSegment",
  changesSection,
  z.strictObject({
    SegmentKey: field(reference, "key of the segment that changes"),
    SegmentDetails: field(
      z.array(segmentDetails).min(1),
      "its new values; several elements replace it by several flights in order",
    ),
  }),
);

const flag = (what: string) => field(yesNo, `whether ${what}: performed on the booking only when Y`);

/** A missing flag is unknown, never N. */
export const amendmentsActions = element(
  "AmendmentsActions",
  changesSection,
  z
    .strictObject({
      Accept: flag("the change can be accepted"),
      Cancel: flag("the booking can be cancelled because of it"),
      ReSchedule: flag("other flights can be chosen"),
    })
    .partial(),
);

/** A changed flight, or the flags. One element spells its second field otherwise. */
export const scheduleChangeElement = element(
  "ScheduleChange",
  changesSection,
  z.union([
    z.strictObject({
      FlightKey: field(reference, "key of the flight that changes"),
      SegmentRefs: field(references, "its segments"),
    }),
    z.strictObject({
      FlightKey: field(reference, "key of the flight that changes"),
      SegmentReferences: field(references, "its segments, under the other spelling"),
    }),
    z.strictObject({ AmendmentsActions: field(amendmentsActions, "what may be done about the change") }),
  ]),
);
