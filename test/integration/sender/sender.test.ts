import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import type { AttemptResult, BegunAttempt } from "../../../src/sender/ports.ts";
import { defaultRetrySchedule } from "../../../src/sender/retry-schedule.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { asTx, inTransaction } from "../../../src/store/database/transaction.ts";
import { eventually } from "../../harness/eventually.ts";
import { acknowledge, respondWith, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, deliverOnce, openSenderBench, type SenderBench } from "./sender-bench.ts";

const hourMs = 3_600_000;
const orderId = "QX7R2M1A";

let bench: SenderBench;
let receiver: ScriptedReceiver;
/** What a test started besides; closed after it, whether it passed or not. */
let others: { close(): unknown }[] = [];

beforeAll(async () => {
  bench = await openSenderBench();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all([receiver, ...others].map((other) => other.close()));
  others = [];
  await bench.clear();
});
afterAll(async () => {
  await bench.close();
});

const bounds = { limit: 100, retriesMax: 100, perRecipient: 4, failuresUntilHold: 10, raised: [], aheadFor: [] };

const responded: AttemptResult = {
  outcome: "delivered",
  httpStatus: 200,
  errorCode: null,
  errorMessage: null,
  answerExcerpt: null,
  durationMs: 5,
  timings: null,
};

/** Claims the one delivery that is due, once the lease of whoever had it before is over. */
async function claim(holder: string, leaseMs: number): Promise<BegunAttempt> {
  return await eventually(async () => {
    const { attempts } = await bench.store.recordAndClaim([], { ...bounds, holder, leaseMs });
    expect(attempts).toHaveLength(1);
    return attempts[0]!;
  });
}

/** Records that the attempt was acknowledged. */
async function record(attempt: BegunAttempt) {
  const nothing = { ...bounds, limit: 0, holder: "nobody", leaseMs: 0 };
  return (await bench.store.recordAndClaim([{ attempt, result: responded }], nothing)).recorded;
}

async function startAnotherReceiver(): Promise<ScriptedReceiver> {
  const another = await startReceiver();
  others.push(another);
  return another;
}

describe("an announcement", () => {
  test("goes to every recipient as the bytes that were announced", async () => {
    const sender = bench.createSender();
    const second = await startAnotherReceiver();
    const one = await bench.addRecipient(receiver.url);
    const two = await bench.addRecipient(second.url);
    const body = ` {"OrderViewRS" : {"Total": 1134.30, "Name":"Müller", "Big": 12345678901234567890}}\n`;

    const deliveries = await bench.announce(sender, { body });
    await deliverAll(sender);

    expect(deliveries).toBe(2);
    for (const { posts } of [receiver, second]) {
      expect(posts).toHaveLength(1);
      expect(posts[0]?.body.toString("utf8")).toBe(body);
    }
    expect((await bench.newestDelivery({ recipientId: one.id })).state).toBe("delivered");
    expect((await bench.newestDelivery({ recipientId: two.id })).state).toBe("delivered");
  });

  test("is undone with the transaction of the change", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);

    const failed = inTransaction(bench.database, async (trx) => {
      await sender.announce(asTx(trx), { orderId, airline: "LH", changeId: "c1", body: Buffer.from("{}") });
      throw new Error("the change was refused");
    });

    await expect(failed).rejects.toThrow("the change was refused");
    expect(await deliverAll(sender)).toBe(0);
    expect((await bench.recipients.listDeliveries({}, { limit: 10, cursor: null })).items).toEqual([]);
  });

  test("of the same change adds nothing the second time", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);

    expect(await bench.announce(sender, { changeId: "c1" })).toBe(1);
    expect(await bench.announce(sender, { changeId: "c1" })).toBe(1);
    expect((await bench.recipients.listDeliveries({}, { limit: 10, cursor: null })).items).toHaveLength(1);
  });

  test("without a recipient says so", async () => {
    expect(await bench.announce(bench.createSender())).toBe(0);
  });

  test("waits for a paused recipient and reaches it in order when it is resumed", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    await bench.recipients.changeRecipient(recipientId, {
      state: { to: "paused", reason: { code: "sender.paused", message: "maintenance" } },
    });

    expect(await bench.announce(sender, { body: "1" })).toBe(1);
    expect(await bench.announce(sender, { body: "2" })).toBe(1);
    await deliverAll(sender);
    expect(await deliverAll(sender)).toBe(0);
    expect(receiver.posts).toEqual([]);

    await bench.recipients.changeRecipient(recipientId, { state: { to: "active" } });
    await deliverAll(sender);
    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["1", "2"]);
  });
});

