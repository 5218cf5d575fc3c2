import type { Clock } from "../kernel/clock.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";
import { inTransaction } from "./database/transaction.ts";

export interface TimeZoneActivation {
  readonly version: string;
  /** The table, as its file has it. */
  readonly content: object;
  readonly by: "shipped" | "operator";
  /** Whether it replaces the active version, if there is one. */
  readonly replaces: (active: string) => boolean;
}

/** Tables are opaque here. Each method is one transaction. */
export interface TimeZoneStore {
  /** Stores a table unless it is there, and makes it the active one if it replaces that. Returns the active version. */
  activate(activation: TimeZoneActivation): Promise<string>;
  readActive(): Promise<ActiveTimeZones | null>;
  /** Null if it is not kept. */
  readTable(version: string): Promise<unknown>;
}

export interface ActiveTimeZones {
  readonly version: string;
  readonly beganBy: string;
}

/** Each transaction that activates a table notifies this channel. */
export const timeZonesChannel = "skedchange_time_zones";

export function createTimeZoneStore(database: Pick<Database, "connection" | "pool">, clock: Clock): TimeZoneStore {
  const { connection } = database;
  return {
    activate: ({ version, content, by, replaces }) =>
      inTransaction(database, async (transaction) => {
        // Processes that start together must agree.
        await sql`select pg_advisory_xact_lock(hashtext(${timeZonesChannel}))`.execute(transaction);
        await sql`
          insert into skedchange.time_zone_tables (version, content, added_at)
          select ${version}, ${JSON.stringify(content)}::jsonb, ${clock.now()}
          where not exists (select from skedchange.time_zone_tables where version = ${version})
        `.execute(transaction);
        const { rows } = await sql<ActiveTimeZones>`${selectActive}`.execute(transaction);
        const active = rows[0]?.version ?? null;
        if (active !== null && !replaces(active)) return active;
        await sql`
          insert into skedchange.time_zone_terms (version, began_at, began_by) values (${version}, ${clock.now()}, ${by})
        `.execute(transaction);
        await sql`select pg_notify(${timeZonesChannel}, '')`.execute(transaction);
        return version;
      }),

    readActive: async () => (await sql<ActiveTimeZones>`${selectActive}`.execute(connection)).rows[0] ?? null,

    readTable: async (version) => {
      const { rows } = await sql<{ content: unknown }>`
        select content from skedchange.time_zone_tables where version = ${version}
      `.execute(connection);
      return rows[0]?.content ?? null;
    },
  };
}

const selectActive = sql`
  select version, began_by as "beganBy" from skedchange.time_zone_terms order by id desc limit 1
`;
