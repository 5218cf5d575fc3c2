import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createDeliveredRecorder } from "../../../src/sender/delivered-recorder.ts";
import type { AttemptResult, BegunAttempt, DeliveredAttempt, LaneStore } from "../../../src/sender/ports.ts";
import { eventually } from "../../harness/eventually.ts";
import { type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { openSenderBench, type SenderBench } from "./sender-bench.ts";

let bench: SenderBench;
let receiver: ScriptedReceiver;

beforeAll(async () => {
  bench = await openSenderBench();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await bench.clear();
});
afterAll(() => bench.close());

const result: AttemptResult = {
  outcome: "delivered",
  httpStatus: 200,
  errorCode: null,
  errorMessage: null,
  answerExcerpt: null,
  durationMs: 5,
  timings: null,
};

/** Attempts that are under way, each of an order of its own. */
async function begin(count: number): Promise<readonly DeliveredAttempt[]> {
  await bench.addRecipient(receiver.url, { lanesMax: 64 });
  const sender = bench.createSender();
  for (let order = 0; order < count; order += 1) await bench.announce(sender, { orderId: `ORDER${order}` });
  const bounds = { limit: count, retriesMax: count, perRecipient: 64, failuresUntilHeld: 10 };
  const { attempts } = await bench.store.claimDue({ ...bounds, holder: "a test", leaseMs: 60_000 });
  return attempts.map((attempt: BegunAttempt) => ({ attempt, result }));
}

/** The store, with a look at each batch before it is recorded. */
function watchedStore(before: (batch: readonly DeliveredAttempt[]) => Promise<void> | void) {
  return {
    recordDelivered: async (batch) => {
      await before(batch);
      return await bench.store.recordDelivered(batch);
    },
  } satisfies Pick<LaneStore, "recordDelivered">;
}

const open = (store: Pick<LaneStore, "recordDelivered">) =>
  createDeliveredRecorder(store, { logger: bench.logger, random: () => 0.5 });

async function readStates(): Promise<readonly string[]> {
  const { items } = await bench.recipients.listDeliveries({}, { limit: 100, cursor: null });
  return items.map(({ state }) => state);
}

describe("acknowledgements", () => {
  test("that come together share a commit, and those that come meanwhile share the next", async () => {
    const [first, ...others] = await begin(9);
    const batches: number[] = [];
    let recorded: readonly Promise<boolean>[] = [];
    const recorder = open(
      watchedStore((batch) => {
        batches.push(batch.length);
        if (recorded.length === 0) recorded = others.map((other) => recorder.record(other));
      }),
    );

    expect(await recorder.record(first!)).toBe(true);
    await Promise.all(recorded);

    expect(batches).toEqual([1, 8]);
    expect(new Set(await readStates())).toEqual(new Set(["delivered"]));
  });

  test("are recorded once the database is back, and nothing is sent twice for that", async () => {
    const delivered = await begin(2);
    let outages = 2;
    const recorder = open(
      watchedStore(() => {
        if (outages === 0) return;
        outages -= 1;
        throw new Error("the database is away");
      }),
    );

    expect(await Promise.all(delivered.map((one) => recorder.record(one)))).toEqual([true, true]);

    expect(await readStates()).toEqual(["delivered", "delivered"]);
    expect(bench.lines.filter((line) => line.includes("sender.not_recorded"))).toHaveLength(2);
  });

  test("that cannot be recorded when the sender closes are refused, and what they were for is sent again", async () => {
    const [delivered] = await begin(1);
    const recorder = open(
      watchedStore(() => {
        throw new Error("the database is away");
      }),
    );
    const closing = eventually(() => {
      expect(bench.lines.some((line) => line.includes("sender.not_recorded"))).toBe(true);
      recorder.close();
    });

    await expect(recorder.record(delivered!)).rejects.toMatchObject({ code: "sender.not_recorded" });

    await closing;
    expect(await readStates()).toEqual(["pending"]);
  });

  test("of two attempts in one lane are recorded one after the other", async () => {
    const [delivered] = await begin(1);
    const batches: number[] = [];
    const recorder = open(watchedStore((batch) => void batches.push(batch.length)));

    await Promise.all([recorder.record(delivered!), recorder.record(delivered!)]);

    expect(batches).toEqual([1, 1]);
    expect(await readStates()).toEqual(["delivered"]);
  });
});
