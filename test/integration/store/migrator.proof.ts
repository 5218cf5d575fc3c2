import { appendFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPostgresQueueBackend } from "../../../src/queue/postgres-backend.ts";
import { openDatabase } from "../../../src/store/database/database.ts";
import { assertSchemaIsCurrent, migrate } from "../../../src/store/database/migrator.ts";
import { urlFor } from "../../../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../../../src/store/embedded-postgres/server.ts";
import { createEmptyDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { makeTestFolder } from "../../harness/test-folder.ts";
import { disposable } from "../../harness/test-server.ts";
import { lastReleaseFixture, makeTables } from "../../upgrade/load-fixture.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ownFolder = new URL("../../../src/store/", import.meta.url);

let db: TestDatabase;
/** The files of a version whose schema is ours, and whose migrations begin with one that changes nothing. */
let folder: string;
beforeEach(async () => {
  db = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), "skedchange-schema-"));
  await cp(new URL("schema/", ownFolder), join(folder, "schema"), { recursive: true });
  await mkdir(join(folder, "migrations"));
  await write(
    "000001_first.sql",
    `-- Oldest program: 000000\n-- Comes after: 000000_before of 0.0.1, ${"0".repeat(64)}\nselect 1`,
  );
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await db.drop();
});

const folderUrl = () => pathToFileURL(`${folder}/`);

function migrateFolder() {
  return migrate({ ownerUrl: db.ownerUrl, folder: folderUrl() });
}

function write(name: string, text: string): Promise<void> {
  return writeFile(join(folder, "migrations", name), text);
}

function add(name: string, text: string): Promise<void> {
  return write(name, `-- Oldest program: 000001\n${text}`);
}

async function ownMigrations(): Promise<string[]> {
  return (await readdir(new URL("migrations/", ownFolder))).map((name) => name.replace(".sql", "")).sort();
}

test("a new database gets its tables at once, with every migration that they contain", async () => {
  const names = await ownMigrations();
  const lines: string[] = [];

  const first = await migrate({ ownerUrl: db.ownerUrl, logger: (line) => lines.push(line) });
  const second = await migrate({ ownerUrl: db.ownerUrl, logger: (line) => lines.push(line) });

  expect(first).toEqual({ applied: names, version: Number(names.at(-1)!.slice(0, 6)) });
  expect(second).toEqual({ applied: [], version: first.version });
  expect(lines).toEqual(["made the tables of a new database"]);
  await assertSchemaIsCurrent(db.database);
});

test("of a schema that fails nothing stays", async () => {
  await writeFile(join(folder, "schema", "99-bad.sql"), "select 1 / 0;");

  await expect(migrateFolder()).rejects.toMatchObject({
    code: "store.migration_failed",
    message: "The new schema failed and was rolled back: division by zero (22012).",
  });
  const { rows } = await db.ownerDatabase.pool.query("select to_regclass('skedchange.orders') as orders");
  expect(rows).toEqual([{ orders: null }]);
});

test("of two processes that migrate at the same moment one finds nothing to do", async () => {
  const options = { ownerUrl: db.ownerUrl, logger: () => {} };

  const results = await Promise.all([migrate(options), migrate(options)]);

  expect(results.map((result) => result.applied.length).sort()).toEqual([0, (await ownMigrations()).length]);
});

