import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ensurePartitions } from "../../../src/store/database/partitions.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.ownerDatabase.pool.query("truncate skedchange.notifications");
});

function at(text: string) {
  return { now: () => new Date(text) };
}

async function insert(receivedAt: string): Promise<string> {
  const id = randomUUID();
  await db.database.pool.query(
    `insert into skedchange.notifications (id, source, received_at, digest, body, body_encoding, body_bytes, state)
     values ($1, 'default', $2, sha256($3), '\\x00', 'gzip', 1, 'accepted')`,
    [id, receivedAt, Buffer.from(id)],
  );
  return id;
}

async function partitionOf(id: string): Promise<string> {
  const { rows } = await db.database.pool.query<{ partition: string }>(
    "select tableoid::regclass::text as partition from skedchange.notifications where id = $1",
    [id],
  );
  return rows[0]!.partition;
}

test("last month, this month and the next two are made, by the service role, and only once", async () => {
  expect(await ensurePartitions(db.database, at("2030-12-31T23:59:59Z"))).toBe(4);
  expect(await ensurePartitions(db.database, at("2030-12-01T00:00:00Z"))).toBe(0);
  expect(await ensurePartitions(db.database, at("2031-01-01T00:00:00Z"))).toBe(1);

  const { rows } = await db.database.pool.query<{ name: string }>(
    "select relname as name from pg_class where relname ~ '^notifications_203[01]_\\d\\d$' order by 1",
  );
  expect(rows.map((row) => row.name)).toEqual([
    "notifications_2030_11",
    "notifications_2030_12",
    "notifications_2031_01",
    "notifications_2031_02",
    "notifications_2031_03",
  ]);
});

test("a notification lands in its month in UTC, to the last microsecond, whatever the session's time zone", async () => {
  await db.database.pool.query("set timezone to 'Pacific/Auckland'");
  await ensurePartitions(db.database, at("2032-05-15T00:00:00Z"));

  expect(await partitionOf(await insert("2032-05-01T00:00:00.000000Z"))).toBe("skedchange.notifications_2032_05");
  expect(await partitionOf(await insert("2032-05-31T23:59:59.999999Z"))).toBe("skedchange.notifications_2032_05");
  expect(await partitionOf(await insert("2032-06-01T00:00:00.000000Z"))).toBe("skedchange.notifications_2032_06");
});

test("what no partition covers lands in the default one and moves into its month when that is made", async () => {
  const early = await insert("2033-07-31T23:59:59.999999Z");
  const inside = await insert("2033-08-10T12:00:00Z");
  expect(await partitionOf(inside)).toBe("skedchange.notifications_default");

  await ensurePartitions(db.database, at("2033-09-02T00:00:00Z"));

  expect(await partitionOf(inside)).toBe("skedchange.notifications_2033_08");
  expect(await partitionOf(early)).toBe("skedchange.notifications_default");
});

test("a partition made from the default one has its indexes, its rules and its storage", async () => {
  const id = await insert("2034-03-10T12:00:00Z");
  await ensurePartitions(db.database, at("2034-03-10T12:00:00Z"));

  const { rows } = await db.ownerDatabase.pool.query(
    `select (select count(*)::int from pg_index where indrelid = c.oid) as indexes,
            (select count(*)::int from pg_trigger where tgrelid = c.oid) as triggers,
            (select attstorage::text from pg_attribute where attrelid = c.oid and attname = 'body') as storage
       from pg_class c where c.oid = 'skedchange.notifications_2034_03'::regclass`,
  );
  expect(rows).toEqual([{ indexes: 3, triggers: 5, storage: "e" }]);
  await expect(
    db.database.pool.query("update skedchange.notifications set state = 'released' where id = $1", [id]),
  ).rejects.toMatchObject({ constraint: "notifications_only_release" });
});

test("more months than anyone needs are refused", async () => {
  const make = (months: number) =>
    db.database.pool.query("select skedchange.ensure_notification_partitions('2026-01-01', $1)", [months]);

  await expect(make(121)).rejects.toMatchObject({ code: "22023", message: "months must be 1 to 120, not 121" });
  await expect(make(0)).rejects.toMatchObject({ code: "22023" });
});
