import type { Assignee, ListAssignees } from "../../dashboard/assignee-ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { isOfVisibleSource, visibleSourcesOf } from "../database/visible-rows.ts";
import { finishedStates } from "./states.ts";

/** Whether the user `u` may be given work: they can sign in and act. Which sources they see is another condition. */
export const mayTakeWork = sql`(u.disabled_at is null and u.role <> 'viewer')`;

export function createAssignees(database: Database): ListAssignees {
  return async (visible, source) => {
    const wanted = source === null ? visible : [source];
    const isVisible = isOfVisibleSource(sql`source`, visible);
    const { rows } = await sql<Assignee>`
      with cases as (
        select assignee, count(*) as open from skedchange.cases
        where assignee is not null and state not in ${finishedStates} and ${isVisible}
        group by assignee
      ), tasks as (
        select assignee, count(*) as open from skedchange.tasks
        where assignee is not null and closed_at is null and ${isVisible}
        group by assignee
      )
      select u.username, u.display_name as "displayName",
        coalesce(c.open, 0)::int as "openCases", coalesce(t.open, 0)::int as "openTasks"
      from skedchange.users u
      left join cases c on c.assignee = 'person:' || u.username
      left join tasks t on t.assignee = 'person:' || u.username
      where ${mayTakeWork}
        and (${wanted === null ? sql`true` : sql`${visibleSourcesOf} is null or ${visibleSourcesOf} && ${[...wanted]}::text[]`})
      order by u.username
    `.execute(database.connection);
    return rows;
  };
}
