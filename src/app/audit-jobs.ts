import { appendToAuditChain } from "../store/audit/append-to-audit-chain.ts";
import type { Database } from "../store/database/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import { repeatJob } from "./repeat-job.ts";
import type { Shutdown } from "./shutdown.ts";

const chainBatch = 1_000;
const chainEveryMs = 1_000;

/** Every agency-side process chains entries; the database admits one at a time. */
export function runAuditChaining(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): void {
  const { database, logger, shutdown } = options;
  const work = async (): Promise<boolean> => (await appendToAuditChain(database, chainBatch)) === chainBatch;
  repeatJob({ name: "audit chaining", everyMs: chainEveryMs, work }, { logger, shutdown });
}
