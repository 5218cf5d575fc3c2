import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RaisedLanes } from "../../../src/sender/lanes-by-latency.ts";
import type { AttemptResult, BegunAttempt } from "../../../src/sender/ports.ts";
import type { Sender } from "../../../src/sender/sender.ts";
import { eventually } from "../../harness/eventually.ts";
import { acknowledge, respondWith, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, openSenderBench, type SenderBench } from "./sender-bench.ts";

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
afterAll(async () => {
  await bench.close();
});

const delivery: AttemptResult = {
  outcome: "delivered",
  httpStatus: 200,
  errorCode: null,
  errorMessage: null,
  answerExcerpt: null,
  durationMs: 5,
  timings: null,
};

async function announceOrders(sender: Sender, count: number): Promise<void> {
  for (let order = 0; order < count; order += 1)
    await bench.announce(sender, { orderId: `ORDER${order}`, body: `${order}` });
}

/** Looks for work whenever the sender has room, as a process does, until nothing is under way. */
async function deliverAsProcess(sender: Sender, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise<void>((resolve, reject) => {
      sender.deliverDue(resolve).then(({ isIncomplete }) => (isIncomplete || isDone() ? resolve() : undefined), reject);
    });
  }
  await sender.settle();
}

describe("lanes of a recipient that has just acknowledged", () => {
  async function claim(
    holder: string,
    aheadFor: readonly string[],
    raised: readonly RaisedLanes[] = [],
  ): Promise<readonly BegunAttempt[]> {
    const bounds = { limit: 100, retriesMax: 100, perRecipient: 2, failuresUntilHold: 10, leaseMs: 60_000 };
    return (await bench.store.recordAndClaim([], { ...bounds, holder, raised, aheadFor })).attempts;
  }

  async function record(attempts: readonly BegunAttempt[]): Promise<void> {
    const nothing = { limit: 0, retriesMax: 0, perRecipient: 2, failuresUntilHold: 10, leaseMs: 0, holder: "nobody" };
    const delivered = attempts.map((attempt) => ({ attempt, result: delivery }));
    await bench.store.recordAndClaim(delivered, { ...nothing, raised: [], aheadFor: [] });
  }

  test("are claimed ahead by the process that has all of them, and shared once another one has some", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    await announceOrders(bench.createSender(), 20);

    expect(await claim("one", [])).toHaveLength(2);
    const ahead = await claim("one", [id]);
    expect(ahead).toHaveLength(4);
    expect(ahead.every(({ slotsMax }) => slotsMax === 2)).toBe(true);
    expect(await claim("other", [id])).toEqual([]);
    expect(await claim("one", [id])).toEqual([]);

    // Two are left, as many as it takes at a time.
    await record(ahead);
    expect(await claim("other", [id])).toEqual([]);
    expect(await claim("one", [id])).toHaveLength(4);
  });

  test("are not claimed ahead while another process delivers one of them", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    await announceOrders(bench.createSender(), 20);
    const [first] = await claim("one", []);
    await record([first!]);
    expect(await claim("other", [id])).toHaveLength(1);

    expect(await claim("one", [id])).toEqual([]);
    expect(await claim("other", [id])).toEqual([]);
  });

  test("are as many as the process raises them to", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    await announceOrders(bench.createSender(), 20);

    const claimed = await claim("one", [], [{ recipientId: id, lanes: 5 }]);

    expect(claimed.map(({ slotsMax }) => slotsMax)).toEqual([5, 5, 5, 5, 5]);
  });

  test("come with their bodies, also with those that the response of one statement has no room for", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    const sender = bench.createSender();
    const bodies = Array.from({ length: 12 }, () => randomBytes(6_000).toString("base64"));
    for (const [order, body] of bodies.entries()) await bench.announce(sender, { orderId: `ORDER${order}`, body });

    const claimed = await claim("one", [], [{ recipientId: id, lanes: 12 }]);

    const byOrder = new Map(claimed.map(({ lease, message }) => [lease.orderId, message]));
    for (const [order, body] of bodies.entries()) {
      expect(byOrder.get(`ORDER${order}`)).toMatchObject({ kind: "readable", body: Buffer.from(body) });
    }
  });

  test("are never more than the recipient allows", async () => {
    const { id } = await bench.addRecipient(receiver.url, { lanesMax: 1 });
    await announceOrders(bench.createSender(), 20);

    expect(await claim("one", [], [{ recipientId: id, lanes: 5 }])).toHaveLength(1);
  });

  test("are not claimed ahead of its rate", async () => {
    const { id } = await bench.addRecipient(receiver.url, { ratePerSecond: 1_000 });
    await announceOrders(bench.createSender(), 20);
    expect(await claim("one", [id])).toHaveLength(2);
    expect(await claim("one", [id])).toEqual([]);
  });
});

