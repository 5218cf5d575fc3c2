import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createShutdown } from "../../../src/app/shutdown.ts";
import { orderQueue } from "../../../src/app/worker-runtime.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import type { Configuration } from "../../../src/config/load-settings.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { blockedOrderList } from "../../../src/dashboard/api/blocked-order-routes.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createPostgresQueueBackend } from "../../../src/queue/postgres-backend.ts";
import { runQueue } from "../../../src/queue/run-queue.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { countBlockedOrders, createBlockedOrders } from "../../../src/store/orders/blocked-orders.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import type { Gateway } from "../../../src/worker/gateway-ports.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { insertCase, insertDecision, insertEffect } from "../../builders/case-rows.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createScriptedGateway, ScriptedFailure } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";
import { startDashboard } from "../dashboard/dashboard-server.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));
afterEach(async () => {
  await sql`truncate skedchange.cases, skedchange.orders cascade`.execute(db.ownerDatabase.connection);
});

const minute = 60_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);

/** Cases of a source that are due, by the names of their orders. */
async function due(source: string, count: number, about: Partial<Parameters<typeof insertCase>[1]> = {}) {
  const orderIds = Array.from({ length: count }, (_, index) => `${source.toUpperCase()}${index}`);
  for (const orderId of orderIds) {
    await insertCase(db.ownerDatabase, { source, orderId, dueAt: ago(1_000), ...about });
  }
  return orderIds;
}

const leases = () => createCaseStore(db.database, systemClock, dialect);

describe("handing out the orders of several sources", () => {
  const countBySource = (orders: readonly { readonly source: string }[]) =>
    Object.fromEntries(
      [...new Set(orders.map(({ source }) => source))]
        .sort()
        .map((source) => [source, orders.filter((order) => order.source === source).length]),
    );

  test("is bounded for each of them, and those in the queue count", async () => {
    await due("busy", 10);
    await due("calm", 2);

    expect(countBySource(await leases().takeDueOrders(64, minute, 3))).toEqual({ busy: 3, calm: 2 });
    expect(await leases().takeDueOrders(64, minute, 3)).toEqual([]);
    expect(countBySource(await leases().takeDueOrders(64, minute, 4))).toEqual({ busy: 1 });
  });

  test("counts those that workers have, and not those that they gave back", async () => {
    await due("busy", 10);
    const taken = await leases().takeDueOrders(64, minute, 3);
    const held = await Promise.all(taken.map((key) => leases().take(key, "worker", minute)));

    expect(await leases().takeDueOrders(64, minute, 3)).toEqual([]);
    await leases().releaseLease(held[0]!.lease);

    expect(await leases().takeDueOrders(64, minute, 3)).toHaveLength(1);
  });

  test("keeps to the bound when several processes look at the same time", async () => {
    await due("busy", 20);

    const taken = await Promise.all(Array.from({ length: 6 }, () => leases().takeDueOrders(64, minute, 3)));

    expect(taken.flat()).toHaveLength(3);
  });

  test("knows no bound unless it is given one", async () => {
    await due("busy", 10);

    expect(await leases().takeDueOrders(64, minute)).toHaveLength(10);
  });

  test("takes the urgent ones of a source first", async () => {
    await due("busy", 5, { priority: 5 });
    await insertCase(db.ownerDatabase, { source: "busy", orderId: "URGENT", priority: 0, dueAt: ago(10) });

    expect(await leases().takeDueOrders(64, minute, 1)).toEqual([{ source: "busy", orderId: "URGENT" }]);
  });
});

