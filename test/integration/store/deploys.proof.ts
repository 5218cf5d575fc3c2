import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { assertSchemaIsCurrent, migrate } from "../../../src/store/database/migrator.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openAllPending } from "../../harness/notifications.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A new version is rolled out while processes of the version before are at work. */

const ownFolder = new URL("../../../src/store/", import.meta.url);

let db: TestDatabase;
let nextVersion: string;

beforeEach(async () => {
  db = await createTestDatabase();
  nextVersion = await mkdtemp(join(tmpdir(), "skedchange-next-"));
  for (const part of ["schema", "migrations"]) {
    await cp(new URL(`${part}/`, ownFolder), join(nextVersion, part), { recursive: true });
  }
  const knownNow = (await readdir(join(nextVersion, "migrations"))).sort().at(-1)?.slice(0, 6);
  await writeFile(
    join(nextVersion, "migrations", "000999_next.sql"),
    `-- Oldest program: ${knownNow}\nalter table skedchange.orders add column next_thing text;`,
  );
});
afterEach(async () => {
  await rm(nextVersion, { recursive: true, force: true });
  await db.drop();
});

const nextFolder = () => pathToFileURL(`${nextVersion}/`);

function record(text: string) {
  const body = Buffer.from(text);
  return createNotificationStore(db.database).recordBatch([
    {
      id: randomUUID(),
      source: "default",
      receivedAt: systemClock.now(),
      body,
      digest: digestOfBytes(body),
      copies: 1,
      contentType: "application/json",
      problem: null,
      orders: [{ orderId: text, gdsBookingReferences: ["QX7R2M"] }],
    },
  ]);
}

describe("a process of the version before", () => {
  test("goes on acknowledging after the new one has migrated, and stays ready", async () => {
    await record("BEFORE01");
    await assertSchemaIsCurrent(db.database);

    await migrate({ ownerUrl: db.ownerUrl, folder: nextFolder() });

    expect(await record("AFTER01")).toMatchObject([{ recorded: true }]);
    await assertSchemaIsCurrent(db.database);
  });

  test("says that it is too old when the new one left a schema that it cannot run on", async () => {
    await writeFile(join(nextVersion, "migrations", "001000_break.sql"), "-- Oldest program: 001000\nselect 1;");

    await migrate({ ownerUrl: db.ownerUrl, folder: nextFolder() });

    await expect(assertSchemaIsCurrent(db.database)).rejects.toMatchObject({
      code: "store.schema_newer",
      message: expect.stringContaining("Upgrade Skedchange"),
    });
  });
});

describe("a process of the new version", () => {
  test("that may not migrate finds the schema behind and names what is missing", async () => {
    await expect(assertSchemaIsCurrent(db.database, nextFolder())).rejects.toMatchObject({
      code: "store.schema_older",
      message: expect.stringContaining("000999_next"),
    });
  });

  test("migrates while notifications come in, and none is lost", async () => {
    let recorded = 0;
    let isMigrated = false;
    const receiving = (async () => {
      for (let n = 0; !isMigrated || n < 5; n += 1) {
        expect(await record(`DURING${n}`)).toMatchObject([{ recorded: true }]);
        recorded += 1;
      }
    })();
    // Two deploys of it at the same moment.
    const results = await Promise.all([1, 2].map(() => migrate({ ownerUrl: db.ownerUrl, folder: nextFolder() })));
    isMigrated = true;
    await receiving;

    expect(results.map(({ applied }) => applied.length).toSorted()).toEqual([0, 1]);
    await openAllPending(db.database);
    const { rows } = await db.database.pool.query("select count(*)::int as count from skedchange.cases");
    expect(rows).toEqual([{ count: recorded }]);
  });
});
