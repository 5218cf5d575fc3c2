import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startJobs } from "../../../src/app/jobs.ts";
import { createShutdown } from "../../../src/app/shutdown.ts";
import { clockJobs } from "../../../src/app/worker-clocks.ts";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createClockStore } from "../../../src/store/cases/clocks.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { markOverdueTasks } from "../../../src/worker/overdue.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { type OrderViewBody, sampleNotification, withDeparture } from "../../builders/sample-notification.ts";

import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createScriptedGateway, ScriptedFailure, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let reference: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));
beforeEach(() => {
  orderNumber += 1;
  orderId = `TASK${orderNumber}`;
  reference = `REF${orderNumber}`;
});

const dayMs = 86_400_000;

async function waiting(body: OrderViewBody): Promise<void> {
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  await worker.work(orderId);
}

async function act(command: CaseCommand): Promise<void> {
  const { id } = await worker.caseOf(orderId);
  const outcome = await worker.worker.act({
    ...command,
    caseId: id,
    note: null,
    version: null,
    visible: null,
    actor: "person:ana",
  });
  expect(outcome).toMatchObject({ outcome: "accepted" });
}

/** LIS-FRA leaves at 05:30 and not at 07:10, which EU law takes for a cancellation. */
function broughtForward(): OrderViewBody {
  return withDeparture(sampleNotification("minor-delay", { orderId, reference }), "05:30");
}

/** The end of the day so many days after an instant, by UTC. */
function endOfDay(from: Date, days: number): Date {
  return new Date(Math.floor(from.getTime() / dayMs) * dayMs + (days + 1) * dayMs);
}

describe("the task that a cancel leaves", () => {
  test("counts from when it was sent when only a person found out that it was carried out", async () => {
    await waiting(broughtForward());
    gateway.responses.push(async () => {
      throw new ScriptedFailure("unknown", "gateway.timeout");
    });
    await act({ action: "cancel", confirm: orderId });
    await worker.work(orderId);
    for (const _wait of defaultTiming.settleReadsMs) {
      await worker.makeDue(orderId);
      await worker.work(orderId);
    }
    const { rows } = await db.ownerDatabase.pool.query<{ sent_at: Date }>(
      "update skedchange.effects set sent_at = sent_at - interval '9 days' where order_id = $1 returning sent_at",
      [orderId],
    );

    await act({ action: "confirm-effect" });
    await worker.work(orderId);

    const [task] = (await worker.caseOf(orderId)).tasks;
    expect(task).toMatchObject({ kind: "check-refund", dueBy: { rule: "eu-refund", overdue: true } });
    expect(task?.dueBy?.at).toEqual(endOfDay(rows[0]?.sent_at ?? new Date(0), 7));
  });
});

interface GivenTask {
  /** From now; null: it has no such time. */
  readonly due: string | null;
  readonly source?: string;
}

async function openTask({ due, source = "default" }: GivenTask): Promise<string> {
  const id = randomUUID();
  const caseId = await insertCase(db.ownerDatabase, { orderId: `${orderId}-${id}`, source, state: "done" });
  await db.ownerDatabase.pool.query(
    `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, due_by, due_by_rule)
     select $2, id, source, order_id, 'check-refund', '[]', now(), now() + $3::interval,
       case when $3::interval is not null then 'eu-refund' end
     from skedchange.cases where id = $1`,
    [caseId, id, due],
  );
  return id;
}

async function overdueEventsOf(taskId: string): Promise<readonly { actor: string; detail: object }[]> {
  const { rows } = await db.database.pool.query(
    "select actor, detail from skedchange.case_events where kind = 'task.overdue' and detail ->> 'taskId' = $1",
    [taskId],
  );
  return rows;
}

const store = () => createClockStore(db.database, systemClock);

async function markOverdue(): Promise<readonly string[]> {
  return (await store().markOverdueTasks(100)).map(({ taskId }) => taskId);
}

describe("an overdue task", () => {
  test("is marked once by any number of processes, recorded in the timeline and counted", async () => {
    const id = await openTask({ due: "-1 second", source: "late" });
    const metrics = createMetrics();
    const workers = { clocks: store(), logger: silentLogger, metrics };

    await Promise.all(Array.from({ length: 4 }, () => markOverdueTasks(workers)));
    await markOverdueTasks(workers);

    expect(await overdueEventsOf(id)).toMatchObject([
      { actor: "clock", detail: { kind: "check-refund", rule: "eu-refund" } },
    ]);
    expect(await metrics.registry.getSingleMetricAsString("skedchange_task_clocks_missed_total")).toContain(
      'source="late",rule="eu-refund"} 1',
    );
    expect((await store().countOverdueTasks()).get("late")).toBe(1);

    await createTasks(db.database, systemClock).close([id], { visible: null, actor: "person:ana", note: null });
    expect((await store().countOverdueTasks()).get("late")).toBeUndefined();
  });

  test("is found by a process that looks from time to time, and shown in its metrics by source", async () => {
    const id = await openTask({ due: "-1 second", source: "acme" });
    const metrics = createMetrics();
    const shutdown = createShutdown(silentLogger);
    startJobs(clockJobs({ database: db.database, logger: silentLogger, metrics }), { logger: silentLogger, shutdown });
    try {
      await eventually(async () => expect(await overdueEventsOf(id)).toHaveLength(1));

      expect(await metrics.registry.getSingleMetricAsString("skedchange_tasks_overdue")).toContain(
        'skedchange_tasks_overdue{source="acme"} 1',
      );
    } finally {
      await shutdown.run();
    }
  });

  test("is left alone while somebody closes it, and found by the next look when they did not", async () => {
    const id = await openTask({ due: "-1 second" });
    const client = await db.database.pool.connect();
    try {
      await client.query("begin");
      await client.query(
        "update skedchange.tasks set closed_at = now(), closed_by = 'person:ana', note = null where id = $1",
        [id],
      );
      expect(await markOverdue()).not.toContain(id);
    } finally {
      await client.query("rollback");
      client.release();
    }

    expect(await markOverdue()).toContain(id);
  });
});

describe("what is not overdue", () => {
  test.each([
    ["a task whose time has not come", "1 minute"],
    ["a task without such a time", null],
  ])("is %s", async (_, due) => {
    const id = await openTask({ due });

    expect(await markOverdue()).not.toContain(id);
  });

  test("is a task that was closed, however late", async () => {
    const id = await openTask({ due: "-1 second" });
    await createTasks(db.database, systemClock).close([id], { visible: null, actor: "person:ana", note: null });

    expect(await markOverdue()).not.toContain(id);
  });
});
