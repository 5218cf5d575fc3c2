import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPolicies } from "../../../src/app/policies.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import type { Automation } from "../../../src/dashboard/automation-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createAutomation, requeueStoppedCases } from "../../../src/store/cases/automation.ts";
import { createPolicyStore } from "../../../src/store/policies.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import type { WorkerContext } from "../../../src/worker/worker-context.ts";
import { type OrderViewBody, type SampleName, sampleNotification } from "../../builders/sample-notification.ts";
import { aroundSaving } from "../../harness/around-saving.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import {
  createScriptedGateway,
  result,
  ScriptedFailure,
  type ScriptedGateway,
} from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

const undoWindowMs = 600_000;

let db: TestDatabase;
let automation: Automation;
let orderNumber = 0;
let orderId: string;
let body: OrderViewBody;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
  automation = createAutomation(db.database, systemClock, { sources: ["default"] });
});
afterAll(() => db.drop());
beforeEach(() => {
  orderNumber += 1;
  orderId = `SWITCH${orderNumber}`;
});
afterEach(async () => {
  await resume();
  await forgetOutcomes(db.database);
});

const stop = () => automation.stop({ actor: "person:ana", source: null, note: "wrong limits" });
const resume = () => automation.resume({ actor: "person:rui", source: null });

/** `minor-delay` is accepted by the policy, `flight-number-only` is for a person. */
async function notified(sample: SampleName = "minor-delay", changes: Partial<WorkerContext> = {}): Promise<void> {
  body = sampleNotification(sample, { orderId, reference: `REF${orderNumber}` });
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway, changes);
  await worker.notify(body);
}

async function act(command: CaseCommand): Promise<void> {
  const { id } = await worker.caseOf(orderId);
  const outcome = await worker.worker.act({
    ...command,
    caseId: id,
    note: "seen",
    version: null,
    visible: null,
    actor: "person:ana",
  });
  expect(outcome).toMatchObject({ outcome: "accepted" });
}

/** One look of a worker, whatever the case waits for. */
async function look(): Promise<void> {
  await worker.makeDue(orderId);
  await worker.work(orderId);
}

/** Of the decision in force. */
async function question(): Promise<string | null> {
  const { rows } = await db.ownerDatabase.pool.query<{ question: string | null }>(
    "select d.question from skedchange.decisions d join skedchange.cases c on c.decision_id = d.id where c.order_id = $1",
    [orderId],
  );
  return rows[0]!.question;
}

const isDue = async (): Promise<boolean> => {
  const { rows } = await db.ownerDatabase.pool.query(
    "select 1 from skedchange.cases where order_id = $1 and due_at <= now()",
    [orderId],
  );
  return rows.length > 0;
};

async function expectStoppedReview(): Promise<void> {
  expect(gateway.journal).toEqual([]);
  expect(await worker.caseOf(orderId)).toMatchObject({
    state: "awaiting-agent",
    reviewQueue: "agent",
    effects: [],
    decision: { action: "review", rule: "check:automation-stopped" },
  });
  expect(await question()).toBe("automation-stopped");
}

