import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../../src/store/database/migrator.ts";
import { findBinaries, serverEnvironment } from "../../src/store/embedded-postgres/binaries.ts";
import { readDataOwner } from "../../src/store/embedded-postgres/data-folder.ts";
import { prepareDatabase, urlFor } from "../../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded-postgres/server.ts";
import { chooseServerUser, readPasswd } from "../../src/store/embedded-postgres/server-user.ts";
import { askOnce } from "../harness/ask-once.ts";
import { eventually } from "../harness/eventually.ts";
import { findFreePort } from "../harness/redis-server.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { endWithUs } from "./end-with-us.ts";

/** How PostgreSQL goes down: in order, at once, by SIGKILL, or by the crash of one backend, after which it recovers itself. */
export type PostgresEnd = "fast" | "immediate" | "kill" | "backend-crash";

/** A real PostgreSQL of one run, on a loopback port that stays the same, with its data kept over restarts. */
export interface RestartablePostgres {
  readonly port: number;
  readonly logFile: string;
  /** As the owner of the migrated database. */
  readonly ownerUrl: string;
  /** As the role that processes connect as, through the given port. */
  serviceUrl(port: number): string;
  /** Takes it down and starts it again; resolves when it responds. */
  restart(how: PostgresEnd): Promise<void>;
  close(): Promise<void>;
}

const database = "skedchange";

/** fsync and synchronous_commit stay on, as in production. */
const settings = {
  max_connections: "200",
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  log_line_prefix: "%m [%p] %q%a ",
  listen_addresses: "127.0.0.1",
};

/** @param makeTables as another version than this one does. */
export async function startRestartablePostgres(
  makeTables = async (ownerUrl: string): Promise<void> => {
    await migrate({ ownerUrl });
  },
): Promise<RestartablePostgres> {
  const folder = await makeTestFolder();
  // Once as the product starts it, which makes the cluster, the roles and the tables.
  const first = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const { ownerUrl } = await prepareDatabase(first.adminUrl, database);
    await makeTables(ownerUrl);
  } finally {
    await first.stop();
  }
  const user = chooseServerUser({
    ownUid: process.geteuid?.(),
    dataOwner: await readDataOwner(folder),
    sudoUid: undefined,
    passwd: await readPasswd(),
  });
  const binaries = await findBinaries({ user, cacheFolder: async () => first.dataDir, logger: () => {} });
  const cluster = join(first.dataDir, "postgres");
  const logFile = join(first.dataDir, "postgres.log");
  const log = await open(logFile, "a", 0o600);
  const port = await findFreePort();
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
  let server: ChildProcess | null = null;

  function launch(): ChildProcess {
    const words = Object.entries({ ...settings, port: String(port), unix_socket_directories: "" });
    const parameters = words.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(binaries.postgres, ["-D", cluster, ...parameters], {
      ...user.switchTo,
      cwd: cluster,
      env: serverEnvironment,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    endWithUs(child);
    return child;
  }

  async function start(): Promise<void> {
    await eventually(
      async () => {
        // A server that was killed leaves its children and their shared memory for a moment; then it does not start.
        if (server === null || server.exitCode !== null || server.signalCode !== null) server = launch();
        await askOnce(adminUrl, "select 1");
      },
      { timeoutMs: 60_000, everyMs: 50 },
    );
  }

  async function end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  await start();
  return {
    port,
    logFile,
    ownerUrl: urlFor(adminUrl, "skedchange_owner", database),
    serviceUrl: (throughPort) => {
      const url = new URL(urlFor(adminUrl, "skedchange_app", database));
      url.port = String(throughPort);
      return url.href;
    },
    async restart(how) {
      if (how === "backend-crash") await crashBackend(adminUrl);
      else await end(({ fast: "SIGINT", immediate: "SIGQUIT", kill: "SIGKILL" } as const)[how]);
      await start();
    },
    async close() {
      await end("SIGQUIT");
      await log.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The postmaster sees a child die by SIGKILL, ends all others, and recovers from its log. */
async function crashBackend(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const ended = new Promise((resolve) => client.once("end", resolve));
  process.kill(rows[0]!.pid, "SIGKILL");
  await ended;
}
