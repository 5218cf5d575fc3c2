import { z } from "zod";
import { id, instant, type Stored } from "../kernel/stored.ts";
import { version } from "./policy-ports.ts";

/** The newest notifications of a source: those of some days, or some number of them. */
export type BacktestPeriod = { readonly days: number } | { readonly newest: number };

export interface BacktestRequest {
  readonly source: string;
  /** Without errors. */
  readonly text: string;
  readonly period: BacktestPeriod;
  /** `person:` and the user name. */
  readonly actor: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface PolicyBacktests {
  /** One runs at a time in this process, others wait for it. Null if too many wait, or the process is stopping. */
  run(request: BacktestRequest): Promise<PolicyBacktest> | null;
}

const sums = z.array(z.strictObject({ currency: z.string(), amount: z.string() }));
const named = z.strictObject({ version, name: z.string() });

/** How a policy would have decided on stored notifications, beside the active one. */
const policyBacktest = z
  .strictObject({
    compared: z.int().meta({ description: "Orders for which both versions decided." }),
    flipped: z.int().meta({ description: "Of these, how many get another action or queue." }),
    unreadable: z.int().meta({ description: "Notifications that could not be read." }),
    manual: z.strictObject({ before: z.int(), after: z.int() }).meta({ description: "Decisions that need a person." }),
    minutesPerReview: z.number(),
    minutesSaved: z.number().meta({ description: "Of people; negative if work is added." }),
    valueAtStake: sums.meta({ description: "Value of the orders whose decision changes." }),
    source: z.string(),
    candidate: named,
    active: named,
    /** Later than was asked for if it is shortened. */
    since: instant.nullable(),
    until: instant,
    notifications: z.strictObject({
      evaluated: z.int(),
      bodiesDeleted: z.int().meta({ description: "Of the same period. They cannot be decided again." }),
      isShortened: z.boolean().meta({ description: "The days have more notifications than one backtest evaluates." }),
    }),
    /** By action and queue, such as `review:agent`; the most frequent first. */
    changes: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        count: z.int(),
        valueAtStake: sums,
        examples: z
          .array(
            z.strictObject({
              notificationId: id,
              orderId: z.string(),
              caseId: id.nullable(),
              beforeRule: z.string(),
              afterRule: z.string(),
            }),
          )
          .meta({ description: "At most 100." }),
      }),
    ),
  })
  .meta({ id: "PolicyBacktest" });

export type PolicyBacktest = Stored<typeof policyBacktest>;

/** What a caller is told while a backtest runs. */
export const backtestLine = z
  .discriminatedUnion("state", [
    z.strictObject({ state: z.literal("waiting") }),
    z.strictObject({ state: z.literal("running"), done: z.int(), total: z.int() }),
    z.strictObject({ state: z.literal("done"), backtest: policyBacktest }),
    z.strictObject({ state: z.literal("failed"), code: z.string(), detail: z.string() }),
  ])
  .meta({ id: "BacktestLine", description: "One line of the response." });

export type BacktestLine = Stored<typeof backtestLine>;
