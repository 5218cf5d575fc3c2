import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseActionOutcome, CaseCommand } from "../../../src/cases/case-command.ts";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { type SampleName, sampleNotification } from "../../builders/sample-notification.ts";
import { aroundSaving } from "../../harness/around-saving.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/** Each race is run as often: who wins differs from run to run. */
const runs = 8;

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => {
  orderNumber += 1;
});

async function notified(sample: SampleName, run: number, undoWindowMs = 0): Promise<void> {
  orderId = `RACE${orderNumber}-${run}`;
  const body = sampleNotification(sample, { orderId, reference: `REF${orderNumber}` });
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway, { timing: { ...defaultTiming, undoWindowMs } });
  await worker.notify(body);
  await worker.work(orderId);
}

async function act(command: CaseCommand, actor: string, seen?: { id: string; version: number }) {
  const { id, version } = seen ?? (await worker.caseOf(orderId));
  return await worker.worker.act({
    ...command,
    caseId: id,
    note: null,
    version,
    visible: null,
    actor: `person:${actor}`,
  });
}

function names(outcomes: readonly CaseActionOutcome[]): readonly string[] {
  return outcomes.map(({ outcome }) => outcome).sort();
}

describe("of two people who decide at once", () => {
  test("one accepts or the other cancels, never both, and the loser is refused", async () => {
    for (let run = 0; run < runs; run++) {
      await notified("flight-number-only", run);
      const seen = await worker.caseOf(orderId);
      const accept = () => act({ action: "accept" }, "ana", seen);
      const cancel = () => act({ action: "cancel", confirm: orderId }, "rui", seen);

      const outcomes = await Promise.all(run % 2 === 0 ? [accept(), cancel()] : [cancel(), accept()]);
      await worker.work(orderId);

      expect(names(outcomes)).toEqual(["accepted", "conflict"]);
      expect(gateway.journal).toHaveLength(1);
    }
  });
});

describe("of a person and a worker who decide at once", () => {
  test("one is first: the person's accept is carried out once, or is refused because the case is being processed", async () => {
    for (let run = 0; run < runs; run++) {
      await notified("flight-number-only", run);
      const seen = await worker.caseOf(orderId);
      await act({ action: "recheck" }, "rui");
      const { version } = await worker.caseOf(orderId);

      const [outcome] = await Promise.all([
        act({ action: "accept" }, "ana", { id: seen.id, version }),
        worker.worker.workOn({ source: "default", orderId }),
      ]);
      await worker.work(orderId);

      expect(["accepted", "conflict"]).toContain(outcome.outcome);
      expect(gateway.journal).toHaveLength(outcome.outcome === "accepted" ? 1 : 0);
      expect((await worker.caseOf(orderId)).state).toBe(outcome.outcome === "accepted" ? "done" : "awaiting-agent");
    }
  });
});

describe("of a person who stops and a worker who sends at once", () => {
  /** The window is open for the person still, and over for the worker: as close as the two can come. */
  async function race(run: number, startWorkFirst: boolean): Promise<CaseActionOutcome> {
    await notified("minor-delay", run, 600_000);
    const seen = await worker.caseOf(orderId);
    await db.ownerDatabase.pool.query(
      "update skedchange.cases set undo_until = now() + interval '40 ms', due_at = now() where order_id = $1",
      [orderId],
    );
    const work = () => worker.worker.workOn({ source: "default", orderId });
    const stop = () => act({ action: "stop" }, "ana", seen);
    if (!startWorkFirst) return (await Promise.all([stop(), work()]))[0];
    return (await Promise.all([work(), stop()]))[1];
  }

  test("one wins: nothing is sent, or the stop is refused because it is too late", async () => {
    for (let run = 0; run < runs; run++) {
      const outcome = await race(run, run % 2 === 0);
      await db.ownerDatabase.pool.query(
        "update skedchange.cases set due_at = now() where order_id = $1 and due_at is not null",
        [orderId],
      );
      await new Promise((resolve) => setTimeout(resolve, 60));
      await worker.work(orderId);

      const { state } = await worker.caseOf(orderId);
      expect({ outcome: outcome.outcome, state, sent: gateway.journal.length }).toEqual(
        outcome.outcome === "accepted"
          ? { outcome: "accepted", state: "awaiting-agent", sent: 0 }
          : { outcome: "conflict", state: "done", sent: 1 },
      );
    }
  });

  test("a stop between the worker's last check and its plan prevents the effect from being planned", async () => {
    await notified("minor-delay", 0, 600_000);
    const seen = await worker.caseOf(orderId);
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1", [orderId]);
    const { store } = worker.context;
    let stopped: CaseActionOutcome | null = null;
    const overtaken = createWorkerUnderTest(db.database, gateway, {
      store: {
        ...aroundSaving(store, "effect-sent", async (save) => {
          stopped = await act({ action: "stop" }, "ana", seen);
          return await save();
        }),
        take: async (...call) => {
          const taken = await store.take(...call);
          const unheld = (work: OrderContext | null) => work && { ...work, case: { ...work.case, undoLeftMs: 0 } };
          return taken && { ...taken, context: taken.context.then(unheld) };
        },
      },
    });

    expect(await overtaken.worker.workOn({ source: "default", orderId })).toBe("lease-lost");

    expect(stopped).toMatchObject({ outcome: "accepted" });
    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [] });
  });

  test("a stop while the worker only looks again is not undone by it", async () => {
    await notified("minor-delay", 0, 600_000);
    const seen = await worker.caseOf(orderId);
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1", [orderId]);
    const stops: CaseActionOutcome[] = [];
    const { store } = worker.context;
    const overtaken = createWorkerUnderTest(db.database, gateway, {
      store: aroundSaving(store, "move", async (save) => {
        stops.push(await act({ action: "stop" }, "ana", seen));
        return await save();
      }),
    });

    await overtaken.worker.workOn({ source: "default", orderId });

    expect(stops).toMatchObject([{ outcome: "accepted" }]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [] });
  });
});
