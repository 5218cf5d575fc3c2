import { z } from "zod";
import { hasInvisible } from "../kernel/visible-text.ts";
import { pathBytesMax } from "./member-path.ts";
import { statementClasses } from "./statement-class.ts";

/** An order in the agency's own books: what was sold. */
export type OrderToImport = z.output<typeof importedOrderSchema>;
export type ImportedSegment = z.output<typeof importedSegmentSchema>;

const line = z.string().regex(/^\P{Cc}*$/u, "must not hold control characters");

/** As `findOrders` accepts it. */
const identifier = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(128, "must have at most 128 characters")
  .refine((text) => !hasInvisible(text), "must not hold characters that nobody sees, such as U+200B");

const carrier = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{2}$/, "must be an IATA airline code such as LH");

const date = z.iso.date("must be a date as yyyy-mm-dd");
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, "must be a time as hh:mm");

const pointSchema = z.strictObject({
  airport: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/, "must be an IATA airport code such as FRA"),
  date,
  time: time.transform((text) => text.slice(0, 5)),
  terminal: z.string().trim().min(1).max(8, "must have at most 8 characters").nullish(),
});

const code = z.string().trim().min(1, "must not be empty").max(32, "must have at most 32 characters");

export const importedSegmentSchema = z.strictObject({
  departure: pointSchema,
  arrival: pointSchema,
  marketingCarrier: carrier,
  marketingFlightNumber: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^\d{1,4}[A-Z]?$/, "must be a flight number such as 1167")
    .transform((text) => text.replace(/^0+(?=\d)/, "")),
  operatingCarrier: carrier.nullish(),
  /** Flights with the same number belong to one journey. Without numbers, connections under 24 hours do. */
  journey: z.int("must be a whole number").min(1, "must be 1 or more").max(20, "must be at most 20").nullish(),
  cabinType: code.nullish(),
  rbd: code.nullish(),
  aircraftCode: code.nullish(),
});

/** More that nobody reads is learned from the statuses of an order. */
export const observedStatementsMax = 200;

/** What a source states and nobody reads, in the form that is kept: without positions, and without passenger data. */
export const observedStatementSchema = z.strictObject({
  path: line
    .min(1, "must not be empty")
    .refine((path) => Buffer.byteLength(path) <= pathBytesMax, `must have at most ${pathBytesMax} bytes`),
  /** Null for the path as a whole; a path of which each value counts is stated with both. */
  valueDigest: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be a digest")
    .nullable(),
  class: z.enum(statementClasses),
  /** The recognised word that makes it an order to stop. */
  word: line.max(100, "must have at most 100 characters").nullable(),
  /** Masked; null if it is no scalar. */
  example: line.max(100, "must have at most 100 characters").nullable(),
});

const observedSchema = z.strictObject({
  statements: z.array(observedStatementSchema).max(observedStatementsMax, `must be at most ${observedStatementsMax}`),
  isUnchanged: z.boolean(),
});

export const importedOrderSchema = z.strictObject({
  orderId: identifier,
  gdsBookingReferences: z.array(identifier).max(20, "must hold at most 20 references"),
  segments: z.array(importedSegmentSchema).min(1, "must be at least one").max(40, "must be at most 40"),
  observed: observedSchema.nullish().meta({
    description: "What an order view stated beside it and Skedchange does not know: `orders import` adds it.",
  }),
});
