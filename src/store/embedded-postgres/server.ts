import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { open, readFile, realpath, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { storeErrors } from "../database/error-codes.ts";
import { findBinaries, type ServerBinaries, serverEnvironment } from "./binaries.ts";
import {
  initialiseCluster,
  makeFolderForAll,
  prepareDataFolder,
  prepareSocketFolder,
  readDataOwner,
} from "./data-folder.ts";
import { type OwnerLock, takeOwnerLock } from "./owner-lock.ts";
import { disownPostmasterFile, isAlive, isServerOf, processExists, readPostmasterFile } from "./postmaster.ts";
import { canEnter, chooseServerUser, readPasswd, type ServerUser } from "./server-user.ts";

const run = promisify(execFile);

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly logger?: (line: string) => void;
  /** Called with `store.data_taken_over` if another process takes the server over while this one runs. Default: logged. */
  readonly onTakenOver?: (error: AppError) => void;
  readonly clock?: Clock;
  /** SUDO_UID, if this process was started with sudo. */
  readonly sudoUid?: number;
  readonly packageFolder?: string;
  /** PostgreSQL settings that override ours. `fsync: "off"` is for data that may be lost. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  readonly adminUrl: string;
  /** The actual folder: not `dataDir` if the server's user can't reach it. */
  readonly dataDir: string;
  /** Whether it was taken over from an earlier process of ours. */
  readonly adopted: boolean;
  readonly pid: number;
  /**
   * Shuts the server down and waits for its end. This ends open connections: close them first. If another process has
   * taken the server over, it goes on.
   */
  stop(): Promise<void>;
}

/** For one machine: small, but fsync stays on, because acknowledged means committed. */
const ownSettings: Readonly<Record<string, string>> = {
  max_connections: "200",
  shared_buffers: "128MB",
  // Until autovacuum has run, PostgreSQL plans statements as if tables were empty.
  autovacuum_naptime: "10s",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] %q%a ",
};

/** How long to wait for a lock left by a crash. Measured: 1.5 s after a SIGKILL of the server. */
const leftoverLockMs = 10_000;
const recoveryMs = 120_000;
const pollMs = 25;
/** Time for a fast shutdown's checkpoint. An immediate one follows, with recovery at the next start. */
const fastShutdownMs = 6_000;
const immediateShutdownMs = 2_000;
const logBytesMax = 16 * 1024 * 1024;
const windows = process.platform === "win32";

/**
 * Starts PostgreSQL, or takes over the server of a killed process of ours; one live process has it at a time. The
 * server has its own process group, so Ctrl-C does not end it before us.
 * @throws `store.data_in_use`, `store.data_unreachable`, `store.data_version`, `store.embedded_unavailable`,
 * `store.embedded_user_missing`, `store.embedded_failed`; each message says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const logger = options.logger ?? (() => {});
  const onTakenOver = options.onTakenOver ?? ((error) => logger(error.message));
  const clock = options.clock ?? systemClock;
  const user = chooseServerUser({
    ownUid: process.geteuid?.(),
    dataOwner: await readDataOwner(options.dataDir),
    sudoUid: options.sudoUid,
    passwd: await readPasswd(),
  });
  const folder = await realpath(await prepareDataFolder(options.dataDir, user));
  if (folder !== (await realpath(options.dataDir).catch(() => options.dataDir))) {
    logger(`the data is in ${folder}, because ${user.name}, as whom PostgreSQL runs, cannot enter ${options.dataDir}`);
  }
  const binaries = await findBinaries({
    user,
    cacheFolder: () => prepareCacheFolder(folder, user),
    ...(options.packageFolder !== undefined && { packageFolder: options.packageFolder }),
    logger,
  });
  const passwordFile = windows ? await preparePassword(folder) : null;
  const cluster = await initialiseCluster(folder, {
    binaries,
    user,
    syncToDisk: options.settings?.["fsync"] !== "off",
    passwordFile,
  });
  const context: StartContext = {
    cluster,
    logFile: join(folder, "postgres.log"),
    binaries,
    user,
    password: passwordFile === null ? null : await readFile(passwordFile, "utf8"),
    settings: { ...ownSettings, ...options.settings },
    clock,
    logger,
  };

  const server = await findOrLaunch(context);
  let lock: OwnerLock;
  try {
    lock = await takeOwnerLock(server.adminUrl, { dataDir: folder, logger, onTakenOver });
  } catch (error) {
    if (!server.adopted && codeOf(error) !== storeErrors.dataInUse) await shutDown(context, server.pid);
    throw error;
  }
  if (server.adopted) logger(`took over PostgreSQL (process ${server.pid}), which an earlier start had left running`);

  let stopping: Promise<void> | undefined;
  return {
    ...server,
    dataDir: folder,
    stop() {
      stopping ??= (async () => {
        // The lock ends after the server, so that no other start adopts a server that is shutting down.
        if (await lock.prepareShutdown()) await shutDown(context, server.pid);
        else logger(`PostgreSQL (process ${server.pid}) goes on for the process that has taken it over`);
        await lock.release();
      })();
      return stopping;
    },
  };
}

interface StartContext {
  readonly cluster: string;
  readonly logFile: string;
  readonly binaries: ServerBinaries;
  readonly user: ServerUser;
  /** Windows only. */
  readonly password: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly logger: (line: string) => void;
}

