import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResendFilter } from "../../../src/sender/ports.ts";
import type { Sender } from "../../../src/sender/sender.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { asTx, inTransaction } from "../../../src/store/database/transaction.ts";
import { createDeliveryRetention } from "../../../src/store/deliveries/delivery-retention.ts";
import { notificationTables } from "../../../src/store/deliveries/delivery-tables.ts";
import { acknowledge, respondWith, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, deliverOnce, openSenderBench, type SenderBench } from "./sender-bench.ts";

const dayMs = 24 * 3_600_000;
const all = { limit: 100, cursor: null };

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

const bodies = (): readonly string[] => receiver.posts.map((post) => post.body.toString());

/** Leaves these as dead letters, each refused by a recipient that takes nothing. */
async function kill(...announcements: readonly { readonly orderId: string; readonly body: string }[]): Promise<void> {
  receiver.script = respondWith(422);
  for (const announcement of announcements) await bench.announce(sender, announcement);
  await deliverAll(sender);
  receiver.script = acknowledge;
}

async function resendAll(filter: ResendFilter, force = false, batch = 2) {
  const { id } = await bench.resends.createResend(filter, force);
  while (await bench.resends.advanceResend(batch));
  return (await bench.resends.readResend(id))!;
}

describe("a replay of many", () => {
  test("sends again what the filter finds, in the order in which it was announced, and reports its progress", async () => {
    await bench.addRecipient(receiver.url);
    await kill({ orderId: "A", body: "A1" }, { orderId: "B", body: "B1" }, { orderId: "A", body: "A2" });
    const sent = receiver.posts.length;

    const { id } = await bench.resends.createResend({ state: "dead" }, false);
    expect(await bench.resends.readResend(id)).toMatchObject({ state: "running", total: 3, done: 0 });
    expect(await bench.resends.advanceResend(2)).toBe(true);
    expect(await bench.resends.readResend(id)).toMatchObject({ state: "running", total: 3, done: 2 });
    while (await bench.resends.advanceResend(2));
    await deliverAll(sender);

    expect(await bench.resends.readResend(id)).toMatchObject({ state: "finished", total: 3, done: 3, skipped: 0 });
    const again = bodies().slice(sent);
    expect(again.toSorted()).toEqual(["A1", "A2", "B1"]);
    expect(again.indexOf("A1")).toBeLessThan(again.indexOf("A2"));
  });

  test("leaves out what a newer notification makes pointless to a recipient that wants the latest, unless it is forced", async () => {
    await bench.addRecipient(receiver.url, { ordering: "latest" });
    await kill({ orderId: "A", body: "A1" }, { orderId: "B", body: "B1" });
    await bench.announce(sender, { orderId: "A", body: "A2" });
    await deliverAll(sender);

    expect(await bench.resends.previewResend({ state: "dead" })).toEqual({ total: 2, leftOut: 0, afterNewer: 1 });
    expect(await resendAll({ state: "dead" })).toMatchObject({ total: 2, done: 2, skipped: 1 });
    await deliverAll(sender);
    expect(bodies().filter((body) => body === "A1")).toHaveLength(1);
    expect(await resendAll({ state: "dead" }, true)).toMatchObject({ done: 2, skipped: 1 });
    await deliverAll(sender);
    expect(bodies().filter((body) => body === "A1")).toHaveLength(2);
    expect(bodies().filter((body) => body === "B1")).toHaveLength(2);
  });

  test("of one recipient, order, airline or time leaves the others alone", async () => {
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    await kill({ orderId: "A", body: "A1" });
    const since = bench.now();
    await kill({ orderId: "B", body: "B1" });
    const found = async (filter: Omit<ResendFilter, "state">): Promise<number> =>
      (await bench.resends.previewResend({ state: "dead", ...filter })).total;

    expect(await found({ recipientId })).toBe(2);
    expect(await found({ orderId: "A" })).toBe(1);
    expect(await found({ airline: "LH" })).toBe(2);
    expect(await found({ airline: "TP" })).toBe(0);
    expect(await found({ since: new Date(since.getTime() + 1) })).toBe(1);
    expect(await found({ until: new Date(since.getTime() + 1) })).toBe(1);
    expect(await resendAll({ state: "dead", since: new Date(since.getTime() + 1) })).toMatchObject({ done: 1 });
  });

  test("stops where it is when it is cancelled, and stays so", async () => {
    await bench.addRecipient(receiver.url);
    await kill({ orderId: "A", body: "A1" }, { orderId: "B", body: "B1" });
    const { id } = await bench.resends.createResend({ state: "dead" }, false);
    await bench.resends.advanceResend(1);

    expect(await bench.resends.cancelResend(id)).toMatchObject({ state: "cancelled", done: 1 });
    expect(await bench.resends.advanceResend(1)).toBe(false);
    expect(await bench.resends.cancelResend(id)).toMatchObject({ state: "cancelled", done: 1 });
  });

  test("skips a recipient that has been removed", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    await kill({ orderId: "A", body: "A1" });
    await bench.recipients.removeRecipient(id);

    expect(await bench.resends.previewResend({ state: "dead" })).toEqual({ total: 1, leftOut: 1, afterNewer: 0 });
    expect(await resendAll({ state: "dead" })).toMatchObject({ state: "finished", done: 1, skipped: 1 });
  });
});

