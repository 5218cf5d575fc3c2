import { resolve } from "node:path";
import type { Configuration } from "../config/load-settings.ts";
import { codeOf } from "../kernel/app-error.ts";
import { openDatabase } from "../store/database.ts";
import { prepareDatabase } from "../store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../store/embedded-postgres/server.ts";
import { storeErrors } from "../store/error-codes.ts";
import { assertSchemaIsCurrent, migrate } from "../store/migrator.ts";

/** A migrated database, ready to be used. */
export interface Storage {
  /** As the service role. */
  readonly serviceUrl: string;
  /** Where it is, for people; never with a credential. */
  readonly place: string;
  /** Stops the embedded server; does nothing to a database that is not ours. */
  stop(): Promise<void>;
}

/** Opens the database of DATABASE_URL, or starts the embedded one, and brings its schema up to date. */
export async function openStorage(
  { settings }: Configuration,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<Storage> {
  if (settings.DATABASE_URL !== undefined) {
    await bringUpToDate(settings.DATABASE_URL, settings.DATABASE_OWNER_URL ?? settings.DATABASE_URL, say);
    return { serviceUrl: settings.DATABASE_URL, place: placeOf(settings.DATABASE_URL), stop: async () => {} };
  }
  const sudoUid = Number(environment.SUDO_UID);
  const server = await startEmbeddedPostgres({
    dataDir: resolve(settings.DATA_DIR),
    logger: say,
    ...(Number.isInteger(sudoUid) && sudoUid > 0 ? { sudoUid } : {}),
  });
  try {
    const { ownerUrl, serviceUrl } = await prepareDatabase(server.adminUrl, "skedchange");
    await migrate({ ownerUrl, serviceUser: new URL(serviceUrl).username, logger: say });
    return { serviceUrl, place: `embedded PostgreSQL in ${server.dataDir}`, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Migrates when there is something to migrate. A process that connects as the service role and finds a current schema
 * needs no rights of the owner.
 */
async function bringUpToDate(serviceUrl: string, ownerUrl: string, say: (line: string) => void): Promise<void> {
  const database = openDatabase({
    url: serviceUrl,
    applicationName: "skedchange start",
    maxConnections: 1,
    onError: () => {},
  });
  try {
    await assertSchemaIsCurrent(database);
  } catch (error) {
    if (codeOf(error) !== storeErrors.schemaOlder) throw error;
    const serviceUser = new URL(serviceUrl).username;
    const separate = serviceUser !== "" && serviceUser !== new URL(ownerUrl).username;
    await migrate({ ownerUrl, logger: say, ...(separate ? { serviceUser: decodeURIComponent(serviceUser) } : {}) });
  } finally {
    await database.close();
  }
}

function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}
