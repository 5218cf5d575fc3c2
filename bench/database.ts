import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeEncryptionKey, readEncryptionKeys } from "../src/kernel/encryption-keys.ts";
import { type Database, openDatabase } from "../src/store/database/database.ts";
import { migrate } from "../src/store/database/migrator.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { createStopList } from "./stop-list.ts";

/** A migrated database on a PostgreSQL of its own, as durable as in production, with encryption. */
export interface BenchDatabase {
  /** As the service role. */
  readonly database: Database;
  /** What a process of the product needs to use it. */
  readonly environment: Readonly<Record<"DATABASE_URL" | "DATABASE_OWNER_URL" | "ENCRYPTION_KEYS", string>>;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<BenchDatabase> {
  const keys = makeEncryptionKey(new Date());
  const reading = readEncryptionKeys(keys);
  if (!reading.ok) throw new Error(reading.problem);
  const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
  const stops = createStopList();
  stops.add(() => rm(folder, { recursive: true, force: true }));
  try {
    // The user of the server must be able to enter it.
    await chmod(folder, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: folder });
    stops.add(server.stop);
    const { ownerUrl, serviceUrl } = await prepareDatabase(server.adminUrl, "bench");
    await migrate({ ownerUrl });
    const database = openDatabase({
      url: serviceUrl,
      applicationName: "bench",
      maxConnections: 4,
      encryptionKeys: reading.keys,
      onError: (error) => console.error(error),
    });
    stops.add(() => database.close());
    const environment = { DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: ownerUrl, ENCRYPTION_KEYS: keys };
    return { database, environment, stop: stops.stop };
  } catch (error) {
    await stops.stop();
    throw error;
  }
}
