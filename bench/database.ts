import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEncryptionKey, readEncryptionKeys } from "../src/kernel/encryption-keys.ts";
import { type Database, openDatabase } from "../src/store/database/database.ts";
import { migrate } from "../src/store/database/migrator.ts";
import { prepareDatabase, urlFor } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { createStopList } from "./stop-list.ts";

/** A migrated database on a PostgreSQL of the benchmark's own, as durable as in production, with encryption. */
export interface BenchDatabase {
  /** As the service role. */
  readonly database: Database;
  /** What a process of the product needs to use it. */
  readonly environment: Readonly<Record<"DATABASE_URL" | "DATABASE_OWNER_URL" | "ENCRYPTION_KEYS", string>>;
  /** The same database as the superuser, for who fills it. */
  readonly adminUrl: string;
  /** The first process of the server. */
  readonly serverPid: number;
}

export interface BenchServer {
  /** Of its first process. */
  readonly pid: number;
  createDatabase(name: string): Promise<BenchDatabase>;
  /** Without our tables; returns its URL. */
  createEmptyDatabase(name: string): Promise<string>;
  /** Ends the server, and removes what it stored. */
  stop(): Promise<void>;
}

/** A server with one database. */
export async function startDatabase(): Promise<BenchDatabase & Pick<BenchServer, "stop">> {
  const server = await startDatabaseServer();
  try {
    return { ...(await server.createDatabase("bench")), stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export async function startDatabaseServer(settings: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const keys = createEncryptionKey(new Date());
  const reading = readEncryptionKeys(keys);
  if (!reading.ok) throw new Error(reading.problem);
  const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
  const stops = createStopList();
  stops.add(() => rm(folder, { recursive: true, force: true }));
  try {
    // The user of the server must be able to enter it.
    await chmod(folder, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: folder, settings });
    stops.add(server.stop);
    return {
      pid: server.pid,
      createEmptyDatabase: async (name) => (await prepareDatabase(server.adminUrl, name)).ownerUrl,
      async createDatabase(name) {
        const { ownerUrl, serviceUrl } = await prepareDatabase(server.adminUrl, name);
        await migrate({ ownerUrl });
        const database = openDatabase({
          url: serviceUrl,
          applicationName: "bench",
          maxConnections: 4,
          encryptionKeys: reading.keys,
          onError: (error) => console.error(error),
        });
        stops.add(() => database.close());
        const adminUrl = urlFor(server.adminUrl, new URL(server.adminUrl).username, name);
        const environment = { DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: ownerUrl, ENCRYPTION_KEYS: keys };
        return { database, environment, adminUrl, serverPid: server.pid };
      },
      stop: stops.stop,
    };
  } catch (error) {
    await stops.stop();
    throw error;
  }
}
