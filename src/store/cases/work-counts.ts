import { sql } from "kysely";
import { isVisible as isVisibleSource } from "../../cases/visible-sources.ts";
import type { CountWork, WorkCounts } from "../../dashboard/count-ports.ts";
import type { Database } from "../database/database.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { countBlockedOrders } from "../orders/blocked-orders.ts";
import { finishedStates } from "./states.ts";

export function createWorkCounts(database: Database): CountWork {
  return async (actor, visible) => {
    const isVisible = isOfVisibleSource(sql`source`, visible);
    const [{ rows }, blocked] = await Promise.all([
      sql<Omit<WorkCounts, "blockedOrders">>`
        select
          count(*) filter (where state = 'awaiting-agent') as "needPerson",
          count(*) filter (where assignee = ${actor}) as mine,
          count(*) filter (where overdue_at is not null) as overdue,
          (select count(*) from skedchange.tasks where closed_at is null and ${isVisible}) as "openTasks",
          (select count(*) from skedchange.tasks where closed_at is null and overdue_at is not null and ${isVisible}) as "overdueTasks",
          (select count(*) from skedchange.notifications where state = 'quarantined' and discarded_at is null and ${isVisible}) as quarantined
        from skedchange.cases
        where state not in ${finishedStates} and ${isVisible}`.execute(database.kysely),
      countBlockedOrders(database),
    ]);
    const blockedOrders = [...blocked]
      .filter(([source]) => isVisibleSource(source, visible))
      .reduce((sum, [, count]) => sum + count, 0);
    return { ...rows[0]!, blockedOrders };
  };
}
