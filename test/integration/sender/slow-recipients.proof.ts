import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acknowledge, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { openSenderBench, type SenderBench } from "./sender-bench.ts";

type Response = Parameters<ScriptedReceiver["script"]>[0];

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

/** A receiver that keeps its response back until the test wants it. */
function delayResponse(): { readonly asked: Promise<Response> } {
  return {
    asked: new Promise((resolve) => {
      receiver.script = resolve;
    }),
  };
}

/** Counts what it is given, and lets a test wait for the next one that it has not waited for yet. */
function signals() {
  let [given, taken] = [0, 0];
  let requeueCount = (): void => undefined;
  return {
    count: () => given,
    give(): void {
      given += 1;
      requeueCount();
    },
    async next(): Promise<void> {
      taken += 1;
      while (given < taken) await new Promise<void>((resolve) => (requeueCount = resolve));
    },
  };
}

describe("a recipient that is slow to respond", () => {
  test("frees its slot: its attempt goes on by itself and reports when it is over", async () => {
    const sender = bench.createSender({ slowAfterMs: 20, concurrentAttemptsMax: 1 });
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    const { asked } = delayResponse();

    const room = signals();
    expect((await sender.deliverDue(room.give)).begun).toBe(1);
    await room.next();
    expect((await bench.newestDelivery()).state).toBe("pending");

    acknowledge(await asked);
    await room.next();
    await sender.deliverDue();
    expect((await bench.newestDelivery()).state).toBe("delivered");
  });

  test("takes no room of others while it is tried, and its own lane is not claimed again", async () => {
    const sender = bench.createSender({ slowAfterMs: 20, concurrentAttemptsMax: 1 });
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    const { asked } = delayResponse();
    const room = signals();
    await sender.deliverDue(room.give);
    await room.next();

    const other = await startReceiver();
    await bench.addRecipient(other.url);
    await bench.announce(sender);
    await sender.deliverDue();
    acknowledge(await asked);
    await sender.settle();

    expect(other.posts).toHaveLength(1);
    await other.close();
  });

  test("keeps its slot once the maximum number of attempts is slow", async () => {
    const sender = bench.createSender({ slowAfterMs: 0, concurrentSlowAttemptsMax: 0, concurrentAttemptsMax: 1 });
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    const { asked } = delayResponse();
    const room = signals();
    await sender.deliverDue(room.give);

    const response = await asked;
    expect(room.count()).toBe(0);
    acknowledge(response);
    await room.next();
    await sender.settle();
    expect((await bench.newestDelivery()).state).toBe("delivered");
  });
});
