import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RecipientView } from "../../../src/sender/ports.ts";
import type { Sender } from "../../../src/sender/sender.ts";
import { eventually } from "../../harness/eventually.ts";
import { acknowledge, respondWith, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, deliverOnce, openSenderBench, type SenderBench } from "./sender-bench.ts";

const dayMs = 24 * 3_600_000;

let bench: SenderBench;
let receiver: ScriptedReceiver;
let sender: Sender;

beforeAll(async () => {
  bench = await openSenderBench();
  sender = bench.createSender();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await bench.clear();
});
afterAll(async () => {
  await bench.close();
});

const deliverDue = (): Promise<number> => deliverOnce(sender);

async function announceOrders(count: number, prefix = "ORDER"): Promise<void> {
  for (let index = 0; index < count; index += 1) await bench.announce(sender, { orderId: `${prefix}${index}` });
}

async function read({ id }: RecipientView): Promise<RecipientView> {
  return (await bench.recipients.readRecipient(id))!;
}

const attempts = (): number => receiver.posts.length;

describe("a Retry-After", () => {
  test.each([429, 502, 503, 504])("with %d holds back everything for the recipient, in full", async (status) => {
    const recipient = await bench.addRecipient(receiver.url);
    receiver.script = respondWith(status, "", { "retry-after": "600" });
    await announceOrders(1);
    await deliverDue();
    await announceOrders(3, "FRESH");

    const { hold } = await read(recipient);
    expect(hold).toEqual({ until: new Date(bench.now().getTime() - 3 + 600_000), because: "throttled" });
    bench.pass(600_000 - 4);
    expect(await deliverDue()).toBe(0);
    receiver.script = acknowledge;
    bench.pass(1);
    // One, then two at a time: what waited drains with a ramp.
    expect([await deliverDue(), await deliverDue(), await deliverDue()]).toEqual([1, 2, 1]);
    expect(await read(recipient)).toMatchObject({ hold: null, failing: null, pendingDeliveries: 0 });
  });

  test("stands when a delivery that was on its way before it is acknowledged", async () => {
    const recipient = await bench.addRecipient(receiver.url);
    await announceOrders(2);
    let acknowledgeOther = (): void => {};
    const throttle = respondWith(429, "", { "retry-after": "600" });
    receiver.script = (response, post) => {
      if (attempts() > 1) return throttle(response, post);
      acknowledgeOther = () => acknowledge(response);
    };
    await sender.deliverDue();
    const hold = await eventually(async () => {
      const view = await read(recipient);
      expect(view.hold).not.toBeNull();
      return view.hold;
    });
    acknowledgeOther();
    await sender.settle();

    expect(await read(recipient)).toMatchObject({ hold, failing: null, pendingDeliveries: 1 });
    bench.pass(600_000 - 1);
    expect(await deliverDue()).toBe(0);
    receiver.script = acknowledge;
    bench.pass(1);
    expect(await deliverDue()).toBe(1);
    expect(await read(recipient)).toMatchObject({ hold: null, pendingDeliveries: 0 });
  });

  test("with another status holds back its own delivery only", async () => {
    await bench.addRecipient(receiver.url);
    receiver.script = respondWith(500, "", { "retry-after": "600" });
    await announceOrders(1);
    await deliverDue();
    await announceOrders(1, "FRESH");

    expect(await deliverDue()).toBe(1);
  });

  test("of one recipient does not touch another", async () => {
    const other = await startReceiver();
    await bench.addRecipient(receiver.url);
    await bench.addRecipient(other.url);
    receiver.script = respondWith(503, "", { "retry-after": "600" });
    await announceOrders(1);
    await deliverDue();
    await announceOrders(2, "FRESH");
    await deliverDue();

    expect(other.posts).toHaveLength(3);
    expect(attempts()).toBe(1);
    await other.close();
  });
});

