import { chainAuditEntries } from "../store/audit/chain-audit-entries.ts";
import type { Database } from "../store/database/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import { repeatJob } from "./repeat-job.ts";
import type { Shutdown } from "./shutdown.ts";

/** Entries that are joined to the chain in one transaction. */
const chainBatch = 1_000;
/** How soon an entry is joined to the chain. */
const chainEveryMs = 1_000;

/**
 * Joins what was audited to the chain of hashes, for as long as the process runs. Every process of the agency side does;
 * the database lets one at a time through.
 */
export function runAuditChaining(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): void {
  const { database, logger, shutdown } = options;
  const work = async (): Promise<boolean> => (await chainAuditEntries(database, chainBatch)) === chainBatch;
  repeatJob({ name: "audit chaining", everyMs: chainEveryMs, work }, { logger, shutdown });
}
