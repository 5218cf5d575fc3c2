import type { AuditFilter } from "../dashboard/audit-ports.ts";
import { appendToAuditChain } from "../store/audit/append-to-audit-chain.ts";
import type { AuditHead } from "../store/audit/audit-blocks.ts";
import { type AuditBlock, type ChainedAuditEntry, createAuditReading } from "../store/audit/audit-reading.ts";
import { type AuditVerdict, type VerifyAuditOptions, verifyAudit } from "../store/audit/audit-verification.ts";
import type { Database } from "../store/database/database.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";

/** Checks the audit of the configured database, beside a running server or without one. */
export function verifyConfiguredAudit(place: CommandContext, options: VerifyAuditOptions): Promise<AuditVerdict> {
  return withConfiguredDatabase(place, connection, async ({ database }) => {
    await appendPending(database);
    return await verifyAudit(database, options);
  });
}

export interface AuditOutput {
  /** Called once the audit can be read, so that a refusal leaves nothing behind. */
  begin(): Promise<void> | void;
  write(line: ChainedAuditEntry | AuditBlock): Promise<void> | void;
}

/**
 * Writes each matching entry in the order of the chain, without a filter also its blocks. Returns the end of the chain at
 * the start of the export.
 */
export function exportConfiguredAudit(
  place: CommandContext,
  filter: AuditFilter,
  output: AuditOutput,
): Promise<AuditHead> {
  return withConfiguredDatabase(place, connection, async ({ database }) => {
    await appendPending(database);
    const audit = createAuditReading(database);
    const head = await audit.readHead();
    await output.begin();
    for await (const line of audit.streamChain(filter, head)) await output.write(line);
    return head;
  });
}

const connection = { applicationName: "skedchange audit", maxConnections: 2 };
const chainBatch = 1_000;

/** Includes the newest entries, even if no server runs to chain them. */
async function appendPending(database: Database): Promise<void> {
  while ((await appendToAuditChain(database, chainBatch)) === chainBatch);
}
