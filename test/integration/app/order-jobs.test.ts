import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startJobs } from "../../../src/app/jobs.ts";
import { pollJobs } from "../../../src/app/poll-job.ts";
import { reconciliationJobs } from "../../../src/app/reconcile-job.ts";
import { createShutdown, type Shutdown } from "../../../src/app/shutdown.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";

let db: TestDatabase;
let shutdown: Shutdown;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => {
  shutdown = createShutdown(silentLogger);
});
afterEach(() => shutdown.run());
afterAll(() => db.drop());

async function openOrder(orderId: string): Promise<void> {
  await db.database.pool.query(
    "insert into skedchange.orders (source, order_id, gds_booking_references) values ('default', $1, '{REF}')",
    [orderId],
  );
}

async function casesOf(orderId: string): Promise<readonly { due_at: Date | null }[]> {
  const { rows } = await db.database.pool.query("select due_at from skedchange.cases where order_id = $1", [orderId]);
  return rows;
}

/** A source with a gateway, polled as the settings say. */
function configurationWith(settings: Record<string, string>) {
  const loaded = loadSettings(
    {
      DATABASE_URL: "postgres://nobody@localhost/nothing",
      ENCRYPTION_KEYS: `2026-11:${Buffer.alloc(32).toString("base64")}`,
      OCN_BASIC_USERNAME: "gateway",
      OCN_BASIC_PASSWORD: "a-password",
      GATEWAY_BASE_URL: "https://gateway.example",
      GATEWAY_ACCESS_TOKEN: "a-token",
      API_TOKEN: "another-token",
      ...settings,
    },
    () => "",
  );
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.configuration;
}

describe("a worker process", () => {
  test("repairs what is wrong on its own, and shows it in its metrics", async () => {
    await openOrder("LOST1");
    await db.database.pool.query(
      `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
       values ('019aa000-0000-7000-8000-000000000001', 'default', 'LOST1', 'received', now(), now())`,
    );
    const metrics = createMetrics();

    const jobs = reconciliationJobs({
      database: db.database,
      everyMinutes: 15,
      gatewayTimeoutSeconds: 30,
      firstAfterMs: 0,
      logger: silentLogger,
      metrics,
    });
    startJobs(jobs, { logger: silentLogger, shutdown });

    await eventually(async () => {
      expect(await metrics.registry.metrics()).toContain('skedchange_inconsistencies{outcome="repaired"} 1');
    });
    expect((await casesOf("LOST1"))[0]?.due_at).not.toBeNull();
    expect(await metrics.registry.metrics()).toContain("skedchange_unattended_notifications 0");
    await db.database.pool.query("update skedchange.cases set due_at = null, state = 'checking'");
    await db.database.pool.query("update skedchange.cases set state = 'closed'");
  });

  test.each([
    ["finds what nobody was notified of when it is to poll", { POLL_HOURS: "0.0001", POLLS_PER_MINUTE: "6000" }, 1],
    ["polls nothing unless it is told to", {}, 0],
  ])("%s", async (_, settings: Record<string, string>, cases) => {
    const orderId = `POLLED${cases}`;
    await openOrder(orderId);
    await db.database.pool.query("update skedchange.orders set next_poll_at = now() where order_id = $1", [orderId]);
    const gateway = createScriptedGateway(sampleNotification("minor-delay", { orderId, reference: "REF" }));
    let due = 0;

    const jobs = pollJobs({
      database: db.database,
      gatewayOf: () => gateway,
      observing: {},
      timing: defaultTiming,
      logger: silentLogger,
      configuration: configurationWith(settings),
      onDue: () => {
        due += 1;
      },
    });
    startJobs(jobs, { logger: silentLogger, shutdown });
    if (cases === 0) {
      // Waits for the first run of whatever was started.
      await shutdown.run();
      expect(gateway.statusReads).toBe(0);
      return;
    }
    await eventually(async () => expect(await casesOf(orderId)).toHaveLength(1));
    await eventually(() => expect(due).toBeGreaterThan(0));
  });
});
