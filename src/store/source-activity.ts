import { sql } from "kysely";
import { badCredentials } from "../cases/gateway-failure.ts";
import type { Database } from "./database/database.ts";

/** Of one source; null: not among the newest rows. */
export interface SourceActivity {
  readonly lastNotificationAt: Date | null;
  readonly lastStatusReadAt: Date | null;
  /** Cases whose last call failed because the gateway refused the credentials. */
  readonly refusedCases: number;
}

/** A source that was silent for long must not make this read everything. */
const newestRows = 10_000;

/** By source; a source without any activity is missing. */
export async function readSourceActivity({
  kysely,
}: Pick<Database, "kysely">): Promise<ReadonlyMap<string, SourceActivity>> {
  const { rows } = await sql<SourceActivity & { readonly source: string }>`
    with notified as (
      select source, max(received_at) as at
      from (select source, received_at from skedchange.notifications order by received_at desc limit ${newestRows}) newest
      group by source
    ), read as (
      select source, max(read_at) as at from (
        select source, read_at from (
          select source, read_at from skedchange.order_status_views order by read_at desc limit ${newestRows}
        ) polled
        union all
        select c.source, v.read_at from (
          -- The ids sort by time.
          select case_id, read_at from skedchange.status_views order by id desc limit ${newestRows}
        ) v join skedchange.cases c on c.id = v.case_id
      ) newest
      group by source
    ), refused as (
      select source, count(*) as cases from skedchange.cases
      where due_at is not null and failures > 0 and last_error ->> 'code' = ${badCredentials}
      group by source
    )
    select source, notified.at as "lastNotificationAt", read.at as "lastStatusReadAt",
      coalesce(refused.cases, 0) as "refusedCases"
    from notified full join read using (source) full join refused using (source)`.execute(kysely);
  return new Map(rows.map(({ source, ...activity }) => [source, activity]));
}
