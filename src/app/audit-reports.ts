import type { AuditFilter } from "../dashboard/ports.ts";
import type { AuditHead } from "../store/audit/audit-entry.ts";
import { type ChainedAuditEntry, createAuditReading } from "../store/audit/audit-reading.ts";
import { type AuditVerdict, type VerifyAuditOptions, verifyAudit } from "../store/audit/audit-verification.ts";
import { chainAuditEntries } from "../store/audit/chain-audit-entries.ts";
import type { Database } from "../store/database/database.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";

/** Checks the audit of the configured database, beside a running server or without one. */
export function verifyConfiguredAudit(place: CommandContext, options: VerifyAuditOptions): Promise<AuditVerdict> {
  return withConfiguredDatabase(place, connection, async ({ database }) => {
    await chainPending(database);
    return await verifyAudit(database, options);
  });
}

/** Awaits `write` for each matching entry, in chain order; returns the end of the chain at the start of the export. */
export function exportConfiguredAudit(
  place: CommandContext,
  filter: AuditFilter,
  write: (entry: ChainedAuditEntry) => Promise<void> | void,
): Promise<AuditHead> {
  return withConfiguredDatabase(place, connection, async ({ database }) => {
    await chainPending(database);
    const audit = createAuditReading(database);
    const head = await audit.readHead();
    for await (const entry of audit.streamEntries(filter, head)) await write(entry);
    return head;
  });
}

const connection = { applicationName: "skedchange audit", maxConnections: 2 };
const chainBatch = 1_000;

/** Includes the newest entries, even if no server runs to chain them. */
async function chainPending(database: Database): Promise<void> {
  while ((await chainAuditEntries(database, chainBatch)) === chainBatch);
}
