import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Configuration } from "../config/load-settings.ts";
import { clusterIn, fallbackFolder } from "../store/embedded-postgres/data-folder.ts";
import { isServerOf, readPostmasterFile } from "../store/embedded-postgres/postmaster.ts";
import { keepEncryptionKey } from "./encryption-key-file.ts";
import { openStorage, type Storage } from "./storage.ts";

/** The configured database, for a command that must work beside a running server as well as without one. */
export async function openStorageBeside(
  configuration: Configuration,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<Pick<Storage, "serviceUrl" | "encryptionKeys" | "stop">> {
  const { settings } = configuration;
  const runningUrl = settings.DATABASE_URL === undefined ? await findRunningServer(resolve(settings.DATA_DIR)) : null;
  if (runningUrl === null) return await openStorage(configuration, environment, say);
  return {
    serviceUrl: runningUrl,
    encryptionKeys: settings.ENCRYPTION_KEYS ?? (await keepEncryptionKey(resolve(settings.DATA_DIR))),
    stop: async () => {},
  };
}

/** The embedded PostgreSQL of a process that runs now, as the service role; null when none runs. */
async function findRunningServer(dataDir: string): Promise<string | null> {
  const cluster = [dataDir, fallbackFolder(dataDir)].map(clusterIn).find((candidate) => existsSync(candidate));
  if (cluster === undefined) return null;
  const file = await readPostmasterFile(cluster);
  if (file === null || file.socketFolder === null || (await isServerOf(file.pid, cluster)) !== "yes") return null;
  const place = new URLSearchParams({ host: file.socketFolder, port: String(file.port), sslmode: "disable" });
  return `postgres://skedchange_app@localhost/skedchange?${place.toString()}`;
}
