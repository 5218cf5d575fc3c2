import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { loadDatabaseSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
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
  readonly settings: Settings;
  readonly encryptionKeys: readonly EncryptionKey[];
}

export interface CommandConnection {
  readonly applicationName: string;
  readonly maxConnections: number;
  /** Default: the service role. */
  readonly as?: "service" | "owner";
}

/**
 * Works with or without a running server, on a database that is there; closes it afterwards.
 * @throws AppError `config.invalid`, `cli.no_database`, and errors of opening the database
 */
export async function withConfiguredDatabase<T>(
  { environment, print }: CommandContext,
  connection: CommandConnection,
  use: (opened: ConfiguredDatabase) => Promise<T>,
): Promise<T> {
  const loaded = loadDatabaseSettings(environment, (path) => readFileSync(path, "utf8"), { needsKeys: true });
  if (!loaded.ok) throw new AppError("config.invalid", [...loaded.problems, howToGiveSettings].join("\n"));
  const { settings } = loaded;
  const { serviceUrl, ownerUrl, encryptionKeys, stop } = await openStorageBeside(settings, environment, print);
  const { as = "service", ...options } = connection;
  const url = as === "owner" ? ownerUrl : serviceUrl;
  const database = openDatabase({ ...options, url, encryptionKeys, onError: () => {} });
  try {
    return await use({ database, settings, encryptionKeys });
  } finally {
    await database.close();
    await stop();
  }
}

const howToGiveSettings =
  "This command works on the database itself, so it needs the settings of a process: `node --env-file=<file> bin/skedchange.js …`, or those of the shell.";

async function openStorageBeside(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<Omit<Storage, "place">> {
  if (settings.DATABASE_URL !== undefined) return await openStorage({ settings }, environment, { print });
  const dataDir = resolve(settings.DATA_DIR);
  // A new database would be empty, and whoever asks about another one would be told that all is well.
  if (clusterOf(dataDir) === undefined) {
    throw new AppError(
      "cli.no_database",
      `DATABASE_URL is not set, and no database is in ${dataDir} (DATA_DIR).\n${howToGiveSettings}`,
    );
  }
  const running = await findRunningServer(dataDir);
  if (running === null) return await openStorage({ settings }, environment, { print });
  return {
    serviceUrl: running("skedchange_app"),
    ownerUrl: running("skedchange_owner"),
    encryptionKeys: settings.ENCRYPTION_KEYS ?? (await loadOrCreateEncryptionKey(dataDir)),
    stop: async () => {},
  };
}

function clusterOf(dataDir: string): string | undefined {
  return [dataDir, fallbackFolder(dataDir)].map(clusterIn).find((candidate) => existsSync(candidate));
}

/** Returns null if no embedded PostgreSQL runs. */
async function findRunningServer(dataDir: string): Promise<((role: string) => string) | null> {
  const cluster = clusterOf(dataDir);
  if (cluster === undefined) return null;
  const file = await readPostmasterFile(cluster);
  if (file === null || file.socketFolder === null || (await isServerOf(file.pid, cluster)) !== "yes") return null;
  const place = new URLSearchParams({ host: file.socketFolder, port: String(file.port), sslmode: "disable" });
  return (role) => `postgres://${role}@localhost/skedchange?${place.toString()}`;
}
