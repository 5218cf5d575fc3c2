import type { RunningProcess } from "../dashboard/installation-ports.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";

/** How often a process says that it is alive. */
export const heartbeatMs = 30_000;

/** A process that was not seen for three of these intervals is not alive. */
const aliveMs = 3 * heartbeatMs;

/** What a process that was killed leaves behind is deleted then. */
const forgottenAfterMs = 24 * 3_600_000;

/** The row of this process. */
export interface Heartbeat {
  give(untrustedProxy: string | null): Promise<void>;
  remove(): Promise<void>;
}

/** By the clock of the database: those of the machines may differ by more than a heartbeat may be late. */
export function createHeartbeat(
  { connection }: Pick<Database, "connection">,
  clock: Clock,
  { roles, version }: Pick<RunningProcess, "roles" | "version">,
): Heartbeat {
  const id = newId(clock);
  return {
    async give(untrustedProxy) {
      await sql`
        with forgotten as (
          delete from skedchange.processes where seen_at < now() - ${forgottenAfterMs} * interval '1 ms'
        )
        insert into skedchange.processes (id, roles, version, started_at, seen_at, untrusted_proxy)
        values (${id}, ${roles}::text[], ${version}, now(), now(), ${untrustedProxy})
        on conflict on constraint processes_pkey do update
          set seen_at = excluded.seen_at, untrusted_proxy = excluded.untrusted_proxy`.execute(connection);
    },
    async remove() {
      await sql`delete from skedchange.processes where id = ${id}`.execute(connection);
    },
  };
}

/** Longest running first. */
export async function listProcesses({ connection }: Pick<Database, "connection">): Promise<readonly RunningProcess[]> {
  const { rows } = await sql<RunningProcess>`
    select roles, version, started_at as "startedAt", untrusted_proxy as "untrustedProxy" from skedchange.processes
    where seen_at > now() - ${aliveMs} * interval '1 ms'
    order by started_at, id`.execute(connection);
  return rows;
}
