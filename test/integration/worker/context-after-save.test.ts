import { afterAll, beforeAll, expect, test } from "vitest";
import { searchedFactNames } from "../../../src/cases/decision-document.ts";
import { nextStep } from "../../../src/cases/next-step.ts";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import type { OrderEvent } from "../../../src/cases/step.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { isRefundClock } from "../../../src/policy/legal/clock-catalogue.ts";
import { settingsOf } from "../../../src/worker/worker-context.ts";
import { type OrderViewBody, sampleNotification, withDeparture } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, result, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";
import { policyOf } from "../../unit/policy/policies.ts";

/*
 * A run that decides, sends and succeeds at once goes on with `contextAfterSave` of its steps and does not load the order
 * again. Here a load follows and must return the same.
 */

const orderId = "SAVED1";
const reference = "REF1";
const key = { source: "default", orderId };
const acceptsAll = policyOf({ when: "true", do: "accept" });
const moment = () => ({ now: systemClock.now(), random: 0.5, newDecisionId: newId(systemClock) });

let db: TestDatabase;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("the context after each step of an accept that succeeds at once is the one that a load returns", async () => {
  const first = sampleNotification("minor-delay", { orderId, reference });
  await notified(first);
  await expectSameAsLoaded();

  // Now there are flights that were accepted before, and an earlier proposal.
  await notified(withDeparture(first, "07:20:00"));
  await expectSameAsLoaded();
});

async function notified(body: OrderViewBody): Promise<void> {
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway, { policyOf: () => acceptsAll });
  await worker.notify(body);
}

/** Carries one accept as far as its outcome, then lets the worker end the case. */
async function expectSameAsLoaded(): Promise<void> {
  const { store, timing } = worker.context;
  const settings = settingsOf(worker.context, key.source);
  const taken = await store.take(key, "test", timing.leaseMs);
  const context = await taken?.context;
  if (taken == null || context == null) throw new Error("nothing was due");
  const { lease } = taken;

  const { result: view, body, travellers, readAt } = await gateway.readStatus({ orderId, gdsBookingReferences: [] });
  const statusViewId = newId(systemClock);
  const read: OrderEvent = {
    kind: "status-read",
    why: "decide",
    round: 1,
    view,
    statusViewId,
    askedAt: readAt,
    readAt,
  };
  const { save: decided, contextAfterSave: sent, next } = nextStep(context, read, settings, moment());
  if (decided === null || sent === undefined || next.kind !== "send") throw new Error("it is not sent at once");
  const effectId = newId(systemClock);
  await store.save(lease, context.case, [
    { kind: "status-view", id: statusViewId, purpose: "decide", body, travellers, readAt },
    decided,
    { kind: "effect-sent", id: effectId, attempt: next.attempt, hourlyLimit: null },
  ]);

  const results = [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
  const outcome = { state: "succeeded", results, error: null, response: null } as const;
  const performed = { outcome, retryAfterMs: null };
  const responded: OrderEvent = { kind: "responded", effectId, attempt: next.attempt, performed };
  const { save: stored, contextAfterSave } = nextStep(sent, responded, settings, moment());
  await store.save(lease, sent.case, [stored!]);

  const loaded = await store.load(lease);
  expect(comparable(contextAfterSave!)).toEqual(comparable(loaded!));
  await store.releaseLease(lease);
  await worker.makeDue(orderId);
  await worker.work(orderId);
  expect((await worker.caseOf(orderId)).state).toBe("done");
}

/**
 * Without the times of an effect, which are the database's once it is loaded, without the order of the digests, and without
 * what no load has of a decision: most facts, and what the law says but for clocks of refunds.
 */
function comparable(context: OrderContext): unknown {
  const { decision, lastSuccess, earlierProposals, storedDigests } = context;
  const facts = Object.entries(decision?.facts ?? {}).filter(([name]) => searchedFactNames.has(name));
  const plain = {
    ...context,
    decision: decision && { ...decision, facts: Object.fromEntries(facts) },
    lastSuccess: lastSuccess && {
      ...lastSuccess,
      ...{ sentAt: null, sentAgoMs: null, finishedAt: null },
      legal: lastSuccess.legal?.verdicts.filter(({ clocks }) => clocks.some(({ name }) => isRefundClock(name))),
    },
    earlierProposals: earlierProposals.map(({ proposed }) => proposed),
    storedDigests: storedDigests.toSorted(),
  };
  return JSON.parse(JSON.stringify(plain));
}
