import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sampleNotification } from "../builders/sample-notification.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type RedisServer, startRedisServer } from "../harness/redis-server.ts";
import { describeWithRedis } from "../harness/redis-suites.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";
import { makeTestFolder } from "../harness/test-folder.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** How long Redis is away. REDIS_OUTAGE_MS=30000 makes it the 30 s that are promised. */
const outageMs = Number(process.env["REDIS_OUTAGE_MS"] ?? 5_000);

/** Notifications at a time, each posted as soon as the one before got its response and this long has passed. */
const load = { lanes: 4, pauseMs: 100 };

describeWithRedis("a Redis that goes away under load", () => {
  let db: TestDatabase;
  let gateway: StatusGateway;
  let redis: RedisServer;
  let server: ServerProcess;
  let agency: AgencyApi;

  function start(roles = "receiver,worker,dashboard"): Promise<ServerProcess> {
    return startServerProcess({
      DATABASE_URL: db.serviceUrl,
      DATABASE_OWNER_URL: db.ownerUrl,
      QUEUE_URL: redis.url,
      ROLES: roles,
      OCN_BEARER_TOKENS: "token",
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_ACCESS_TOKEN: "access",
      API_TOKEN: "api",
      LOG_LEVEL: "warn",
    });
  }

  beforeAll(async () => {
    db = await createTestDatabase();
    redis = await startRedisServer();
    gateway = await startStatusGateway((orderId) =>
      // Every fifth order has a change that is accepted automatically; the others wait for a person.
      sampleNotification(isAccepted(orderId) ? "minor-delay" : "flight-number-only", { orderId }),
    );
    server = await start();
    agency = openAgencyApi(server.agencyUrl, "api");
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
    await gateway?.goAway();
    await redis?.close();
    await db?.drop();
  });

  /**
   * Posts notifications, each of an order of its own, while the disturbance goes on, which can wait for some more of
   * them. Returns the status that each order got.
   */
  async function postDuring(
    prefix: string,
    disturb: (more: () => Promise<void>) => Promise<void>,
  ): Promise<Map<string, number>> {
    const responses = new Map<string, number>();
    function more(): Promise<void> {
      const wanted = responses.size + 15;
      return eventually(() => expect(responses.size).toBeGreaterThan(wanted), { timeoutMs: 30_000 });
    }
    let disturbed = false;
    let next = 0;
    async function postUntilDisturbed(): Promise<void> {
      while (!disturbed) {
        const orderId = `${prefix}${next++}`;
        const sample = isAccepted(orderId) ? "minor-delay" : "flight-number-only";
        const { status } = await agency.postOcn(
          JSON.stringify(sampleNotification(sample, { orderId })),
          "Bearer token",
        );
        responses.set(orderId, status);
        await sleep(load.pauseMs);
      }
    }
    const posting = Promise.all(Array.from({ length: load.lanes }, postUntilDisturbed));
    await disturb(more).finally(() => {
      disturbed = true;
    });
    await posting;
    return responses;
  }

  /** Every one of the orders is decided, as its status asks. */
  async function expectDecided(orderIds: readonly string[]): Promise<void> {
    await eventually(
      async () => {
        const { rows } = await db.ownerDatabase.pool.query<{ state: string; action: string | null; count: number }>(
          `select c.state, d.action, count(*)::int from skedchange.cases c
           left join skedchange.decisions d on d.id = c.decision_id where c.order_id = any($1) group by 1, 2 order by 1`,
          [orderIds],
        );
        const accepted = orderIds.filter(isAccepted).length;
        expect(rows).toEqual([
          { state: "awaiting-agent", action: "review", count: orderIds.length - accepted },
          { state: "done", action: "accept", count: accepted },
        ]);
      },
      // What was handed to a queue that lost it is handed out again after 15 s.
      { timeoutMs: 60_000 + 4 * outageMs, everyMs: 250 },
    );
  }

  test.each([
    [
      "stopped",
      async (more: () => Promise<void>) => {
        await more();
        await redis.stop();
        await sleep(outageMs);
        await redis.start();
        await more();
      },
    ],
    [
      "flushed",
      async (more: () => Promise<void>) => {
        await more();
        await redis.command("flushall");
        await more();
      },
    ],
    [
      "killed and started again",
      async (more: () => Promise<void>) => {
        await more();
        await redis.kill();
        await redis.start();
        await more();
      },
    ],
  ])(
    "%s: everything is acknowledged and, afterwards, decided",
    async (what, disturb) => {
      const responses = await postDuring(what.slice(0, 4).toUpperCase(), disturb);

      expect([...responses].filter(([, status]) => status !== 200)).toEqual([]);
      await expectDecided([...responses.keys()]);
      expect(await agency.get("/api/v1/reconciliation")).toMatchObject({
        withoutCase: { count: 0 },
        withoutProgress: { count: 0 },
      });
    },
    120_000 + 6 * outageMs,
  );

  test("no effect was sent twice", () => {
    const orders = gateway.journal.map(({ orderId }) => orderId);

    expect(orders.length).toBeGreaterThan(0);
    expect(orders).toHaveLength(new Set(orders).size);
    expect(orders.every(isAccepted)).toBe(true);
  });

  test("only processes that can do nothing without their Redis leave service", async () => {
    const others = await Promise.all(["receiver", "dashboard", "worker"].map(start));
    await redis.stop();

    const states = await Promise.all(others.map(({ agencyUrl }) => fetch(`${agencyUrl}/readyz`)));

    await Promise.all(others.map((other) => other.end("SIGTERM")));
    expect(states.map(({ status }) => status)).toEqual([200, 200, 503]);
  });

  test("a process without its Redis says so, acknowledges, and stops in order", async () => {
    const { status } = await agency.postOcn(
      JSON.stringify(sampleNotification("minor-delay", { orderId: "ALONE0" })),
      "Bearer token",
    );
    const readiness = await fetch(`${server.agencyUrl}/readyz`);
    const stopped = await server.end("SIGTERM");

    expect(status).toBe(200);
    expect(readiness.status).toBe(200);
    expect(await readiness.json()).toMatchObject({
      parts: [
        { name: "database", ok: true },
        { name: "queue", ok: false },
      ],
    });
    expect(stopped.code).toBe(0);
    expect(stopped.tookMs).toBeLessThan(20_000);
  });

  test("starts without its Redis, and goes on once it is there", async () => {
    server = await start();
    agency = openAgencyApi(server.agencyUrl, "api");
    expect((await fetch(`${server.agencyUrl}/healthz`)).status).toBe(200);

    await redis.start();

    await expectDecided(["ALONE0"].concat(await postOne("ALONE1")));
  });

  async function postOne(orderId: string): Promise<string> {
    const notification = sampleNotification("flight-number-only", { orderId });
    await agency.postOcn(JSON.stringify(notification), "Bearer token");
    return orderId;
  }
});

describeWithRedis("demo mode with its queue on Redis", () => {
  let folder: string;
  let redis: RedisServer;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    folder = await makeTestFolder();
    redis = await startRedisServer();
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
    await redis?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("plays its changes through the queue", async () => {
    server = await startServerProcess({ DATA_DIR: folder, QUEUE_URL: redis.url });
    await server.waitFor("Stop with Ctrl-C", 50_000);

    expect(server.output()).toContain("accept (done)");
    expect(server.output()).not.toContain("not received yet");
    expect(await redis.command("exists", "{skedchange}:orders:meta")).toBe(1);
  });
});

function isAccepted(orderId: string): boolean {
  return /[05]$/.test(orderId);
}