describe("a database of the last release", () => {
  beforeEach(() => makeTables(lastReleaseFixture, db));

  test("gets every migration since then in order, once, and says so", async () => {
    const names = await ownMigrations();
    const lines: string[] = [];

    const first = await migrate({ ownerUrl: db.ownerUrl, logger: (line) => lines.push(line) });
    const second = await migrate({ ownerUrl: db.ownerUrl, logger: (line) => lines.push(line) });

    expect(first.applied).toEqual(names);
    expect(second).toEqual({ applied: [], version: first.version });
    expect(lines).toEqual(names.map((name) => `applied migration ${name}`));
    await assertSchemaIsCurrent(db.database);
  });

  test.each([
    [
      "that lacks its newest migration is too old",
      "delete from skedchange.schema_migrations where version = 55",
      {
        code: "store.schema_too_old",
        message:
          "The database is at migration 000054_agency_of_orders, which is older than Skedchange 0.3.0. " +
          "Upgrade it to 0.3.0 first, then to this version.",
      },
    ],
    [
      "that is older than the rows which say what runs on it is too old",
      `delete from skedchange.schema_migrations where version > 38;
       alter table skedchange.schema_migrations drop column oldest_program`,
      { code: "store.schema_too_old", message: expect.stringContaining("000038_user_sources") },
    ],
    [
      "that a version between two releases migrated further is refused",
      `insert into skedchange.schema_migrations (version, name, checksum, oldest_program)
         values (56, '000056_time_zones', repeat('0', 64), 39)`,
      {
        code: "store.schema_unreleased",
        message:
          "The database is at migration 000056_time_zones, which no release has: a version between releases made it. " +
          "Go on with a copy from 0.3.0, or with a new database.",
      },
    ],
    [
      "whose newest migration is another one than that of the release is refused",
      "update skedchange.schema_migrations set checksum = repeat('0', 64) where version = 55",
      { code: "store.migration_edited", message: expect.stringContaining("000055_given_views") },
    ],
  ])("%s", async (_what, change, refusal) => {
    await db.ownerDatabase.pool.query(change);

    await expect(migrate({ ownerUrl: db.ownerUrl })).rejects.toMatchObject(refusal);
    await expect(assertSchemaIsCurrent(db.ownerDatabase)).rejects.toMatchObject(refusal);
  });
});

describe("on a database that is newer than the program", () => {
  /** Migrates with these files besides, and takes them away again, as the older program is without them. */
  async function migrateFurther(files: Readonly<Record<string, string>>): Promise<void> {
    await migrateFolder();
    for (const [name, text] of Object.entries(files)) await write(name, text);
    await migrateFolder();
    for (const name of Object.keys(files)) await rm(join(folder, "migrations", name));
  }
  const assertCurrent = () => assertSchemaIsCurrent(db.database, folderUrl());

  test("a program goes on, starts and migrates when each newer migration says that it may", async () => {
    await migrateFurther({
      "000002_later.sql": "-- Oldest program: 000001\ncreate table skedchange.later (id integer)",
      "000003_last.sql": "-- Oldest program: 000001\nselect 1",
    });

    await assertCurrent();
    expect(await migrateFolder()).toEqual({ applied: [], version: 1 });
  });

  test.each([
    ["is only for those that have it", "-- Oldest program: 000003\nselect 1", 3],
    ["is only for those that have another one", "-- Oldest program: 000002\nselect 1", 2],
  ])("a program is refused when one of them %s", async (_what, text, oldest) => {
    await migrateFurther({
      "000002_later.sql": "-- Oldest program: 000001\nselect 1",
      "000003_breaks.sql": text,
      "000004_last.sql": "-- Oldest program: 000001\nselect 1",
    });
    const newer = {
      code: "store.schema_newer",
      message:
        `The database is at migration 000004_last. Since 000003_breaks only a Skedchange that has migration ${oldest} or a ` +
        "later one runs on it, and this one has migrations up to 1. Upgrade Skedchange; the schema is never taken back.",
    };

    await expect(migrateFolder()).rejects.toMatchObject(newer);
    await expect(assertCurrent()).rejects.toMatchObject(newer);
  });

  test("a program whose own migrations differ is refused, whatever newer ones say", async () => {
    await migrateFurther({ "000002_later.sql": "-- Oldest program: 000001\nselect 1" });
    await appendFile(join(folder, "migrations", "000001_first.sql"), "-- a harmless remark\n");

    await expect(assertCurrent()).rejects.toMatchObject({ code: "store.migration_edited" });
  });
});

test("programs from before the first migration do not run on a new database, in which theirs are not recorded", async () => {
  await migrateFolder();
  await add("000002_later.sql", "select 1");
  await migrateFolder();

  const { rows } = await db.ownerDatabase.pool.query(
    "select version, oldest_program from skedchange.schema_migrations order by version",
  );
  expect(rows).toEqual([
    { version: 1, oldest_program: 1 },
    { version: 2, oldest_program: 1 },
  ]);
});

