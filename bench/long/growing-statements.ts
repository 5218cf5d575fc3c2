import pg from "pg";
import type { SizedDatabases } from "./compare-sizes.ts";
import { sizes } from "./compare-sizes.ts";

/** What one statement cost on each of the databases. */
export interface GrowingStatement {
  readonly statement: string;
  readonly calls: number;
  readonly fullMs: number;
  /** On the empty database; null where it was not run. */
  readonly emptyMs: number | null;
  readonly share: number;
}

/** Settings of the server without which statements are not measured. */
export const measuringSettings = { shared_preload_libraries: "pg_stat_statements" };

export async function startMeasuring({ "full database": { adminUrl } }: SizedDatabases): Promise<void> {
  await ask(adminUrl, "create extension if not exists pg_stat_statements");
  await ask(adminUrl, "select pg_stat_statements_reset()");
}

/** The statements that took most time on the full database, with what they took on the empty one. */
export async function readGrowing(databases: SizedDatabases, max: number): Promise<readonly GrowingStatement[]> {
  const [empty, full] = sizes;
  const { adminUrl } = databases[full];
  const databaseOf = (size: (typeof sizes)[number]): string => new URL(databases[size].adminUrl).pathname.slice(1);
  return await ask<GrowingStatement>(
    adminUrl,
    `with statements as (
       select d.datname, query, sum(calls) as calls, sum(total_exec_time) as total
       from pg_stat_statements s join pg_database d on d.oid = s.dbid join pg_roles r on r.oid = s.userid
       where r.rolname = 'skedchange_app' and toplevel
       group by d.datname, query
     )
     select f.query as statement, f.calls::int as calls, (f.total / f.calls)::float as "fullMs",
       (e.total / e.calls)::float as "emptyMs", (f.total / sum(f.total) over ())::float as share
     from statements f left join statements e on e.query = f.query and e.datname = '${databaseOf(empty)}'
     where f.datname = '${databaseOf(full)}'
     order by f.total desc limit ${max}`,
  );
}

async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
