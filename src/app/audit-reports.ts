import { readFileSync } from "node:fs";
import { loadSettings } from "../config/load-settings.ts";
import type { AuditFilter } from "../dashboard/ports.ts";
import { AppError } from "../kernel/app-error.ts";
import type { AuditHead } from "../store/audit-entry.ts";
import { createAuditReading, type SealedAuditEntry } from "../store/audit-reading.ts";
import { sealAuditEntries } from "../store/audit-sealing.ts";
import { type AuditVerdict, type VerifyAuditOptions, verifyAudit } from "../store/audit-verification.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { openStorageBeside } from "./storage-beside.ts";

/** Where a command finds the database. */
export interface AuditPlace {
  readonly environment: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

/** Checks the audit of the configured database, beside a running server or without one. */
export function verifyConfiguredAudit(place: AuditPlace, options: VerifyAuditOptions): Promise<AuditVerdict> {
  return withDatabase(place, async (database) => {
    await sealWaiting(database);
    return await verifyAudit(database, options);
  });
}

/**
 * Hands every sealed entry that the filter takes to `write`, in the order of the chain, and waits for it each time.
 *
 * @returns where the chain ended when the export began.
 */
export function exportConfiguredAudit(
  place: AuditPlace,
  filter: AuditFilter,
  write: (entry: SealedAuditEntry) => Promise<void> | void,
): Promise<AuditHead> {
  return withDatabase(place, async (database) => {
    await sealWaiting(database);
    const audit = createAuditReading(database);
    const head = await audit.readHead();
    for await (const entry of audit.streamEntries(filter, head)) await write(entry);
    return head;
  });
}

const sealBatch = 1_000;

/** So that what has just happened is there too, and a database without a running server is not called behind. */
async function sealWaiting(database: Database): Promise<void> {
  while ((await sealAuditEntries(database, sealBatch)) === sealBatch);
}

async function withDatabase<T>({ environment, say }: AuditPlace, use: (database: Database) => Promise<T>): Promise<T> {
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) throw new AppError("config.invalid", loaded.problems.join("\n"));
  const storage = await openStorageBeside(loaded.configuration, environment, say);
  const database = openDatabase({
    url: storage.serviceUrl,
    applicationName: "skedchange audit",
    maxConnections: 2,
    encryptionKeys: storage.encryptionKeys,
    onError: () => {},
  });
  try {
    return await use(database);
  } finally {
    await database.close();
    await storage.stop();
  }
}
