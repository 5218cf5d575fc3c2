import type { Backlog } from "../../telemetry/metrics.ts";
import { lastChainedId } from "../audit/audit-blocks.ts";
import { pageOfEntries } from "../audit/audit-entry.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { finishedStates, shownState } from "./states.ts";

export async function readBacklog(reading: Connection, now: Date): Promise<Backlog> {
  const { rows } = await backlogQuery(now).execute(reading);
  const { oldestDueAt, oldestUnchainedAt, ...backlog } = rows[0]!;
  const secondsSince = (then: Date | null) =>
    then === null ? 0 : Math.max(0, (now.getTime() - then.getTime()) / 1_000);
  return {
    ...backlog,
    oldestDueSeconds: secondsSince(oldestDueAt),
    auditBehindSeconds: secondsSince(oldestUnchainedAt),
  };
}

/** Runs often in every process, so it uses indexes of open work only; finished cases would take longer each day. */
export function backlogQuery(now: Date): Sql<
  Omit<Backlog, "oldestDueSeconds" | "auditBehindSeconds"> & {
    readonly oldestDueAt: Date | null;
    readonly oldestUnchainedAt: Date | null;
  }
> {
  return sql`
    select (
        select coalesce(jsonb_object_agg(state, count), '{}') from (
          select ${shownState} as state, count(*) from skedchange.cases c
          where c.state not in ${finishedStates} group by 1
        ) open
      ) as "casesByState",
      (select count(*) from skedchange.cases where due_at <= ${now}) as "casesDue",
      (select min(due_at) from skedchange.cases where due_at <= ${now}) as "oldestDueAt",
      (select count(*) from skedchange.notifications where state = 'quarantined' and discarded_at is null) as quarantined,
      (select e.recorded_at from ${pageOfEntries(sql`e.id > ${lastChainedId}`, 1)} e) as "oldestUnchainedAt",
      (select min(stopped_at) from skedchange.automation_stops where resumed_at is null) as "automationStoppedAt"
  `;
}
