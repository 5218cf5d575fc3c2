import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startJobs } from "../../../src/app/jobs.ts";
import { retentionJobs } from "../../../src/app/retention-job.ts";
import { createShutdown } from "../../../src/app/shutdown.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { runAlone } from "../../../src/store/database/job-lock.ts";
import { readRetentionPeriods, storeRetentionPeriods } from "../../../src/store/retention/retention-periods.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { insertCase, insertDecision, insertNotification, insertStatusView } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { linesOf, runCaptured } from "../../unit/cli/captured-terminal.ts";

const dayMs = 24 * 3_600_000;
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
    await insertDecision(owner, id, { decidedAt: longAgo });
    await insertStatusView(owner, id, { readAt: longAgo });
    await insertNotification(owner, { receivedAt: longAgo, cases: [id] });
  }
});

/** With the periods of the settings in the database, as `skedchange migrate` stores them. */
async function retention(settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
  await storeRetentionPeriods(db.ownerDatabase, {
    bodiesDays: Number(settings["RETENTION_BODIES_DAYS"] ?? 0),
    casesDays: Number(settings["RETENTION_CASES_DAYS"] ?? 0),
  });
  return await retentionBeside(settings, ...args);
}

/** With the periods that the database has. */
function retentionBeside(settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
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

test("a dry run shows what settings would delete that are not stored yet, says so, and stores nothing", async () => {
  await storeRetentionPeriods(db.ownerDatabase, { bodiesDays: 0, casesDays: 0 });

  const run = await retentionBeside({ RETENTION_BODIES_DAYS: "90" }, "--dry-run");

  expect(linesOf(run.stdout)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^The settings keep bodies for 90 days and cases for ever, the database bodies for ever and cases for ever\. .*`skedchange migrate` with DATABASE_OWNER_URL/,
      ),
      "bodies of notifications      1         2020-03-14T08:00Z",
    ]),
  );
  expect(await readRetentionPeriods(db.database)).toEqual({ bodiesDays: 0, casesDays: 0 });
});

test("deletes nothing by settings that are not stored, and says how to store them", async () => {
  await storeRetentionPeriods(db.ownerDatabase, { bodiesDays: 0, casesDays: 0 });

  const run = await retentionBeside({ RETENTION_BODIES_DAYS: "90" });

  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Retention is off.") });
  expect(run.stdout).toContain("`skedchange migrate` with DATABASE_OWNER_URL");
  expect(await bodiesLeft()).toBe(2);
});

test("deletes after the longer of two periods when the settings differ from what is stored", async () => {
  const daysSince = Math.floor((Date.now() - longAgo.getTime()) / dayMs);
  await storeRetentionPeriods(db.ownerDatabase, { bodiesDays: daysSince + 1, casesDays: 0 });
  expect((await retentionBeside({ RETENTION_BODIES_DAYS: "90" })).stdout).toContain("Nothing has expired.");

  await storeRetentionPeriods(db.ownerDatabase, { bodiesDays: 90, casesDays: 0 });
  const longer = { RETENTION_BODIES_DAYS: String(daysSince + 1) };
  expect((await retentionBeside(longer)).stdout).toContain("Nothing has expired.");
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
  await storeRetentionPeriods(db.ownerDatabase, { bodiesDays: 90, casesDays: 0 });
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
