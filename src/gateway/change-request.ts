import { z } from "zod";
import { namesFlight } from "./choose-segment.ts";
import { airlineCode, airportCode, flightNumber, flightRequestSchema, oneToken, shortText } from "./order-request.ts";

export type ChangeRequest = z.input<typeof changeRequestSchema>;
export type ParsedChangeRequest = z.output<typeof changeRequestSchema>;
/** What an airline does to one flight. */
export type ParsedFlightChange = z.output<typeof flightChangeSchema>;
/** Those that keep it one flight. */
export type ParsedRevision = Exclude<ParsedFlightChange, { kind: "replace" | "cancel" | "restore" }>;

const flag = z.enum(["Y", "N"]).nullable();

/** Defaults depend on the kind of change; null omits the flag from the order view. */
const flagsSchema = z
  .strictObject({
    accept: flag.optional(),
    cancel: flag.optional(),
    reSchedule: flag.optional(),
  })
  .meta({ id: "AmendmentFlags" });

/** By key, or by position from 0. */
const flightChoice = {
  segmentKey: z.string().min(1).max(40).optional(),
  flightIndex: z.number().int().min(0).max(99).optional(),
};

const allowances = {
  flags: flagsSchema.default({}),
  /** Where they differ from `flags`. */
  flagsByReference: z.record(z.string(), flagsSchema).default({}),
};

/**
 * Whether the order view shows the whole new segment or only what differs. Real gateways often show a part; what is
 * accepted is always the whole.
 */
const shown = z.enum(["full", "changed"]);
const partial = { partial: shown.default("changed") };

const shiftMinutes = z.number().int().min(-20_160).max(20_160);

const retimeSchema = z.strictObject({
  kind: z.literal("retime"),
  ...flightChoice,
  /** Real minutes; negative for earlier. */
  departureMinutes: shiftMinutes,
  /** Default: as the departure. */
  arrivalMinutes: shiftMinutes.optional(),
  partial: z.enum([...shown.options, "departure-only", "departure-and-duration", "arrival-only"]).default("full"),
});

/** Another flight time, so that the arrival moves. */
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
    /** The marketing carrier. */
    carrier: airlineCode.optional(),
    /** Null if it is no longer stated. */
    operatingCarrier: airlineCode.nullish(),
    flightNumber: flightNumber.optional(),
    ...partial,
  })
  .refine(
    ({ carrier, operatingCarrier }) => carrier !== undefined || operatingCarrier !== undefined,
    "must name a carrier or an operatingCarrier",
  );

/** At one end or both, at the same local times. */
const airportSchema = z
  .strictObject({
    kind: z.literal("airport"),
    ...flightChoice,
    from: airportCode.optional(),
    to: airportCode.optional(),
    ...flightRequestSchema.pick({ fromTerminal: true, toTerminal: true }).shape,
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

/** Booking class or cabin. Fare components show them as soon as the change is made. */
const fareSchema = z
  .strictObject({
    kind: z.literal("fare"),
    ...flightChoice,
    rbd: oneToken.optional(),
    cabin: oneToken.optional(),
  })
  .refine(({ rbd, cabin }) => rbd !== undefined || cabin !== undefined, "must name the rbd, the cabin or both");

/** The next lower cabin, in its full-fare booking class. */
const downgradeSchema = z.strictObject({ kind: z.literal("downgrade"), ...flightChoice });

const replaceSchema = z
  .strictObject({
    kind: z.literal("replace"),
    ...flightChoice,
    /** Booked flights that are replaced together. */
    flightIndexes: z.array(z.number().int().min(0).max(99)).min(1).max(6).optional(),
    /** The new flights, in order. */
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

/** Withdraws one flight; all of them if none is named. */
const cancelSchema = z.strictObject({ kind: z.literal("cancel"), ...flightChoice });

/** Restores the first booked flights; all changed ones if none is named. */
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

/** Each change has a notification of its own. */
export const changeSequenceSchema = z.strictObject({ changes: z.array(changeRequestSchema).min(1).max(20) });

/** The route names the flight, so the change must not. */
export const changeOfFlightSchema = changeRequestSchema.refine(
  (request) => partsOf(request).every((part) => !namesFlight(part) && !("flightIndexes" in part && part.flightIndexes)),
  "must not name a flight: the path does",
);

export function partsOf(request: ParsedChangeRequest): readonly ParsedFlightChange[] {
  return request.kind === "combined" ? request.parts : [request];
}
