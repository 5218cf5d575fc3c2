import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inSnapshot, inTransaction, pipelined } from "../../../src/store/database/transaction.ts";
import { type CountingProxy, startCountingProxy } from "../../costs/counting-proxy.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
let proxy: CountingProxy;
let database: Database;
beforeAll(async () => {
  db = await createTestDatabase();
  proxy = await startCountingProxy(db.serviceUrl);
  // One connection, so that what a failed transaction leaves behind is met by the next.
  database = openDatabase({ url: proxy.url, applicationName: "test", maxConnections: 1, onError: () => {} });
  await sql`create temporary table numbers (number integer primary key)`.execute(database.connection);
});
beforeEach(() => sql`truncate numbers`.execute(database.connection));
afterAll(async () => {
  await database.close();
  await proxy.close();
  await db.drop();
});

const insert = (number: number) => sql<{ number: number }>`insert into numbers values (${number}) returning number`;

async function readNumbers(): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`select number from numbers order by number`.execute(
    database.connection,
  );
  return rows.map(({ number }) => number);
}

describe("a snapshot", () => {
  test("sees in every statement what its first statement saw", async () => {
    await sql`create table skedchange.numbers_seen (number integer)`.execute(db.ownerDatabase.connection);
    await sql`grant select on skedchange.numbers_seen to public`.execute(db.ownerDatabase.connection);
    const count = sql<{ count: number }>`select count(*) as count from skedchange.numbers_seen`;

    const counts = await inSnapshot(database, async (snapshot) => {
      const before = await count.execute(snapshot);
      await sql`insert into skedchange.numbers_seen values (1)`.execute(db.ownerDatabase.connection);
      const after = await count.execute(snapshot);
      return [before, after].map(({ rows }) => rows[0]!.count);
    });

    expect(counts).toEqual([0, 0]);
    expect((await count.execute(database.connection)).rows[0]!.count).toBe(1);
  });

  test("refuses every write", async () => {
    // Not in `numbers`: a temporary table may be written.
    const writing = inSnapshot(database, (snapshot) => sql`delete from skedchange.sessions`.execute(snapshot));

    await expect(writing).rejects.toMatchObject({ code: "25006" });
  });
});

describe("statements in order", () => {
  test("go to the database together, and each sees what those before it have committed", async () => {
    proxy.forget();
    const count = sql<{ count: number }>`select count(*) as count from numbers`;
    const counts = await pipelined(database, (connection) =>
      Promise.all(
        [count, insert(1), count, insert(1), count].map((each) => each.execute(connection).catch(() => null)),
      ),
    );

    const [together] = proxy.roundTrips();
    expect(together!.statements).toHaveLength(5);
    expect(together!.statements.every(({ isAlone }) => isAlone)).toBe(true);
    expect(counts.map((result) => result?.rows[0])).toEqual([
      { count: 0 },
      { number: 1 },
      { count: 1 },
      undefined,
      { count: 1 },
    ]);
  });

  test("are refused once their connection is given back, and a broken connection is not used again", async () => {
    let late: Promise<unknown> = Promise.resolve();
    await pipelined(database, async (connection) => {
      late = setImmediate().then(() => insert(1).execute(connection));
    });
    await expect(late).rejects.toThrow("has ended");

    const broken = pipelined(database, (connection) =>
      sql`select pg_terminate_backend(pg_backend_pid())`.execute(connection),
    );
    await expect(broken).rejects.toMatchObject({ code: "57P01" });
    await pipelined(database, (connection) => sql`select 1`.execute(connection));
    await sql`create temporary table numbers (number integer primary key)`.execute(database.connection);
  });
});

describe("a transaction", () => {
  test("keeps what it wrote, and returns what its work returned", async () => {
    const result = await inTransaction(database, async (transaction) => {
      const { rows, rowCount } = await insert(1).execute(transaction);
      return { rows, rowCount };
    });

    expect(result).toEqual({ rows: [{ number: 1 }], rowCount: 1 });
    expect(await readNumbers()).toEqual([1]);
  });

  test("keeps nothing when its work rejects, and leaves a connection that can be used", async () => {
    const failing = inTransaction(database, async (transaction) => {
      await insert(1).execute(transaction);
      throw new Error("changed its mind");
    });

    await expect(failing).rejects.toThrow("changed its mind");
    expect(await readNumbers()).toEqual([]);
  });

  test("refuses a statement that is started once it was rolled back", async () => {
    let started: Promise<unknown> = Promise.resolve();
    const failing = inTransaction(database, async (transaction) => {
      started = insert(1)
        .execute(transaction)
        .then(() => setImmediate())
        .then(() => insert(2).execute(transaction));
      await Promise.all([Promise.reject(new Error("changed its mind")), started]);
    });

    await expect(failing).rejects.toThrow("changed its mind");
    await expect(started).rejects.toThrow("has ended");
    expect(await readNumbers()).toEqual([]);
  });

  test("keeps nothing when its work undoes it, and returns what its work returned", async () => {
    const result = await inTransaction(database, async (transaction, undo) => {
      await insert(1).execute(transaction);
      undo();
      return "tried out";
    });

    expect(result).toBe("tried out");
    expect(await readNumbers()).toEqual([]);
  });

  test("sends statements that are started together in one round trip, in the order in which they were started", async () => {
    proxy.forget();

    await inTransaction(database, async (transaction) => {
      await Promise.all([
        insert(1).execute(transaction),
        sql`update numbers set number = number + 10`.execute(transaction),
        insert(1).execute(transaction),
      ]);
    });

    const trips = proxy.roundTrips().map(({ statements }) => statements.map(({ command }) => command));
    expect(trips).toEqual([["BEGIN", "INSERT", "UPDATE", "INSERT"], ["COMMIT"]]);
    expect(await readNumbers()).toEqual([1, 11]);
  });

  test("rejects with the first of several failures and keeps nothing, also of what was sent before it", async () => {
    const failing = inTransaction(database, async (transaction) => {
      await Promise.all([insert(1), insert(1), sql`select 1 / 0`, insert(2)].map((each) => each.execute(transaction)));
    });

    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await readNumbers()).toEqual([]);
  });

  test("rejects when a statement failed that nobody waited for", async () => {
    const failing = inTransaction(database, async (transaction) => {
      sql`select 1 / 0`.execute(transaction).catch(() => {});
    });

    await expect(failing).rejects.toThrow("nobody waited for it");
    expect(await readNumbers()).toEqual([]);
  });

  test("rejects when its connection breaks, and the next one gets another connection", async () => {
    const failing = inTransaction(database, async (transaction) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction);
    });

    await expect(failing).rejects.toMatchObject({ code: "57P01" });
    expect(
      await inTransaction(database, async (transaction) => (await sql`select 1`.execute(transaction)).rows),
    ).toHaveLength(1);
  });
});
