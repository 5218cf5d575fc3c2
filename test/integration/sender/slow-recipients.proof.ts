import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
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

/** A receiver that keeps its answer back until the test wants it. */
function keepAnswerBack(): { readonly asked: Promise<Response> } {
  return {
    asked: new Promise((resolve) => {
      receiver.script = resolve;
    }),
  };
}

describe("a recipient that is slow to answer", () => {
  test("keeps no worker: its turn goes on by itself and tells when it is over", async () => {
    const sender = bench.createSender({ slowAfterMs: 20 });
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    const { asked } = keepAnswerBack();
    const [lane] = await sender.takeDueLanes(10);

    let ended = (): void => undefined;
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    await sender.deliver(lane!.ids, ended);
    expect((await bench.newestDelivery()).state).toBe("pending");

    acknowledge(await asked);
    await end;
    expect((await bench.newestDelivery()).state).toBe("delivered");
  });

  test("takes no room of others while it is tried, and its own lane is not handed out again", async () => {
    const sender = bench.createSender({ slowAfterMs: 20 });
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    const { asked } = keepAnswerBack();
    const [lane] = await sender.takeDueLanes(1);
    let ended = (): void => undefined;
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    await sender.deliver(lane!.ids, ended);

    const other = await startReceiver();
    const { id: otherId } = await bench.addRecipient(other.url);
    await bench.announce(sender);
    const taken = await sender.takeDueLanes(1);
    expect(taken.map(({ ids }) => ids.recipientId)).toEqual([otherId]);

    acknowledge(await asked);
    await end;
    await other.close();
  });

  test("keeps its worker once as many turns as may go on beside the workers", async () => {
    const sender = bench.createSender({ slowAfterMs: 0, slowTurnsMax: 0 });
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    const { asked } = keepAnswerBack();
    const [lane] = await sender.takeDueLanes(10);

    let isOver = false;
    const turn = sender.deliver(lane!.ids).then(() => {
      isOver = true;
    });
    const response = await asked;
    expect(isOver).toBe(false);
    acknowledge(response);
    await turn;
    expect((await bench.newestDelivery()).state).toBe("delivered");
  });
});
