import { randomUUID } from "node:crypto";
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { systemClock } from "../../../src/kernel/clock.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { assertSchemaIsCurrent, migrate } from "../../../src/store/database/migrator.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openAllPending } from "../../harness/notifications.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
jest.setTimeout(120_000);

/** A new version is rolled out while processes of the version before are at work. */

const ownMigrations = new URL("../../../src/store/migrations/", import.meta.url);

let db: TestDatabase;
let nextVersion: string;

beforeEach(async () => {
  db = await createTestDatabase();
  nextVersion = await mkdtemp(join(tmpdir(), "skedchange-next-"));
  for (const name of await readdir(ownMigrations))
    await copyFile(new URL(name, ownMigrations), join(nextVersion, name));
  const knownNow = (await readdir(nextVersion)).sort().at(-1)?.slice(0, 6);
  await writeFile(
    join(nextVersion, "000999_next.sql"),
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
    await writeFile(join(nextVersion, "001000_break.sql"), "-- Oldest program: 001000\nselect 1;");

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

test("what happened before there was an audit is in it once it is there", async () => {
  const empty = await createEmptyDatabase();
  const before = await mkdtemp(join(tmpdir(), "skedchange-before-"));
  try {
    const names = (await readdir(ownMigrations)).filter((name) => name < "000014");
    for (const name of names) await copyFile(new URL(name, ownMigrations), join(before, name));
    await migrate({ ownerUrl: empty.ownerUrl, folder: pathToFileURL(`${before}/`) });
    await empty.ownerDatabase.pool.query(`
      insert into skedchange.orders (source, order_id) values ('default', 'OLD1');
      insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
        values ('01890c5e-0000-7000-8000-000000000001', 'default', 'OLD1', 'received', '2026-01-01', '2026-01-01');
      insert into skedchange.case_events (case_id, at, kind, actor, detail)
        select id, '2026-01-01', 'case.noted', 'person:a', '{"note": "long ago"}' from skedchange.cases`);

    await migrate({ ownerUrl: empty.ownerUrl });

    expect(await appendToAuditChain(empty.database, 10)).toBe(0);
    const { items } = await createAuditReading(empty.database).listEntries(
      { orderId: "OLD1" },
      { before: null, limit: 10 },
    );
    expect(items).toMatchObject([
      { at: "2026-01-01T00:00:00.000000Z", kind: "case.noted", actor: "person:a", block: 1 },
    ]);
    expect(await verifyAudit(empty.database)).toMatchObject({ checked: 1, broken: null });
  } finally {
    await rm(before, { recursive: true, force: true });
    await empty.drop();
  }
});
