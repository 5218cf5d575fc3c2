import { type RawBuilder, sql } from "kysely";
import type { CaseTask, Page, TaskFilter, Tasks } from "../dashboard/ports.ts";
import type { Clock } from "../kernel/clock.ts";
import { addCaseEvent } from "./case-rows.ts";
import type { Database } from "./database.ts";
import { after, positionOf, toPage } from "./paging.ts";

/** A task with its columns under the names of `CaseTask`. */
export const taskColumns: RawBuilder<unknown> = sql`
  t.id, t.case_id as "caseId", t.order_id as "orderId", t.source, t.kind, t.reasons, t.opened_at as "openedAt",
  t.closed_at as "closedAt", t.closed_by as "closedBy", t.note
`;

/** Lists the work that is left when cases are done, and ends it. */
export function createTasks({ kysely }: Database, clock: Clock): Tasks {
  return {
    list: async ({ state, kind, after: position, limit }: TaskFilter): Promise<Page<CaseTask>> => {
      const { rows } = await sql<CaseTask & { readonly position: string }>`
        select ${taskColumns}, ${positionOf(sql`t.opened_at`)} as position
        from skedchange.tasks t
        where ${after(sql`t.opened_at`, sql`t.id`, position)}
          and ${state === null ? sql`true` : state === "open" ? sql`t.closed_at is null` : sql`t.closed_at is not null`}
          and ${kind === null ? sql`true` : sql`t.kind = ${kind}`}
        order by t.opened_at desc, t.id desc
        limit ${limit + 1}
      `.execute(kysely);
      return toPage(rows, limit, ({ position: _, ...task }) => task);
    },

    close: async (id, { actor, note }) => {
      const at = clock.now();
      return await kysely.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ case_id: string; kind: string }>`
          update skedchange.tasks set closed_at = ${at}, closed_by = ${actor}, note = ${note}
          where id = ${id} and closed_at is null
          returning case_id, kind
        `.execute(transaction);
        const closed = rows[0];
        if (closed === undefined) {
          const known = await sql`select 1 from skedchange.tasks where id = ${id}`.execute(transaction);
          return known.rows.length === 0 ? null : false;
        }
        const detail = { taskId: id, kind: closed.kind, note };
        await addCaseEvent(transaction, { caseId: closed.case_id, at, kind: "task.closed", actor, detail });
        return true;
      });
    },
  };
}