describe("an attempt", () => {
  test("names the delivery and its time, and carries Basic credentials", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);

    await deliverAll(sender);

    const delivery = await bench.newestDelivery();
    expect(receiver.posts[0]).toMatchObject({
      method: "POST",
      path: "/ocn",
      headers: {
        "content-type": "application/json",
        authorization: `Basic ${Buffer.from("agency:s3cr3t-pässword").toString("base64")}`,
        "user-agent": "Skedchange-OCN-Sender",
        "webhook-id": delivery.id,
        "webhook-timestamp": String(Math.floor(bench.now().getTime() / 1_000)),
      },
    });
    expect(await bench.attempts(delivery.id)).toEqual([
      expect.objectContaining({
        number: 1,
        startedAt: bench.now(),
        outcome: "delivered",
        httpStatus: 200,
        errorCode: null,
        answerExcerpt: expect.stringContaining("AcknowledgeResponse"),
      }),
    ]);
  });

  test("carries a bearer token", async () => {
    const sender = bench.createSender();
    const authorization = { type: "bearer", token: new Secret("tok.en-1") } as const;
    await bench.addRecipient(receiver.url, { authorization });
    await bench.announce(sender);

    await deliverAll(sender);

    expect(receiver.posts[0]?.headers.authorization).toBe("Bearer tok.en-1");
  });

  test("that gets a 200 without an acknowledgement is repeated, with its times on record", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    receiver.script = respondWith(200, "<html>Welcome</html>");
    await bench.announce(sender);
    const firstAt = bench.now();

    await deliverAll(sender);

    const waiting = await bench.newestDelivery();
    expect(waiting).toMatchObject({ state: "pending", attempts: 1, failures: 1, finishedAt: null });
    expect(waiting.dueAt).toEqual(new Date(firstAt.getTime() + 5_000));

    receiver.script = acknowledge;
    bench.pass(4_999);
    expect(await deliverAll(sender)).toBe(0);
    await deliverAll(sender);
    expect(receiver.posts).toHaveLength(1);

    bench.pass(1);
    expect(await deliverAll(sender)).toBe(1);

    const done = await bench.newestDelivery();
    expect(done).toMatchObject({ state: "delivered", attempts: 2, dueAt: null, finishedAt: bench.now() });
    expect(await bench.attempts(done.id)).toMatchObject([
      {
        number: 1,
        startedAt: firstAt,
        outcome: "refused",
        httpStatus: 200,
        errorCode: "sender.not_acknowledged",
        answerExcerpt: "<html>Welcome</html>",
      },
      { number: 2, startedAt: bench.now(), outcome: "delivered", httpStatus: 200, errorCode: null },
    ]);
    // Both copies carry the same id, by which a recipient can tell that they are one.
    expect(new Set(receiver.posts.map((post) => post.headers["webhook-id"])).size).toBe(1);
  });

  test.each([
    ["429 with Retry-After", 429, { "retry-after": "120" }, 120_000],
    ["503 with a Retry-After shorter than the schedule", 503, { "retry-after": "1" }, 5_000],
    ["503 with a Retry-After beyond the cap", 503, { "retry-after": "864000" }, 10 * hourMs],
    ["500 with an unreadable Retry-After", 500, { "retry-after": "soon" }, 5_000],
    ["401", 401, {}, 5_000],
    ["404", 404, {}, 5_000],
  ])("that gets %s is repeated after the right time", async (_what, status, headers, waitMs) => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    receiver.script = respondWith(status, "", headers);
    await bench.announce(sender);

    await deliverAll(sender);

    const delivery = await bench.newestDelivery();
    expect(delivery.dueAt).toEqual(new Date(bench.now().getTime() + waitMs));
    expect(await bench.attempts(delivery.id)).toMatchObject([
      { outcome: "refused", httpStatus: status, errorCode: "sender.refused", answerExcerpt: null },
    ]);
  });

  test("does not follow a redirect", async () => {
    const sender = bench.createSender();
    const elsewhere = await startAnotherReceiver();
    await bench.addRecipient(receiver.url);
    receiver.script = respondWith(307, "", { location: elsewhere.url });
    await bench.announce(sender);

    await deliverAll(sender);

    expect(elsewhere.posts).toEqual([]);
    const [attempt] = await bench.attempts((await bench.newestDelivery()).id);
    expect(attempt).toMatchObject({ outcome: "refused", httpStatus: 307, errorCode: "sender.redirected" });
  });

  test("uses the connection of the one before", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    await bench.announce(sender);

    await deliverAll(sender);

    expect(receiver.posts).toHaveLength(2);
    expect(receiver.posts[0]?.remotePort).toBe(receiver.posts[1]?.remotePort);
  });

  test("at a closed port fails as such", async () => {
    const sender = bench.createSender();
    const gone = await startReceiver();
    await gone.close();
    await bench.addRecipient(gone.url);
    await bench.announce(sender);

    await deliverAll(sender);

    expect(await bench.attempts((await bench.newestDelivery()).id)).toMatchObject([
      { outcome: "failed", httpStatus: null, errorCode: "sender.connect_failed" },
    ]);
  });

  test("at an https URL that does not speak TLS fails as such", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url.replace("http:", "https:"));
    await bench.announce(sender);

    await deliverAll(sender);

    expect(receiver.posts).toEqual([]);
    expect(await bench.attempts((await bench.newestDelivery()).id)).toMatchObject([
      { outcome: "failed", httpStatus: null, errorCode: "sender.tls_failed" },
    ]);
  });

  test("whose connection breaks fails as such", async () => {
    const sender = bench.createSender();
    receiver.script = (response) => void response.socket?.destroy();
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);

    await deliverAll(sender);

    expect(await bench.attempts((await bench.newestDelivery()).id)).toMatchObject([
      { outcome: "failed", httpStatus: null, errorCode: "sender.connection_lost" },
    ]);
  });

  test("at something that does not speak HTTP fails as such", async () => {
    const sender = bench.createSender();
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end("220 mail.example.com ESMTP\r\n"));
    }).listen(0, "127.0.0.1");
    others.push(server);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await bench.addRecipient(`http://127.0.0.1:${port}/`);
    await bench.announce(sender);

    await deliverAll(sender);

    expect(await bench.attempts((await bench.newestDelivery()).id)).toMatchObject([
      { outcome: "failed", httpStatus: null, errorCode: "sender.answer_malformed" },
    ]);
  });

  test("that gets no headers ends at the deadline", async () => {
    const sender = bench.createSender({ attemptDeadlineMs: 500 });
    receiver.script = () => undefined;
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);

    await deliverAll(sender);

    const [attempt] = await bench.attempts((await bench.newestDelivery()).id);
    expect(attempt).toMatchObject({ outcome: "failed", httpStatus: null, errorCode: "sender.timeout" });
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(490);
    expect(attempt?.durationMs).toBeLessThan(5_000);
  });

  test("whose response trickles ends at the same deadline", async () => {
    const sender = bench.createSender({ attemptDeadlineMs: 1_500 });
    receiver.script = (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    };
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);

    await deliverAll(sender);

    const [attempt] = await bench.attempts((await bench.newestDelivery()).id);
    expect(attempt).toMatchObject({ outcome: "failed", httpStatus: 200, errorCode: "sender.timeout" });
    expect(attempt?.durationMs).toBeLessThan(5_000);
  });

  test("stops reading a response without end", async () => {
    const sender = bench.createSender({ responseLimitBytes: 64 * 1024 });
    let sentBytes = 0;
    let closed = false;
    receiver.script = (response) => {
      response.writeHead(200);
      response.on("close", () => {
        closed = true;
      });
      const chunk = Buffer.alloc(16 * 1024, "x");
      const pour = (): void => {
        while (!closed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on("drain", pour);
      pour();
    };
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);

    await deliverAll(sender);

    const [attempt] = await bench.attempts((await bench.newestDelivery()).id);
    expect(attempt).toMatchObject({ outcome: "refused", httpStatus: 200, errorCode: "sender.answer_too_large" });
    expect(attempt?.answerExcerpt).toBe("x".repeat(2_048));
    await eventually(() => expect(closed).toBe(true));
    expect(sentBytes).toBeLessThan(50 * 1024 * 1024);
  });

  test("keeps an excerpt of a response that is no text", async () => {
    const sender = bench.createSender();
    receiver.script = (response) => void response.writeHead(500).end(Buffer.from([0x41, 0x00, 0xff, 0x42]));
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);

    await deliverAll(sender);

    const [attempt] = await bench.attempts((await bench.newestDelivery()).id);
    expect(attempt?.answerExcerpt).toBe("A\uFFFDB");
  });
});