interface FoundServer {
  readonly adminUrl: string;
  readonly adopted: boolean;
  readonly pid: number;
}

async function findOrLaunch(context: StartContext): Promise<FoundServer> {
  const giveUpAt = context.clock.now().getTime() + leftoverLockMs;
  for (;;) {
    const found = await findRunning(context);
    if (found !== null) return found;
    const launched = await launch(context);
    if (launched.ready) return launched.server;
    if (!launched.leftoverLock || context.clock.now().getTime() > giveUpAt) {
      throw new AppError(
        storeErrors.embeddedFailed,
        `PostgreSQL did not start on ${context.cluster}: ${launched.log || "it said nothing"}. The whole log is ${context.logFile}.`,
      );
    }
    await sleep(250);
  }
}

/** Returns null if no server runs on this cluster. */
async function findRunning(context: StartContext): Promise<FoundServer | null> {
  const { cluster, clock } = context;
  const giveUpAt = clock.now().getTime() + leftoverLockMs;
  for (;;) {
    const file = await readPostmasterFile(cluster);
    if (file === null) return null;
    const alive = await isAlive(file.pid);
    const proof = alive ? await isServerOf(file.pid, cluster) : "no";
    if (proof === "no") {
      if (processExists(file.pid)) await disownPostmasterFile(cluster, file);
      return null;
    }
    const adminUrl = urlOf(context, file.socketFolder ?? "127.0.0.1", file.port);
    // A server writes its socket a moment after its process id.
    const listens = windows || file.socketFolder !== null;
    const serverState: ServerState = listens ? await askFolder(adminUrl) : { starting: true };
    if (
      serverState.folder !== undefined &&
      (await realpath(serverState.folder).catch(() => serverState.folder)) === cluster
    ) {
      return { adminUrl, adopted: true, pid: file.pid };
    }
    const limit = serverState.starting ? giveUpAt + recoveryMs : giveUpAt;
    if (clock.now().getTime() > limit) {
      throw new AppError(
        storeErrors.embeddedFailed,
        proof === "yes"
          ? `PostgreSQL runs on ${cluster} as process ${file.pid} but does not respond. End that process (kill -INT ${file.pid}) and start again.`
          : `${join(cluster, "postmaster.pid")} names process ${file.pid}, and it cannot be told whether that is PostgreSQL. ` +
              "If it is not, remove that file and start again.",
      );
    }
    await sleep(pollMs * 4);
  }
}

type Launch =
  | { readonly ready: true; readonly server: FoundServer }
  | { readonly ready: false; readonly leftoverLock: boolean; readonly log: string };