test.each([
  ["select 1", "must begin with a line like `-- Oldest program: 000080`"],
  ["-- Oldest program: 000003\nselect 1", "which comes after itself"],
])("a new migration that does not say well which programs run on it is refused: %j", async (text, problem) => {
  await write("000002_new.sql", text);

  await expect(migrateFolder()).rejects.toThrow(problem);
});

test("a first migration that does not say which release it takes over from is refused", async () => {
  await write("000001_first.sql", "-- Oldest program: 000000\nselect 1");

  await expect(migrateFolder()).rejects.toThrow("must say with a line like `-- Comes after: ");
});

test("a migration that ends in a deadlock with a running process is applied again", async () => {
  await migrateFolder();
  await db.ownerDatabase.pool.query("create table skedchange.first (); create table skedchange.second ()");
  const program = new pg.Client({ connectionString: db.adminUrl });
  await program.connect();
  // The session that looks for a deadlock first is rolled back: here the migration, after the two have met.
  await program.query(`alter database ${program.escapeIdentifier(program.database!)} set deadlock_timeout = '3s'`);
  await program.query("set deadlock_timeout = '60s'");
  try {
    await program.query("begin; lock table skedchange.first in row exclusive mode");
    await add(
      "000002_both.sql",
      "alter table skedchange.second add n integer; alter table skedchange.first add n integer",
    );
    const migrating = migrateFolder();
    await eventually(async () => expect(await waitingFor("skedchange.first")).toBe(1));
    await program.query("lock table skedchange.second in row exclusive mode");
    await program.query("commit");

    expect(await migrating).toEqual({ applied: ["000002_both"], version: 2 });
  } finally {
    await program.end();
  }
});

async function waitingFor(table: string): Promise<number> {
  const { rows } = await db.ownerDatabase.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_locks where relation = $1::regclass and not granted",
    [table],
  );
  return rows[0]!.count;
}

test("a migration that was edited after it was applied is refused", async () => {
  await migrateFolder();
  await appendFile(join(folder, "migrations", "000001_first.sql"), "-- a harmless remark\n");

  await expect(migrateFolder()).rejects.toMatchObject({
    code: "store.migration_edited",
    message: expect.stringMatching(/^Migration 000001_first was applied .* and has been changed.*a new migration/),
  });
});

test("a migration whose number comes before one that was applied is refused", async () => {
  await add("000003_third.sql", "select 1");
  await migrateFolder();
  await add("000002_second.sql", "select 1");

  await expect(migrateFolder()).rejects.toMatchObject({ code: "store.migration_edited" });
});

test("line ends of Windows do not make a migration another one", async () => {
  await add("000002_lines.sql", "select 1;\nselect 2;\n");
  await migrateFolder();
  await add("000002_lines.sql", "select 1;\r\nselect 2;\r\n");

  expect(await migrateFolder()).toMatchObject({ applied: [] });
});

test("a migration that fails leaves nothing of itself, and those before it stay", async () => {
  await migrateFolder();
  await add("000002_good.sql", "create table skedchange.good (id integer)");
  await add("000003_bad.sql", "create table skedchange.half (id integer); select 1 / 0;");

  await expect(migrateFolder()).rejects.toMatchObject({
    code: "store.migration_failed",
    message: "Migration 000003_bad failed and was rolled back: division by zero (22012).",
  });
  const { rows } = await db.ownerDatabase.pool.query(
    "select to_regclass('skedchange.good') is not null as good, to_regclass('skedchange.half') is not null as half",
  );
  expect(rows).toEqual([{ good: true, half: false }]);
});

test("two migrations with one number are refused before anything happens", async () => {
  await add("000002_one.sql", "select 1");
  await add("000002_other.sql", "select 1");

  await expect(migrateFolder()).rejects.toThrow("Two migrations have the number 2");
});

