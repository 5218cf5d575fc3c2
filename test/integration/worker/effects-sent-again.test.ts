import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endingWith, toEffectState } from "../../../src/cases/after-response.ts";
import { type EffectOutcome, notSent } from "../../../src/cases/effect.ts";
import { storedStateOf } from "../../../src/cases/lifecycle.ts";
import type { CaseSnapshot } from "../../../src/cases/order-context.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";

import type { GatewayResult } from "../../../src/worker/gateway-ports.ts";
import type { Lease } from "../../../src/worker/ports.ts";
import { type OrderViewBody, sampleNotification, withBlankStatus } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import {
  createScriptedGateway,
  result,
  ScriptedFailure,
  type ScriptedGateway,
} from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let reference: string;
let body: OrderViewBody;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));
beforeEach(async () => {
  orderNumber += 1;
  orderId = `AGAIN${orderNumber}`;
  reference = `REF${orderNumber}`;
  body = sampleNotification("minor-delay", { orderId, reference });
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
});

const lost = async (): Promise<never> => {
  throw new ScriptedFailure("unknown", "gateway.timeout");
};
const readsMax = defaultTiming.settleReadsMs.length;

/** As if the effect had been sent so long ago. */
async function age(seconds: number): Promise<void> {
  await db.ownerDatabase.pool.query(
    "update skedchange.effects set sent_at = now() - make_interval(secs => $2) where order_id = $1 and state = 'unknown'",
    [orderId, seconds],
  );
}

/** One look of a worker, whatever the case waits for. */
async function look(): Promise<void> {
  await worker.makeDue(orderId);
  await worker.work(orderId);
}

/** An accept without a response, so long ago that nobody can still be sending it, and all settling reads but the last. */
async function lostAccept(respond: () => Promise<readonly GatewayResult[]> = lost): Promise<void> {
  gateway.responses.push(respond);
  await worker.work(orderId);
  for (let read = 1; read < readsMax; read++) await look();
  await age(600);
}

async function events(): Promise<readonly string[]> {
  return (await worker.caseOf(orderId)).timeline.map(({ kind }) => kind);
}

describe("an accept whose outcome stayed unknown", () => {
  test("is sent once more when every status over the whole lag showed its proposal unchanged", async () => {
    await lostAccept();
    expect(gateway.journal).toHaveLength(1);

    await look();

    expect(gateway.journal).toHaveLength(2);
    expect(gateway.journal[1]).toEqual(gateway.journal[0]);
    const done = await worker.caseOf(orderId);
    expect(done).toMatchObject({ state: "done", effects: [{ state: "succeeded" }] });
    expect(done.decisions).toHaveLength(1);
    expect(await events()).toContain("effect.sent_again");
  });

  test("goes to a person after the second time, however often the status is read", async () => {
    await lostAccept();
    gateway.responses.push(lost);
    await look();
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accepting", effects: [{ state: "unknown" }] });
    await age(600);

    for (let read = 0; read < readsMax + 2; read++) await look();

    expect(gateway.journal).toHaveLength(2);
    const asked = await worker.caseOf(orderId);
    expect(asked).toMatchObject({ state: "awaiting-agent", dueAt: null, effects: [{ state: "unknown" }] });
    expect(asked.decision?.reasons[0]?.code).toBe("effect-outcome-unknown");
  });

  test("waits until nobody can be sending it any more, however often somebody asks to look again", async () => {
    gateway.responses.push(lost);
    await worker.work(orderId);

    for (let read = 0; read < readsMax + 3; read++) await look();

    expect(gateway.journal).toHaveLength(1);
    const waiting = await worker.caseOf(orderId);
    expect(waiting.state).toBe("accepting");
    const lagMs = defaultTiming.settleReadsMs.reduce((sum, waitMs) => sum + waitMs, 0);
    expect((waiting.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(lagMs - 60_000);
  });

  test("is a person's when one of the statuses was blank", async () => {
    gateway.responses.push(lost);
    await worker.work(orderId);
    gateway.status = withBlankStatus(body);
    await look();
    gateway.status = body;
    await age(600);

    for (let read = 1; read < readsMax; read++) await look();

    expect(gateway.journal).toHaveLength(1);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "unknown" }] });
  });
});

