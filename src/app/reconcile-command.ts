import { readFileSync } from "node:fs";
import { loadSettings } from "../config/load-settings.ts";
import type { ReconciliationReport } from "../desk/reconciliation.ts";
import { AppError } from "../kernel/app-error.ts";
import { openDatabase } from "../store/database.ts";
import { silentLogger } from "../telemetry/logger.ts";
import { damageLimitsFor, reconcileAlone } from "./reconcile-job.ts";
import { openStorageBeside } from "./storage-beside.ts";

/** Reconciles the configured database, beside running servers or without any. */
export async function reconcileConfigured(request: {
  readonly environment: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly repair: boolean;
}): Promise<ReconciliationReport> {
  const { environment, say, repair } = request;
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) throw new AppError("config.invalid", loaded.problems.join("\n"));
  const { settings } = loaded.configuration;
  const storage = await openStorageBeside(loaded.configuration, environment, say);
  const database = openDatabase({
    url: storage.serviceUrl,
    applicationName: "skedchange reconcile",
    maxConnections: 2,
    encryptionKeys: storage.encryptionKeys,
    onError: () => {},
  });
  try {
    const limits = damageLimitsFor(settings.GATEWAY_TIMEOUT_SECONDS);
    const report = await reconcileAlone({ database, logger: silentLogger, limits, repair });
    if (report !== null) return report;
    throw new AppError(
      "reconciliation.under_way",
      "Another process is reconciling this database now. Try again in a minute.",
      { retryable: true },
    );
  } finally {
    await database.close();
    await storage.stop();
  }
}
