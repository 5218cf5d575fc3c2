import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { AppError } from "../../../src/kernel/app-error.ts";
import { clusterIn, fallbackFolder } from "../../../src/store/embedded-postgres/data-folder.ts";
import { prepareDatabase } from "../../../src/store/embedded-postgres/own-database.ts";
import { isAlive, readPostmasterFile } from "../../../src/store/embedded-postgres/postmaster.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/store/embedded-postgres/server.ts";
import { chooseServerUser, readPasswd } from "../../../src/store/embedded-postgres/server-user.ts";
import { type CompiledProcess, compileProcess } from "../../harness/compile-process.ts";
import { eventually } from "../../harness/eventually.ts";
import { makeTestFolder } from "../../harness/test-folder.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const describeAsRoot = process.geteuid?.() === 0 ? describe : describe.skip;

let compiled: CompiledProcess;
let dataDir: string;
let servers: EmbeddedPostgres[];
let children: ChildProcess[];

beforeAll(async () => {
  compiled = await compileProcess("test/harness/embedded-parent-process");
});
afterAll(() => compiled?.remove());

beforeEach(async () => {
  dataDir = await makeTestFolder();
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  // What a killed child has left is taken over to be stopped.
  if (servers.length === 0 && (await readPostmasterFile(clusterIn(dataDir)))) await start();
  await Promise.all(servers.map((server) => server.stop()));
  await rm(dataDir, { recursive: true, force: true });
});

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: "off" } });
  servers.push(server);
  return server;
}

