import { z } from "zod";
import { agencyIdSchema } from "../http/agency-id.ts";
import { readLocalTime } from "./local-time.ts";

/** The body of `POST /control/orders` that generates an order. Everything has a default, so `{}` is valid. */
export type OrderRequest = z.input<typeof orderRequestSchema>;
export type ParsedOrderRequest = z.output<typeof orderRequestSchema>;
export type ParsedFlightRequest = z.output<typeof flightRequestSchema>;
export type ParsedPassengerRequest = z.output<typeof passengerRequestSchema>;

export const airlineCode = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z0-9]{2}$/, "must be an airline designator of two characters, such as LH");
export const airportCode = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, "must be an airport code of three letters, such as LIS");
export const oneToken = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{1,2}$/, "must be one or two letters");
export const shortText = z.string().trim().max(80);

/** Without the carrier. */
export const flightNumber = z
  .union([z.string(), z.number().int().transform(String)])
  .pipe(z.string().regex(/^\d{1,4}[A-Z]?$/, "must be up to four digits, without the carrier"));

/** `YYYY-MM-DDTHH:MM`, as printed at the airport. */
const localTime = z.string().transform((text, context) => {
  const local = readLocalTime(text);
  if (local !== null) return local;
  context.addIssue("must be a local date and time without a zone, such as 2027-03-14T07:10");
  return z.NEVER;
});

/** The agency that the order belongs to. Null: its changes go to the recipients of all agencies. */
export const agencyId = agencyIdSchema.nullable().default(null);

export const orderId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, - or _");
export const bookingReference = z.string().regex(/^[A-Za-z0-9]{1,20}$/, "must be 1 to 20 letters or digits");

export const flightRequestSchema = z.strictObject({
  from: airportCode,
  to: airportCode,
  departure: localTime,
  arrival: localTime,
  /** The marketing carrier. Default: the owner of the order. */
  carrier: airlineCode.optional(),
  flightNumber: flightNumber.optional(),
  /** Null if none is stated. Default: the marketing carrier. */
  operatingCarrier: airlineCode.nullish(),
  aircraft: shortText.default("32B"),
  cabin: oneToken.default("Y"),
  rbd: oneToken.default("Q"),
  fromTerminal: shortText.default(""),
  toTerminal: shortText.default(""),
  stops: z.number().int().min(0).max(9).default(0),
  /** Real minutes. Default: from the time zones, if they are known. */
  durationMinutes: z.number().int().min(1).max(2_880).optional(),
  /** The booking reference of this flight, if the order has several. */
  gdsBookingReference: bookingReference.optional(),
});

export const passengerRequestSchema = z.strictObject({
  ptc: z.enum(["ADT", "CHD", "INF"]).default("ADT"),
  nameTitle: z.enum(["Mr", "Mrs", "Miss", "Ms", "Mstr"]).optional(),
  firstName: shortText.optional(),
  lastName: shortText.optional(),
  gender: z.enum(["Male", "Female"]).optional(),
  birthDate: z.iso.date("must be a date, such as 1986-04-12").optional(),
  wheelchairReason: shortText.default(""),
});

/** The members of every order that is made, generated or from an offer. */
export const bookingMembers = {
  orderId: orderId.optional(),
  gdsBookingReferences: z.array(bookingReference).min(1).max(9).optional(),
  agencyId,
  agencyName: shortText.default("Example Travel"),
  agencyEmail: z.email().default("desk@example.com"),
};

export const orderRequestSchema = z
  .strictObject({
    ...bookingMembers,
    /** Default: the carrier of the first flight, else LH. */
    owner: airlineCode.optional(),
    /** Default: LIS-FRA in thirty days. */
    flights: z.array(flightRequestSchema).min(1).max(16).optional(),
    /** Positions in `flights`, from 0, by journey. Default: as `findJourneys`. */
    journeys: z
      .array(z.array(z.number().int().min(0)).min(1))
      .min(1)
      .optional(),
    passengers: z
      .array(passengerRequestSchema)
      .min(1)
      .max(9, "must be at most 9 passengers")
      .default(() => [passengerRequestSchema.parse({})]),
    ticketed: z.boolean().default(true),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "must be a currency code of three letters")
      .default("USD"),
    /** The base fare of one adult for one flight, as decimal text. */
    baseFare: z
      .string()
      .regex(/^\d{1,7}(\.\d{1,3})?$/, "must be a decimal amount, such as 165.00")
      .default("165.00"),
  })
  .superRefine((request, context) => {
    const references = new Set(request.gdsBookingReferences ?? []);
    if (references.size !== (request.gdsBookingReferences ?? []).length) {
      context.addIssue({ code: "custom", path: ["gdsBookingReferences"], message: "names a reference twice" });
    }
    const flights = request.flights ?? [];
    flights.forEach((flight, index) => {
      const path = ["flights", index];
      if (flight.from === flight.to) {
        context.addIssue({
          code: "custom",
          path: [...path, "to"],
          message: "must differ from where the flight leaves",
        });
      }
      if (flight.gdsBookingReference !== undefined && !references.has(flight.gdsBookingReference)) {
        context.addIssue({
          code: "custom",
          path: [...path, "gdsBookingReference"],
          message: "is not among the order's gdsBookingReferences",
        });
      }
    });
    if (flights.some((flight) => flight.gdsBookingReference !== undefined)) {
      const [first] = references;
      const flown = new Set(flights.map((flight) => flight.gdsBookingReference ?? first));
      for (const reference of references) {
        if (!flown.has(reference)) {
          const message = `has no flight for ${reference}`;
          context.addIssue({ code: "custom", path: ["gdsBookingReferences"], message });
        }
      }
    }
    const positions = request.journeys?.flat();
    if (positions !== undefined && !isCountingUp(positions, flights.length)) {
      const message = "must name every position in flights once, in order, counted from 0";
      context.addIssue({ code: "custom", path: ["journeys"], message });
    }
  });

function isCountingUp(positions: readonly number[], length: number): boolean {
  return positions.length === length && positions.every((position, index) => position === index);
}
