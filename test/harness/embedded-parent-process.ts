// A process that owns an embedded server until it is killed. Its argument is the data folder.
import { codeOf } from "../../src/kernel/app-error.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded-postgres/server.ts";

try {
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? "" });
  process.stdout.write(`${JSON.stringify({ pid: server.pid, adminUrl: server.adminUrl })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: codeOf(error) })}\n`);
}