describe("a gateway that hangs", () => {
  test("does not keep the cases of another source from being decided", async () => {
    let release = (): void => {};
    const released = new Promise<never>((_, reject) => {
      release = () => reject(new ScriptedFailure("before-sending", "scripted.released"));
    });
    released.catch(() => {});
    let hanging = 0;
    const hangs: Gateway = {
      ...createScriptedGateway(sampleNotification("minor-delay")),
      readStatus: () => {
        hanging += 1;
        return released;
      },
    };
    const responds: Gateway = {
      ...createScriptedGateway(sampleNotification("minor-delay")),
      readStatus: (query) =>
        createScriptedGateway(
          sampleNotification("misconnection", { orderId: query.orderId, reference: "ABC123" }),
        ).readStatus(query),
    };
    await due("slow", 12, { priority: 0 });
    const { worker } = createWorkerUnderTest(db.database, responds, {
      gatewayOf: (source) => (source === "slow" ? hangs : responds),
    });
    const shutdown = createShutdown(silentLogger);
    const queues = createPostgresQueueBackend({ url: db.serviceUrl, applicationName: "lanes test", onError: () => {} });
    shutdown.add("connections", "queue connections", () => queues.close());
    const configuration = { settings: { WORKER_CONCURRENCY: 3 }, sources: [{}, {}] } as unknown as Configuration;
    try {
      const workers = runQueue(queues, orderQueue(worker, configuration, defaultTiming), {
        logger: silentLogger,
        metrics: createMetrics(),
      });
      shutdown.add("work", "workers", () => workers.close());
      await eventually(() => expect(hanging).toBe(2));

      await due("quick", 5, { priority: 9 });
      workers.kick();

      await eventually(async () => {
        const { rows } = await db.database.pool.query(
          "select state, count(*)::int from skedchange.cases where source = 'quick' group by state",
        );
        expect(rows).toEqual([{ state: "awaiting-agent", count: 5 }]);
      });
      expect(hanging).toBe(2);
    } finally {
      release();
      await shutdown.run();
    }
  });
});

describe("an order that is blocked or fails", () => {
  test("keeps no other order of its source waiting", async () => {
    await due("default", 3);
    const held = await leases().take({ source: "default", orderId: "DEFAULT0" }, "hung worker", minute);
    expect(held).not.toBeNull();
    const status = (orderId: string) =>
      createScriptedGateway(sampleNotification("misconnection", { orderId, reference: "ABC123" }));
    const { worker } = createWorkerUnderTest(db.database, status(""), {
      gatewayOf: () => ({
        ...status(""),
        readStatus: (query) => {
          if (query.orderId === "DEFAULT1") throw new ScriptedFailure("unknown", "scripted.broken");
          return status(query.orderId).readStatus(query);
        },
      }),
    });

    for (const key of await worker.takeDue(64)) await worker.workOn(key);

    const { rows } = await db.database.pool.query(
      "select order_id, state, failures from skedchange.cases order by order_id",
    );
    expect(rows).toEqual([
      { order_id: "DEFAULT0", state: "checking", failures: 0 },
      { order_id: "DEFAULT1", state: "checking", failures: 1 },
      { order_id: "DEFAULT2", state: "awaiting-agent", failures: 0 },
    ]);
  });
});