/** A real process that owns the server on `dataDir`. */
async function startParent(): Promise<{ child: ChildProcess; serverPid: number; adminUrl: string; refused?: string }> {
  const child = spawn(process.execPath, [compiled.entry, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { pid, ...shown } = JSON.parse(line) as { pid: number; adminUrl: string; refused?: string };
  return { child, serverPid: pid, ...shown };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test("starts, is durable, keeps its data over a restart, and leaves no process and no socket folder", async () => {
  const first = await startEmbeddedPostgres({ dataDir });
  const socketFolder = (await readPostmasterFile(clusterIn(dataDir)))?.socketFolder;
  expect(await query(first.adminUrl, "show fsync")).toEqual([{ fsync: "on" }]);
  expect(await query(first.adminUrl, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  const { ownerUrl, serviceUrl } = await prepareDatabase(first.adminUrl, "skedchange");
  await query(ownerUrl, "create table kept as select 7 as value");
  expect(await query(serviceUrl, "select current_user::text as role")).toEqual([{ role: "skedchange_app" }]);

  await first.stop();

  expect(first.adopted).toBe(false);
  expect(await isAlive(first.pid)).toBe(false);
  expect(existsSync(socketFolder!)).toBe(false);
  const second = await start();
  expect(second.adopted).toBe(false);
  const again = await prepareDatabase(second.adminUrl, "skedchange");
  expect(await query(again.ownerUrl, "select value from kept")).toEqual([{ value: 7 }]);
});

test("a second start on data that a live process uses is refused and names that process", async () => {
  const { child, serverPid } = await startParent();

  await expect(start()).rejects.toMatchObject({
    code: "store.data_in_use",
    message: expect.stringContaining(`in use by process ${child.pid}. Stop that Skedchange first`),
  });
  expect(await isAlive(serverPid)).toBe(true);
});

test("a server whose parent was killed is taken over, and can be stopped", async () => {
  const { child, serverPid } = await startParent();
  await kill(child);

  const server = await start();

  expect(server).toMatchObject({ adopted: true, pid: serverPid });
  await server.stop();
  expect(await isAlive(serverPid)).toBe(false);
});

test("data is recovered after both the parent and the server were killed", async () => {
  const { child, serverPid, adminUrl } = await startParent();
  await query(adminUrl, "create table committed as select 1 as value");
  child.kill("SIGKILL");
  process.kill(serverPid, "SIGKILL");

  const server = await start();

  expect(server.adopted).toBe(false);
  expect(await query(server.adminUrl, "select value from committed")).toEqual([{ value: 1 }]);
});

test("the data stays marked as in use after a crash inside the server ended all its sessions", async () => {
  const server = await start();
  const holders = `select pid from pg_stat_activity where application_name = 'skedchange owner, process ${process.pid}'`;
  const [before] = await query<{ pid: number }>(server.adminUrl, holders);

  await query(server.adminUrl, `select pg_terminate_backend(${before!.pid})`);

  await eventually(async () => {
    const [after] = await query<{ pid: number }>(server.adminUrl, holders);
    expect(after?.pid).toBeGreaterThan(0);
    expect(after?.pid).not.toBe(before!.pid);
  });
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({ code: "store.data_in_use" });
});

describe("a server that another process has taken over after a crash inside it", () => {
  let takenOver: AppError[];
  let server: EmbeddedPostgres;
  let other: pg.Client;

  beforeEach(async () => {
    takenOver = [];
    const onTakenOver = (error: AppError) => void takenOver.push(error);
    server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off", log_connections: "on" }, onTakenOver });
    servers.push(server);
    other = await takeMarkOf(server);
    await eventually(() => expect(takenOver).toHaveLength(1));
  });
  afterEach(() => other.end().catch(() => {}));

  test("is reported once, with what to do", async () => {
    // Taken, lost, and tried again at least twice.
    await eventually(async () => expect(await attemptsToMark(server)).toBeGreaterThan(3));

    expect(takenOver).toMatchObject([
      { code: "store.data_taken_over", message: expect.stringContaining(`process ${process.ppid} did.`) },
    ]);
    expect(takenOver[0]!.message).toContain("Stop this process: it leaves PostgreSQL to the other one");
  });

  test("outlives the process that has lost it, for the one that has it", async () => {
    await server.stop();

    expect(await isAlive(server.pid)).toBe(true);
    await other.end();
    expect(await start()).toMatchObject({ adopted: true, pid: server.pid });
  });

  test("is marked again by the first process once the other one is gone, and ends with that process", async () => {
    await other.end();
    await eventually(async () => expect(await query(server.adminUrl, markHolders)).toEqual([{ holder: process.pid }]));

    await server.stop();

    expect(await isAlive(server.pid)).toBe(false);
  });
});

/** Which process has marked the data as in use. */
const markHolders = `
  select substring(a.application_name from 'process (\\d+)$')::int as holder
  from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted`;

/** Waits for the mark under the name of a live process, ends the session that has it, and so gets it. */
async function takeMarkOf({ adminUrl }: EmbeddedPostgres): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: adminUrl,
    application_name: `skedchange owner, process ${process.ppid}`,
  });
  client.on("error", () => {});
  await client.connect();
  const [mark] = await query<{ key: string; session: number }>(
    adminUrl,
    "select objid::text as key, pid as session from pg_locks where locktype = 'advisory'",
  );
  const taking = client.query("select pg_advisory_lock($1)", [mark!.key]);
  await eventually(async () =>
    expect(await query(adminUrl, "select from pg_locks where locktype = 'advisory' and not granted")).toHaveLength(1),
  );
  await query(adminUrl, `select pg_terminate_backend(${mark!.session})`);
  await taking;
  return client;
}

async function attemptsToMark({ dataDir: folder }: EmbeddedPostgres): Promise<number> {
  const log = await readFile(join(folder, "postgres.log"), "utf8");
  return log.split(`application_name=skedchange owner, process ${process.pid}`).length - 1;
}

test("of two first starts at the same moment one gets the data and the other is refused", async () => {
  const parents = await Promise.all([startParent(), startParent()]);

  expect(parents.map(({ refused }) => refused ?? "started").sort()).toEqual(["started", "store.data_in_use"]);
  const owner = parents.find(({ refused }) => refused === undefined)!;
  await kill(owner.child);
  expect(await start()).toMatchObject({ adopted: true, pid: owner.serverPid });
});

test("a left-over postmaster.pid that names an unrelated live process of the same user does not block a start", async () => {
  await (await start()).stop();
  const user = chooseServerUser({
    ownUid: process.geteuid?.(),
    dataOwner: undefined,
    sudoUid: undefined,
    passwd: await readPasswd(),
  });
  const outsider = spawn("sleep", ["60"], { ...user.switchTo, stdio: "ignore" });
  children.push(outsider);
  const pidFile = join(clusterIn(dataDir), "postmaster.pid");
  await writeFile(
    pidFile,
    `${outsider.pid}\n${clusterIn(dataDir)}\n1700000000\n5432\n/tmp\n\n  5432001    999999\nready   \n`,
  );

  const server = await start();

  expect(server.adopted).toBe(false);
  expect(await isAlive(outsider.pid!)).toBe(true);
  expect(await readFile(pidFile, "utf8")).toMatch(new RegExp(`^${server.pid}\n`));
});

test("data of another major version of PostgreSQL is refused", async () => {
  await mkdir(clusterIn(dataDir));
  await writeFile(join(clusterIn(dataDir), "PG_VERSION"), "12\n");

  await expect(start()).rejects.toMatchObject({
    code: "store.data_version",
    message: expect.stringMatching(/was written by PostgreSQL 12, and this is PostgreSQL 18/),
  });
});

test("a server that cannot start says why, in the words of its log", async () => {
  await (await start()).stop();
  await writeFile(join(clusterIn(dataDir), "postgresql.conf"), "no_such_setting = 1\n");

  await expect(start()).rejects.toMatchObject({
    code: "store.embedded_failed",
    message: expect.stringMatching(/did not start on .*(no_such_setting|errors).*The whole log is .*postgres\.log/),
  });
});

test("what a start that died while it made a new cluster has left is removed", async () => {
  const dead = spawn("true");
  await once(dead, "exit");
  await mkdir(join(dataDir, `postgres.new-${dead.pid}`));

  await start();

  expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres.log"]);
});

describeAsRoot("as root", () => {
  test("data behind a private folder goes where the server's user can reach it, and is found again", async () => {
    const privateFolder = join(dataDir, "private");
    await mkdir(privateFolder);
    await chmod(privateFolder, 0o700);
    const wanted = join(privateFolder, "data");
    try {
      const first = await start(wanted);
      expect(first.dataDir).toBe(fallbackFolder(wanted));
      await query(first.adminUrl, "create table kept as select 7 as value");
      await first.stop();
      await chmod(privateFolder, 0o755);

      const second = await start(wanted);

      expect(second.dataDir).toBe(fallbackFolder(wanted));
      expect(await query(second.adminUrl, "select value from kept")).toEqual([{ value: 7 }]);
      await second.stop();
    } finally {
      await rm(fallbackFolder(wanted), { recursive: true, force: true });
    }
  });

  test("the server runs as another user, and its sockets are private to that user", async () => {
    const server = await start();

    const status = await readFile(`/proc/${server.pid}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t[1-9]\d*\t/m);
    expect(server.adminUrl).toMatch(/^postgres:\/\/postgres@localhost\/postgres\?host=%2F/);
  });
});
