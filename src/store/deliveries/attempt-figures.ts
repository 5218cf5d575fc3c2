import { firstIdAt } from "../../kernel/ids.ts";
import type { AttemptCounts, AttemptFigures } from "../../sender/ports.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

/** So many of the newest attempts are counted. More would take seconds, and their picture would be the same. */
const attemptsMax = 100_000;

const hour = 3_600;
const stepsInSeconds = [hour / 12, hour / 4, hour, 6 * hour, 24 * hour];
const stepsMax = 32;

/** Attempts are found by their ids, which begin with the time: no other index is needed. */
export async function readAttemptFigures(
  connection: Connection,
  tables: DeliveryTables,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<AttemptFigures> {
  const { stepSeconds, from } = chooseSteps(since, now);
  const { rows } = await sql<CountedRow>`
    with newest as (
      select started_at, outcome, duration_ms from ${tables.attempts}
      where id >= ${firstIdAt(from)} and outcome is not null and error_code is distinct from 'sender.not_sent'
      order by id desc limit ${attemptsMax}
    ), placed as (
      select *, date_bin(make_interval(secs => ${stepSeconds}), started_at, 'epoch') as at from newest
    )
    select at, min(started_at) as oldest, count(*) as counted,
      count(*) filter (where outcome = 'delivered') as acknowledged,
      count(*) filter (where outcome = 'refused') as refused,
      count(*) filter (where outcome = 'failed') as failed,
      percentile_disc(0.5) within group (order by duration_ms) filter (where outcome <> 'failed') as "medianMs",
      percentile_disc(0.95) within group (order by duration_ms) filter (where outcome <> 'failed') as "p95Ms"
    from placed group by grouping sets ((at), ())`.execute(connection);
  const total = rows.find(({ at }) => at === null)!;
  const byStep = new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.at.getTime(), row]])));
  const isCut = total.counted === attemptsMax && total.oldest !== null;
  const begin = isCut ? total.oldest : from;
  const steps: AttemptFigures["steps"][number][] = [];
  for (let at = startOfStep(begin, stepSeconds); at <= now.getTime(); at += stepSeconds * 1_000) {
    steps.push({ at: new Date(at), ...countsOf(byStep.get(at)) });
  }
  return { since: begin, stepSeconds, total: countsOf(total), steps };
}

interface CountedRow extends AttemptCounts {
  /** Null in the row of all steps. */
  readonly at: Date | null;
  readonly oldest: Date | null;
  readonly counted: number;
}

function chooseSteps(since: Date, now: Date): { readonly stepSeconds: number; readonly from: Date } {
  const seconds = (now.getTime() - since.getTime()) / 1_000;
  const largest = stepsInSeconds.at(-1)!;
  const stepSeconds = stepsInSeconds.find((step) => seconds <= step * stepsMax) ?? largest;
  const earliest = now.getTime() - stepsMax * stepSeconds * 1_000;
  return { stepSeconds, from: new Date(startOfStep(new Date(Math.max(since.getTime(), earliest)), stepSeconds)) };
}

function startOfStep(at: Date, stepSeconds: number): number {
  return Math.floor(at.getTime() / (stepSeconds * 1_000)) * stepSeconds * 1_000;
}

function countsOf(row: AttemptCounts | undefined): AttemptCounts {
  const { acknowledged = 0, refused = 0, failed = 0, medianMs = null, p95Ms = null } = row ?? {};
  return { acknowledged, refused, failed, medianMs, p95Ms };
}
