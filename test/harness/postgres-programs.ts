import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chown, open, readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chooseServerUser, readPasswd } from "../../src/store/embedded-postgres/server-user.ts";
import { endWithUs } from "../faults/end-with-us.ts";
import { askOnce } from "./ask-once.ts";
import { eventually } from "./eventually.ts";
import { findFreePort } from "./redis-server.ts";
import { makeTestFolder } from "./test-folder.ts";
import { disposable } from "./test-server.ts";

const run = promisify(execFile);

const needed = ["initdb", "postgres", "psql", "pg_dump", "pg_restore"] as const;

/** The folder of a whole PostgreSQL of this machine, the newest one. The embedded one has no `pg_dump`. */
export function findPostgresPrograms(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) => needed.every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Whether their absence is a failure, as in CI: REQUIRE_PG_DUMP=1. */
export function requiresPostgresPrograms(): boolean {
  return process.env["REQUIRE_PG_DUMP"] === "1";
}

/** Says once for a whole run which suites are left out without them, and how to have them. */
export function announceMissingPostgresPrograms(): void {
  if (findPostgresPrograms() !== null || requiresPostgresPrograms()) return;
  process.stderr.write(
    "There is no PostgreSQL with pg_dump: the tests of restored dumps are left out. To run them, install it (Debian: " +
      "apt-get install postgresql). REQUIRE_PG_DUMP=1 makes its absence a failure.\n",
  );
}

/** A PostgreSQL that somebody installed and that has our roles, as `docs/operations.md` says. */
export interface InstalledPostgres {
  readonly adminUrl: string;
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  /** Makes another database in the same way. @returns the URL of its owner */
  addDatabase(name: string): Promise<string>;
  readLog(): Promise<string>;
  close(): Promise<void>;
}

/** Starts one with an empty database, and runs `deploy/postgres/create-roles.sh` in it. */
export async function startInstalledPostgres(programs: string): Promise<InstalledPostgres> {
  const { port, environment, readLog, close } = await startEmptyPostgres(programs);
  const urlOf = (role: string, database: string): string =>
    `postgres://${role}:secret@127.0.0.1:${port}/${database}?sslmode=disable`;
  const createDatabase = (name: string) => askOnce(urlOf("postgres", "postgres"), `create database ${name}`);
  const createRoles = (database: string) =>
    run("sh", [fileURLToPath(new URL("../../deploy/postgres/create-roles.sh", import.meta.url))], {
      env: {
        ...environment,
        POSTGRES_USER: "postgres",
        POSTGRES_DB: database,
        SKEDCHANGE_OWNER_PASSWORD: "secret",
        SKEDCHANGE_APP_PASSWORD: "secret",
      },
    });
  await createDatabase("skedchange");
  await createRoles("skedchange");
  return {
    adminUrl: urlOf("postgres", "skedchange"),
    ownerUrl: urlOf("skedchange_owner", "skedchange"),
    serviceUrl: urlOf("skedchange_app", "skedchange"),
    async addDatabase(name) {
      await createDatabase(name);
      await createRoles(name);
      return urlOf("skedchange_owner", name);
    },
    readLog,
    close,
  };
}

/** A PostgreSQL as Debian leaves it after the installation: with nothing in it. */
export interface EmptyPostgres {
  readonly port: string;
  /** For its programs: they find it, and themselves. */
  readonly environment: Readonly<Record<string, string>>;
  readLog(): Promise<string>;
  close(): Promise<void>;
}

/** Local users are whoever they say they are. Over TCP everybody is, too, unless passwords are wanted. */
export async function startEmptyPostgres(programs: string, { passwords = false } = {}): Promise<EmptyPostgres> {
  const folder = await makeTestFolder();
  const user = chooseServerUser({
    ownUid: process.geteuid?.(),
    dataOwner: undefined,
    sudoUid: undefined,
    passwd: await readPasswd(),
  });
  if (user.switchTo !== null) await chown(folder, user.switchTo.uid, user.switchTo.gid);
  const cluster = join(folder, "cluster");
  const environment = { PATH: `${programs}${delimiter}${process.env["PATH"]}`, LC_ALL: "C" };
  const asServer = { ...user.switchTo, cwd: folder, env: environment };
  const authentication = ["--auth-local=trust", `--auth-host=${passwords ? "scram-sha-256" : "trust"}`];
  const options = ["--username=postgres", ...authentication, "--encoding=UTF8", "--no-locale", "--no-sync"];
  await run(join(programs, "initdb"), ["-D", cluster, ...options], asServer);
  const port = String(await findFreePort());
  const log = await open(join(folder, "postgres.log"), "a", 0o600);
  const settings = {
    ...disposable,
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    timezone: "UTC",
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(programs, "postgres"), ["-D", cluster, ...parameters], {
    ...asServer,
    stdio: ["ignore", log.fd, log.fd],
  });
  endWithUs(server);
  const socket = { ...environment, PGHOST: folder, PGPORT: port, PGUSER: "postgres" };
  await eventually(() => run(join(programs, "psql"), ["--command=select", "postgres"], { env: socket }), {
    timeoutMs: 60_000,
  });
  return {
    port,
    environment: socket,
    readLog: () => readFile(join(folder, "postgres.log"), "utf8"),
    async close() {
      const ended = once(server, "exit");
      server.kill("SIGQUIT");
      await ended;
      await log.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
