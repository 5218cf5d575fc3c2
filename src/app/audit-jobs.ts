import { sealAuditEntries } from "../store/audit-sealing.ts";
import type { Database } from "../store/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Shutdown } from "./shutdown.ts";

/** Entries that are joined to the chain in one transaction. */
const sealBatch = 1_000;
/** How soon an entry is joined to the chain. */
const sealEveryMs = 1_000;

/**
 * Joins what was audited to the chain of hashes, for as long as the process runs. Every process of the agency side does;
 * the database lets one at a time through.
 */
export function runAuditSealing(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): void {
  const { database, logger, shutdown } = options;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      while (!isStopping && (await sealAuditEntries(database, sealBatch)) === sealBatch);
    } catch (error) {
      logger.warn({ job: "audit sealing", error }, "job.failed");
    }
    if (!isStopping) timer = setTimeout(start, sealEveryMs);
  };
  const start = (): void => {
    running = run();
  };
  start();
  shutdown.add("work", "audit sealing", async () => {
    isStopping = true;
    clearTimeout(timer);
    await running;
  });
}
