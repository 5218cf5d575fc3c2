import { gatewayErrorCodes } from "../contract/failed-call.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";

/** What has happened lately at one source. */
export interface SourceActivity {
  /** Whether it has orders. */
  readonly isUsed: boolean;
  readonly lastNotification: LastTime;
  readonly lastStatusRead: LastTime;
  /** Cases whose last call failed because the gateway refused the credentials. */
  readonly refusedCases: number;
  /** The same of orders whose status is read regularly. */
  readonly refusedPolls: number;
}

/** @member at null: not since `unknownBefore`; never, if that is null as well */
export interface LastTime {
  readonly at: Date | null;
  readonly unknownBefore: Date | null;
}

/** A source that was silent for long must not make this read everything. */
const newestRows = 10_000;

export async function readSourceActivity(
  { connection }: Pick<Database, "connection">,
  sources: readonly string[],
): Promise<ReadonlyMap<string, SourceActivity>> {
  const { rows } = await sql<SourceActivity & { readonly source: string }>`
    with notifications as (
      select source, received_at as at from skedchange.notifications order by received_at desc limit ${newestRows}
    ), polls as (
      select source, read_at as at from skedchange.order_status_views order by read_at desc limit ${newestRows}
    ), newest as (
      -- The ids sort by time.
      select case_id, read_at from skedchange.status_views order by id desc limit ${newestRows}
    ), reads as (
      select c.source, v.read_at as at from newest v join skedchange.cases c on c.id = v.case_id
    ), refused as (
      select source, count(*) as cases from skedchange.cases
      where due_at is not null and failures > 0 and last_error ->> 'code' = ${gatewayErrorCodes.unauthorized}
      group by source
    )
    select source, exists (select from skedchange.orders o where o.source = asked.source) as "isUsed",
      jsonb_build_object(
        'at', (select max(at) from notifications n where n.source = asked.source),
        'unknownBefore', (select min(at) from notifications having count(*) = ${newestRows})
      ) as "lastNotification",
      jsonb_build_object(
        'at', greatest(
          (select max(at) from polls p where p.source = asked.source),
          (select max(at) from reads r where r.source = asked.source),
          -- A poll that sees what the one before it saw stores only when it was.
          (select max(polled_at) from (
            select o.polled_at from skedchange.orders o where o.source = asked.source and o.next_poll_at is not null
            order by o.next_poll_at desc limit ${newestRows}
          ) polled)
        ),
        'unknownBefore', greatest(
          (select min(at) from polls having count(*) = ${newestRows}),
          (select min(read_at) from newest having count(*) = ${newestRows})
        )
      ) as "lastStatusRead",
      coalesce(refused.cases, 0) as "refusedCases",
      (
        select count(*) from skedchange.orders o
        -- An older program counts failures without their codes.
        where o.source = asked.source and o.poll_error = ${gatewayErrorCodes.unauthorized} and o.poll_failures < 0
      ) as "refusedPolls"
    from unnest(${[...sources]}::text[]) asked (source) left join refused using (source)`.execute(connection);
  return new Map(
    rows.map(({ source, lastNotification, lastStatusRead, ...activity }) => [
      source,
      { ...activity, lastNotification: toTimes(lastNotification), lastStatusRead: toTimes(lastStatusRead) },
    ]),
  );
}

function toTimes({ at, unknownBefore }: Record<keyof LastTime, unknown>): LastTime {
  return { at: toDate(at), unknownBefore: toDate(unknownBefore) };
}

function toDate(text: unknown): Date | null {
  return text === null ? null : new Date(String(text));
}
