import { z } from "zod";
import { namesFlight } from "./choose-segment.ts";
import { airlineCode, airportCode, flightNumber, flightRequestSchema, oneToken, shortText } from "./order-request.ts";

/** What `POST /control/orders/:orderId/changes` understands as one change. */
export type ChangeRequest = z.input<typeof changeRequestSchema>;
export type ParsedChangeRequest = z.output<typeof changeRequestSchema>;
/** A part of a change: what an airline does to one flight. */
export type ParsedFlightChange = z.output<typeof flightChangeSchema>;
/** The parts that leave one flight in the place of one. */
export type ParsedRevision = Exclude<ParsedFlightChange, { kind: "replace" | "cancel" | "restore" }>;

const flag = z.enum(["Y", "N"]).nullable();

/** What is not given stays as usual for the kind of change; null leaves the flag out of the order view. */
const flagsSchema = z
  .strictObject({
    accept: flag.optional(),
    cancel: flag.optional(),
    reSchedule: flag.optional(),
  })
  .meta({ id: "AmendmentFlags" });

/** Which booked flight is meant: by its key, or by its position from 0. */
const flightChoice = {
  segmentKey: z.string().min(1).max(40).optional(),
  flightIndex: z.number().int().min(0).max(99).optional(),
};

const allowances = {
  flags: flagsSchema.default({}),
  /** Flags of single booking references, where they differ from `flags`. */
  flagsByReference: z.record(z.string(), flagsSchema).default({}),
};

/**
 * How much of the new segment the order view shows: the values that differ, or the whole. Real gateways often show only a
 * part; what is accepted is always the whole.
 */
const shown = z.enum(["full", "changed"]);
const partial = { partial: shown.default("changed") };

const shiftMinutes = z.number().int().min(-20_160).max(20_160);

const retimeSchema = z.strictObject({
  kind: z.literal("retime"),
  ...flightChoice,
  /** Real minutes; negative: earlier. */
  departureMinutes: shiftMinutes,
  /** As the departure unless given. */
  arrivalMinutes: shiftMinutes.optional(),
  partial: z.enum([...shown.options, "departure-only", "departure-and-duration", "arrival-only"]).default("full"),
});

/** Another length in the air: the arrival follows. */
const durationSchema = z.strictObject({
  kind: z.literal("duration"),
  ...flightChoice,
  durationMinutes: z.number().int().min(1).max(2_880),
  ...partial,
});

const renumberSchema = z.strictObject({
  kind: z.literal("renumber"),
  ...flightChoice,
  flightNumber,
  ...partial,
});

const carrierSchema = z
  .strictObject({
    kind: z.literal("carrier"),
    ...flightChoice,
    /** Who sells it. */
    carrier: airlineCode.optional(),
    /** Who flies it; null when nobody says so any more. */
    operatingCarrier: airlineCode.nullish(),
    flightNumber: flightNumber.optional(),
    ...partial,
  })
  .refine(
    ({ carrier, operatingCarrier }) => carrier !== undefined || operatingCarrier !== undefined,
    "must name a carrier or an operatingCarrier",
  );

/** Another airport at one end or both, at the same local times. */
const airportSchema = z
  .strictObject({
    kind: z.literal("airport"),
    ...flightChoice,
    from: airportCode.optional(),
    to: airportCode.optional(),
    fromTerminal: shortText.default(""),
    toTerminal: shortText.default(""),
    ...partial,
  })
  .refine(({ from, to }) => from !== undefined || to !== undefined, "must name the airport: from, to or both")
  .refine(({ from, to }) => from === undefined || from !== to, "must not leave from where it arrives");

const terminalSchema = z
  .strictObject({
    kind: z.literal("terminal"),
    ...flightChoice,
    fromTerminal: shortText.optional(),
    toTerminal: shortText.optional(),
    ...partial,
  })
  .refine(
    ({ fromTerminal, toTerminal }) => fromTerminal !== undefined || toTerminal !== undefined,
    "must name the fromTerminal, the toTerminal or both",
  );

const aircraftSchema = z.strictObject({
  kind: z.literal("aircraft"),
  ...flightChoice,
  aircraft: shortText.min(1),
  ...partial,
});

