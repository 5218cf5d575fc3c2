import { resolve } from "node:path";
import type { Configuration } from "../config/load-settings.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import type { EncryptionKey } from "../kernel/encryption-keys.ts";
import { openDatabase } from "../store/database/database.ts";
import { storeErrors } from "../store/database/error-codes.ts";
import { assertSchemaIsCurrent, migrate } from "../store/database/migrator.ts";
import { isLackingRight } from "../store/database/sql-states.ts";
import { prepareDatabase } from "../store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../store/embedded-postgres/server.ts";
import type { Logger } from "../telemetry/logger.ts";
import { redactText } from "../telemetry/redact.ts";
import { loadOrCreateEncryptionKey } from "./encryption-key-file.ts";

export interface Storage {
  /** As the service role. */
  readonly serviceUrl: string;
  /** As the role that owns the schema, if the settings name it; else as the service role. */
  readonly ownerUrl: string;
  /** For people; without credentials. */
  readonly place: string;
  /** Empty in demo mode with a given database. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Stops the embedded server; does nothing to an external database. */
  stop(): Promise<void>;
}

interface StorageReports {
  /** For people; one line each. */
  readonly print: (line: string) => void;
  /** For errors of a process that runs. Not given: they are printed. */
  readonly logger?: Logger;
}

/** Opens DATABASE_URL or starts the embedded database, and migrates it. */
export async function openStorage(
  { settings }: Pick<Configuration, "settings">,
  environment: NodeJS.ProcessEnv,
  { print, logger }: StorageReports,
): Promise<Storage> {
  if (settings.DATABASE_URL !== undefined) {
    const ownerUrl = settings.DATABASE_OWNER_URL ?? settings.DATABASE_URL;
    await bringUpToDate(settings.DATABASE_URL, ownerUrl, print);
    const encryptionKeys = settings.ENCRYPTION_KEYS ?? [];
    return {
      serviceUrl: settings.DATABASE_URL,
      ownerUrl,
      place: placeOf(settings.DATABASE_URL),
      encryptionKeys,
      stop: async () => {},
    };
  }
  const sudoUid = Number(environment.SUDO_UID);
  const server = await startEmbeddedPostgres({
    dataDir: resolve(settings.DATA_DIR),
    logger: print,
    ...(logger && { onTakenOver: (error) => logger.error({ error }, "database.taken_over") }),
    ...(Number.isInteger(sudoUid) && sudoUid > 0 ? { sudoUid } : {}),
  });
  try {
    const { ownerUrl, serviceUrl } = await prepareDatabase(server.adminUrl, "skedchange");
    await migrate({ ownerUrl, serviceUser: new URL(serviceUrl).username, logger: print });
    const encryptionKeys = settings.ENCRYPTION_KEYS ?? (await loadOrCreateEncryptionKey(resolve(settings.DATA_DIR)));
    const place = `embedded PostgreSQL in ${server.dataDir}`;
    return { serviceUrl, ownerUrl, place, encryptionKeys, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Migrates only if needed, so a process with the service role and a current schema needs no owner rights. */
async function bringUpToDate(serviceUrl: string, ownerUrl: string, print: (line: string) => void): Promise<void> {
  const database = openDatabase({
    url: serviceUrl,
    applicationName: "skedchange start",
    maxConnections: 1,
    onError: () => {},
  });
  try {
    await assertSchemaIsCurrent(database);
  } catch (error) {
    if (codeOf(error) !== storeErrors.schemaOlder) throw explainUnusable(error, serviceUrl, "DATABASE_URL");
    const serviceUser = new URL(serviceUrl).username;
    const setting = ownerUrl === serviceUrl ? "DATABASE_URL" : "DATABASE_OWNER_URL";
    const separate = serviceUser !== "" && serviceUser !== new URL(ownerUrl).username;
    try {
      await migrate({ ownerUrl, logger: print, ...(separate ? { serviceUser: decodeURIComponent(serviceUser) } : {}) });
    } catch (failure) {
      throw isLackingRight(failure)
        ? mayNotMigrate(error, failure, setting)
        : explainUnusable(failure, ownerUrl, setting);
    }
  } finally {
    await database.close();
  }
}

/** The role can't migrate, because it does not own the schema. */
function mayNotMigrate(isOlder: unknown, failure: unknown, setting: DatabaseSetting): AppError {
  return new AppError(
    storeErrors.schemaOlder,
    `${messageOf(isOlder)} It needs DATABASE_OWNER_URL with the role that owns the database: ` +
      `the one of ${setting} may not migrate (${redactText(messageOf(failure))}).`,
    { cause: failure },
  );
}

type DatabaseSetting = "DATABASE_URL" | "DATABASE_OWNER_URL";

/** Turns errors of the driver or PostgreSQL into a sentence that names the setting. */
export function explainUnusable(error: unknown, url: string, setting: DatabaseSetting): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  return new AppError(
    "app.database_unusable",
    `${placeOf(url)} cannot be used: ${redactText(messageOf(error)) || code} (${code}). ` +
      `Check ${setting}, that PostgreSQL runs there, and that this role may connect.`,
    { cause: error },
  );
}

function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `PostgreSQL at ${searchParams.get("host") ?? host}${pathname}`;
}