describe("a lane", () => {
  test("is delivered strictly in order, also after a failure of its first delivery", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    receiver.script = respondWith(500);
    await bench.announce(sender, { body: "1" });
    const first = await bench.newestDelivery();
    await bench.announce(sender, { body: "2" });

    await deliverAll(sender);

    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["1"]);
    expect(await bench.newestDelivery()).toMatchObject({ state: "pending", attempts: 0, waitsFor: first.id });

    // A newer notification does not wake the lane before its first delivery is due.
    await bench.announce(sender, { body: "3" });
    expect(await deliverAll(sender)).toBe(0);

    receiver.script = acknowledge;
    bench.pass(5_000);
    await deliverAll(sender);
    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["1", "1", "2", "3"]);
  });

  test("that is blocked holds neither other orders nor other recipients", async () => {
    const sender = bench.createSender();
    const other = await startAnotherReceiver();
    const broken = await bench.addRecipient(receiver.url);
    const healthy = await bench.addRecipient(other.url);
    receiver.script = (response, post) =>
      post.body.toString() === "blocked" ? respondWith(500)(response, post) : acknowledge(response);
    await bench.announce(sender, { orderId: "A", body: "blocked" });
    await bench.announce(sender, { orderId: "B", body: "free" });

    await deliverAll(sender);

    expect(await bench.newestDelivery({ recipientId: broken.id, orderId: "A" })).toMatchObject({ state: "pending" });
    expect(await bench.newestDelivery({ recipientId: broken.id, orderId: "B" })).toMatchObject({ state: "delivered" });
    expect(await bench.newestDelivery({ recipientId: healthy.id, orderId: "A" })).toMatchObject({ state: "delivered" });
  });

  test("is worked on by one of two workers, and sent once", async () => {
    const [one, two] = [bench.createSender(), bench.createSender()];
    await bench.addRecipient(receiver.url);
    let respond = (): void => undefined;
    receiver.script = (response) => {
      respond = () => acknowledge(response);
    };
    await bench.announce(one);

    const turn = deliverOnce(one);
    await eventually(() => expect(receiver.posts).toHaveLength(1));
    await deliverAll(two);
    expect(await deliverAll(two)).toBe(0);
    respond();
    await turn;
    await deliverAll(two);

    expect(receiver.posts).toHaveLength(1);
    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered", attempts: 1 });
  });

  test("is sent again when a process died in the middle of an attempt, with both attempts on record", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    await claim("a process that dies", 1);

    await eventually(async () => {
      await deliverAll(sender);
      expect(receiver.posts).toHaveLength(1);
    });

    const delivery = await bench.newestDelivery();
    expect(delivery).toMatchObject({ state: "delivered", attempts: 2 });
    expect(await bench.attempts(delivery.id)).toMatchObject([
      { number: 1, outcome: null, durationMs: null },
      { number: 2, outcome: "delivered" },
    ]);
  });

  test("is not moved by a worker that lost its lease, but an acknowledgement it received counts", async () => {
    await bench.addRecipient(receiver.url);
    await bench.announce(bench.createSender());
    const slow = await claim("slow", 1);
    const next = await claim("next", 1);
    const last = await claim("last", 60_000);
    expect([slow, next, last].map(({ number }) => number)).toEqual([1, 2, 3]);

    const later = new Date(bench.now().getTime() + hourMs);
    const refused = { ...responded, outcome: "refused", httpStatus: 500, errorCode: "sender.refused" } as const;
    expect(await bench.store.finishAttempt(slow, refused, { kind: "retry", dueAt: later }, { kind: "unchanged" })).toBe(
      false,
    );
    expect(await bench.newestDelivery()).toMatchObject({ state: "pending", failures: 0 });

    expect(await record(next)).toEqual([{ attemptId: next.attemptId, leaseHeld: false }]);
    const delivery = await bench.newestDelivery();
    expect(delivery).toMatchObject({ state: "delivered", attempts: 3 });
    expect((await bench.attempts(delivery.id)).map(({ outcome }) => outcome)).toEqual(["refused", "delivered", null]);
    expect(await record(last)).toEqual([{ attemptId: last.attemptId, leaseHeld: true }]);
  });

  test("is taken by one of two claims that are made at the same time", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url, { lanesMax: 3 });
    for (let order = 0; order < 8; order += 1) await bench.announce(sender, { orderId: `ORDER${order}` });

    const claims = await Promise.all(
      Array.from({ length: 8 }, () =>
        bench.store.recordAndClaim([], { ...bounds, holder: "one of many", leaseMs: 60_000 }),
      ),
    );

    expect(claims.flatMap(({ attempts }) => attempts)).toHaveLength(3);
  });

  test("with a notification added while an acknowledgement is recorded goes on with that one", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    await bench.announce(sender, { body: "1" });
    const attempt = await claim("a process", 60_000);

    // The record of an acknowledgement that makes its recipient well again waits for nobody who has locked the recipient.
    await sql`update gateway.recipients set failed_in_row = 1, failing_since = now()`.execute(
      bench.database.connection,
    );
    await inTransaction(bench.database, async (trx) => {
      await sql`select from gateway.recipients where id = ${recipientId} for no key update`.execute(trx);
      expect(await record(attempt)).toEqual([]);
    });
    await inTransaction(bench.database, async (trx) => {
      await sender.announce(asTx(trx), { orderId, airline: "LH", changeId: "c2", body: Buffer.from("2") });
      expect(await record(attempt)).toEqual([]);
    });
    expect(await record(attempt)).toHaveLength(1);

    await deliverAll(sender);
    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["2"]);
  });

  test("that is added while its recipient is removed ends with it, or is not added when the removal was first", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    await bench.announce(sender, { orderId: "FIRST" });

    const removed = await inTransaction(bench.database, async (trx) => {
      await sender.announce(asTx(trx), { orderId, airline: "LH", changeId: "before", body: Buffer.from("{}") });
      const removing = bench.recipients.removeRecipient(recipientId);
      await eventually(async () => expect(await countWaiting()).toBe(1));
      return { removing };
    });
    expect(await removed.removing).toBe(true);
    const { items } = await bench.recipients.listDeliveries({ recipientId }, { limit: 10, cursor: null });
    expect(items.map(({ state }) => state)).toEqual(["dead", "dead"]);

    const second = await bench.addRecipient(receiver.url);
    await bench.announce(sender, { orderId: "FIRST" });
    // Its lane is locked, so that the removal is under way when another order is announced.
    const both = await inTransaction(bench.database, async (trx) => {
      await sql`select from gateway.lanes where recipient_id = ${second.id} for update`.execute(trx);
      const removing = bench.recipients.removeRecipient(second.id);
      await eventually(async () => expect(await countWaiting()).toBe(1));
      const announcing = bench.announce(sender, { orderId: "LATE" });
      await eventually(async () => expect(await countWaiting()).toBe(2));
      return { removing, announcing };
    });
    expect([await both.removing, await both.announcing]).toEqual([true, 0]);
  });

  /** Transactions that wait for another one. */
  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(bench.database.connection);
    return rows[0]!.waiting;
  }

  test("records an acknowledgement once, however often it is reported", async () => {
    await bench.addRecipient(receiver.url);
    await bench.announce(bench.createSender());
    const attempt = await claim("a process", 60_000);

    for (const _ of ["first", "the response was lost"]) {
      expect(await record(attempt)).toHaveLength(1);
    }

    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered", attempts: 1 });
  });
});

