import { buildDistIfStale } from "./build-dist.ts";
import { announceMissingPostgresPrograms } from "./postgres-programs.ts";
import { announceMissingRedis } from "./redis-presence.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { adminUrlVariable } from "./test-server-address.ts";

/** The setup and the teardown of jest are loaded separately; the process is what they share. */
export const shared = globalThis as { skedchangeTestServer?: TestServer };

/** Jest calls it once before all test files. */
export default async function startDatabase(): Promise<void> {
  announceMissingRedis();
  announceMissingPostgresPrograms();
  buildDistIfStale();
  const server = await startTestServer();
  shared.skedchangeTestServer = server;
  process.env[adminUrlVariable] = server.adminUrl;
  // The server has a process group of its own, so Ctrl-C does not reach it and jest has no teardown for it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void server.stop().finally(() => process.exit(130)));
  }
}
