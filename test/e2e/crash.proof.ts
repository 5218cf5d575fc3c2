import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleNotification } from "../builders/sample-notification.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { describeOnEachQueue } from "../harness/queue-backends.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";

const concurrency = 32;

describeOnEachQueue("a process that is killed while notifications pour in", (queue) => {
  // `npm run test:long` kills under more load. Fewer show the same: kills in the middle of everything.
  const isFull = process.env["CRASH_PROOF"] === "full" && queue.kind === "PostgreSQL";
  const notificationCount = isFull ? 2_000 : 600;
  const killsAt = [notificationCount * 0.2, notificationCount * 0.6];

  let db: TestDatabase;
  let gateway: StatusGateway;
  let queueSettings: Record<string, string>;

  beforeAll(async () => {
    db = await createTestDatabase();
    queueSettings = await queue.start();
    gateway = await startStatusGateway((orderId) =>
      // Every tenth order has a change that is accepted automatically; the others wait for a person.
      sampleNotification(orderId.endsWith("0") ? "minor-delay" : "flight-number-only", { orderId }),
    );
  });
  afterAll(async () => {
    await gateway?.goAway();
    await queue.close();
    await db?.drop();
  });

  function start(): Promise<ServerProcess> {
    return startServerProcess({
      DATABASE_URL: db.serviceUrl,
      DATABASE_OWNER_URL: db.ownerUrl,
      ...queueSettings,
      ROLES: "receiver,worker,dashboard",
      OCN_BEARER_TOKENS: "token",
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_ACCESS_TOKEN: "access",
      API_TOKEN: "api",
      LOG_LEVEL: "error",
    });
  }

  const acknowledged: string[] = [];
  let server: ServerProcess;
  let agency: AgencyApi;

  test("loses none that it acknowledged", async () => {
    server = await start();
    agency = openAgencyApi(server.agencyUrl, "api");
    const orderIds = Array.from({ length: notificationCount }, (_, index) => `CRASH${index}`);
    let next = 0;
    let restarting = Promise.resolve();

    async function killAndRestart(): Promise<void> {
      await server.end("SIGKILL");
      server = await start();
      agency = openAgencyApi(server.agencyUrl, "api");
    }
    async function postUntilDone(): Promise<void> {
      for (let index = next++; index < orderIds.length; index = next++) {
        const orderId = orderIds[index] as string;
        if (killsAt.includes(index)) restarting = killAndRestart();
        const body = JSON.stringify(
          sampleNotification(orderId.endsWith("0") ? "minor-delay" : "flight-number-only", { orderId }),
        );
        try {
          const { status } = await agency.postOcn(body, "Bearer token");
          if (status === 200) acknowledged.push(orderId);
        } catch {
          // Not acknowledged: the process was gone. A sender would try again; this test only counts.
          await restarting;
        }
      }
    }
    await Promise.all(Array.from({ length: concurrency }, postUntilDone));
    await restarting;

    expect(acknowledged.length).toBeGreaterThan(notificationCount / 2);
    await eventually(
      async () => {
        const { rows } = await db.ownerDatabase.pool.query(
          "select 1 from skedchange.notification_digests where pending_since is not null limit 1",
        );
        expect(rows).toEqual([]);
      },
      { timeoutMs: 30_000 },
    );
    const { rows } = await db.ownerDatabase.pool.query<{ order_id: string; notifications: number }>(
      `select c.order_id, count(distinct j.notification_id)::int as notifications
       from skedchange.cases c join skedchange.case_notifications j on j.case_id = c.id group by c.order_id`,
    );
    const stored = new Map(rows.map((row) => [row.order_id, row.notifications]));
    expect(acknowledged.filter((orderId) => stored.get(orderId) !== 1)).toEqual([]);
    // The server is killed and started again several times.
  }, 240_000);

  test("decides every one of them, or shows that it waits", async () => {
    await eventually(
      async () => {
        const { rows } = await db.ownerDatabase.pool.query<{ undecided: number; astray: number }>(
          // An effect that was under way when its process was killed is being settled, over minutes and by reads alone.
          // One statement sees one moment: what was true of an effect a moment ago may be over by the next.
          `with unsettled as (select case_id from skedchange.effects where state in ('sent', 'unknown'))
           select count(*) filter (
               where decision_id is null or (due_at is not null and id not in (select case_id from unsettled))
             )::int as undecided,
             count(*) filter (where (state = 'accepting') <> (id in (select case_id from unsettled)))::int as astray
           from skedchange.cases`,
        );
        expect(rows[0]).toEqual({ undecided: 0, astray: 0 });
      },
      // Minutes on a machine that does other work: thousands of orders are decided one after the other.
      { timeoutMs: 420_000, everyMs: 500 },
    );

    const { rows } = await db.ownerDatabase.pool.query<{ state: string; action: string; count: number }>(
      `select c.state, d.action, count(*)::int from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id
       group by 1, 2 order by 1, 2`,
    );
    for (const { state, action } of rows) {
      expect([
        ["done", "accept"],
        ["awaiting-agent", "review"],
        ["accepting", "accept"],
      ]).toContainEqual([state, action]);
    }
    expect(await agency.get("/api/v1/reconciliation")).toMatchObject({
      withoutCase: { count: 0 },
      withoutProgress: { count: 0 },
    });
    // What a killed process had sent is settled by reads that are seconds apart.
  }, 440_000);

  test("sends no effect twice", async () => {
    const orders = gateway.journal.map((call) => call.orderId);

    expect(orders.length).toBeGreaterThan(0);
    expect(orders).toHaveLength(new Set(orders).size);
    expect(orders.every((orderId) => orderId.endsWith("0"))).toBe(true);
  });

  test("stops in order when it is asked to", async () => {
    const { code, tookMs } = await server.end("SIGTERM");

    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(20_000);
  });
});
