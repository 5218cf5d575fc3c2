import { isVisible } from "../../cases/visible-sources.ts";
import {
  type OpenWork,
  type OverviewQueries,
  type OverviewRange,
  type OverviewScope,
  type OverviewSum,
  overviewFigures,
} from "../../dashboard/overview-ports.ts";
import { personStates, shownState } from "../cases/states.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { countBlockedOrders } from "../orders/blocked-orders.ts";
import { isOverdue, isUnfinished } from "../search/cases-matching.ts";
import { happenings, type Span } from "./happenings.ts";
import { dayMs, floorTo, hourMs } from "./overview-sums.ts";

export function createOverviewQueries(database: Database): OverviewQueries {
  return {
    readOpenWork: (scope, now) => readOpenWork(database, scope, now),

    readSums: async (range) => {
      const { rows } = await sql<{ summed_until: Date }>`
        select summed_until from skedchange.overview_progress`.execute(database.connection);
      const { rows: sums } = await sumsQuery(range, rows[0]?.summed_until ?? null).execute(database.connection);
      return sums;
    },
  };
}

// ----------------------------------------------------------------------------------------------------- now

async function readOpenWork(database: Database, scope: OverviewScope, now: Date): Promise<OpenWork> {
  const [{ rows }, { rows: queues }, { rows: counts }, blocked] = await Promise.all([
    sql<OpenWork["cases"][number]>`
      select c.severity, ${ageOf(now)} as age, count(*) as count
      from skedchange.cases c where ${isOpen(scope)} group by 1, 2`.execute(database.connection),
    sql<OpenWork["queues"][number]>`
      select c.review_queue as queue, count(*) as waiting, count(*) filter (where ${isOverdue}) as overdue
      from skedchange.cases c where ${isOpen(scope)} and c.state in ${personStates} and c.review_queue is not null
      group by 1 order by 2 desc, 1`.execute(database.connection),
    sql<Omit<OpenWork, "cases" | "queues" | "blocked">>`
      select
        (select count(*) from skedchange.cases c where ${isOpen(scope)} and c.state = 'ask-traveller') as "askTraveller",
        (
          select count(*) from skedchange.cases c where ${isOpen(scope)} and c.state = 'awaiting-traveller'
        ) as "travellerAsked",
        (
          select count(*) from skedchange.tasks c
          where c.closed_at is null and c.kind = 'inform-traveller' and ${isOfScope(scope)}
        ) as "travellersToInform",
        (
          select count(*) from skedchange.cases c
          where ${isOpen(scope)} and c.state = 'checking' and ${shownState} <> 'checking'
        ) as "effectsPending",
        (select count(*) from skedchange.cases c where ${isOpen(scope)} and ${isOverdue}) as overdue,
        (
          select count(*) from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
          where d.question = 'effect-outcome' and d.superseded_at is null and ${isOpen(scope)}
        ) as "effectsFailed",
        (
          select count(*) from skedchange.effects c where c.state = 'unknown' and ${isOfScope(scope)}
        ) as "effectsUnknown"`.execute(database.connection),
    countBlockedOrders(database),
  ]);
  const inScope = (source: string) =>
    isVisible(source, scope.visible) && (scope.source === null || scope.source === source);
  return {
    cases: rows,
    queues,
    ...counts[0]!,
    blocked: [...blocked].filter(([source]) => inScope(source)).reduce((sum, [, count]) => sum + count, 0),
  };
}

function ageOf(now: Date): Sql {
  const isYounger = (hours: number) => sql`c.opened_at > ${new Date(now.getTime() - hours * hourMs)}::timestamptz`;
  return sql`case when ${isYounger(1)} then 'hour' when ${isYounger(4)} then 'four-hours' when ${isYounger(24)} then 'day' else 'older' end`;
}

function isOpen(scope: OverviewScope): Sql {
  return sql`(${isUnfinished} and ${isOfScope(scope)})`;
}

/** Of a row `c`. */
function isOfScope({ visible, source }: OverviewScope): Sql {
  const isChosen = source === null ? sql`true` : sql`c.source = ${source}`;
  return sql`(${isOfVisibleSource(sql`c.source`, visible)} and ${isChosen})`;
}

// ---------------------------------------------------------------------------------------------- in a range of time

/**
 * Adds up whole days and hours that the job has summed, and the rest from what happened: parts of hours at both ends, and
 * what the job has not come to yet. Proposals come by the hour.
 */
export function sumsQuery(range: OverviewRange, summedUntil: Date | null): Sql<OverviewSum> {
  const { days, hours, rest, charted } = partsOf(range, summedUntil);
  const isOf = (span: "hour" | "day", figure: Sql, { from, to }: Span) => sql`
    select begins_at as hour, source, figure, name, part, value from skedchange.overview_sums
    where span = ${span} and ${figure} and begins_at >= ${from} and begins_at < ${to}`;
  const isPlain = sql`figure = any(${overviewFigures.filter((name) => name !== "proposal")}::text[])`;
  const parts = [
    isOf("hour", sql`figure = 'proposal'`, charted),
    ...days.map((span) => isOf("day", isPlain, span)),
    ...hours.map((span) => isOf("hour", isPlain, span)),
    sql`select * from (${happenings(rest)}) happening`,
  ];
  return sql`
    select c.figure, c.name, c.part, case when c.figure = 'proposal' then c.hour end as hour, sum(c.value)::text as value
    from (${sql.join(parts, sql` union all `)}) c
    where ${isOfScope(range)}
    group by 1, 2, 3, 4`;
}

interface Parts {
  readonly days: readonly Span[];
  readonly hours: readonly Span[];
  /** All hours that are summed. */
  readonly charted: Span;
  readonly rest: readonly Span[];
}

export function partsOf({ from, to }: Span, summedUntil: Date | null): Parts {
  const begin = ceilTo(hourMs, from.getTime());
  const end = Math.min(floorTo(hourMs, to.getTime()), summedUntil?.getTime() ?? 0);
  if (begin >= end)
    return { days: [], hours: [], charted: { from, to: from }, rest: spans([from.getTime(), to.getTime()]) };
  const firstDay = ceilTo(dayMs, begin);
  const lastDay = floorTo(dayMs, end);
  const hasDays = firstDay < lastDay;
  return {
    days: hasDays ? spans([firstDay, lastDay]) : [],
    hours: hasDays ? spans([begin, firstDay], [lastDay, end]) : spans([begin, end]),
    charted: { from: new Date(begin), to: new Date(end) },
    rest: spans([from.getTime(), begin], [end, to.getTime()]),
  };
}

function spans(...given: readonly (readonly [number, number])[]): Span[] {
  return given.filter(([from, to]) => from < to).map(([from, to]) => ({ from: new Date(from), to: new Date(to) }));
}

function ceilTo(stepMs: number, at: number): number {
  return Math.ceil(at / stepMs) * stepMs;
}
