import { overduePriority } from "../../cases/priority.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ClockStore, OverdueCase, OverdueTask } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";
import { addCaseEvent } from "./case-rows.ts";
import { finishedStates, waitingStates } from "./states.ts";

/** Deadlines of cases and tasks. The database's clock decides what has passed, as for due times. */
export function createClockStore(database: Database, clock: Clock): ClockStore {
  return {
    markOverdue: async (limit) => {
      const at = clock.now();
      return await inTransaction(database, async (transaction) => {
        // Orders are locked before their cases everywhere, and changes made meanwhile count. The version stays, because
        // the proposal that people saw has not changed. A traveller who did not answer in time is an agent's work again.
        const { rows } = await sql<OverdueCase>`
          with late as (
            select c.id, c.source, c.order_id from skedchange.cases c where ${isOverdueUnmarked}
            order by c.due_by limit ${limit}
          ), locked as materialized (
            select late.id from late
            join skedchange.orders o on o.source = late.source and o.order_id = late.order_id
            for no key update of o skip locked
          )
          update skedchange.cases c
          set overdue_at = now(), priority = least(c.priority, ${overduePriority}), updated_at = ${at},
            state = case c.state when 'awaiting-traveller' then 'awaiting-agent' else c.state end,
            review_queue = case c.state when 'awaiting-traveller' then 'agent' else c.review_queue end
          from locked
          where c.id = locked.id and ${isOverdueUnmarked}
          returning c.id as "caseId", c.source, c.order_id as "orderId", c.due_by as "dueBy", c.due_by_rule as rule
        `.execute(transaction);
        const overdue = rows.toSorted((a, b) => a.dueBy.getTime() - b.dueBy.getTime());
        for (const { caseId, dueBy, rule } of overdue) {
          const detail = { dueBy, rule };
          await addCaseEvent(transaction, { caseId, at, kind: "case.overdue", actor: "clock", detail });
        }
        return overdue;
      });
    },

    countOverdue: async () => {
      const { rows } = await sql<{ source: string; count: number }>`
        select source, count(*) as count from skedchange.cases
        where overdue_at is not null and state not in ${finishedStates}
        group by source
      `.execute(database.connection);
      return new Map(rows.map(({ source, count }) => [source, count]));
    },

    markOverdueTasks: async (limit) => {
      const at = clock.now();
      return await inTransaction(database, async (transaction) => {
        const { rows } = await sql<OverdueTask>`
          with late as materialized (
            select id from skedchange.tasks
            where closed_at is null and overdue_at is null and due_by <= now()
            order by due_by limit ${limit}
            for no key update skip locked
          )
          update skedchange.tasks t set overdue_at = now()
          from late where t.id = late.id
          returning t.id as "taskId", t.kind, t.case_id as "caseId", t.source, t.order_id as "orderId",
            t.due_by as "dueBy", t.due_by_rule as rule
        `.execute(transaction);
        const overdue = rows.toSorted((a, b) => a.dueBy.getTime() - b.dueBy.getTime());
        for (const { caseId, taskId, kind, dueBy, rule } of overdue) {
          const detail = { taskId, kind, dueBy, rule };
          await addCaseEvent(transaction, { caseId, at, kind: "task.overdue", actor: "clock", detail });
        }
        return overdue;
      });
    },

    countOverdueTasks: async () => {
      const { rows } = await sql<{ source: string; count: number }>`
        select source, count(*) as count from skedchange.tasks
        where overdue_at is not null and closed_at is null
        group by source
      `.execute(database.connection);
      return new Map(rows.map(({ source, count }) => [source, count]));
    },
  };
}

/** Same condition as the index cases_due_by, with the states in which somebody is waited for. */
const isOverdueUnmarked = sql`
  c.due_by is not null and c.overdue_at is null and c.due_by <= now()
  and c.state not in ${finishedStates}
  and c.state in ${waitingStates}
`;
