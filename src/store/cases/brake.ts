import {
  type AutomaticOutcome,
  brakeWindow,
  contradictingReasons,
  interrupted,
  type StopCause,
  whyLimited,
  whyToBrake,
} from "../../cases/brake.ts";
import type { SaveResult } from "../../worker/ports.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { insertStop, requeueUnsentDecisions } from "./automation.ts";
import { nothingDone } from "./effect-snapshot.ts";
import type { SaveContext } from "./save-context.ts";

/* Stops of a source that no person makes. Each is saved in the commit that gives the reason for it. */

/**
 * Stops automation of the source if outcomes contradict what was read. Call it in the transaction that has written such an
 * outcome, or the decision that follows one. Transactions of a source take turns here, so that each counts the outcomes of
 * those before it. An effect that another transaction is planning at this moment is still sent.
 */
export async function brake(saving: SaveContext): Promise<Partial<SaveResult>> {
  const { transaction, lease } = saving;
  const [, outcomes] = await Promise.all([
    lockSource(transaction, "brake", lease.source),
    readOutcomes(transaction, lease.source),
  ]);
  const note = whyToBrake(outcomes);
  return note === null ? {} : await stop(saving, "outcomes", note);
}

/** Before an effect is planned that may be the last one of its hour, so that these are counted one after the other. */
export async function lockHour(transaction: Connection, source: string): Promise<void> {
  await lockSource(transaction, "hour", source);
}

/**
 * Stops automation of the source if the effect that was just planned is the last one that the limit allows. One that is sent
 * again and again, because nothing was carried out, counts once.
 */
export async function limitHour(saving: SaveContext, limit: number): Promise<Partial<SaveResult>> {
  const { transaction, lease, at } = saving;
  const { rows } = await sql`
    select distinct e.decision_id from skedchange.effects e
    where e.source = ${lease.source} and e.is_automatic and not ${nothingDone}
      and e.planned_at > ${at}::timestamptz - interval '1 hour'
      and e.planned_at > ${lastResumedAt(lease.source, "hourly-limit")}
    limit ${limit}
  `.execute(transaction);
  return rows.length < limit ? {} : await stop(saving, "hourly-limit", whyLimited(limit));
}

async function stop(
  { transaction, lease, at, newId }: SaveContext,
  cause: "outcomes" | "hourly-limit",
  note: string,
): Promise<Partial<SaveResult>> {
  const { source } = lease;
  const isNew = await insertStop(transaction, { id: newId(), source, cause, stoppedAt: at, stoppedBy: "worker", note });
  if (!isNew) return {};
  await requeueUnsentDecisions(transaction, source);
  return { stoppedAutomation: cause };
}

/** Leaves out effects of which nothing was carried out, and those whose process died before it had a response. */
async function readOutcomes(transaction: Connection, source: string): Promise<readonly AutomaticOutcome[]> {
  const { rows } = await sql<AutomaticOutcome>`
    select e.order_id as "orderId", e.action,
      case when e.state = 'unknown' then 'unknown' when e.state = 'failed' then 'not-carried-out'
        when ${isShownOtherwise} then 'shown-otherwise' end as contradiction
    from skedchange.effects e
    where e.source = ${source} and e.is_automatic and e.state in ('succeeded', 'failed', 'unknown')
      and not ${nothingDone} and (e.state = 'succeeded' or coalesce(e.error ->> 'code', '') <> ${interrupted})
      and e.planned_at > ${lastResumedAt(source, "outcomes")}
    order by e.planned_at desc
    limit ${brakeWindow}
  `.execute(transaction);
  return rows;
}

/** A person was asked because the status contradicts the effect, while it was the order's last one. */
const isShownOtherwise = sql`exists (
  select from skedchange.decisions a join skedchange.cases k on k.id = a.case_id
  where k.source = e.source and k.order_id = e.order_id and a.decided_at >= e.finished_at
    and a.reasons -> 0 ->> 'code' in (${sql.join(contradictingReasons.map((code) => sql.lit(code)))})
    and not exists (
      select from skedchange.effects l
      where l.source = e.source and l.order_id = e.order_id and l.planned_at > e.planned_at and l.planned_at <= a.decided_at
    )
)`;

/** Whoever resumes after another stop has not looked at what led to this one. */
const lastResumedAt = (source: string, cause: StopCause) => sql`coalesce((
  select max(s.resumed_at) from skedchange.automation_stops s where s.source = ${source} and s.cause = ${cause}
), '-infinity')`;

async function lockSource(transaction: Connection, why: "brake" | "hour", source: string): Promise<void> {
  const name = `skedchange.automation.${why} ${source}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
