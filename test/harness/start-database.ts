import { buildDistIfStale } from "./build-dist.ts";
import { announceMissingPostgresPrograms } from "./postgres-programs.ts";
import { announceMissingRedis } from "./redis-presence.ts";
import { startTestServer } from "./test-server.ts";
import { adminUrlVariable } from "./test-server-address.ts";

/** Vitest calls it once before all test files, and what it returns once after them. */
export default async function startDatabase(): Promise<() => Promise<void>> {
  announceMissingRedis();
  announceMissingPostgresPrograms();
  buildDistIfStale();
  const server = await startTestServer();
  process.env[adminUrlVariable] = server.adminUrl;
  // The server has a process group of its own, so Ctrl-C does not reach it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void server.stop().finally(() => process.exit(130)));
  }
  return () => server.stop();
}
