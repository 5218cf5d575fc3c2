import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcileAlone } from "../../../src/app/reconcile-job.ts";
import { runAlone } from "../../../src/store/database/job-lock.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { defaultInconsistencyLimits } from "../../../src/worker/reconciliation-ports.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { runCaptured } from "../../unit/cli/captured-terminal.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await db.ownerDatabase.pool.query("insert into skedchange.orders (source, order_id) values ('default', 'LOST1')");
  await db.ownerDatabase.pool.query(
    `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
     values ('019aa000-0000-7000-8000-000000000001', 'default', 'LOST1', 'received', now(), now())`,
  );
});
afterAll(() => db.drop());

function reconcile(...args: readonly string[]) {
  return runCaptured(["reconcile", ...args], {
    environment: { DEMO: "1", DATABASE_URL: db.serviceUrl, DATABASE_OWNER_URL: db.ownerUrl },
  });
}

test("reports inconsistencies without touching them, repairs them on request, and then finds nothing", async () => {
  const found = await reconcile();
  expect(found).toMatchObject({ exitCode: 1, stderr: "" });
  expect(found.stdout).toContain("case.without-progress");
  expect(found.stdout).toContain("source default, order LOST1, case 019aa000-0000-7000-8000-000000000001");
  expect(found.stdout).toContain("1 can be repaired: skedchange reconcile --repair");

  const repaired = await reconcile("--repair", "--json");
  expect(repaired.exitCode).toBe(1);
  expect(JSON.parse(repaired.stdout)).toMatchObject({
    counts: { found: 0, repaired: 1, "needs-person": 0 },
    inconsistencies: [{ kind: "case.without-progress", orderId: "LOST1", outcome: "repaired" }],
  });

  const clean = await reconcile();
  expect(clean.exitCode).toBe(0);
  expect(clean.stdout).toContain("No inconsistencies found.");
});

test("does nothing while another process reconciles", async () => {
  const options = {
    database: db.ownerDatabase,
    logger: silentLogger,
    limits: defaultInconsistencyLimits,
    repair: false,
  };

  const beside = await runAlone(db.database, "reconciliation", async () => ({
    job: await reconcileAlone(options),
    command: await reconcile(),
  }));

  expect(beside?.job).toBeNull();
  expect(beside?.command).toMatchObject({ exitCode: 1 });
  expect(beside?.command.stderr).toContain("Another process is reconciling this database now.");
});