describe("a recipient that responds with 410", () => {
  test("is disabled, and what is for it waits until a person resumes it", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    receiver.script = respondWith(410, "moved away");
    await bench.announce(sender, { body: "1" });
    await bench.announce(sender, { body: "2" });

    await deliverAll(sender);

    expect(await bench.recipients.readRecipient(recipientId)).toMatchObject({
      state: "disabled",
      stateReason: { code: "sender.recipient_gone" },
      pendingDeliveries: 2,
    });
    expect(await bench.announce(sender, { body: "3" })).toBe(1);
    expect(await deliverAll(sender)).toBe(0);
    await deliverAll(sender);
    expect(receiver.posts).toHaveLength(1);

    receiver.script = acknowledge;
    bench.pass(100 * hourMs);
    await bench.recipients.changeRecipient(recipientId, { state: { to: "active" } });
    await deliverAll(sender);
    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["1", "1", "2", "3"]);
  });
});

describe("the end of the schedule", () => {
  test("puts the delivery among the dead, frees the lane, and a replay sends the same bytes again", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    receiver.script = (response, post) =>
      post.body.toString() === "1" ? respondWith(500)(response, post) : acknowledge(response);
    await bench.announce(sender, { body: "1" });
    const first = await bench.newestDelivery();
    await deliverAll(sender);
    await bench.announce(sender, { body: "2" });

    bench.pass(72 * hourMs);
    await deliverAll(sender);

    const dead = (await bench.recipients.listDeliveries({ state: "dead" }, { limit: 10, cursor: null })).items;
    expect(dead).toMatchObject([{ id: first.id, attempts: 2, deadReason: { code: "sender.gave_up" }, dueAt: null }]);
    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered" });

    receiver.script = acknowledge;
    const resent = await bench.recipients.resend(first.id);
    expect(resent).toMatchObject({
      outcome: "replayed",
      newerNotifications: 1,
      delivery: { state: "pending", replayOf: first.id, attempts: 0 },
    });
    await deliverAll(sender);
    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["1", "1", "2", "1"]);
    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered", replayOf: first.id });
  });
});

