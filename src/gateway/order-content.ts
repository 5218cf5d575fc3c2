import { z } from "zod";
import { localDateOf, localTimeOf } from "../contract/local-date-time.ts";

/**
 * An order view without what the gateway adds to each response: envelope, statuses, flags and the pending change.
 * Members that the gateway does not use are untyped and stay as they are, so a loaded order view comes out as it went
 * in.
 * @see interface document, "Order / offer object", "DataLists"
 */
export type OrderContent = z.infer<typeof orderContentSchema>;
export type FlightSegmentElement = z.infer<typeof flightSegmentSchema>;
export type FlightElement = z.infer<typeof flightSchema>;
export type OriginDestinationElement = z.infer<typeof originDestinationSchema>;
export type OrderElement = z.infer<typeof orderElementSchema>;
export type OfferItemElement = z.infer<typeof offerItemSchema>;
export type FareComponentElement = z.infer<typeof fareComponentSchema>;
/** Complete or partial. */
export type SegmentDetailsElement = z.infer<typeof segmentDetailsSchema>;

const text = z.string();
const listOf = <T extends z.ZodType>(element: T) => z.array(element).default([]);

/** The date of a flight. Empty says nothing. */
const date = text.refine((given) => given === "" || localDateOf(given) !== null, "must be a date, such as 2027-03-14");
const time = text.refine((given) => given === "" || localTimeOf(given) !== null, "must be a time, such as 07:10:00");

const pointSchema = z.looseObject({
  AirportCode: text.nullish(),
  Date: date.nullish(),
  Time: time.nullish(),
});

export const segmentDetailsSchema = z.looseObject({
  Departure: pointSchema.nullish(),
  Arrival: pointSchema.nullish(),
  FlightDetail: z.looseObject({ FlightDuration: z.looseObject({ Value: z.unknown() }).nullish() }).nullish(),
});

const flightSegmentSchema = segmentDetailsSchema.extend({ SegmentKey: text.min(1) });

const flightSchema = z.looseObject({
  FlightKey: text.min(1),
  Journey: z.looseObject({ Stops: z.unknown() }).nullish(),
  SegmentReferences: text,
});

const originDestinationSchema = z.looseObject({
  DepartureCode: text.nullish(),
  ArrivalCode: text.nullish(),
  FlightReferences: text,
});

const fareComponentSchema = z.looseObject({
  SegmentRefs: text,
  FareBasis: z.looseObject({ FareBasisCode: z.looseObject({ Code: z.unknown() }).nullish() }).nullish(),
});

const offerItemSchema = z.looseObject({
  FareDetail: z
    .looseObject({
      PassengerRefs: text.nullish(),
      Price: z.looseObject({ TotalAmount: z.looseObject({ BookingCurrencyPrice: z.unknown() }).nullish() }).nullish(),
    })
    .nullish(),
  FareComponent: z.array(fareComponentSchema).optional(),
});

const orderElementSchema = z.looseObject({
  OrderID: text.min(1),
  GdsBookingReference: text.min(1),
  BookingCurrencyCode: text.nullish(),
  TotalPrice: z.looseObject({ BookingCurrencyPrice: z.unknown() }).nullish(),
  OfferItem: listOf(offerItemSchema),
  BaggageAllowance: z.array(z.looseObject({ SegmentRefs: text.nullish() })).optional(),
});

const ticketDocInfoSchema = z.looseObject({
  TicketDocument: z.looseObject({ TicketDocNbr: text, Type: text.nullish() }),
  PassengerReference: text.nullish(),
  GdsBookingReference: text.nullish(),
});

export const orderContentSchema = z.looseObject({
  ShoppingResponseId: text.default(""),
  Order: z.array(orderElementSchema).min(1),
  DataLists: z.looseObject({
    FlightSegmentList: z.looseObject({ FlightSegment: listOf(flightSegmentSchema) }),
    FlightList: z.looseObject({ Flight: listOf(flightSchema) }).default({ Flight: [] }),
    OriginDestinationList: z
      .looseObject({ OriginDestination: listOf(originDestinationSchema) })
      .default({ OriginDestination: [] }),
  }),
  TicketDocInfos: z.looseObject({ TicketDocInfo: listOf(ticketDocInfoSchema) }).optional(),
});

export function keysIn(references: string | null | undefined): readonly string[] {
  return (references ?? "").split(" ").filter((key) => key !== "");
}

/** Those that its fare components name; all if it has none. */
export function segmentKeysOf(content: OrderContent, gdsBookingReference: string): readonly string[] {
  const element = content.Order.find((order) => order.GdsBookingReference === gdsBookingReference);
  const components = (element?.OfferItem ?? []).flatMap((item) => item.FareComponent ?? []);
  if (components.length > 0) return [...new Set(components.flatMap((component) => keysIn(component.SegmentRefs)))];
  return content.DataLists.FlightSegmentList.FlightSegment.map((segment) => segment.SegmentKey);
}

export function isTicketed(content: OrderContent, gdsBookingReference: string): boolean {
  return ticketsOf(content, gdsBookingReference).length > 0;
}

/** A document without a reference belongs to all of them. */
export function ticketsOf(content: OrderContent, gdsBookingReference: string) {
  return (content.TicketDocInfos?.TicketDocInfo ?? []).filter(
    (ticket) => (ticket.GdsBookingReference ?? gdsBookingReference) === gdsBookingReference,
  );
}
