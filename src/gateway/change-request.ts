import { z } from "zod";
import { flightRequestSchema } from "./order-request.ts";

/** What `POST /control/orders/:orderId/changes` understands. */
export type ChangeRequest = z.input<typeof changeRequestSchema>;
export type ParsedChangeRequest = z.output<typeof changeRequestSchema>;

const flag = z.enum(["Y", "N"]).nullable();

/** What is not given stays as usual for the kind of change; null leaves the flag out of the order view. */
const flagsSchema = z.strictObject({
  accept: flag.optional(),
  cancel: flag.optional(),
  reSchedule: flag.optional(),
});

/** Which booked flight is meant: by its key, or by its position from 0. */
const flightChoice = {
  segmentKey: z.string().min(1).max(40).optional(),
  flightIndex: z.number().int().min(0).max(99).optional(),
};

const answers = {
  flags: flagsSchema.default({}),
  /** Flags of single booking references, where they differ from `flags`. */
  flagsByReference: z.record(z.string(), flagsSchema).default({}),
};

const shiftMinutes = z.number().int().min(-20_160).max(20_160);

const retimeSchema = z.strictObject({
  kind: z.literal("retime"),
  ...flightChoice,
  /** Negative: earlier. */
  departureMinutes: shiftMinutes,
  /** As the departure unless given. */
  arrivalMinutes: shiftMinutes.optional(),
  /**
   * How much of the new segment the order view shows. Real gateways often show only a part; what is accepted is always
   * the whole.
   */
  partial: z.enum(["departure-only", "departure-and-duration", "full"]).default("full"),
  ...answers,
});

const renumberSchema = z.strictObject({
  kind: z.literal("renumber"),
  ...flightChoice,
  flightNumber: z.string().regex(/^\d{1,4}[A-Z]?$/, "must be up to four digits, without the carrier"),
  ...answers,
});

const replaceSchema = z.strictObject({
  kind: z.literal("replace"),
  ...flightChoice,
  /** The flights that stand in its place, in order. */
  with: z
    .array(flightRequestSchema.omit({ gdsBookingReference: true }))
    .min(1)
    .max(6),
  ...answers,
});

/** Withdraws one flight, or every flight when none is named. */
const cancelSchema = z.strictObject({ kind: z.literal("cancel"), ...flightChoice, ...answers });

export const changeRequestSchema = z.discriminatedUnion("kind", [
  retimeSchema,
  renumberSchema,
  replaceSchema,
  cancelSchema,
]);