describe("a recipient that fails again and again", () => {
  test("is put on hold from the tenth failure in a row, then probed with one delivery, then served again", async () => {
    const recipient = await bench.addRecipient(receiver.url);
    receiver.script = respondWith(500);
    await announceOrders(9);
    while ((await read(recipient)).failing?.failedInRow !== 9) await deliverDue();
    expect((await read(recipient)).hold).toBeNull();
    await announceOrders(6, "FRESH");
    await deliverOnce(bench.createSender({ concurrentAttemptsMax: 1 }));

    const held = await read(recipient);
    expect(held).toMatchObject({ failing: { failedInRow: 10 }, hold: { because: "failing" } });
    expect(held.hold!.until.getTime() - bench.now().getTime()).toBe(30_000);
    expect(await deliverDue()).toBe(0);

    bench.pass(30_000);
    expect(await deliverDue()).toBe(1);
    expect(attempts()).toBe(11);
    expect((await read(recipient)).hold!.until.getTime() - bench.now().getTime()).toBe(60_000);

    bench.pass(60_000);
    receiver.script = acknowledge;
    expect(await deliverDue()).toBe(1);
    expect(await read(recipient)).toMatchObject({ failing: null, hold: null });
    expect([await deliverDue(), await deliverDue()]).toEqual([2, 4]);
  });

  test("is disabled after five days, keeps what is pending, and starts anew when a person resumes it", async () => {
    const recipient = await bench.addRecipient(receiver.url);
    receiver.script = respondWith(500);
    await announceOrders(12);
    const { failing } = await untilFailed(recipient, 11);
    bench.pass(failing!.since.getTime() + 5 * dayMs - bench.now().getTime() - 2);
    await announceOrders(1, "FRESH");
    await deliverDue();
    expect((await read(recipient)).state).toBe("active");

    bench.pass(15 * 60_000 * 1.2);
    await deliverDue();

    expect(await read(recipient)).toMatchObject({
      state: "disabled",
      stateReason: {
        code: "sender.recipient_failing",
        message: expect.stringMatching(
          /^No delivery was acknowledged for 5 days, in \d+ attempts; the last one ended with sender\.refused\./,
        ),
      },
    });
    receiver.script = acknowledge;
    await bench.recipients.changeRecipient(recipient.id, { state: { to: "active" } });
    for (let turn = 0; turn < 10; turn += 1) await deliverDue();
    expect(await read(recipient)).toMatchObject({ state: "active", failing: null, pendingDeliveries: 0 });
  });

  test("is not blamed for bytes that it rejects", async () => {
    const recipient = await bench.addRecipient(receiver.url);
    receiver.script = respondWith(422);
    await announceOrders(12);
    while ((await deliverDue()) > 0);

    expect(await read(recipient)).toMatchObject({ failing: null, hold: null });
    expect(await bench.newestDelivery()).toMatchObject({
      state: "dead",
      attempts: 1,
      deadReason: { code: "sender.rejected", message: expect.stringContaining("responded with 422") },
    });
  });

  async function untilFailed(recipient: RecipientView, failures: number): Promise<RecipientView> {
    for (let turn = 0; turn < 100; turn += 1) {
      const view = await read(recipient);
      if ((view.failing?.failedInRow ?? 0) >= failures) return view;
      if ((await deliverDue()) === 0) bench.pass(60_000);
    }
    throw new Error("it did not fail often enough");
  }
});

describe("a newer notification of an order", () => {
  test("takes the place of an older one that was not delivered, and the older one is never sent after it", async () => {
    const recipient = await bench.addRecipient(receiver.url, { ordering: "latest" });
    receiver.script = respondWith(500);
    await bench.announce(sender, { body: "first" });
    await deliverDue();
    const first = await bench.newestDelivery();

    await bench.announce(sender, { body: "second" });
    await bench.announce(sender, { body: "third" });
    receiver.script = acknowledge;
    await deliverDue();

    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["first", "third"]);
    const { items } = await bench.recipients.listDeliveries({}, { limit: 10, cursor: null });
    expect(items.map(({ state }) => state)).toEqual(["delivered", "superseded", "superseded"]);
    expect(items.find(({ id }) => id === first.id)).toMatchObject({ supersededBy: items[1]!.id, dueAt: null });
    expect((await read(recipient)).pendingDeliveries).toBe(0);
  });

  test("waits for the one that is on its way, which is superseded only when it fails", async () => {
    await bench.addRecipient(receiver.url, { ordering: "latest" });
    let arrived = (): void => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let fail = (): void => {};
    receiver.script = (response) => {
      arrived();
      fail = () => void respondWith(500)(response, receiver.posts[0]!);
    };
    await bench.announce(sender, { body: "first" });
    const delivering = deliverDue();
    await underWay;
    await bench.announce(sender, { body: "second" });
    const { items } = await bench.recipients.listDeliveries({}, { limit: 10, cursor: null });
    expect(items.map(({ state }) => state)).toEqual(["pending", "pending"]);

    receiver.script = acknowledge;
    fail();
    await delivering;
    await deliverDue();

    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["first", "second"]);
    const after = await bench.recipients.listDeliveries({}, { limit: 10, cursor: null });
    expect(after.items.map(({ state }) => state)).toEqual(["delivered", "superseded"]);
  });

  test("supersedes nothing at a recipient that wants every one, and nothing that a person replayed", async () => {
    await bench.addRecipient(receiver.url, { ordering: "every" });
    receiver.script = respondWith(500);
    await bench.announce(sender, { body: "first" });
    await deliverDue();
    await bench.announce(sender, { body: "second" });
    receiver.script = acknowledge;
    bench.pass(60_000);
    await deliverAll(sender);
    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["first", "first", "second"]);

    await bench.clear();
    const { id } = await bench.addRecipient(receiver.url, { ordering: "latest" });
    await bench.announce(sender, { body: "old" });
    await deliverAll(sender);
    await bench.recipients.resend((await bench.newestDelivery({ recipientId: id })).id);
    await bench.announce(sender, { body: "new" });
    await deliverAll(sender);
    expect(receiver.posts.slice(3).map((post) => post.body.toString())).toEqual(["old", "old", "new"]);
  });
});