const stopsSchema = z
  .strictObject({
    kind: z.literal("stops"),
    ...flightChoice,
    stops: z.number().int().min(0).max(9).optional(),
    miles: z.number().int().min(0).max(20_000).optional(),
    ...partial,
  })
  .refine(({ stops, miles }) => stops !== undefined || miles !== undefined, "must name stops, miles or both");

/** Another booking class or cabin. Both stand in the fare components, which show them as soon as the change is made. */
const fareSchema = z
  .strictObject({
    kind: z.literal("fare"),
    ...flightChoice,
    rbd: oneToken.optional(),
    cabin: oneToken.optional(),
  })
  .refine(({ rbd, cabin }) => rbd !== undefined || cabin !== undefined, "must name the rbd, the cabin or both");

/** The next lower cabin, and its full-fare booking class. */
const downgradeSchema = z.strictObject({ kind: z.literal("downgrade"), ...flightChoice });

const replaceSchema = z
  .strictObject({
    kind: z.literal("replace"),
    ...flightChoice,
    /** Positions of several booked flights that the new ones replace together, in place of one flight. */
    flightIndexes: z.array(z.number().int().min(0).max(99)).min(1).max(6).optional(),
    /** The flights that stand in their place, in order. */
    with: z
      .array(flightRequestSchema.omit({ gdsBookingReference: true }))
      .min(1)
      .max(6)
      .refine((flights) => flights.every(({ from, to }) => from !== to), "must not leave from where they arrive"),
  })
  .refine(
    ({ flightIndexes, segmentKey, flightIndex }) =>
      flightIndexes === undefined || (segmentKey === undefined && flightIndex === undefined),
    "must name one flight, or several in flightIndexes",
  );

/** Withdraws one flight, or every flight when none is named. */
const cancelSchema = z.strictObject({ kind: z.literal("cancel"), ...flightChoice });

/** Back to what was booked first: one flight, or every flight that is or will be another when none is named. */
const restoreSchema = z.strictObject({ kind: z.literal("restore"), ...flightChoice });

const flightChangeSchemas = [
  retimeSchema,
  durationSchema,
  renumberSchema,
  carrierSchema,
  airportSchema,
  terminalSchema,
  aircraftSchema,
  stopsSchema,
  fareSchema,
  downgradeSchema,
  replaceSchema,
  cancelSchema,
  restoreSchema,
] as const;

const flightChangeSchema = z.discriminatedUnion("kind", flightChangeSchemas);

/** Several parts in one change and one notification, such as a later departure with another aircraft. */
const combinedSchema = z.strictObject({
  kind: z.literal("combined"),
  parts: z.array(flightChangeSchema).min(1).max(16),
  ...allowances,
});

export const changeRequestSchema = z
  .discriminatedUnion("kind", [
    retimeSchema.extend(allowances),
    durationSchema.extend(allowances),
    renumberSchema.extend(allowances),
    carrierSchema.safeExtend(allowances),
    airportSchema.safeExtend(allowances),
    terminalSchema.safeExtend(allowances),
    aircraftSchema.extend(allowances),
    stopsSchema.safeExtend(allowances),
    fareSchema.safeExtend(allowances),
    downgradeSchema.extend(allowances),
    replaceSchema.safeExtend(allowances),
    cancelSchema.extend(allowances),
    restoreSchema.extend(allowances),
    combinedSchema,
  ])
  .meta({ id: "ChangeRequest", description: "What the airline does." });

/** Several changes one after the other, each with a notification of its own. */
export const changeSequenceSchema = z.strictObject({ changes: z.array(changeRequestSchema).min(1).max(20) });

/** A change of a whole flight: which flight is said by the route, so nothing in it names one. */
export const changeOfFlightSchema = changeRequestSchema.refine(
  (request) => partsOf(request).every((part) => !namesFlight(part) && !("flightIndexes" in part && part.flightIndexes)),
  "must not name a flight: the path does",
);

/** The parts of a change: itself, or those that it combines. */
export function partsOf(request: ParsedChangeRequest): readonly ParsedFlightChange[] {
  return request.kind === "combined" ? request.parts : [request];
}