describe("a process that does not migrate", () => {
  test("is refused when the database has never been migrated", async () => {
    await expect(assertSchemaIsCurrent(db.ownerDatabase)).rejects.toMatchObject({
      code: "store.schema_older",
      message: "The database has no tables yet. Run `npx skedchange migrate`.",
    });
  });

  test("gets an error that names the missing migration", async () => {
    await migrateFolder();
    await add("000002_later.sql", "select 1");
    await add("000003_last.sql", "select 1");

    await expect(assertSchemaIsCurrent(db.database, folderUrl())).rejects.toMatchObject({
      code: "store.schema_older",
      message: "The database lacks migration 000002_later and 1 after it. Run `npx skedchange migrate`.",
    });
  });
});

describe("on a server that somebody else administers", () => {
  let admin: pg.Client;
  beforeEach(async () => {
    admin = new pg.Client({ connectionString: db.adminUrl });
    await admin.connect();
  });
  afterEach(() => admin.end());

  test("a service login that is not yet in the service role is put into it", async () => {
    const login = `login_${db.adminUrl.length}_${process.pid}`;
    await admin.query(`create role ${login} login`);
    await admin.query("grant skedchange_service to skedchange_owner with admin option");
    const service = openDatabase({
      url: urlFor(db.serviceUrl, login, new URL(db.serviceUrl).pathname.slice(1)),
      applicationName: "test",
      maxConnections: 1,
      onError: () => {},
    });
    try {
      await migrate({ ownerUrl: db.ownerUrl, serviceUser: login });

      await assertSchemaIsCurrent(service);
    } finally {
      await service.close();
      await admin.query("revoke skedchange_service from skedchange_owner cascade");
      await admin.query(`drop role ${login}`);
    }
  });

  test("an owner without the right gets an error with the statement that an administrator must run", async () => {
    const login = `stranger_${process.pid}`;
    await admin.query(`create role ${login} login`);
    try {
      await expect(migrate({ ownerUrl: db.ownerUrl, serviceUser: login })).rejects.toMatchObject({
        code: "store.owner_lacks_rights",
        message: expect.stringContaining(`run \`grant skedchange_service to "${login}"\``),
      });
    } finally {
      await admin.query(`drop role ${login}`);
    }
  });

  test("an owner that is the service login as well needs nothing", async () => {
    const { version } = await migrate({ ownerUrl: db.ownerUrl, serviceUser: "skedchange_owner" });

    expect(version).toBeGreaterThan(0);
  });
});

test("an owner that cannot create the service role gets an error with the statement that an administrator must run", async () => {
  const dataDir = await makeTestFolder();
  const server = await startEmbeddedPostgres({ dataDir, settings: disposable });
  const admin = new pg.Client({ connectionString: server.adminUrl });
  try {
    await admin.connect();
    await admin.query("create role plain_owner login");
    await admin.query("create database plain owner plain_owner");

    await expect(migrate({ ownerUrl: urlFor(server.adminUrl, "plain_owner", "plain") })).rejects.toMatchObject({
      code: "store.owner_lacks_rights",
      message: expect.stringMatching(
        /may not create the role skedchange_service.*`create role skedchange_service nologin`/,
      ),
    });

    await admin.query("create role skedchange_service nologin");
    expect((await migrate({ ownerUrl: urlFor(server.adminUrl, "plain_owner", "plain") })).version).toBeGreaterThan(0);
  } finally {
    await admin.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("the service role may do what BullMQ needs", async () => {
  await migrate({ ownerUrl: db.ownerUrl });
  const backend = createPostgresQueueBackend({ url: db.serviceUrl, applicationName: "test", onError: () => {} });
  const queue = backend.openQueue("granted");
  const worked: unknown[] = [];
  try {
    await queue.add([[{ id: "too old" }]]);
    await queue.removeOlderThan(-60_000);
    await queue.add([[{ id: "2" }, { id: "3" }]]);
    await queue.addFirst([{ id: "1" }]);
    backend.consume("granted", console.error, async (job) => {
      worked.push(...job.map(({ id }) => id));
    });

    await eventually(() => expect(worked).toEqual(["1", "2", "3"]));
  } finally {
    await backend.close();
  }
});
