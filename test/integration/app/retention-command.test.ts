import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { startJobs } from "../../../src/app/jobs.ts";
import { retentionJobs } from "../../../src/app/retention-job.ts";
import { createShutdown } from "../../../src/app/shutdown.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { runAlone } from "../../../src/store/database/job-lock.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { insertCase, insertDecision, insertNotification, insertStatusView } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { linesOf, runCaptured } from "../../unit/cli/captured-terminal.ts";

const longAgo = new Date("2020-03-14T08:00:00Z");

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.ownerDatabase.pool.query(
    "truncate skedchange.orders, skedchange.cases, skedchange.notifications, skedchange.notification_digests cascade",
  );
  const owner = db.ownerDatabase;
  for (const state of ["closed", "awaiting-agent"] as const) {
    const id = await insertCase(owner, { state, openedAt: longAgo, closedAt: state === "closed" ? longAgo : null });
    await insertDecision(owner, id);
    await insertStatusView(owner, id, { readAt: longAgo });
    await insertNotification(owner, { receivedAt: longAgo, cases: [id] });
  }
});

function retention(settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return runCaptured(["retention", ...args], {
    environment: { DEMO: "1", DATABASE_URL: db.serviceUrl, DATABASE_OWNER_URL: db.ownerUrl, ...settings },
  });
}

async function bodiesLeft(): Promise<number> {
  const { rows } = await db.database.pool.query<{ count: number }>(
    "select count(*)::int as count from skedchange.notifications where length(body) > 0",
  );
  return rows[0]!.count;
}

test("a dry run shows what would go and the oldest that stays, and deletes nothing", async () => {
  const run = await retention({ RETENTION_BODIES_DAYS: "90" }, "--dry-run");

  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(linesOf(run.stdout)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Bodies and notes: if over before \d{4}-\d\d-\d\d\. Cases: never\.$/),
      "bodies of notifications      1         2020-03-14T08:00Z",
      "status views                 1         2020-03-14T08:00Z",
      "gateway responses            0         none",
    ]),
  );
  expect(await bodiesLeft()).toBe(2);
});

test("without --dry-run it deletes, and then finds nothing", async () => {
  const run = await retention({ RETENTION_BODIES_DAYS: "90" });
  expect(linesOf(run.stdout)).toContain("notificationBodies: 1");
  expect(await bodiesLeft()).toBe(1);

  const cases = await retention({ RETENTION_CASES_DAYS: "90" }, "--json");
  expect(JSON.parse(cases.stdout)).toMatchObject({ deleted: { cases: 1, notifications: 1 } });

  expect((await retention({ RETENTION_CASES_DAYS: "90" })).stdout).toContain("Nothing has expired.");
});

test("says that it is off without a period", async () => {
  expect((await retention({})).stdout).toContain("Retention is off.");
  expect((await retention({}, "--dry-run")).stdout).toContain("Retention is off.");
  expect(await bodiesLeft()).toBe(2);
});

test("does not start beside another process that deletes", async () => {
  const beside = await runAlone(db.ownerDatabase, "retention", () => retention({ RETENTION_BODIES_DAYS: "90" }));

  expect(beside).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Another process is deleting") });
  expect(await bodiesLeft()).toBe(2);
});

async function runJob(settings: { RETENTION_BODIES_DAYS: number; RETENTION_CASES_DAYS: number }) {
  const metrics = createMetrics();
  const shutdown = createShutdown(silentLogger);
  const lines: object[] = [];
  const logger = {
    ...silentLogger,
    info: (fields: object, message: string) => void lines.push({ ...fields, message }),
  };
  const options = { database: db.database, settings, clock: systemClock, firstAfterMs: 0, logger, metrics };
  startJobs(retentionJobs(options), { logger, shutdown });
  return { metrics, lines, stop: () => shutdown.run() };
}

test("the job of a worker deletes, counts what it deleted and logs it", async () => {
  const job = await runJob({ RETENTION_BODIES_DAYS: 90, RETENTION_CASES_DAYS: 0 });
  try {
    await eventually(async () => expect(job.lines).toHaveLength(1));
  } finally {
    await job.stop();
  }

  expect(job.lines).toMatchObject([
    { message: "retention.deleted", deleted: { notificationBodies: 1, statusViews: 1 } },
  ]);
  expect(await job.metrics.registry.metrics()).toContain(
    'skedchange_retention_deleted_total{what="notificationBodies"} 1',
  );
  expect(await bodiesLeft()).toBe(1);
});

test("the job does nothing while both periods are 0", async () => {
  const job = await runJob({ RETENTION_BODIES_DAYS: 0, RETENTION_CASES_DAYS: 0 });
  await setImmediate();
  await job.stop();

  expect(await job.metrics.registry.metrics()).not.toContain("skedchange_retention_deleted_total");
  expect(await bodiesLeft()).toBe(2);
});
