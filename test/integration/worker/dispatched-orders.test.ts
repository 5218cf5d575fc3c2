import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { orderQueue } from "../../../src/app/worker-runtime.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import type { Configuration } from "../../../src/config/load-settings.ts";
import type { QueueBackend } from "../../../src/queue/dispatch-queue.ts";
import { createPostgresQueueBackend } from "../../../src/queue/postgres-backend.ts";
import { type QueueWork, runQueue } from "../../../src/queue/run-queue.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import type { Gateway } from "../../../src/worker/gateway-ports.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let reads: StatusReads;
const closing: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => {
  reads = { gateway: countingGateway(), running: new Map(), mostAtOnce: 0 };
});
afterEach(async () => {
  for (const opened of closing.splice(0).toReversed()) await opened.close();
  await sql`truncate skedchange.cases, skedchange.orders cascade`.execute(db.ownerDatabase.connection);
});
afterAll(() => db.drop());

interface StatusReads {
  readonly gateway: Gateway;
  readonly running: Map<string, number>;
  /** Of one order. */
  mostAtOnce: number;
}

/** Shows each order as one that goes to a person. */
function countingGateway(): Gateway {
  const status = (orderId: string) => sampleNotification("misconnection", { orderId, reference: "ABC123" });
  return {
    ...createScriptedGateway(status("any")),
    async readStatus(query) {
      const now = (reads.running.get(query.orderId) ?? 0) + 1;
      reads.running.set(query.orderId, now);
      reads.mostAtOnce = Math.max(reads.mostAtOnce, now);
      // Long enough for a second worker to be caught.
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      reads.running.set(query.orderId, now - 1);
      return createScriptedGateway(status(query.orderId)).readStatus(query);
    },
  };
}

async function makeDue(count: number): Promise<readonly string[]> {
  const orderIds = Array.from({ length: count }, (_, index) => `DUE${index}`);
  for (const orderId of orderIds) await insertCase(db.ownerDatabase, { orderId, dueAt: new Date(Date.now() - 1_000) });
  return orderIds;
}

function openQueues(): QueueBackend {
  const queues = createPostgresQueueBackend({ url: db.serviceUrl, applicationName: "test", onError: () => {} });
  closing.push(queues);
  return queues;
}

/** As long as the marks of orders last here. Long enough for a job to be taken before. */
const dispatchMs = 1_000;

function workOf(holder: string): QueueWork {
  const changes = { holder, timing: { ...defaultTiming, dispatchMs } };
  const { worker } = createWorkerUnderTest(db.database, reads.gateway, changes);
  const configuration = { settings: { WORKER_CONCURRENCY: 4 }, sources: [] } as unknown as Configuration;
  return orderQueue(worker, configuration, { dispatchMs });
}

/** What a process with the role worker does. */
function startProcess(holder: string): void {
  const work = workOf(holder);
  closing.push(runQueue(openQueues(), work, { logger: silentLogger, metrics: createMetrics() }));
}

async function expectDecidedOnce(orderIds: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { rows } = await db.database.pool.query<{ order_id: string }>(
      "select order_id from skedchange.cases where state = 'awaiting-agent' and due_at is null order by order_id",
    );
    expect(rows.map((row) => row.order_id)).toEqual(orderIds.toSorted());
  });
  const { rows } = await db.database.pool.query("select count(*)::int as decisions from skedchange.decisions");
  expect(rows).toEqual([{ decisions: orderIds.length }]);
  expect(reads.mostAtOnce).toBe(1);
}

describe("orders that are dispatched to several processes", () => {
  test("are worked on by one at a time, and decided once, when they are in several jobs", async () => {
    const orderIds = await makeDue(8);
    const queue = openQueues().openQueue("orders");
    const job = orderIds.map((orderId) => ({ source: "default", orderId }));
    await queue.add([job, job, job.toReversed(), job.slice(3)]);

    startProcess("first");
    startProcess("second");

    await expectDecidedOnce(orderIds);
    await eventually(async () => {
      const { rows } = await db.ownerDatabase.pool.query("select from bullmq.job");
      expect(rows).toEqual([]);
    });
    await expectDecidedOnce(orderIds);
  });

  test("are dispatched again when their marks expire, whether their job is lost, their queue, or their process", async () => {
    const orderIds = await makeDue(12);
    const queue = openQueues().openQueue("orders");
    const dead = workOf("dead");
    await queue.add([await dead.takeDue(4), await dead.takeDue(8)]);
    await db.ownerDatabase.pool.query("delete from bullmq.job");
    // Marked by a process that dies before it adds the job.
    expect(await dead.takeDue(12)).toHaveLength(4);

    startProcess("next");

    await expectDecidedOnce(orderIds);
  });
});
