import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sampleNotification } from "../builders/sample-notification.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";
import { type BreakableProxy, startBreakableProxy } from "../integration/queue/breakable-proxy.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** How long the database is away. `DATABASE_OUTAGE_SECONDS=600` makes it the ten minutes of docs/reliability.md. */
const outageMs = Number(process.env["DATABASE_OUTAGE_SECONDS"] ?? 3) * 1_000;

let db: TestDatabase;
let proxy: BreakableProxy;
let gateway: StatusGateway;
let server: ServerProcess;
let agency: AgencyApi;

beforeAll(async () => {
  db = await createTestDatabase();
  proxy = await startBreakableProxy(db.serviceUrl);
  gateway = await startStatusGateway((orderId) => sampleNotification("minor-delay", { orderId }));
  server = await startServerProcess({
    DATABASE_URL: proxy.url,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "receiver,worker,dashboard",
    OCN_BEARER_TOKENS: "token",
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_ACCESS_TOKEN: "access",
    API_TOKEN: "api",
    LOG_LEVEL: "error",
  });
  agency = openAgencyApi(server.agencyUrl, "api");
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await gateway?.goAway();
  await proxy?.close();
  await db?.drop();
});

function post(orderId: string): Promise<Response> {
  return fetch(`${server.agencyUrl}/ocn`, {
    method: "POST",
    headers: { authorization: "Bearer token", "content-type": "application/json" },
    body: JSON.stringify(sampleNotification("minor-delay", { orderId })),
  });
}

async function statusOf(path: string): Promise<number> {
  const response = await fetch(`${server.agencyUrl}${path}`);
  await response.arrayBuffer();
  return response.status;
}

describe("PostgreSQL away", () => {
  test(
    "refuses notifications with 503, and the same process goes on by itself once it is back",
    async () => {
      expect((await post("EARLY1")).status).toBe(200);
      await agency.caseIn("EARLY1", ["done"]);

      await proxy.breakDown();
      const refused = await post("AWAY1");
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ code: "receiver.store_unavailable" });
      expect(await statusOf("/readyz")).toBe(503);
      // Restarting the process would not bring the database back.
      expect(await statusOf("/healthz")).toBe(200);
      await sleep(outageMs);
      await proxy.recover();

      await eventually(async () => expect((await post("AWAY1")).status).toBe(200));
      await agency.caseIn("AWAY1", ["done"]);
      await eventually(async () => expect(await statusOf("/readyz")).toBe(200));
      const accepts = gateway.journal.map((call) => call.orderId).toSorted();
      expect(accepts).toEqual(["AWAY1", "EARLY1"]);
    },
    60_000 + outageMs,
  );
});

describe("a disk that is full", () => {
  /** As PostgreSQL responds when it cannot write: 53100, for everything that adds to the table. */
  async function fill(table: string): Promise<void> {
    await db.ownerDatabase.pool.query(`
      create or replace function skedchange.no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on skedchange.${table} execute function skedchange.no_room();
    `);
  }
  const makeRoom = (table: string) => db.ownerDatabase.pool.query(`drop trigger full_disk on skedchange.${table}`);

  test("refuses notifications with 503 and stores nothing of them, until there is room", async () => {
    await fill("notifications");
    const refused = await post("FULL1");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    const { rows } = await db.database.pool.query("select from skedchange.orders where order_id = 'FULL1'");
    expect(rows).toEqual([]);

    await makeRoom("notifications");
    expect((await post("FULL1")).status).toBe(200);
    await agency.caseIn("FULL1", ["done"]);
  });

  test("keeps what was acknowledged waiting, bothers no person with it, and sends nothing", async () => {
    await fill("decisions");
    expect((await post("FULL2")).status).toBe(200);
    const { id } = await agency.caseIn("FULL2", ["checking"]);
    await eventually(async () => {
      const { rows } = await db.database.pool.query("select failures from skedchange.cases where id = $1", [id]);
      expect(rows[0].failures).toBeGreaterThanOrEqual(2);
    });
    expect(gateway.journal.map((call) => call.orderId)).not.toContain("FULL2");

    await makeRoom("decisions");
    const done = await agency.caseIn("FULL2", ["done"], 30_000);
    expect(done.lastError).toBeNull();
    expect(gateway.journal.filter((call) => call.orderId === "FULL2")).toHaveLength(1);
  });
});
