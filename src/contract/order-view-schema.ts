import { z } from "zod";
import { documentSchema, partySchema } from "./envelope.ts";

/**
 * The order view as we serve and send it: exact where decisions are made from it, open where it only carries prices,
 * fees and descriptions. Reading is done by `readOrderView`, which accepts far more than this.
 *
 * @see interface document, "Order / offer object", "DataLists", "Schedule-change objects"
 */

/** Empty while nothing is stored, as real gateways answer. @see interface document, "States and transitions" */
export const pnrStatusSchema = z.enum([
  "",
  "CONFIRMED",
  "PENDING",
  "MODIFIED",
  "CANCELLED",
  "SCHEDULE CHANGED",
  "FAILED",
]);

/** Empty by default. @see interface document, "States and transitions" */
export const scheduleChangeStatusSchema = z.enum(["", "Initiated", "Accepted", "Rejected", "Partially-Accepted"]);

const yesNo = z.enum(["Y", "N"]);
const reference = z.string().min(1);
const airportCode = z.string().regex(/^[A-Z]{3}$/);
const localDate = z.iso.date();
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);

const pointSchema = z.strictObject({
  AirportCode: airportCode,
  Date: localDate,
  Time: localTime,
  AirportName: z.string(),
  Terminal: z.strictObject({ Name: z.string() }),
});

const marketingCarrierSchema = z.strictObject({
  AirlineID: z.string(),
  Name: z.string(),
  FlightNumber: z.string(),
});

/** Each value may be null: the marketing carrier operates. */
const operatingCarrierSchema = z.strictObject({
  AirlineID: z.string().nullable(),
  Name: z.string().nullable(),
  FlightNumber: z.string().nullable(),
});

const segmentSchema = z.strictObject({
  Departure: pointSchema,
  Arrival: pointSchema,
  MarketingCarrier: marketingCarrierSchema,
  OperatingCarrier: operatingCarrierSchema,
  Equipment: z.strictObject({ AircraftCode: z.string(), Name: z.string() }),
  Code: z.strictObject({ MarriageGroup: z.string() }),
  FlightDetail: z.strictObject({
    FlightDuration: z.strictObject({ Value: z.string() }),
    Stops: z.strictObject({ Value: z.int().min(0) }),
    InterMediate: z.array(z.unknown()),
    AirMilesFlown: z.union([z.int().min(0), z.string()]),
  }),
  BrandId: z.string(),
});

/** One element of `FlightSegmentList.FlightSegment`. */
export const flightSegmentSchema = segmentSchema.extend({ SegmentKey: reference });

/** One element of `SegmentDetails`: the new values of a segment, possibly partial. */
export const segmentDetailsSchema = segmentSchema
  .extend({
    Departure: pointSchema.partial(),
    Arrival: pointSchema.partial(),
    MarketingCarrier: marketingCarrierSchema.partial(),
    OperatingCarrier: operatingCarrierSchema.partial(),
    FlightDetail: segmentSchema.shape.FlightDetail.partial(),
  })
  .partial();

/** One element of `Order.ScheduleChange`: a changed flight, or the flags. */
export const scheduleChangeSchema = z.union([
  z.strictObject({ FlightKey: reference, SegmentRefs: reference }),
  z.strictObject({ FlightKey: reference, SegmentReferences: reference }),
  z.strictObject({ AmendmentsActions: z.strictObject({ Accept: yesNo, Cancel: yesNo, ReSchedule: yesNo }) }),
]);

/** One element of `Order`. */
export const orderSchema = z.looseObject({
  OrderID: reference,
  GdsBookingReference: reference,
  OrderStatus: z.string().optional(),
  PaymentStatus: z.string().optional(),
  TicketStatus: z.string().optional(),
  PnrStatus: pnrStatusSchema.optional(),
  ScheduleChangeIndicator: z.boolean().optional(),
  ScheduleChangeStatus: scheduleChangeStatusSchema.optional(),
  NeedToTicket: yesNo.optional(),
  Owner: z.string().optional(),
  OfferItem: z.array(z.looseObject({})).optional(),
  ScheduleChange: z.array(scheduleChangeSchema).optional(),
});

/** `DataLists` of an order view. */
export const dataListsSchema = z.looseObject({
  PassengerList: z
    .looseObject({ Passengers: z.array(z.looseObject({ PassengerID: reference, PTC: z.string() })) })
    .optional(),
  FlightSegmentList: z.strictObject({ FlightSegment: z.array(flightSegmentSchema) }),
  FlightList: z.strictObject({
    Flight: z.array(z.looseObject({ FlightKey: reference, SegmentReferences: reference })),
  }),
  OriginDestinationList: z.strictObject({
    OriginDestination: z.array(
      z.strictObject({
        OriginDestinationKey: reference,
        DepartureCode: airportCode,
        ArrivalCode: airportCode,
        FlightReferences: reference,
      }),
    ),
  }),
  ScheduleChangeSegmentList: z
    .strictObject({
      ScheduleChangeSegment: z.array(
        z.strictObject({ SegmentKey: reference, SegmentDetails: z.array(segmentDetailsSchema).min(1) }),
      ),
    })
    .optional(),
});

/** A whole order view under its root: an answer of AirReservationStatus, or a notification. */
export const orderViewResponseSchema = z.strictObject({
  OrderViewRS: z.looseObject({
    Document: documentSchema,
    Party: partySchema,
    ShoppingResponseId: z.string().optional(),
    Success: z.strictObject({}),
    Order: z.array(orderSchema).min(1),
    DataLists: dataListsSchema,
  }),
});