describe("the list of blocked orders", () => {
  const list = async (source: string | null = null, limit = 50) =>
    (await createBlockedOrders(db.database).listBlocked({ visible: null, source, after: null, limit })).items;

  async function lease(orderId: string, since: Date, until: Date): Promise<void> {
    await db.ownerDatabase.pool.query(
      "update skedchange.orders set leased_at = $2, leased_until = $3, leased_by = 'host:1' where order_id = $1",
      [orderId, since, until],
    );
  }

  test("is empty when everything moves or waits for people", async () => {
    await insertCase(db.ownerDatabase, { orderId: "WAITS", state: "awaiting-agent" });
    await insertCase(db.ownerDatabase, { orderId: "NEW", dueAt: ago(1_000) });
    await insertCase(db.ownerDatabase, { orderId: "LATER", state: "snoozed", dueAt: new Date(Date.now() + minute) });

    expect(await list()).toEqual([]);
    expect(await countBlockedOrders(db.database)).toEqual(new Map());
  });

  test("names an order of which the outcome of an effect is not known", async () => {
    const id = await insertCase(db.ownerDatabase, { orderId: "UNKNOWN", state: "awaiting-agent" });
    const decision = await insertDecision(db.ownerDatabase, id, { action: "accept" });
    await insertEffect(db.ownerDatabase, id, decision, { state: "unknown", plannedAt: ago(minute) });

    const [blocked] = await list();

    expect(blocked).toMatchObject({
      orderId: "UNKNOWN",
      caseId: id,
      reason: { code: "effect-unknown" },
      nextTryAt: null,
    });
    expect(blocked?.reason.text).toContain("accept");
  });

  test("says of a finished case that cannot be looked at again that it is finished", async () => {
    await insertCase(db.ownerDatabase, { orderId: "AGAIN", state: "done", dueAt: ago(1_000), failures: 3 });

    expect(await list()).toMatchObject([{ orderId: "AGAIN", caseState: "done", reason: { code: "failing" } }]);
  });

  test.each([
    ["for less than five minutes", 4.9, []],
    ["for five minutes", 5.1, ["HELD"]],
  ])("a worker that has an order %s", async (_, minutes, expected) => {
    await insertCase(db.ownerDatabase, { orderId: "HELD", state: "checking", dueAt: ago(minute) });
    await lease("HELD", ago(minutes * minute), new Date(Date.now() + 10_000));

    const blocked = await list();

    expect(blocked.map(({ orderId }) => orderId)).toEqual(expected);
    for (const lane of blocked) expect(lane).toMatchObject({ reason: { code: "lease-held" }, leasedBy: "host:1" });
  });

  test.each([
    [2, []],
    [3, ["FAILS"]],
  ])("an order whose last %p attempts failed", async (failures, expected) => {
    await insertCase(db.ownerDatabase, {
      orderId: "FAILS",
      state: "checking",
      dueAt: new Date(Date.now() + 10_000),
      failures,
      lastError: { code: "client.timeout", message: "No response.", since: ago(10 * minute).toISOString() },
    });

    const blocked = await list();

    expect(blocked.map(({ orderId }) => orderId)).toEqual(expected);
    for (const lane of blocked) {
      expect(lane).toMatchObject({ reason: { code: "failing" }, failures, leasedUntil: null, leasedBy: null });
      expect(lane.reason.text).toContain("client.timeout: No response.");
    }
  });

  test.each([
    ["less than five minutes ago", 4.9, []],
    ["five minutes ago", 5.1, ["FORGOTTEN"]],
  ])("an order that was due %s and that nobody has taken", async (_, minutes, expected) => {
    await insertCase(db.ownerDatabase, { orderId: "FORGOTTEN", dueAt: ago(minutes * minute) });

    expect((await list()).map(({ orderId, reason }) => [orderId, reason.code])).toEqual(
      expected.map((orderId) => [orderId, "not-picked-up"]),
    );
  });

  test("leaves out an order that is in the queue or with a worker, and lists it when the lease has run out", async () => {
    await insertCase(db.ownerDatabase, { orderId: "TAKEN", dueAt: ago(10 * minute) });
    await lease("TAKEN", ago(1_000), new Date(Date.now() + 10_000));
    expect(await list()).toEqual([]);

    await lease("TAKEN", ago(10 * minute), ago(1_000));

    expect(await list()).toMatchObject([
      { orderId: "TAKEN", reason: { code: "not-picked-up" }, leasedUntil: null, leasedBy: null },
    ]);
  });

  test("lists an order that is blocked in several ways once", async () => {
    await insertCase(db.ownerDatabase, { orderId: "BOTH", dueAt: ago(10 * minute), failures: 9 });

    expect((await list()).map(({ reason }) => reason.code)).toEqual(["failing"]);
    expect(await countBlockedOrders(db.database)).toEqual(new Map([["default", 1]]));
  });

  test("are listed page by page by the API, longest blocked first, of one source when asked", async () => {
    await due("a", 3, { dueAt: ago(10 * minute) });
    await due("b", 2, { dueAt: ago(20 * minute) });
    const server = await startDashboard({ queries: queriesWith([]), blockedOrders: createBlockedOrders(db.database) });
    try {
      const page = async (query: string) =>
        blockedOrderList.parse(await (await server.request(`/api/v1/blocked-orders?state=blocked${query}`)).json());
      const first = await page("&limit=3");
      expect(first.items.map(({ source }) => source)).toEqual(["b", "b", "a"]);

      const second = await page(`&limit=3&cursor=${first.nextCursor ?? ""}`);

      const orders = [...first.items, ...second.items].map(({ orderId }) => orderId);
      expect(new Set(orders).size).toBe(5);
      expect(second.nextCursor).toBeNull();
      expect((await page("&source=a")).items).toHaveLength(3);
      for (const wrong of ["state=all", "cursor=nonsense", "limit=0"]) {
        expect((await server.request(`/api/v1/blocked-orders?${wrong}`)).status).toBe(400);
      }
      expect((await server.request("/api/v1/blocked-orders", { method: "POST" })).status).toBe(405);
    } finally {
      await server.close();
    }
  });
});
