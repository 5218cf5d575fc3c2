import type { Automation, AutomationStop, StopRequest } from "../../dashboard/automation-ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { nameToken } from "../audit/audit-actor.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { isNotTakenOver, requeueCases } from "./requeue-cases.ts";

/** Since when; null if automatic effects of the source are running. */
export function automationStoppedAt(source: Sql): Sql<Date | null> {
  return sql`(
    select min(s.stopped_at) from skedchange.automation_stops s
    where s.resumed_at is null and (s.source is null or s.source = ${source})
  )`;
}

/** Whether decision `d` of case `c` may be carried out. A rule's may not while automatic effects are stopped. */
export const mayBeSent = sql`(d.decided_by like 'person:%' or not skedchange.automation_is_stopped(c.source))`;

const stopColumns = sql`
  s.id, s.source, s.cause, s.stopped_at as "stoppedAt", s.stopped_by as "stoppedBy", s.note
`;

export interface AutomationOptions {
  readonly sources: readonly string[];
  /** Wait for transactions that plan an effect. Default: 10 s, a lease, after which frozen processes can't send. */
  readonly planWaitMs?: number;
}

/** Each method is one transaction. */
export function createAutomation(
  database: Pick<Database, "connection" | "pool">,
  clock: Clock,
  { sources, planWaitMs = 10_000 }: AutomationOptions,
): Automation {
  const stop = (
    { source, note, actor, tokenId }: StopRequest,
    before: (transaction: Connection) => Promise<void>,
  ): Promise<AutomationStop> =>
    inTransaction(database, async (transaction) => {
      await before(transaction);
      await nameToken(transaction, tokenId);
      let inForce: AutomationStop | null = null;
      // Somebody may resume between the two statements.
      while (inForce === null) {
        const made = {
          id: newId(clock),
          source,
          cause: "person",
          stoppedAt: clock.now(),
          stoppedBy: actor,
          note,
        } as const;
        await insertStop(transaction, made);
        const stops = await readStops(transaction);
        inForce = stops.find((each) => each.source === source && each.cause === "person") ?? null;
      }
      await requeueUnsentDecisions(transaction, source);
      return inForce;
    });

  return {
    sources,

    readStops: () => readStops(database.connection),

    stop: async (request) => {
      try {
        return await stop(request, (transaction) => waitForPlans(transaction, planWaitMs));
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        return await stop(request, async () => {});
      }
    },

    resume: ({ actor, tokenId, source, stopId }) =>
      inTransaction(database, async (transaction) => {
        await nameToken(transaction, tokenId);
        const { rows } = await sql<AutomationStop>`
          update skedchange.automation_stops s set resumed_at = ${clock.now()}, resumed_by = ${actor}
          where s.resumed_at is null and s.source is not distinct from ${source}::text
            and s.id = coalesce(${stopId ?? null}::uuid, s.id)
          returning ${stopColumns}
        `.execute(transaction);
        if (rows.length > 0) {
          return { outcome: "resumed", ended: rows, casesDue: await requeueStoppedCases(transaction, source) };
        }
        const current = (await readStops(transaction)).find((stop) => stop.source === source);
        return current === undefined
          ? { outcome: "resumed", ended: [], casesDue: 0 }
          : { outcome: "conflict", current };
      }),
  };
}

/** Returns whether the stop was made: the source, or all of them together, may have one of that cause already. */
export async function insertStop(transaction: Connection, stop: AutomationStop): Promise<boolean> {
  const { id, source, cause, stoppedAt, stoppedBy, note } = stop;
  const { rowCount } = await sql`
    insert into skedchange.automation_stops (id, source, cause, stopped_at, stopped_by, note)
    values (${id}, ${source}, ${cause}, ${stoppedAt}, ${stoppedBy}, ${note})
    on conflict do nothing
  `.execute(transaction);
  return rowCount === 1;
}

/**
 * Makes cases due that only wait for automatic effects, if resumed; returns how many. Runs repeatedly, because a worker
 * may leave such a case a moment after the resumption. Skips locked orders until the next run.
 * @param source null: of all sources
 */
export async function requeueStoppedCases(connection: Connection, source: string | null = null): Promise<number> {
  return await requeueCases(connection, {
    state: "awaiting-agent",
    such: sql`
      ${casesOf("awaiting-agent")} and d.question = 'automation-stopped' and d.superseded_at is null
        and c.due_at is null and ${automationStoppedAt(sql`c.source`)} is null and ${isNotTakenOver}
        and ${isOfSource(source)}
    `,
  });
}

/**
 * Makes cases with unsent rule decisions due, so that a worker passes them to people at once.
 * @param source null: of all sources
 */
export async function requeueUnsentDecisions(transaction: Connection, source: string | null): Promise<void> {
  await requeueCases(transaction, {
    state: "checking",
    such: sql`
      ${casesOf("checking")} and c.due_at > now() and d.action in ('accept', 'cancel')
        and d.decided_by not like 'person:%' and ${isOfSource(source)}
    `,
  });
}

function isOfSource(source: string | null): Sql {
  return sql`(${source}::text is null or c.source = ${source})`;
}

/** In this state, with decision in force `d`. */
function casesOf(state: "awaiting-agent" | "checking"): Sql {
  return sql`
    select c.id, c.decision_id, c.source, c.order_id
    from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id
    where c.state = ${state}
  `;
}

/** After this, no transaction that found automatic effects running is still open, until this one ends. */
async function waitForPlans(transaction: Connection, waitMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(waitMs)}, true)`.execute(transaction);
  await sql`select pg_advisory_xact_lock(hashtextextended('skedchange.automation', 0))`.execute(transaction);
}

/** SQLSTATE 55P03, lock_not_available. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/** Those in force, that of all sources together first. */
export async function readStops(connection: Connection): Promise<readonly AutomationStop[]> {
  const { rows } = await sql<AutomationStop>`
    select ${stopColumns} from skedchange.automation_stops s where s.resumed_at is null
    order by s.source nulls first, s.stopped_at
  `.execute(connection);
  return rows;
}
