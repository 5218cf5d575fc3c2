import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";

/** What only a process with the role `sender` sends. */
export interface Unsent {
  /** For whom something is set up: `notice`, `event` and `notification`. */
  readonly awaited: readonly string[];
  /** How long the oldest message has been due; 0 if none is. */
  readonly oldestDueSeconds: number;
}

export async function readUnsent({ connection }: Pick<Database, "connection">): Promise<Unsent> {
  const { rows } = await sql<Unsent>`
    select array_remove(array[
        case when exists (select from skedchange.notice_rules where paused_at is null) then 'notice' end,
        case when exists (select from skedchange.event_recipients where state = 'active') then 'event' end,
        case when exists (select from gateway.recipients where state = 'active') then 'notification' end
      ], null) as awaited,
      greatest(0, extract(epoch from now() - least(
        (select min(due_at) from skedchange.notices where state = 'pending'),
        (select min(due_at) from skedchange.notices where state = 'stop-pending'),
        (select min(l.due_at) from skedchange.event_recipients r
           cross join lateral (${firstDue(sql`skedchange.event_lanes`)}) l where r.state = 'active'),
        (select min(l.due_at) from gateway.recipients r
           cross join lateral (${firstDue(sql`gateway.lanes`)}) l where r.state = 'active')
      )))::float8 as "oldestDueSeconds"
  `.execute(connection);
  return rows[0]!;
}

/** From the index of each recipient's lanes. */
function firstDue(lanes: ReturnType<typeof sql>) {
  return sql`select due_at from ${lanes} where recipient_id = r.id and due_at is not null order by due_at limit 1`;
}
