import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Configuration, loadSettings } from "../config/load-settings.ts";
import { AppError } from "../kernel/app-error.ts";
import type { EncryptionKey } from "../kernel/encryption-keys.ts";
import { type Database, openDatabase } from "../store/database/database.ts";
import { clusterIn, fallbackFolder } from "../store/embedded-postgres/data-folder.ts";
import { isServerOf, readPostmasterFile } from "../store/embedded-postgres/postmaster.ts";
import { loadOrCreateEncryptionKey } from "./encryption-key-file.ts";
import { openStorage, type Storage } from "./storage.ts";

/** Where a command finds its settings, and how it tells of what takes long. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
}

export interface ConfiguredDatabase {
  readonly database: Database;
  readonly configuration: Configuration;
  readonly encryptionKeys: readonly EncryptionKey[];
}

export interface CommandConnection {
  readonly applicationName: string;
  readonly maxConnections: number;
  /** Default: the service role. */
  readonly as?: "service" | "owner";
}

/**
 * Works with or without a running server; closes the database afterwards.
 * @throws AppError `config.invalid`, and errors of opening the database
 */
export async function withConfiguredDatabase<T>(
  { environment, print }: CommandContext,
  connection: CommandConnection,
  use: (opened: ConfiguredDatabase) => Promise<T>,
): Promise<T> {
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) throw new AppError("config.invalid", loaded.problems.join("\n"));
  const { configuration } = loaded;
  const { serviceUrl, ownerUrl, encryptionKeys, stop } = await openStorageBeside(configuration, environment, print);
  const { as = "service", ...options } = connection;
  const url = as === "owner" ? ownerUrl : serviceUrl;
  const database = openDatabase({ ...options, url, encryptionKeys, onError: () => {} });
  try {
    return await use({ database, configuration, encryptionKeys });
  } finally {
    await database.close();
    await stop();
  }
}

async function openStorageBeside(
  configuration: Configuration,
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<Omit<Storage, "place">> {
  const { settings } = configuration;
  const running = settings.DATABASE_URL === undefined ? await findRunningServer(resolve(settings.DATA_DIR)) : null;
  if (running === null) return await openStorage(configuration, environment, print);
  return {
    serviceUrl: running("skedchange_app"),
    ownerUrl: running("skedchange_owner"),
    encryptionKeys: settings.ENCRYPTION_KEYS ?? (await loadOrCreateEncryptionKey(resolve(settings.DATA_DIR))),
    stop: async () => {},
  };
}

/** Returns null if no embedded PostgreSQL runs. */
async function findRunningServer(dataDir: string): Promise<((role: string) => string) | null> {
  const cluster = [dataDir, fallbackFolder(dataDir)].map(clusterIn).find((candidate) => existsSync(candidate));
  if (cluster === undefined) return null;
  const file = await readPostmasterFile(cluster);
  if (file === null || file.socketFolder === null || (await isServerOf(file.pid, cluster)) !== "yes") return null;
  const place = new URLSearchParams({ host: file.socketFolder, port: String(file.port), sslmode: "disable" });
  return (role) => `postgres://${role}@localhost/skedchange?${place.toString()}`;
}
