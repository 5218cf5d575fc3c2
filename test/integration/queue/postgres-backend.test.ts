import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeOf } from "../../../src/kernel/app-error.ts";
import type { DispatchJob, DispatchQueue, QueueBackend } from "../../../src/queue/dispatch-queue.ts";
import { createPostgresQueueBackend } from "../../../src/queue/postgres-backend.ts";
import { createTestDatabase, type TestDatabase, testServerUrl } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { type BreakableProxy, startBreakableProxy } from "./breakable-proxy.ts";

describe("queue on PostgreSQL, when PostgreSQL goes away", () => {
  let database: TestDatabase;
  let proxy: BreakableProxy;
  let backend: QueueBackend;
  let errors: unknown[];
  let handled: string[];
  let onHandled: () => void;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });
  beforeEach(async () => {
    errors = [];
    handled = [];
    onHandled = () => undefined;
    proxy = await startBreakableProxy(database.serviceUrl);
    backend = createPostgresQueueBackend({
      url: proxy.url,
      applicationName: "queue outage",
      onError: (error) => errors.push(error),
    });
  });
  afterEach(async () => {
    await backend.close();
    await proxy.close();
  });

  function consume(name: string): void {
    backend.consume(
      name,
      (error) => errors.push(error),
      async (job) => {
        handled.push(...job.map(({ orderId = "" }) => orderId));
        onHandled();
      },
    );
  }

  function untilHandled(orderId: string): Promise<void> {
    return new Promise((resolve) => {
      onHandled = () => {
        if (handled.includes(orderId)) resolve();
      };
      onHandled();
    });
  }

  test("an add while it is away at the start is refused at once, and the same queue works when it is back", async () => {
    await proxy.breakDown();
    const queue = backend.openQueue("late");

    await expect(queue.add([job("A"), job("B")])).rejects.toMatchObject({
      code: "queue.unavailable",
      retryable: true,
      message: expect.stringContaining("2 jobs could not be added to queue 'late'"),
    });
    await expect(backend.ping()).rejects.toMatchObject({ code: "queue.unavailable" });

    await proxy.recover();
    consume("late");
    await addWhenBack(queue, "A");
    await untilHandled("A");
    await expect(backend.ping()).resolves.toBeUndefined();
  });

  test("a consumer that was started while it is away works when it is back", async () => {
    await proxy.breakDown();
    consume("early");
    await proxy.recover();

    await addWhenBack(backend.openQueue("early"), "A");

    await untilHandled("A");
    expect(handled).toEqual(["A"]);
  });

  test("queue and consumer survive an outage, and report it without a storm", async () => {
    const queue = backend.openQueue("broken");
    consume("broken");
    await queue.add([job("before")]);
    await untilHandled("before");

    await proxy.breakDown();
    // Several rounds of what a feeder would do, while the worker asks again and again by itself.
    for (let round = 0; round < 20; round += 1) {
      await expect(queue.add([job("during")])).rejects.toMatchObject({ code: "queue.unavailable" });
    }
    await proxy.recover();

    await addWhenBack(queue, "after");
    await untilHandled("after");
    expect(errors.map(codeOf)).toContain("queue.unavailable");
    expect(errors.map(codeOf).filter((code) => !code.startsWith("queue."))).toEqual([]);
    expect(errors.length).toBeLessThan(6);
  });

  test("closes while it is away", async () => {
    const queue = backend.openQueue("closing");
    consume("closing");
    await queue.add([job("A")]);
    await untilHandled("A");
    await proxy.breakDown();

    await expect(backend.close()).resolves.toBeUndefined();
  });

  test("takes at most two connections for a queue, four for a consumer and one to ask", async () => {
    const queue = backend.openQueue("counted");
    consume("counted");
    for (let batch = 0; batch < 5; batch += 1) {
      await Promise.all(Array.from({ length: 8 }, (_, index) => queue.add([job(`${batch}-${index}`)])));
    }
    await backend.ping();
    await queue.add([job("last")]);
    await untilHandled("last");

    await eventually(async () => {
      const { rows } = await database.ownerDatabase.pool.query<{ connections: number }>(
        `select count(*)::int as connections from pg_stat_activity
          where datname = current_database() and application_name not like 'test %'`,
      );
      expect(rows[0]?.connections).toBeGreaterThan(0);
      expect(rows[0]?.connections).toBeLessThanOrEqual(2 + 4 + 1);
    });
  });
});

describe("queue on PostgreSQL, beside processes of 0.3", () => {
  let database: TestDatabase;
  let backend: QueueBackend;

  beforeAll(async () => {
    database = await createTestDatabase();
    const options = { url: database.serviceUrl, applicationName: "queue upgrade", onError: () => undefined };
    backend = createPostgresQueueBackend(options);
  });
  afterAll(async () => {
    await backend.close();
    await database.drop();
  });

  test("a job of one order is stored as they read it, and one of several as a list, which they drop", async () => {
    const orders = [
      { source: "default", orderId: "A" },
      { source: "default", orderId: "B" },
    ];
    const queue = backend.openQueue("written");

    await queue.add([orders.slice(0, 1), orders]);

    const { rows } = await database.ownerDatabase.pool.query(
      "select data from bullmq.job where queue = 'written' order by seq",
    );
    expect(rows.map(({ data }) => data)).toEqual([orders[0], orders]);
  });

  test("a job that they added is read", async () => {
    const options = { attempts: 1, deduplication: { id: "default/A", keepLastIfActive: true }, removeOnComplete: true };
    await database.ownerDatabase.pool.query(
      `select bullmq.add_job('read', 'an-id', 'dispatch', $1, $2, 0, 0, $3, 1, null, null, null, 'default/A', null, false)`,
      [JSON.stringify({ source: "default", orderId: "A" }), JSON.stringify(options), Date.now()],
    );
    const jobs: DispatchJob[] = [];

    backend.consume("read", console.error, async (job) => void jobs.push(job));

    await eventually(() => expect(jobs).toEqual([[{ source: "default", orderId: "A" }]]));
  });

  test.each([
    ["a text", "A"],
    ["a number among its ids", { source: "default", orderId: 7 }],
    ["a list that holds something else", [{ source: "default", orderId: "A" }, null]],
  ])("a job that is not ours, with %s, is dropped and named", async (title, data) => {
    const errors: unknown[] = [];
    const queue = `foreign-${title.replaceAll(" ", "-")}`;
    await database.ownerDatabase.pool.query(
      `select bullmq.add_job($1, 'an-id', 'dispatch', $2, '{}', 0, 0, $3, 1, null, null, null, null, null, false)`,
      [queue, JSON.stringify(data), Date.now()],
    );

    backend.consume(
      queue,
      (error) => errors.push(error),
      async () => {},
    );

    await eventually(() => expect(errors.map(codeOf)).toEqual(["queue.unreadable_job"]));
  });
});

describe("queue on PostgreSQL, set up wrongly", () => {
  test("a database that was not migrated is named as such", async () => {
    const backend = createPostgresQueueBackend({
      url: testServerUrl(),
      applicationName: "queue unmigrated",
      onError: () => undefined,
    });

    await expect(backend.ping()).rejects.toMatchObject({
      code: "queue.unavailable",
      message: expect.stringContaining("`skedchange migrate`"),
    });

    await backend.close();
  });
});

function job(orderId: string): DispatchJob {
  return [{ orderId }];
}

/** The pool may hold connections whose end it has not noticed yet, so the first add after an outage may still fail. */
async function addWhenBack(queue: DispatchQueue, orderId: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await queue.add([job(orderId)]);
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}