describe("due lanes", () => {
  test("are claimed once, fairly between recipients, within the limits", async () => {
    const sender = bench.createSender();
    const busy = await bench.addRecipient(receiver.url);
    for (const number of [1, 2, 3, 4, 5]) await bench.announce(sender, { orderId: `busy-${number}` });
    const quiet = await bench.addRecipient(receiver.url);
    await bench.announce(sender, { orderId: "shared" });
    const claimUpTo = async (limit: number) => {
      const claimed = { ...bounds, perRecipient: 3, limit, holder: "a process", leaseMs: 60_000 };
      return (await bench.store.recordAndClaim([], claimed)).attempts;
    };
    const lanesOf = (attempts: readonly BegunAttempt[]) =>
      attempts.map(({ lease }) => [lease.recipientId, lease.orderId]);

    const taken = await claimUpTo(3);

    expect(lanesOf(taken)).toEqual([
      [busy.id, "busy-1"],
      [quiet.id, "shared"],
      [busy.id, "busy-2"],
    ]);
    // The one that has waited longest.
    expect(lanesOf(await claimUpTo(1))).toEqual([[busy.id, "busy-3"]]);
    // The busy recipient has three lanes under way, the quiet one has no other.
    expect(await claimUpTo(100)).toEqual([]);

    await record(taken[0]!);
    expect(lanesOf(await claimUpTo(100))).toEqual([[busy.id, "busy-4"]]);
  });
});

