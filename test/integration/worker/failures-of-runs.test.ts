import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { aroundSaving } from "../../harness/around-saving.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, ScriptedFailure } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => {
  orderNumber += 1;
  orderId = `FAILING${orderNumber}`;
});

test("a status that cannot be stored needs an agent after some attempts", async () => {
  const body = sampleNotification("minor-delay", { orderId, reference: "REF1" });
  const worker = createWorkerUnderTest(db.database, createScriptedGateway(body));
  await worker.notify(body);
  const refusing = createWorkerUnderTest(db.database, createScriptedGateway(body), {
    store: aroundSaving(worker.context.store, "status-view", () => Promise.reject(new Error("the view is refused"))),
  });

  for (let run = 0; run < 10; run++) {
    await worker.makeDue(orderId);
    await refusing.worker.workOn({ source: "default", orderId }).catch(() => {});
  }

  const waiting = await worker.caseOf(orderId);
  expect(waiting).toMatchObject({ state: "awaiting-agent", dueAt: null });
  expect(waiting.decision?.reasons[0]?.code).toBe("processing-failed");
});

test("who stops an effect while the gateway refuses to show the status is not asked by a rule in the place of their own decision", async () => {
  const body = sampleNotification("minor-delay", { orderId, reference: "REF1" });
  const gateway = createScriptedGateway(body);
  const worker = createWorkerUnderTest(db.database, gateway, { timing: { ...defaultTiming, undoWindowMs: 600_000 } });
  await worker.notify(body);
  await worker.work(orderId);
  const { id: caseId } = await worker.caseOf(orderId);
  gateway.readStatus = async () => {
    const stop = { caseId, action: "stop", note: null, version: null, visible: null, actor: "person:ana" } as const;
    expect(await worker.worker.act(stop)).toMatchObject({ outcome: "accepted" });
    throw new ScriptedFailure("responded", "gateway.refused");
  };

  await worker.makeDue(orderId);
  await worker.worker.workOn({ source: "default", orderId });

  expect(await worker.caseOf(orderId)).toMatchObject({
    state: "awaiting-agent",
    decision: { decidedBy: "person:ana", reasons: [{ code: "person-stopped" }] },
  });
});

test("a run that fails on a finished case while a notification opens the next one writes that down", async () => {
  await insertCase(db.ownerDatabase, { orderId, state: "done", dueAt: new Date(0) });
  const body = sampleNotification("minor-delay", { orderId, reference: "REF1" });
  const gateway = createScriptedGateway(body);
  const worker = createWorkerUnderTest(db.database, gateway);
  gateway.readStatus = async () => {
    await worker.notify(body);
    throw new ScriptedFailure("responded", "gateway.refused");
  };

  expect(await worker.worker.workOn({ source: "default", orderId })).toBe("postponed");
});
