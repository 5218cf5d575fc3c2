import { z } from "zod";
import { decisionActions } from "../cases/decision.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import { decimal, type Stored } from "../kernel/stored.ts";

/** Whose orders an overview is about. */
export interface OverviewScope {
  readonly visible: VisibleSources;
  /** Null means every visible source. */
  readonly source: string | null;
}

/** From `from` (inclusive) to `to` (exclusive). */
export interface OverviewRange extends OverviewScope {
  readonly from: Date;
  readonly to: Date;
}

/** How long a case has been open: less than 1 h, 4 h, 24 h, or longer. */
export const ageNames = ["hour", "four-hours", "day", "older"] as const;
export type AgeName = (typeof ageNames)[number];

/** A length of time is counted by `floor(log2(seconds) * timeBucketsPerDoubling)`. Stored sums depend on it. */
export const timeBucketsPerDoubling = 8;

const count = z.int().min(0);
const byAge = z.strictObject({ hour: count, "four-hours": count, day: count, older: count }).meta({
  id: "CountsByAge",
  description: `Open for less than 1 h, 4 h, 24 h, or longer: ${ageNames.join(", ")}.`,
});
const proposalCounts = {
  decided: count,
  accepted: count,
  cancelled: count,
  asked: count,
  waited: count,
  reviewed: count,
  closed: count.meta({ description: "Nothing was to be done." }),
};
const proposals = z.strictObject(proposalCounts).meta({
  id: "ProposalCounts",
  description: `First decisions about proposals, by action (${decisionActions.join(", ")}). The automation rate is (accepted + cancelled) ÷ decided.`,
});
const times = z
  .strictObject({ count, medianSeconds: z.number().nullable(), p90Seconds: z.number().nullable() })
  .meta({ id: "TimeToDecision", description: "Accurate to about 5 %." });

export type ProposalFigures = Stored<typeof proposals>;
export type TimeFigures = Stored<typeof times>;

const workNow = z.strictObject({
  open: count,
  ages: byAge,
  severities: z.array(
    z.strictObject({
      severity: z.enum(["critical", "major", "minor", "improvement", "none"]).nullable(),
      open: count,
      ages: byAge,
    }),
  ),
  queues: z.array(z.strictObject({ queue: z.string(), waiting: count, overdue: count })),
  overdue: count,
  askTraveller: count.meta({ description: "Cases whose traveller somebody has to ask." }),
  travellerAsked: count.meta({ description: "Cases that wait for the answer of a traveller who was asked." }),
  travellersToInform: count.meta({
    description: "Finished cases with an open task to inform the traveller.",
  }),
  effectsPending: count.meta({ description: "Accepts and cancels that can still be stopped." }),
  effectsFailed: count.meta({
    description: "Open cases that wait because an effect failed or its outcome is unknown.",
  }),
  effectsUnknown: count.meta({ description: "Effects whose outcome is unknown." }),
  blocked: count,
});

export type WorkNow = Stored<typeof workNow>;

/** What `WorkNow` is counted from. */
export interface OpenWork extends Omit<WorkNow, "open" | "ages" | "severities"> {
  /** Open cases by age and severity, which is null where it is not known. */
  readonly cases: readonly {
    readonly severity: WorkNow["severities"][number]["severity"];
    readonly age: AgeName;
    readonly count: number;
  }[];
}

const rangeFigures = z.strictObject({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  notifications: count,
  decisions: z.strictObject({ policy: count, people: count }),
  proposals,
  step: z.enum(["hour", "day"]),
  overTime: z.array(
    z.strictObject({
      at: z.string().meta({ description: "The instant of an hour, or the date of a day in `zone`." }),
      ...proposalCounts,
    }),
  ),
  airlines: z.array(z.strictObject({ airline: z.string().nullable(), ...proposalCounts })),
  otherAirlines: proposals,
  timeToDecision: z.strictObject({ policy: times, people: times }),
  deadlinesMissed: count,
  effects: z.strictObject({ accepts: count, cancels: count, failed: count }),
  rules: z.array(
    z.strictObject({ rule: z.string(), reviews: count, accepted: count, cancelled: count, closed: count }),
  ),
  refunds: z.array(
    z.strictObject({
      currency: z.string().nullable(),
      cancels: count,
      expected: decimal,
      answered: decimal,
      stated: count,
    }),
  ),
});

/** Airlines and rules with the most first. */
export type RangeFigures = Stored<typeof rangeFigures>;

export const overview = z
  .strictObject({ asOf: z.iso.datetime(), now: workNow, range: rangeFigures })
  .meta({ id: "Overview" });

/**
 * One sum. What `name` and `part` are depends on the figure:
 * | figure | counts | name | part |
 * |---|---|---|---|
 * | `notification` | notifications received | | |
 * | `decision` | decisions made | `policy` or `person` | |
 * | `proposal` | first decisions about a proposal | action | |
 * | `airline` | the same | airline, or empty | action |
 * | `review` | reviews that a rule or check asked for | rule | |
 * | `answer` | what people decided after such a review | rule | action |
 * | `time` | times from the notification to the decision | `policy` or `person` | bucket |
 * | `overdue` | deadlines missed | | |
 * | `effect` | effects that ended | action | state |
 * | `refund` | successful cancels | currency, or empty | `cancels`, `stated`; the sums `expected`, `answered` |
 */
export interface OverviewSum {
  readonly figure: OverviewFigure;
  readonly name: string;
  readonly part: string;
  /** Only of `proposal`, which is shown over time: the hour in UTC. */
  readonly hour: Date | null;
  /** Decimal text. */
  readonly value: string;
}

export const overviewFigures = [
  "notification",
  "decision",
  "proposal",
  "airline",
  "review",
  "answer",
  "time",
  "overdue",
  "effect",
  "refund",
] as const;
export type OverviewFigure = (typeof overviewFigures)[number];

export interface OverviewQueries {
  readOpenWork(scope: OverviewScope, now: Date): Promise<OpenWork>;
  readSums(range: OverviewRange): Promise<readonly OverviewSum[]>;
}