describe("retries", () => {
  test("leave room for what is tried for the first time", async () => {
    await bench.addRecipient(receiver.url, { lanesMax: 64 });
    receiver.script = respondWith(500);
    for (let index = 0; index < 8; index += 1) await bench.announce(sender, { orderId: `OLD${index}` });
    await deliverOnce(sender);
    bench.pass(10_000);
    receiver.script = acknowledge;
    for (let index = 0; index < 4; index += 1) await bench.announce(sender, { orderId: `NEW${index}` });

    expect(await deliverOnce(bench.createSender({ concurrentAttemptsMax: 4 }))).toBe(4);

    const { items } = await bench.recipients.listDeliveries({ state: "delivered" }, all);
    const taken = items.map(({ orderId }) => orderId);
    expect(taken.filter((orderId) => orderId.startsWith("OLD"))).toHaveLength(3);
    expect(taken.filter((orderId) => orderId.startsWith("NEW"))).toHaveLength(1);
  });
});

describe("a rate", () => {
  test("does not keep what is due waiting while others are announced", async () => {
    await bench.addRecipient(receiver.url, { ratePerSecond: 100 });
    const sender = bench.createSender();
    await bench.announce(sender, { orderId: "DUE" });

    await inTransaction(bench.database, async (trx) => {
      const other = { orderId: "OTHER", airline: "LH", changeId: "under way", body: Buffer.from("{}") };
      await sender.announce(asTx(trx), other);
      expect(await deliverOnce(sender)).toBe(1);
    });
    expect(await deliverOnce(sender)).toBe(1);
  });

  test("bounds what a recipient is sent in a second, over all of its orders", async () => {
    await bench.addRecipient(receiver.url, { ratePerSecond: 2, lanesMax: 64 });
    for (let index = 0; index < 5; index += 1) await bench.announce(sender, { orderId: `ORDER${index}` });

    expect(await deliverOnce(sender)).toBe(2);
    expect(await deliverOnce(sender)).toBe(0);
    bench.pass(499);
    expect(await deliverOnce(sender)).toBe(0);
    bench.pass(1);
    expect(await deliverOnce(sender)).toBe(1);
    bench.pass(60_000);
    expect(await deliverOnce(sender)).toBe(2);
    expect(receiver.posts).toHaveLength(5);
  });

  test("bounds the deliveries of one order as well", async () => {
    await bench.addRecipient(receiver.url, { ratePerSecond: 1 });
    for (const body of ["1", "2", "3"]) await bench.announce(sender, { body });

    await deliverOnce(sender);
    expect(bodies()).toEqual(["1"]);
    bench.pass(1_000);
    await deliverOnce(sender);
    expect(bodies()).toEqual(["1", "2"]);
  });
});

describe("retention", () => {
  const retention = () => createDeliveryRetention(bench.database, notificationTables);
  const states = async () =>
    (await bench.recipients.listDeliveries({}, all)).items.map(({ state }) => state).toSorted();

  test("deletes what ended before, with its attempts and bodies, and keeps what is dead or pending", async () => {
    bench.pass(-100 * dayMs);
    const { id } = await bench.addRecipient(receiver.url, { ordering: "latest" });
    await kill({ orderId: "DEAD", body: "D1" });
    await bench.recipients.changeRecipient(id, {
      state: { to: "paused", reason: { code: "sender.paused", message: "maintenance" } },
    });
    await bench.announce(sender, { orderId: "A" });
    await bench.announce(sender, { orderId: "A" });
    await bench.recipients.changeRecipient(id, { state: { to: "active" } });
    await deliverAll(sender);
    const until = new Date(bench.now().getTime() + 1);
    bench.pass(10);
    await bench.announce(sender, { orderId: "YOUNG" });
    await deliverAll(sender);
    await bench.announce(sender, { orderId: "PENDING" });
    expect(await states()).toEqual(["dead", "delivered", "delivered", "pending", "superseded"]);

    while ((await retention().deleteEnded(until, 1)) > 0);

    expect(await states()).toEqual(["dead", "delivered", "pending"]);
    const left = await sql<{ bodies: number }>`select count(*) as bodies from gateway.ocn_bodies`.execute(
      bench.database.connection,
    );
    expect(left.rows).toEqual([{ bodies: 3 }]);
    bench.pass(100 * dayMs);
  });

  test("deletes the lane of an order with its last delivery, and a later notification makes it again", async () => {
    const laneOrders = async () => {
      const { rows } = await sql<{ orderId: string }>`
        select order_id as "orderId" from gateway.lanes order by order_id`.execute(bench.database.connection);
      return rows.map(({ orderId }) => orderId);
    };
    bench.pass(-100 * dayMs);
    await bench.addRecipient(receiver.url, { ordering: "every" });
    await kill({ orderId: "DEAD", body: "D1" });
    await bench.announce(sender, { orderId: "ENDED", body: "E1" });
    await bench.announce(sender, { orderId: "GOES-ON", body: "G1" });
    await deliverAll(sender);
    const until = new Date(bench.now().getTime() + 1);
    bench.pass(10);
    await bench.announce(sender, { orderId: "GOES-ON", body: "G2" });

    while ((await retention().deleteEnded(until, 10)) > 0);
    expect(await laneOrders()).toEqual(["DEAD", "GOES-ON"]);
    await bench.announce(sender, { orderId: "ENDED", body: "E2" });
    await deliverAll(sender);

    expect(await laneOrders()).toEqual(["DEAD", "ENDED", "GOES-ON"]);
    expect(bodies().slice(-2).toSorted()).toEqual(["E2", "G2"]);
    bench.pass(100 * dayMs);
  });

  test("never deletes what ended today", async () => {
    await expect(retention().deleteEnded(new Date(Date.now() - dayMs / 2), 10)).rejects.toMatchObject({
      code: "23514",
    });
  });
});
