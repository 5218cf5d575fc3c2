import { z } from "zod";
import type { FactName } from "../itinerary/fact-catalogue.ts";
import { type Condition, conditionOf, type ThresholdConditions } from "./condition.ts";
import { airlineList, allSoldBy, calendarDate } from "./rule-scope.ts";

/** The most rows of one set of thresholds; bounds the work for each rule that names it. */
const rowCountMax = 20;

const days = (name: string) => {
  const error = `'${name}' must be a whole number of days from 0 to 400`;
  return z.int(error).min(0, error).max(400, error);
};

const limit = (name: string) =>
  z.union([z.int().min(0).max(10_080), z.literal("any")], {
    error: `'${name}' must be a whole number of minutes from 0 to 10080, or any when it does not matter`,
  });

const rowSchema = z.strictObject(
  {
    daysToDeparture: z
      .strictObject(
        { from: days("from").exactOptional(), under: days("under").exactOptional() },
        "'daysToDeparture' must hold 'from', 'under' or both, such as { from: 7, under: 30 }",
      )
      .exactOptional(),
    ticketIssued: z
      .strictObject(
        { from: calendarDate("from").exactOptional(), before: calendarDate("before").exactOptional() },
        "'ticketIssued' must hold 'from', 'before' or both, such as { from: 2024-10-28 }",
      )
      .exactOptional(),
    domestic: z.boolean("'domestic' must be true or false").exactOptional(),
    airlines: airlineList.exactOptional(),
    measure: z
      .enum(["flights", "journeys"], "'measure' must be flights (each flight) or journeys (origin to destination)")
      .default("flights"),
    departureEarlier: limit("departureEarlier"),
    departureLater: limit("departureLater"),
    arrivalEarlier: limit("arrivalEarlier"),
    arrivalLater: limit("arrivalLater"),
  },
  "thresholds must hold departureEarlier, departureLater, arrivalEarlier and arrivalLater in minutes",
);

type ThresholdRow = z.output<typeof rowSchema>;

const nameError = "the name of thresholds must be letters and digits, such as small";

export const thresholdsSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/, nameError),
  z
    .union([z.array(rowSchema).min(1).max(rowCountMax), rowSchema.transform((row) => [row])])
    .superRefine((rows, context) => {
      rows.slice(0, -1).forEach((row, index) => {
        if (appliesWhen(row).length > 0) return;
        const message = "this row always applies, so the rows after it never do. Move it to the end";
        context.addIssue({ code: "custom", path: [index], message });
      });
    }),
  "'thresholds' must hold names with their limits, such as small: { departureEarlier: 15, ... }",
);

export const thresholdRowKeys: readonly string[] = Object.keys(rowSchema.shape);

/** Returns the conditions for `within.<name>`: the limits of the first row that applies; false if none does. */
export function toThresholdConditions(written: z.output<typeof thresholdsSchema>): ThresholdConditions {
  return new Map(Object.entries(written).map(([name, rows]) => [name, toCondition(rows)]));
}

export interface ThresholdLimits {
  /** Null means always. */
  readonly applies: Condition | null;
  readonly limits: readonly ThresholdLimit[];
}

export interface ThresholdLimit {
  readonly fact: FactName;
  readonly end: "departure" | "arrival";
  readonly direction: "earlier" | "later";
  readonly minutes: number | "any";
}

export function toThresholdLimits(
  written: z.output<typeof thresholdsSchema>,
): ReadonlyMap<string, readonly ThresholdLimits[]> {
  return new Map(
    Object.entries(written).map(([name, rows]) => [
      name,
      rows.map((row) => {
        const applies = appliesWhen(row);
        return { applies: applies.length === 0 ? null : conditionOf(applies.join(" && ")), limits: limitsIn(row) };
      }),
    ]),
  );
}

function toCondition([row, ...others]: readonly ThresholdRow[]): Condition {
  if (row === undefined) return conditionOf("false");
  const limits = conditionOf(limitsOf(row).join(" && ") || "true");
  const applies = appliesWhen(row).join(" && ");
  if (applies === "") return limits;
  return { kind: "choice", test: conditionOf(applies), whenTrue: limits, whenFalse: toCondition(others) };
}

function appliesWhen({ daysToDeparture, ticketIssued, domestic, airlines }: ThresholdRow): string[] {
  return [
    ...(airlines === undefined ? [] : [allSoldBy(airlines)]),
    ...(domestic === undefined ? [] : [`size(routeCountries) ${domestic ? "==" : "!="} 1`]),
    ...(daysToDeparture?.from === undefined ? [] : [`minutesToDeparture >= ${daysToDeparture.from * 1_440}`]),
    ...(daysToDeparture?.under === undefined ? [] : [`minutesToDeparture < ${daysToDeparture.under * 1_440}`]),
    ...(ticketIssued?.from === undefined ? [] : [`order.ticketIssuedOn >= "${ticketIssued.from}"`]),
    ...(ticketIssued?.before === undefined ? [] : [`order.ticketIssuedOn < "${ticketIssued.before}"`]),
  ];
}

function limitsOf(row: ThresholdRow): string[] {
  return limitsIn(row).flatMap(({ fact, minutes }) => (minutes === "any" ? [] : [`${fact} <= ${minutes}`]));
}

function limitsIn(row: ThresholdRow): readonly ThresholdLimit[] {
  const isOfFlights = row.measure === "flights";
  return [
    {
      fact: isOfFlights ? "departureEarlierMinutes" : "journeyDepartureEarlierMinutes",
      end: "departure",
      direction: "earlier",
      minutes: row.departureEarlier,
    },
    {
      fact: isOfFlights ? "departureLaterMinutes" : "journeyDepartureLaterMinutes",
      end: "departure",
      direction: "later",
      minutes: row.departureLater,
    },
    {
      fact: isOfFlights ? "arrivalEarlierMinutes" : "journeyArrivalEarlierMinutes",
      end: "arrival",
      direction: "earlier",
      minutes: row.arrivalEarlier,
    },
    {
      fact: isOfFlights ? "arrivalLaterMinutes" : "journeyArrivalLaterMinutes",
      end: "arrival",
      direction: "later",
      minutes: row.arrivalLater,
    },
  ];
}
