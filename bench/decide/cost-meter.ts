import type pg from "pg";
import { createCpuMeter } from "../cpu-of-processes.ts";

/** What orders cost between `start` and `perOrder`. */
export interface CostMeter {
  start(): Promise<void>;
  /** For the report: CPU of each program, and what PostgreSQL has written to its log. */
  perOrder(count: number): Promise<Readonly<Record<string, number>>>;
}

/** @param processes the first process of each program by its name */
export function createCostMeter(
  processes: Readonly<Record<string, number>>,
  database: Pick<pg.Pool, "query">,
): CostMeter {
  const cpu = createCpuMeter(processes);
  const readWritten = async (): Promise<number> => {
    const { rows } = await database.query<{ bytes: number }>(
      "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes",
    );
    return rows[0]!.bytes;
  };
  let writtenBefore = 0;
  return {
    async start() {
      writtenBefore = await readWritten();
      cpu.start();
    },
    async perOrder(count) {
      const used = cpu.perUnit(count);
      return { ...used, "WAL, bytes each": ((await readWritten()) - writtenBefore) / count };
    },
  };
}