describe("many recipients, orders and workers at once", () => {
  test("lose nothing, double nothing and keep the order of every lane, with a third of the responses failing", async () => {
    const retry = { ...defaultRetrySchedule, backOff: { baseMs: 1, capMs: 4, jitter: 0 } };
    const senders = [1, 2, 3].map(() => bench.createSender({ retry, lanesPerRecipient: 10 }));
    const receivers = [receiver, await startAnotherReceiver(), await startAnotherReceiver()];
    const acknowledged = new Map<string, string[]>();
    for (const [index, { url }] of receivers.entries()) {
      const { id } = await bench.addRecipient(url);
      let posts = index;
      receivers[index]!.script = (response, post) => {
        posts += 1;
        if (posts % 3 === 0) return void respondWith(503)(response, post);
        const [order = "", number = ""] = post.body.toString().split("/");
        const lane = `${id}/${order}`;
        acknowledged.set(lane, [...(acknowledged.get(lane) ?? []), number]);
        acknowledge(response);
      };
    }
    const orders = ["A", "B", "C", "D", "E", "F"];
    const numbers = ["1", "2", "3", "4", "5"];

    const announcing = Promise.all(
      orders.map(async (order, index) => {
        for (const number of numbers) {
          const announcement = { orderId: order, changeId: `${order}/${number}`, body: `${order}/${number}` };
          await bench.announce(senders[index % 3]!, announcement);
        }
      }),
    );
    const working = Promise.all(
      senders.map((sender) =>
        eventually(
          async () => {
            bench.pass(4);
            await deliverOnce(sender);
            expect([...acknowledged.values()].flat()).toHaveLength(orders.length * numbers.length * receivers.length);
          },
          { timeoutMs: 20_000, everyMs: 1 },
        ),
      ),
    );
    await Promise.all([announcing, working]);

    expect(acknowledged.size).toBe(orders.length * receivers.length);
    for (const received of acknowledged.values()) expect(received).toEqual(numbers);
    const { items } = await bench.recipients.listDeliveries({}, { limit: 200, cursor: null });
    expect(items.filter(({ state }) => state !== "delivered")).toEqual([]);
  });
});

