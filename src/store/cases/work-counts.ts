import { isVisible as isVisibleSource } from "../../cases/visible-sources.ts";
import type { CountWork, WorkCounts } from "../../dashboard/count-ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { countBlockedOrders } from "../orders/blocked-orders.ts";
import { isOverdue, isUnfinished } from "../search/cases-matching.ts";
import { personStates } from "./states.ts";
import { isOverdueTask } from "./tasks.ts";

export function createWorkCounts(database: Database): CountWork {
  return async (actor, visible) => {
    const isVisible = isOfVisibleSource(sql`source`, visible);
    const [{ rows }, blocked] = await Promise.all([
      sql<Omit<WorkCounts, "blockedOrders">>`
        select
          count(*) filter (where c.state in ${personStates}) as "needPerson",
          count(*) filter (where c.assignee = ${actor}) as mine,
          count(*) filter (where ${isOverdue}) as overdue,
          (select count(*) from skedchange.tasks t where t.closed_at is null and ${isVisible}) as "openTasks",
          (select count(*) from skedchange.tasks t where ${isOverdueTask} and ${isVisible}) as "overdueTasks",
          (select count(*) from skedchange.notifications where state = 'quarantined' and discarded_at is null and ${isVisible}) as quarantined
        from skedchange.cases c
        where ${isUnfinished} and ${isOfVisibleSource(sql`c.source`, visible)}`.execute(database.connection),
      countBlockedOrders(database),
    ]);
    const blockedOrders = [...blocked]
      .filter(([source]) => isVisibleSource(source, visible))
      .reduce((sum, [, count]) => sum + count, 0);
    return { ...rows[0]!, blockedOrders };
  };
}