describe("a recipient for which notifications wait in the sender", () => {
  test("gets each of them once, and never more at a time than it takes", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url, { lanesMax: 2 });
    await announceOrders(sender, 40);
    let underWay = 0;
    let most = 0;
    let secondCame = (): void => {};
    const second = new Promise<void>((resolve) => {
      secondCame = resolve;
    });
    // The first waits for the second, so that both are seen at once however busy the machine is.
    receiver.script = async (response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 2) secondCame();
      await second;
      await new Promise(setImmediate);
      underWay -= 1;
      acknowledge(response);
    };

    await deliverAsProcess(sender, () => receiver.posts.length === 40);

    expect(most).toBe(2);
    expect(new Set(receiver.posts.map(({ body }) => body.toString())).size).toBe(40);
    const { items } = await bench.recipients.listDeliveries({}, { limit: 100, cursor: null });
    expect(items.map(({ state, attempts }) => [state, attempts])).toEqual(items.map(() => ["delivered", 1]));
  });

  test("gets more at a time than usual once it has responded quickly", async () => {
    const sender = bench.createSender({ lanesPerRecipient: 1 });
    await bench.addRecipient(receiver.url);
    await announceOrders(sender, 40);
    let underWay = 0;
    let thirdCame = (): void => {};
    const third = new Promise<void>((resolve) => {
      thirdCame = resolve;
    });
    receiver.script = async (response) => {
      underWay += 1;
      if (underWay === 3) thirdCame();
      if (receiver.posts.length > 20) await third;
      underWay -= 1;
      acknowledge(response);
    };

    await deliverAsProcess(sender, () => receiver.posts.length === 40);

    await third;
    expect(new Set(receiver.posts.map(({ body }) => body.toString())).size).toBe(40);
  });

  test("is sent nothing more when it asks us to wait, and all of it afterwards", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url, { lanesMax: 1 });
    await announceOrders(sender, 4);
    receiver.script = (response, post) =>
      receiver.posts.length === 1
        ? acknowledge(response)
        : respondWith(503, "", { "retry-after": "60" })(response, post);

    await deliverAsProcess(sender, () => receiver.posts.length === 2);

    expect(receiver.posts).toHaveLength(2);
    const { items } = await bench.recipients.listDeliveries({ state: "pending" }, { limit: 100, cursor: null });
    const attempts = await Promise.all(items.map(async ({ id }) => await bench.attempts(id)));
    expect(attempts.flat().map(({ outcome, errorCode }) => [outcome, errorCode])).toEqual(
      expect.arrayContaining([
        ["refused", "sender.refused"],
        ["failed", "sender.not_sent"],
        ["failed", "sender.not_sent"],
      ]),
    );
    expect(items.filter(({ failures }) => failures > 0)).toHaveLength(1);
    // The time that the retry schedule gives begins with a first try that is sent.
    const { rows } = await bench.database.pool.query(
      "select count(*)::int as untried from gateway.deliveries where attempts = 1 and first_tried_at is null",
    );
    expect(rows).toEqual([{ untried: 2 }]);

    receiver.script = acknowledge;
    bench.pass(10 * 60_000);
    await deliverAll(sender);
    expect(new Set(receiver.posts.map(({ body }) => body.toString())).size).toBe(4);
  });

  test("is sent them all the same when one of them is refused", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url, { lanesMax: 1 });
    await announceOrders(sender, 4);
    receiver.script = (response, post) =>
      receiver.posts.length === 2 ? respondWith(500)(response, post) : acknowledge(response);

    await deliverAsProcess(sender, () => receiver.posts.length === 4);

    const { items } = await bench.recipients.listDeliveries({}, { limit: 100, cursor: null });
    expect(items.map(({ state, attempts }) => [state, attempts])).toEqual(
      expect.arrayContaining([
        ["pending", 1],
        ["delivered", 1],
        ["delivered", 1],
        ["delivered", 1],
      ]),
    );
  });

  test("is sent nothing more once the sender closes, and what waited is due at once", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url, { lanesMax: 1 });
    await announceOrders(sender, 4);
    receiver.script = (response) => (receiver.posts.length === 1 ? acknowledge(response) : undefined);
    void deliverAsProcess(sender, () => receiver.posts.length === 2);
    await eventually(() => expect(receiver.posts).toHaveLength(2));

    await sender.close();

    expect(receiver.posts).toHaveLength(2);
    receiver.script = acknowledge;
    expect(await deliverAll(bench.createSender())).toBe(3);
  });
});
