import { type RawBuilder, sql } from "kysely";
import type { CaseTask, Page, PagePosition, TaskFilter, Tasks } from "../../dashboard/ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../database/database.ts";
import { after, positionOf, toPage } from "../database/paging.ts";
import { inTransaction } from "../database/transaction.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { addCaseEvent } from "./case-rows.ts";
import { encryptNote, openNotes } from "./notes.ts";

export interface TaskRow extends Omit<CaseTask, "dueBy"> {
  readonly dueAt: Date | null;
  readonly dueRule: string | null;
  readonly overdue: boolean;
}

/** Overdue by the database's clock, as for cases. */
export const taskColumns: RawBuilder<unknown> = sql`
  t.id, t.case_id as "caseId", t.order_id as "orderId", t.source, t.kind, t.reasons, t.opened_at as "openedAt",
  t.due_by as "dueAt", t.due_by_rule as "dueRule",
  (t.closed_at is null and t.due_by is not null and t.due_by <= now()) as overdue,
  t.closed_at as "closedAt", t.closed_by as "closedBy", t.note
`;

export function toTask({ dueAt, dueRule, overdue, ...task }: TaskRow): CaseTask {
  return { ...task, dueBy: dueAt === null ? null : { at: dueAt, rule: dueRule ?? "", overdue } };
}

export function createTasks(database: Database, clock: Clock): Tasks {
  return {
    list: async ({ visible, state, kind, after: place, limit }: TaskFilter): Promise<Page<CaseTask>> => {
      const { position, isAfter, sorting } = state === "open" ? byDueTime : byAge;
      const { rows } = await sql<TaskRow & { readonly position: string }>`
        select ${taskColumns}, ${position} as position
        from skedchange.tasks t
        where ${isAfter(place)}
          and ${isOfVisibleSource(sql`t.source`, visible)}
          and ${state === null ? sql`true` : state === "open" ? sql`t.closed_at is null` : sql`t.closed_at is not null`}
          and ${kind === null ? sql`true` : sql`t.kind = ${kind}`}
        order by ${sorting}
        limit ${limit + 1}
      `.execute(database.kysely);
      const opened = await openNotes(database.encryption, rows);
      return toPage(opened, limit, ({ position: _, ...row }) => toTask(row));
    },

    close: async (id, { actor, visible, note: given }) => {
      const at = clock.now();
      const isAsked = sql`id = ${id} and ${isOfVisibleSource(sql`source`, visible)}`;
      const note = await encryptNote(database.encryption, given);
      return await inTransaction(database, async (transaction) => {
        const { rows } = await sql<{ case_id: string; kind: string }>`
          update skedchange.tasks set closed_at = ${at}, closed_by = ${actor}, note = ${note}
          where ${isAsked} and closed_at is null
          returning case_id, kind
        `.execute(transaction);
        const closed = rows[0];
        if (closed === undefined) {
          const known = await sql`select 1 from skedchange.tasks where ${isAsked}`.execute(transaction);
          return known.rows.length === 0 ? null : false;
        }
        const detail = { taskId: id, kind: closed.kind, note };
        await addCaseEvent(transaction, { caseId: closed.case_id, at, kind: "task.closed", actor, detail });
        return true;
      });
    },
  };
}

const byAge = {
  position: positionOf(sql`t.opened_at`),
  isAfter: (place: PagePosition | null) => after(sql`t.opened_at`, sql`t.id`, place),
  sorting: sql`t.opened_at desc, t.id desc`,
};

/** Paging positions are times, so a task without a due time sorts at the end of time. */
const dueTime = sql`coalesce(t.due_by, timestamptz '9999-12-31 23:59:59.999999Z')`;

/** Same order as the index tasks_open_by_due: tasks without a due time last, then by id. */
const byDueTime = {
  position: positionOf(dueTime),
  isAfter: (place: PagePosition | null) =>
    place === null ? sql`true` : sql`(${dueTime}, t.id) > (${place.at}::timestamptz, ${place.id}::uuid)`,
  sorting: sql`t.due_by, t.id`,
};