describe("a sender that closes", () => {
  test("cuts the attempt under way short, which is due again at once and counts no failure", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    receiver.script = () => undefined;
    await bench.announce(sender);
    const turn = deliverAll(sender);
    await eventually(() => expect(receiver.posts).toHaveLength(1));

    await sender.close();
    await turn;

    const delivery = await bench.newestDelivery();
    expect(delivery).toMatchObject({ state: "pending", attempts: 1, failures: 0 });
    expect(await bench.attempts(delivery.id)).toMatchObject([{ outcome: "failed", errorCode: "sender.stopped" }]);
    receiver.script = acknowledge;
    const successor = bench.createSender();
    await deliverAll(successor);
    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered" });
  });

  test("begins nothing any more", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);

    await sender.close();
    await deliverAll(sender);

    expect(receiver.posts).toEqual([]);
  });
});

describe("the log", () => {
  test("has one line for each attempt, with all ids", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    receiver.script = respondWith(503, "busy");
    await bench.announce(sender);

    await deliverAll(sender);

    const lines = bench.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter((line) => line["msg"] === "delivery.attempted")).toEqual([
      expect.objectContaining({
        level: "warn",
        deliveryId: (await bench.newestDelivery()).id,
        recipientId,
        orderId,
        attempt: 1,
        outcome: "refused",
        httpStatus: 503,
        errorCode: "sender.refused",
        next: "retry",
      }),
    ]);
  });
});

test("attempts are counted by what they led to", async () => {
  const sender = bench.createSender();
  await bench.addRecipient(receiver.url);
  receiver.script = respondWith(503);
  await bench.announce(sender);
  await deliverAll(sender);
  receiver.script = acknowledge;
  bench.pass(5_000);
  await deliverAll(sender);

  const { values } = await bench.metrics.deliveries.get();
  expect(values).toEqual([
    { labels: { outcome: "retried" }, value: 1 },
    { labels: { outcome: "delivered" }, value: 1 },
  ]);
});

test("a recipient that a 410 disables is logged and counted once, not as a retry", async () => {
  const sender = bench.createSender();
  const { id: recipientId } = await bench.addRecipient(receiver.url);
  receiver.script = respondWith(410);
  await bench.announce(sender);
  await deliverAll(sender);

  const lines = bench.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ msg }) => msg === "recipient.disabled")).toEqual([
    expect.objectContaining({
      level: "error",
      recipientId,
      failedInRow: 1,
      reason: expect.objectContaining({ code: "sender.recipient_gone" }),
    }),
  ]);
  const { values } = await bench.metrics.deliveries.get();
  expect(values).toEqual([{ labels: { outcome: "recipient-disabled" }, value: 1 }]);
});

describe("the service role", () => {
  test("cannot change an attempt or a delivery that has ended, nor a body", async () => {
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    await deliverAll(sender);
    const { connection } = bench.database;

    await expect(sql`update gateway.attempts set outcome = 'refused'`.execute(connection)).rejects.toMatchObject({
      constraint: "attempts_end_once",
    });
    await expect(sql`update gateway.deliveries set state = 'pending'`.execute(connection)).rejects.toMatchObject({
      constraint: "deliveries_end_once",
    });
    await expect(sql`update gateway.ocn_bodies set body = ''`.execute(connection)).rejects.toMatchObject({
      code: "42501",
    });
    await expect(sql`delete from gateway.attempts`.execute(connection)).rejects.toMatchObject({ code: "42501" });
  });
});
