import type { VisibleSources } from "../cases/visible-sources.ts";
import type { SeverityName } from "../itinerary/severity.ts";

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

export interface OpenWork {
  /** Open cases by age and severity, which is null where it is not known. */
  readonly cases: readonly { readonly severity: SeverityName | null; readonly age: AgeName; readonly count: number }[];
  readonly queues: readonly { readonly queue: string; readonly waiting: number; readonly overdue: number }[];
  readonly overdue: number;
  /** Cases whose traveller is to be asked, and those that wait for the answer of a traveller who was asked. */
  readonly askTraveller: number;
  readonly travellerAsked: number;
  /** Accepts and cancels that can still be stopped. */
  readonly effectsPending: number;
  readonly effectsFailed: number;
  readonly effectsUnknown: number;
  readonly blocked: number;
}

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