describe("the process that sent it first and was thought to be gone", () => {
  /** Comes back with its own outcome, long after it has lost the order. */
  async function comeBack(outcome: Pick<EffectOutcome, "state" | "results" | "error">): Promise<void> {
    const { rows } = await db.ownerDatabase.pool.query<{ id: string; case_id: string }>(
      "select id, case_id from skedchange.effects where order_id = $1",
      [orderId],
    );
    const { id = "", case_id: caseId = "" } = rows[0] ?? {};
    const { state } = await worker.caseOf(orderId);
    const begun: CaseSnapshot = {
      id: caseId,
      state: storedStateOf(state),
      reviewQueue: null,
      gdsBookingReferences: [reference],
      requeueCount: 0,
      failures: 0,
      failingSince: null,
      proposalDigest: null,
      openedAt: new Date(),
      notifiedAt: null,
      decisionId: null,
      undoLeftMs: null,
      clockRanOutAt: null,
    };
    const lost: Lease = { source: "default", orderId, fence: 1 };
    const to =
      outcome.state === "failed"
        ? ({ state: "checking", reviewQueue: null, dueAt: new Date() } as const)
        : toEffectState("accept", new Date());
    const stored = {
      kind: "effect-outcome",
      effectId: id,
      outcome: { ...outcome, response: null },
      isResponse: true,
    } as const;
    await worker.context.store.save(lost, begun, [{ ...stored, ending: endingWith(to) }]);
  }
  const expired = { state: "failed", results: null, error: { code: notSent, message: "paused" } } as const;
  const late = (status: string) => [result({ orderId, gdsBookingReferences: [reference] }, status)];

  test("cannot say that nothing was sent while the second one is under way", async () => {
    await lostAccept();
    gateway.responses.push(async () => {
      await comeBack(expired);
      return late("SUCCESS");
    });

    await look();
    await look();

    expect(gateway.journal).toHaveLength(2);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", effects: [{ state: "succeeded" }] });
  });

  test("cannot say so either while nobody knows what became of the second one", async () => {
    await lostAccept();
    gateway.responses.push(lost);
    await look();

    await comeBack(expired);
    await look();

    expect(gateway.journal).toHaveLength(2);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accepting", effects: [{ state: "unknown" }] });
  });

  /** Asked about a lost accept of which the statuses were blank. */
  async function asked(): Promise<void> {
    gateway.responses.push(lost);
    await worker.work(orderId);
    gateway.status = withBlankStatus(body);
    for (let read = 0; read < readsMax; read++) await look();
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  }

  test("reports the refund once, although a person has confirmed the effect already", async () => {
    await asked();
    const { id } = await worker.caseOf(orderId);
    const confirmed = {
      caseId: id,
      action: "confirm-effect",
      note: null,
      version: null,
      visible: null,
      actor: "person:ana",
    } as const;
    expect(await worker.worker.act(confirmed)).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);
    const results = late("SUCCESS").map((each) => ({ ...each, refundAmount: "12.50" }));

    await comeBack({ state: "succeeded", results, error: null });
    await comeBack({ state: "succeeded", results, error: null });

    const { state, timeline } = await worker.caseOf(orderId);
    expect(state).toBe("done");
    expect(timeline.filter(({ kind }) => kind === "effect.answered_late")).toMatchObject([
      { detail: { outcome: "succeeded", refunds: ["12.50"] } },
    ]);
  });

  test("leaves the question with the person when it does not know either", async () => {
    await asked();

    await comeBack({ state: "unknown", results: null, error: { code: "gateway.timeout", message: "no response" } });

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", dueAt: null });
  });

  test("is recorded when it reports success, also when the person has snoozed the case", async () => {
    await asked();
    const { id } = await worker.caseOf(orderId);
    const until = new Date(Date.now() + 3_600_000);
    const by = { caseId: id, note: null, version: null, visible: null, actor: "person:ana" };
    expect(await worker.worker.act({ ...by, action: "snooze", until })).toMatchObject({ outcome: "accepted" });

    await comeBack({ state: "succeeded", results: late("SUCCESS"), error: null });
    await worker.work(orderId);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", effects: [{ state: "succeeded" }] });
  });

  test("changes nothing that a person has settled, and what it knows can be seen", async () => {
    await asked();
    const { id } = await worker.caseOf(orderId);
    const by = { caseId: id, note: null, version: null, visible: null, actor: "person:ana" };
    await worker.worker.act({ ...by, action: "refute-effect" });
    await worker.work(orderId);

    await comeBack({ state: "succeeded", results: late("SUCCESS"), error: null });

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "failed" }] });
    expect(await events()).toContain("effect.answered_late");
  });
});

describe("a cancel whose outcome stayed unknown", () => {
  beforeEach(async () => {
    const cancelled = sampleNotification("cancelled", { orderId: `${orderId}C`, reference });
    gateway.status = cancelled;
    orderId = `${orderId}C`;
    await worker.notify(cancelled);
    await worker.work(orderId);
    const { id } = await worker.caseOf(orderId);
    await worker.worker.act({
      caseId: id,
      action: "cancel",
      confirm: orderId,
      note: null,
      version: null,
      visible: null,
      actor: "person:ana",
    });
  });

  test("is never sent again", async () => {
    await lostAccept();

    for (let read = 0; read < readsMax + 2; read++) await look();

    expect(gateway.journal.map(({ action }) => action)).toEqual(["cancel"]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "unknown" }] });
  });

  test("cannot be sent again even by code that attempts it", async () => {
    await lostAccept();
    const again = db.ownerDatabase.pool.query(
      "update skedchange.effects set state = 'sent', sends = sends + 1 where order_id = $1 and state = 'unknown'",
      [orderId],
    );

    await expect(again).rejects.toMatchObject({ constraint: "effects_are_not_sent_again" });
  });
});