async function launch(context: StartContext): Promise<Launch> {
  const { cluster, binaries, user } = context;
  const socketFolder = windows ? null : await prepareSocketFolder(cluster, user);
  const port = socketFolder === null ? await freePort() : 5432;
  const adminUrl = urlOf(context, socketFolder ?? "127.0.0.1", port);
  const settings = {
    ...context.settings,
    port: String(port),
    listen_addresses: socketFolder === null ? "127.0.0.1" : "",
    ...(socketFolder !== null && { unix_socket_directories: socketFolder, unix_socket_permissions: "0700" }),
  };
  const logStart = await rotateLog(context.logFile);
  const log = await open(context.logFile, "a", 0o600);
  const settingArguments = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // On Windows only pg_ctl drops administrator rights, with which PostgreSQL refuses to run.
  const [program, programArguments] = windows
    ? [binaries.pgCtl, ["start", "-W", "-D", cluster, "-o", settingArguments.map((part) => `"${part}"`).join(" ")]]
    : [binaries.postgres, ["-D", cluster, ...settingArguments]];
  const child = spawn(program, programArguments, {
    ...user.switchTo,
    detached: true,
    // The server's user may be unable to enter our working folder.
    cwd: cluster,
    env: serverEnvironment,
    stdio: ["ignore", log.fd, log.fd],
  });
  let failed: string | undefined;
  child.once("error", (error) => {
    failed = messageOf(error);
  });
  child.once("exit", (code, signal) => {
    if (!windows || code !== 0) failed ??= `it ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  await log.close();

  const giveUpAt = context.clock.now().getTime() + recoveryMs;
  for (;;) {
    if (failed !== undefined) {
      const logEnd = await readLogEnd(context.logFile, logStart);
      const leftoverLock = /lock file ".*" already exists|shared memory block .* in use/.test(logEnd);
      // With a left-over lock, another start may be about to listen in this folder.
      if (socketFolder !== null && !leftoverLock) await rmdir(socketFolder).catch(() => {});
      return { ready: false, leftoverLock, log: fatalLines(logEnd) || failed };
    }
    const serverState = await askFolder(adminUrl);
    if (
      serverState.folder !== undefined &&
      (await realpath(serverState.folder).catch(() => serverState.folder)) === cluster
    ) {
      const pid = windows ? (await readPostmasterFile(cluster))?.pid : child.pid;
      return { ready: true, server: { adminUrl, adopted: false, pid: pid ?? 0 } };
    }
    if (context.clock.now().getTime() > giveUpAt) {
      await shutDown(context, child.pid ?? 0);
      return { ready: false, leftoverLock: false, log: `no response within ${recoveryMs / 1000} s` };
    }
    await sleep(pollMs);
  }
}

/** Tries fast, then immediate, then kill. No process of the server is left when it resolves. */
async function shutDown(context: StartContext, pid: number): Promise<void> {
  const { clock, cluster, logger } = context;
  if (windows) {
    await run(context.binaries.pgCtl, ["stop", "-D", cluster, "-m", "fast", "-t", "8"], {
      env: serverEnvironment,
    }).catch((error: unknown) => logger(`PostgreSQL could not be stopped: ${messageOf(error)}`));
    return;
  }
  const socketFolder = (await readPostmasterFile(cluster))?.socketFolder;
  const steps = [
    { signal: "SIGINT", waitMs: fastShutdownMs },
    { signal: "SIGQUIT", waitMs: immediateShutdownMs },
    { signal: "SIGKILL", waitMs: immediateShutdownMs },
  ] as const;
  for (const { signal, waitMs } of steps) {
    if (!(await isAlive(pid)) || (await isServerOf(pid, cluster)) === "no") break;
    if (signal !== "SIGINT") logger(`PostgreSQL (process ${pid}) is still running; sending ${signal}`);
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (codeOf(error) !== "ESRCH") throw error;
    }
    const until = clock.now().getTime() + waitMs;
    while ((await isAlive(pid)) && clock.now().getTime() < until) await sleep(pollMs);
  }
  if (socketFolder) await rmdir(socketFolder).catch(() => {});
}

interface ServerState {
  readonly folder?: string;
  readonly starting: boolean;
}

/** Returns the cluster that responds at this URL; `starting` while the server refuses connections. */
async function askFolder(adminUrl: string): Promise<ServerState> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("show data_directory");
    return rows[0] === undefined ? { starting: false } : { folder: rows[0].data_directory, starting: false };
  } catch (error) {
    const cannotConnectNow = "57P03";
    return { starting: codeOf(error) === cannotConnectNow };
  } finally {
    await client.end().catch(() => {});
  }
}

function urlOf(context: StartContext, host: string, port: number): string {
  const password = context.password === null ? "" : `:${encodeURIComponent(context.password)}`;
  // All options are explicit, so PGHOST, PGSSLMODE and other variables have no effect.
  const place = host.startsWith("/")
    ? `localhost/postgres?host=${encodeURIComponent(host)}&port=${port}&`
    : `${host}:${port}/postgres?`;
  return `postgres://postgres${password}@${place}sslmode=disable`;
}

/** All users share root's copies, so the server's user must not be able to write them. */
async function prepareCacheFolder(folder: string, user: ServerUser): Promise<string> {
  if (user.switchTo === null) return folder;
  for (const shared of ["/var/cache/skedchange", "/var/lib/skedchange/cache"]) {
    const usable = await makeFolderForAll(shared).then(
      () => canEnter(shared, user),
      () => false,
    );
    if (usable) return shared;
  }
  return folder;
}

/** On Windows any user can connect to a port, so the server needs a password that only we can read. */
async function preparePassword(folder: string): Promise<string> {
  const path = join(folder, "postgres.password");
  await writeFile(path, randomBytes(24).toString("base64url"), { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  return path;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Returns the offset at which new lines start. */
async function rotateLog(path: string): Promise<number> {
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size <= logBytesMax) return size;
  await rename(path, `${path}.1`);
  return 0;
}

async function readLogEnd(path: string, from: number): Promise<string> {
  const text = await readFile(path);
  return text.subarray(from).toString("utf8");
}

function fatalLines(log: string): string {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  const important = lines.filter((line) => /FATAL|PANIC|HINT|error while loading/.test(line));
  return (important.length > 0 ? important : lines.slice(-3)).map((line) => line.trim()).join(" / ");
}
