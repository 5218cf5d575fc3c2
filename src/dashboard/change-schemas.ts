import { z } from "zod";
import type { FlightAction, ItineraryDifference } from "../itinerary/difference.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Itinerary, ItinerarySegment, LocalPoint } from "../itinerary/itinerary.ts";
import type { JourneyTimes, TimedConnection } from "../itinerary/journey-times.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import { describing, instant } from "../kernel/stored.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";

/** What the domain computes of a change, as the API describes it. The domain declares the types. */

const fact = z
  .union([
    z.strictObject({ known: z.literal(true), value: z.unknown() }),
    z.strictObject({ known: z.literal(false), reason: z.string() }),
  ])
  .meta({ id: "Fact" });

export const facts = describing<ChangeFacts>(z.record(z.string(), fact)).meta({
  id: "Facts",
  description: "What changed, by the name of the fact.",
});

export const flags = describing<Proposal["flags"]>(
  z.strictObject({ accept: fact, cancel: fact, reSchedule: fact }),
).meta({ id: "Flags", description: "AmendmentsActions of the reservation status: Y, N or unknown." });

const localPoint = describing<LocalPoint>(
  z.looseObject({
    airport: z.string().nullable(),
    date: z.string().nullable().meta({ description: "Local, yyyy-mm-dd." }),
    time: z.string().nullable().meta({ description: "Local, hh:mm." }),
    terminal: z.string().nullable(),
  }),
).meta({ id: "LocalPoint" });

const segment = describing<ItinerarySegment>(
  z.looseObject({
    segmentKey: z.string(),
    departure: localPoint,
    arrival: localPoint,
    marketingCarrier: z.string().nullable(),
    marketingFlightNumber: z.string().nullable(),
    operatingCarrier: z.string().nullable(),
    aircraftCode: z.string().nullable(),
    cabinType: z.string().nullable(),
    rbd: z.string().nullable(),
  }),
).meta({ id: "Segment" });

export const itinerary = describing<Itinerary>(
  z.looseObject({
    segments: z.array(segment),
    journeys: z.array(
      z.looseObject({
        origin: z.string().nullable(),
        destination: z.string().nullable(),
        segments: z.array(z.int()).meta({ description: "Positions in `segments`." }),
      }),
    ),
  }),
).meta({ id: "Itinerary", description: "Flights in order, local times as printed." });

export const localTime = z
  .string()
  .nullable()
  .meta({ description: "Local, as printed: yyyy-mm-ddThh:mm; null when it is not known or the flight is gone." });

const flightActionNames = [
  "unchanged",
  "amended",
  "retimed",
  "replaced",
  "replaced-by-several",
  "removed",
  "added",
] as const satisfies readonly FlightAction[];

const shift = z
  .strictObject({
    minutes: fact.meta({ description: "Between instants; positive is later." }),
    wallClockMinutes: fact.meta({ description: "Between the printed local times." }),
  })
  .meta({ id: "Shift", description: "How far a time moves." });

const markedFlight = z
  .strictObject({
    flight: segment,
    changed: z.array(z.string()).meta({ description: "Members that differ, such as `departure.time`." }),
  })
  .meta({ id: "MarkedFlight" });

export const difference = describing<ItineraryDifference>(
  z.strictObject({
    journeys: z.array(
      z.strictObject({
        origin: z.string().nullable(),
        destination: z.string().nullable(),
        isChanged: z.boolean(),
        departureShift: shift,
        arrivalShift: shift,
        flights: z.array(
          z.strictObject({
            action: z.enum(flightActionNames).meta({ description: "What became of the flights in `before`." }),
            before: z.array(markedFlight),
            after: z.array(markedFlight),
            departureShift: shift,
            arrivalShift: shift,
          }),
        ),
      }),
    ),
  }),
).meta({ id: "ItineraryDifference", description: "Booked and proposed flights beside each other." });

const timedPoint = z
  .strictObject({
    airport: z.string().nullable(),
    local: localTime,
    readings: z.string().nullable().meta({
      description: "What the time may be if it contradicts the airport's clock, such as `11:35 or 12:35`.",
    }),
    at: instant.nullable(),
  })
  .meta({ id: "TimedPoint", description: "`at` is null when the local time is not one instant." });

const timedFlights = z
  .strictObject({
    flights: z.array(z.strictObject({ flight: z.string(), departure: timedPoint, arrival: timedPoint })),
    connections: z
      .array(
        describing<TimedConnection>(
          z.strictObject({
            airport: z.string().nullable(),
            nextAirport: z.string().nullable(),
            minutes: z.int().nullable(),
            minimumMinutes: z.int().nullable().meta({ description: "That the decision was made with." }),
            state: z.enum(["fine", "tight", "broken", "stopover", "unknown", "no-flight"]).meta({
              description: "`no-flight` when nothing flies from `airport` to `nextAirport`: a gap, and no connection.",
            }),
          }),
        ),
      )
      .meta({ description: "Between each flight and the next." }),
  })
  .meta({ id: "TimedFlights" });

export const journeyTimes = describing<JourneyTimes>(z.strictObject({ booked: timedFlights, proposed: timedFlights }));

export const legal = describing<LegalAssessment>(
  z.looseObject({
    presets: z
      .array(z.looseObject({ id: z.string(), applies: z.union([z.boolean(), z.literal("unknown")]) }))
      .optional()
      .meta({ description: "The laws that were looked at, and whether they cover the trip." }),
    journeys: z.array(z.string()).optional().meta({ description: "What they were asked about: LIS-FRA." }),
    switchedOff: z.array(z.string()).optional().meta({ description: "Laws that cover the trip and are off." }),
    silent: z
      .array(z.looseObject({ preset: z.string(), change: z.string() }))
      .optional()
      .meta({ description: "Laws that cover the trip and say nothing of such a change: leaves 8 h earlier." }),
    verdicts: z.array(
      z.looseObject({
        preset: z.string(),
        trigger: z.string(),
        title: z.string(),
        right: z.string(),
        verdict: z.enum(["entitled", "not-entitled", "cannot-tell"]),
        journey: z.string().nullable().meta({ description: "As its booked airports: LIS-FRA." }),
        unknownFact: z.string().nullable().meta({ description: "With `cannot-tell`, the fact that would tell." }),
        because: z.string(),
        paragraph: z.string(),
        citation: z.string(),
        note: z.string().nullable(),
        amount: z.looseObject({ value: z.string(), currency: z.string() }).nullable(),
        clocks: z.array(z.looseObject({ name: z.string(), dueAt: instant.nullable(), rule: z.string() })),
      }),
    ),
    hold: z
      .looseObject({ held: z.boolean(), reasons: z.array(z.string()) })
      .meta({ description: "Whether accepting by itself could give up a right, and why." }),
    warnings: z.array(z.string()),
  }),
).meta({ id: "LegalAssessment", description: "Engineering research, no legal advice." });
