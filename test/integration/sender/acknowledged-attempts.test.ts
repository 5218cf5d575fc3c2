import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DeliveredAttempt, LaneStore } from "../../../src/sender/ports.ts";
import { eventually } from "../../harness/eventually.ts";
import { acknowledge, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
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

/** A sender whose store does something before it records anything. */
function createSender(beforeRecording: (delivered: readonly DeliveredAttempt[]) => void) {
  const recordAndClaim: LaneStore["recordAndClaim"] = async (delivered, bounds) => {
    if (delivered.length > 0) beforeRecording(delivered);
    return await bench.store.recordAndClaim(delivered, bounds);
  };
  return bench.createSender({}, { ...bench.store, recordAndClaim });
}

async function announceOrders(count: number): Promise<void> {
  await bench.addRecipient(receiver.url, { lanesMax: 64 });
  const sender = bench.createSender();
  for (let order = 0; order < count; order += 1) await bench.announce(sender, { orderId: `ORDER${order}` });
}

async function readStates(): Promise<readonly string[]> {
  const { items } = await bench.recipients.listDeliveries({}, { limit: 100, cursor: null });
  return items.map(({ state }) => state);
}

const notRecorded = (): number => bench.lines.filter((line) => line.includes("sender.not_recorded")).length;

function goAway(): never {
  throw new Error("the database is away");
}

describe("acknowledgements", () => {
  test("that wait together are recorded together", async () => {
    await announceOrders(8);
    const batches: number[] = [];
    const sender = createSender((delivered) => batches.push(delivered.length));
    const responses: (() => void)[] = [];
    receiver.script = (response) => void responses.push(() => acknowledge(response));

    expect((await sender.deliverDue()).begun).toBe(8);
    await eventually(() => expect(responses).toHaveLength(8));
    const allResponded = new Promise<void>((resolve) => {
      // Told once when all of them got their response, and until then by the time that has passed.
      void sender.deliverDue(resolve);
    });
    for (const respond of responses) respond();
    await allResponded;
    await eventually(async () => {
      await sender.deliverDue();
      expect(new Set(await readStates())).toEqual(new Set(["delivered"]));
    });

    expect(batches.length).toBeLessThan(8);
    expect(batches.reduce((sum, count) => sum + count)).toBe(8);
  });

  test("are recorded once the database is back, and nothing is sent twice for that", async () => {
    await announceOrders(2);
    let outages = 3;
    const sender = createSender(() => {
      outages -= 1;
      if (outages >= 0) goAway();
    });

    await sender.deliverDue();
    await eventually(() => expect(receiver.posts).toHaveLength(2));
    await eventually(async () => await expect(sender.deliverDue()).rejects.toThrow("the database is away"));
    await sender.settle();

    expect(await readStates()).toEqual(["delivered", "delivered"]);
    expect((await sender.deliverDue()).begun).toBe(0);
    expect(receiver.posts).toHaveLength(2);
  });

  test("that cannot be recorded when the sender closes are given up, and what they were for is sent again", async () => {
    await announceOrders(1);
    const sender = createSender(goAway);
    await sender.deliverDue();
    await eventually(() => expect(receiver.posts).toHaveLength(1));

    await sender.close();

    expect(notRecorded()).toBeGreaterThan(0);
    expect(bench.lines.some((line) => line.includes("sender.failed"))).toBe(true);
    expect(await readStates()).toEqual(["pending"]);
  });
});
