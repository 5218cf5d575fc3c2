import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/store/database/database.ts";
import { assertSchemaIsCurrent, migrate } from "../../../src/store/database/migrator.ts";
import {
  announceMissingPostgresPrograms,
  findPostgresPrograms,
  type InstalledPostgres,
  startInstalledPostgres,
} from "../../harness/postgres-programs.ts";
import { makeTestFolder } from "../../harness/test-folder.ts";

// A server starts, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const run = promisify(execFile);
const programs = findPostgresPrograms();
announceMissingPostgresPrograms();

(programs === null ? describe.skip : describe)("a dump, restored as docs/operations.md says", () => {
  let postgres: InstalledPostgres;
  let folder: string;
  beforeAll(async () => {
    postgres = await startInstalledPostgres(programs!);
    folder = await makeTestFolder();
  });
  afterAll(async () => {
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("fits beside the database that it was made of, on a server that has the roles", async () => {
    const dump = join(folder, "skedchange.dump");
    await migrate({ ownerUrl: postgres.ownerUrl, serviceUser: "skedchange_app" });
    await run(join(programs!, "pg_dump"), ["--format=custom", `--file=${dump}`, postgres.ownerUrl]);

    const ownerUrl = await postgres.addDatabase("skedchange_restored");
    await run(join(programs!, "pg_restore"), ["--no-owner", "--role=skedchange_owner", "--dbname", ownerUrl, dump]);

    const url = ownerUrl.replace("skedchange_owner", "skedchange_app");
    const database = openDatabase({ url, applicationName: "test", maxConnections: 1, onError: () => {} });
    try {
      await assertSchemaIsCurrent(database);
      expect((await migrate({ ownerUrl })).applied).toEqual([]);
    } finally {
      await database.close();
    }
  });
});