describe("while automatic effects are stopped", () => {
  test("an accept of the rules becomes a review that says so, with the reasons of the rules behind it", async () => {
    const { stoppedAt } = await stop();
    await notified();

    await worker.work(orderId);

    await expectStoppedReview();
    const found = await worker.caseOf(orderId);
    expect(found.decision!.reasons).toMatchObject([
      {
        code: "automation-stopped",
        text: `Automation has been stopped since ${stoppedAt.toISOString()}. The policy would accept this change.`,
      },
      {},
    ]);
    expect(found.possibleActions).toContain("accept");
  });

  test("a person's accept is carried out", async () => {
    await stop();
    await notified();
    await worker.work(orderId);

    await act({ action: "accept" });
    await worker.work(orderId);

    expect(gateway.journal).toMatchObject([{ action: "accept" }]);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("the shadow version decides as ever, and is compared with what the active one wanted", async () => {
    const policy = readPolicyFile(null).policy;
    const store = createPolicyStore(db.database, systemClock);
    await openPolicies({
      sources: [{ id: "default", policyFile: null }],
      store,
      database: db.database,
      logger: silentLogger,
    });
    await stop();
    await notified("minor-delay", { shadowOf: () => policy });

    await worker.work(orderId);

    await expectStoppedReview();
    expect(await store.countShadow("default", policy.version)).toEqual({ compared: 1, differing: 0 });
  });

  test("a review for that reason is made again from what was kept with it", async () => {
    const runtime = await openPolicies({
      sources: [{ id: "default", policyFile: null }],
      store: createPolicyStore(db.database, systemClock),
      database: db.database,
      logger: silentLogger,
    });
    await stop();
    await notified("minor-delay", { policyOf: runtime.policyOf });
    await worker.work(orderId);
    await resume();

    const { decision } = await worker.caseOf(orderId);

    expect(await runtime.policies.reevaluate(decision!.id, null)).toMatchObject({ outcome: "same", because: [] });
  });
});

describe("an accept of the rules that is decided and not sent yet", () => {
  test("becomes a review at once when it could still be stopped", async () => {
    await notified("minor-delay", { timing: { ...defaultTiming, undoWindowMs } });
    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accept-pending", decision: { action: "accept" } });

    await stop();
    expect(await isDue()).toBe(true);
    await worker.work(orderId);

    await expectStoppedReview();
    expect((await worker.caseOf(orderId)).undoUntil).toBeNull();
  });

  test("is not planned when automatic effects are stopped between the worker's last look and its plan", async () => {
    await notified();
    const { store } = worker.context;
    const overtaken = createWorkerUnderTest(db.database, gateway, {
      store: aroundSaving(store, "effect-sent", async (save) => {
        await stop();
        return await save();
      }),
    });

    expect(await overtaken.worker.workOn({ source: "default", orderId })).toBe("lease-lost");
    expect(gateway.journal).toEqual([]);
    await worker.work(orderId);

    await expectStoppedReview();
  });
});

describe("a switch that is thrown while an effect is being planned", () => {
  /** A transaction that has looked at the switch, as the one that plans an effect does. */
  async function planning() {
    const client = await db.database.pool.connect();
    await client.query("begin");
    const { rows } = await client.query<{ stopped: boolean }>(
      "select skedchange.automation_is_stopped('default') as stopped",
    );
    expect(rows).toEqual([{ stopped: false }]);
    return {
      commit: async () => {
        await client.query("commit");
        client.release();
      },
    };
  }

  test("is committed after the plan, and whoever plans next sees it", async () => {
    const plan = await planning();
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    await waitUntilSomebodyWaitsForALock();

    const next = db.database.pool.query("select skedchange.automation_is_stopped('default') as stopped");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isStopped).toBe(false);
    await plan.commit();

    await stopping;
    expect((await next).rows).toEqual([{ stopped: true }]);
  });

  test("does not wait longer than a process that is frozen in its plan may still send", async () => {
    const plan = await planning();
    const impatient = createAutomation(db.database, systemClock, { sources: ["default"], planWaitMs: 50 });

    const stopped = await impatient.stop({ actor: "person:ana", source: null, note: "wrong limits" });

    expect(await automation.readStops()).toEqual([stopped]);
    await plan.commit();
  });

  async function waitUntilSomebodyWaitsForALock(): Promise<void> {
    for (;;) {
      const { rows } = await db.ownerDatabase.pool.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      );
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
});

describe("an accept of the rules whose outcome is unknown", () => {
  const readsMax = defaultTiming.settleReadsMs.length;

  /** An accept without a response, so long ago that it would be sent once more at the next look. */
  async function lostAccept(): Promise<void> {
    await notified();
    gateway.responses.push(async () => {
      throw new ScriptedFailure("unknown", "gateway.timeout");
    });
    await worker.work(orderId);
    for (let read = 1; read < readsMax; read++) await look();
    await db.ownerDatabase.pool.query(
      "update skedchange.effects set sent_at = now() - interval '10 min' where order_id = $1",
      [orderId],
    );
  }

  test("is not sent again when automatic effects are stopped right before", async () => {
    await lostAccept();
    const { store } = worker.context;
    const overtaken = createWorkerUnderTest(db.database, gateway, {
      store: aroundSaving(store, "effect-sent", async (save) => {
        await stop();
        return await save();
      }),
    });
    await worker.makeDue(orderId);

    expect(await overtaken.worker.workOn({ source: "default", orderId })).toBe("lease-lost");

    expect(gateway.journal).toHaveLength(1);
    expect(await worker.caseOf(orderId)).toMatchObject({ effects: [{ state: "unknown" }] });
  });

  test("is settled by its response when that comes after the stop", async () => {
    await notified();
    gateway.responses.push(async () => {
      await stop();
      return [result(gateway.journal[0]!.query, "SUCCESS")];
    });

    await worker.work(orderId);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", effects: [{ state: "succeeded" }] });
  });
});

describe("when automatic effects are resumed", () => {
  async function stoppedReview(): Promise<void> {
    await stop();
    await notified();
    await worker.work(orderId);
    await expectStoppedReview();
  }

  /** A worker that began before the resumption leaves the case as if it were still stopped. */
  async function lateReview(): Promise<void> {
    await stop();
    await notified();
    const { store } = worker.context;
    const late = createWorkerUnderTest(db.database, gateway, {
      store: aroundSaving(store, "decision", async (save) => {
        expect(await resume()).toMatchObject({ casesDue: 0 });
        return await save();
      }),
    });
    await late.worker.workOn({ source: "default", orderId });
    await expectStoppedReview();
    expect(await isDue()).toBe(false);
  }

  test("a case that waits only because of the stop is decided again by the rules", async () => {
    await stoppedReview();

    expect(await resume()).toMatchObject({ outcome: "resumed", casesDue: 1 });
    await worker.work(orderId);

    expect(gateway.journal).toMatchObject([{ action: "accept" }]);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("a case that was only re-checked by a person is decided again as well", async () => {
    await stoppedReview();
    await act({ action: "recheck" });
    await worker.work(orderId);

    expect(await resume()).toMatchObject({ casesDue: 1 });
  });

  test.each<[string, CaseCommand]>([
    ["assigned", { action: "assign", assignee: null }],
    ["noted something on", { action: "note" }],
    ["handed to the reschedule desk", { action: "reschedule" }],
    ["put off", { action: "snooze", until: new Date(Date.now() + 3_600_000) }],
  ])("a case that a person has %s meanwhile is left to them, also at the next look", async (_, command) => {
    await stoppedReview();
    await act(command);

    expect(await resume()).toMatchObject({ casesDue: 0 });
    expect(await isDue()).toBe(false);
    await worker.notify(body);
    await look();

    expect(gateway.journal).toEqual([]);
    expect((await worker.caseOf(orderId)).state).toMatch(/^(awaiting-agent|snoozed)$/);
  });

  test("a case that a worker leaves a moment later is found by the next search for such cases", async () => {
    await lateReview();

    expect(await requeueStoppedCases(db.database.connection)).toBe(1);
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("cases of other sources are neither counted nor requeued by whoever resumes one source", async () => {
    await lateReview();
    await automation.stop({ actor: "person:ana", source: "other", note: "wrong limits" });

    expect(await automation.resume({ actor: "person:rui", source: "other" })).toMatchObject({ casesDue: 0 });
    expect(await isDue()).toBe(false);
    expect(await requeueStoppedCases(db.database.connection, "default")).toBe(1);
  });

  test("no case is requeued while another stop is in force", async () => {
    await stoppedReview();

    expect(await requeueStoppedCases(db.database.connection)).toBe(0);
  });
});
