import type { TaskKind } from "../../cases/decision.ts";
import type { PagePosition } from "../../dashboard/paging-ports.ts";
import { type CaseTask, caseTask, type TaskFilter, type Tasks, type TasksChanged } from "../../dashboard/task-ports.ts";
import { eventActor } from "../../kernel/actor.ts";
import type { Clock } from "../../kernel/clock.ts";
import { nameOfToken, nameToken } from "../audit/audit-actor.ts";
import { columnsOf, datesOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import { after, positionOf, toPage } from "../database/paging.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { isOfVisibleSource, visibleSourcesOf } from "../database/visible-rows.ts";
import { casesMatching } from "../search/cases-matching.ts";
import type { TokensOf } from "../search/name-tokens.ts";
import { createTravellerSearches, type TravellerSearches } from "../search/traveller-searches.ts";
import { mayTakeWork } from "./assignees.ts";
import { announceCase, json, type NewCaseEvent } from "./case-rows.ts";
import { dueClock } from "./due-clock.ts";
import { encryptNote, openNotes } from "./notes.ts";

/** Tasks as `t`, with their cases. */
export const tasksWithCases: Sql = sql`
  skedchange.tasks t join skedchange.cases c on c.id = t.case_id left join skedchange.case_search s on s.case_id = t.case_id
`;

/** Of a task `t`; by the database's clock, as for cases. */
export const isOverdueTask = sql`(t.closed_at is null and t.due_by is not null and t.due_by <= now())`;

/** Of `tasksWithCases`. */
export const taskColumns: Sql = columnsOf(caseTask, "t", {
  gdsBookingReferences: sql`c.gds_booking_references`,
  flights: sql`array(
    select substr(term, length('touches:') + 1) from unnest(s.terms) term where term like 'touches:%/%' order by term
  )`,
  dueBy: dueClock("t", isOverdueTask),
  closedToken: nameOfToken(sql`t.closed_token_id`),
});

export const taskDates = datesOf(caseTask);

export function createTasks(
  database: Database,
  clock: Clock,
  searches: TravellerSearches = createTravellerSearches(database),
): Tasks {
  return {
    list: async (filter) => {
      const { state, after: place, limit } = filter;
      const { position, isAfter, sorting } = state === "open" ? byDueTime : byAge;
      const list = async (tokensOf: TokensOf) => {
        const { rows } = await sql<CaseTask & { readonly position: string }>`
          select ${taskColumns}, ${position} as position
          from ${tasksWithCases}
          where ${isAfter(place)} and ${isMeant(tokensOf, filter)}
          order by ${sorting}
          limit ${limit + 1}
        `.execute(database.connection);
        const opened = await openNotes(database.encryption, rows);
        return toPage(opened, limit, ({ position: _, ...task }) => taskDates(task));
      };
      return await searches.run(filter, list, ({ items }) => items.length);
    },

    close: async (ids, { actor, tokenId = null, visible, note: given }) => {
      const at = clock.now();
      const note = await encryptNote(database.encryption, given);
      return await inTransaction(database, (transaction) =>
        changeOpen(transaction, ids, visible, {
          sets: sql`closed_at = ${at}, closed_by = ${actor}, closed_token_id = ${tokenId}::uuid, note = ${note}`,
          event: { kind: "task.closed", at, actor, tokenId, detail: { note } },
        }),
      );
    },

    assign: async (ids, { actor, tokenId = null, visible, assignee }) => {
      const who = assignee === null ? null : `person:${assignee}`;
      return await inTransaction(database, async (transaction) => {
        if (assignee !== null && !(await mayTake(transaction, assignee, ids, visible))) return "assignee-refused";
        return await changeOpen(transaction, ids, visible, {
          sets: sql`assignee = ${who}`,
          event: { kind: "task.assigned", at: clock.now(), actor, tokenId, detail: { assignee: who } },
        });
      });
    },
  };
}

/**
 * Closes the open tasks of this kind of a case, and of the cases of its order before it. The caller has named the token with
 * which the person acts.
 */
export async function closeTasksOf(
  transaction: Connection,
  caseId: string,
  kind: TaskKind,
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<void> {
  const { rows } = await sql<{ readonly id: string }>`
    select t.id
    from skedchange.cases c
      join skedchange.cases b on b.source = c.source and b.order_id = c.order_id and b.opened_at <= c.opened_at
      join skedchange.tasks t on t.case_id = b.id
    where c.id = ${caseId} and t.kind = ${kind} and t.closed_at is null
  `.execute(transaction);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await changeOpen(transaction, ids, null, {
    sets: sql`closed_at = ${at}, closed_by = ${actor}, closed_token_id = ${namedToken}`,
    event: { kind: "task.closed", at, actor, tokenId: null, detail: {} },
  });
}

/**
 * Closes open tasks whose event a recipient has acknowledged. Whoever acknowledges it has only said that it informs the
 * traveller, so nothing is recorded as a contact. By what is stored, so that none is missed by a process that ends.
 * @returns whether there may be more
 */
export async function closeTasksDoneByEvents(database: Database, clock: Clock): Promise<boolean> {
  const { rows } = await sql<{ readonly id: string }>`
    select t.id from skedchange.tasks t
    where t.closed_at is null and t.by_event and exists (
      select from skedchange.event_bodies b join skedchange.event_deliveries d on d.body_id = b.id
      where ${isEventOfTask} and d.state = 'delivered'
    )
    limit ${closedMax}
  `.execute(database.connection);
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  const at = clock.now();
  await inTransaction(database, (transaction) =>
    changeOpen(transaction, ids, null, {
      sets: sql`closed_at = ${at}, closed_by = ${eventActor}`,
      event: { kind: "task.closed", at, actor: eventActor, tokenId: null, detail: {} },
    }),
  );
  return rows.length === closedMax;
}

const closedMax = 200;

/** Open tasks that an event should do, and that no recipient has been or will be sent; by source. */
export async function countTasksWithoutRecipient(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ readonly source: string; readonly count: number }>`
    select t.source, count(*) as count from skedchange.tasks t
    where t.closed_at is null and t.by_event and not exists (
      select from skedchange.event_bodies b
      where ${isEventOfTask} and (b.routed_at is null or exists (
        select from skedchange.event_deliveries d where d.body_id = b.id and d.state in ('pending', 'delivered')
      ))
    )
    group by t.source order by t.source
  `.execute(connection);
  return new Map(rows.map(({ source, count }) => [source, count]));
}

const isEventOfTask = sql`b.publish_key = 'traveller.inform/' || t.id`;

/** See `nameToken`. */
const namedToken = sql`nullif(current_setting('skedchange.token_id', true), '')::uuid`;

function isMeant(tokensOf: TokensOf, { visible, state, kind, assignee, words }: TaskFilter) {
  return sql.join(
    [
      isOfVisibleSource(sql`t.source`, visible),
      ...(state === null ? [] : [state === "open" ? sql`t.closed_at is null` : sql`t.closed_at is not null`]),
      ...(kind === null ? [] : [sql`t.kind = ${kind}`]),
      ...(assignee === null
        ? []
        : [assignee.actor === null ? sql`t.assignee is null` : sql`t.assignee = ${assignee.actor}`]),
      ...(words.length === 0 ? [] : [sql`t.case_id in (${casesWith(tokensOf, { visible, words })})`]),
    ],
    sql` and `,
  );
}

function casesWith(tokensOf: TokensOf, search: Pick<TaskFilter, "visible" | "words">) {
  const matching = casesMatching(tokensOf, search);
  return sql`${matching.ctes} matching as (select c.id from ${matching.from} where ${matching.where})
    select id from matching`;
}

interface TaskChange {
  readonly sets: Sql;
  /** A line in the timeline of each case. */
  readonly event: Omit<NewCaseEvent, "caseId"> & { readonly tokenId: string | null };
}

/** Changes those that are open. */
async function changeOpen(
  transaction: Connection,
  ids: readonly string[],
  visible: TaskFilter["visible"],
  { sets, event }: TaskChange,
): Promise<TasksChanged> {
  await nameToken(transaction, event.tokenId);
  const isAsked = sql`id = any(${[...ids]}::uuid[]) and ${isOfVisibleSource(sql`source`, visible)}`;
  // In one order, so that two who change the same tasks never wait for each other in a circle.
  const { rows } = await sql<{ readonly id: string; readonly isOpen: boolean }>`
    select id, closed_at is null as "isOpen" from skedchange.tasks where ${isAsked} order by id for update
  `.execute(transaction);
  const changed = rows.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  await sql`
    with changed as (
      update skedchange.tasks set ${sets} where id = any(${changed}::uuid[]) returning id, case_id, kind
    )
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select case_id, ${event.at}, ${event.kind}, ${event.actor},
      jsonb_build_object('taskId', id, 'kind', kind) || ${json(event.detail)}
    from changed
    returning ${announceCase(sql`case_id`)}
  `.execute(transaction);
  return { changed, closedBefore: rows.filter(({ isOpen }) => !isOpen).map(({ id }) => id) };
}

/** Whether the user may take work and sees the sources of these tasks. */
async function mayTake(
  transaction: Connection,
  username: string,
  ids: readonly string[],
  visible: TaskFilter["visible"],
): Promise<boolean> {
  const { rows } = await sql`
    select from skedchange.users u
    where u.username = ${username} and ${mayTakeWork}
      and (${visibleSourcesOf} is null or not exists (
        select from skedchange.tasks t
        where t.id = any(${[...ids]}::uuid[]) and ${isOfVisibleSource(sql`t.source`, visible)}
          and not t.source = any(${visibleSourcesOf})
      ))
  `.execute(transaction);
  return rows.length > 0;
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
