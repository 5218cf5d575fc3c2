import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import type { OAuthAuthorization, RecipientView } from "../../../src/sender/ports.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { acknowledge, respondWith, type Script, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, openSenderBench, type SenderBench } from "./sender-bench.ts";
import { grant, startTokenServer, type TokenServer } from "./token-server.ts";

const hourMs = 3_600_000;

let bench: SenderBench;
let receiver: ScriptedReceiver;
let tokenServer: TokenServer;

beforeAll(async () => {
  bench = await openSenderBench();
});
beforeEach(async () => {
  receiver = await startReceiver();
  tokenServer = await startTokenServer();
});
afterEach(async () => {
  await Promise.all([receiver.close(), tokenServer.close()]);
  await bench.clear();
});
afterAll(async () => {
  await bench.close();
});

function authorization(overrides: Partial<OAuthAuthorization> = {}): OAuthAuthorization {
  return {
    type: "oauth",
    tokenUrl: tokenServer.url,
    clientId: "gateway",
    clientSecret: new Secret("cl13nt-s3cr3t"),
    clientAuthentication: "basic",
    keyId: null,
    scope: null,
    audience: null,
    ...overrides,
  };
}

function addRecipient(overrides: Partial<OAuthAuthorization> = {}): Promise<RecipientView> {
  return bench.addRecipient(receiver.url, { authorization: authorization(overrides) });
}

/** Acknowledges what carries one of the tokens, and responds with 401 to everything else. */
function accepting(...tokens: readonly string[]): Script {
  return (response, post) =>
    tokens.some((token) => post.headers.authorization === `Bearer ${token}`)
      ? acknowledge(response)
      : respondWith(401, `{"error":"invalid_token"}`)(response, post);
}

function sentTokens(): readonly (string | undefined)[] {
  return receiver.posts.map((post) => post.headers.authorization);
}

describe("a recipient with OAuth", () => {
  test("is sent the access token of its token endpoint, one for all its deliveries", async () => {
    const sender = bench.createSender();
    await addRecipient();
    for (const order of ["A", "B", "C"]) await bench.announce(sender, { orderId: order });
    await bench.announce(sender, { orderId: "A" });

    await deliverAll(sender);

    expect(sentTokens()).toEqual(Array.from({ length: 4 }, () => "Bearer granted-1"));
    expect(tokenServer.requests).toHaveLength(1);
    expect((await bench.newestDelivery()).state).toBe("delivered");
  });

  test("that responds with 401 is asked once more at once with a fresh token, on record as two attempts without a failure", async () => {
    const sender = bench.createSender();
    await addRecipient();
    await bench.announce(sender);
    await deliverAll(sender);
    receiver.script = accepting("granted-2");

    await bench.announce(sender);
    await bench.announce(sender);
    await deliverAll(sender);

    expect(sentTokens()).toEqual(["granted-1", "granted-1", "granted-2", "granted-2"].map((it) => `Bearer ${it}`));
    expect(tokenServer.requests).toHaveLength(2);
    const { items } = await bench.recipients.listDeliveries({}, { limit: 3, cursor: null });
    expect(items.map(({ state, attempts }) => ({ state, attempts }))).toEqual([
      { state: "delivered", attempts: 1 },
      { state: "delivered", attempts: 2 },
      { state: "delivered", attempts: 1 },
    ]);
    expect(await bench.attempts(items[1]!.id)).toMatchObject([
      { number: 1, outcome: "refused", httpStatus: 401, errorCode: "sender.token_rejected" },
      { number: 2, outcome: "delivered", httpStatus: 200, errorCode: null },
    ]);
    expect(receiver.posts[1]?.headers["webhook-id"]).toBe(receiver.posts[2]?.headers["webhook-id"]);
  });

  test("that refuses fresh tokens as well is tried by the schedule, one failure for each two attempts", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await addRecipient();
    receiver.script = accepting();
    await bench.announce(sender);

    await deliverAll(sender);

    const waiting = await bench.newestDelivery();
    expect(waiting).toMatchObject({ state: "pending", attempts: 2, failures: 1 });
    expect(waiting.dueAt).toEqual(new Date(bench.now().getTime() + 5_000));
    expect(await deliverAll(sender)).toBe(0);
    expect(await bench.recipients.readRecipient(recipientId)).toMatchObject({
      trouble: { code: "sender.token_rejected", message: "The recipient responded with 401.", at: bench.now() },
    });

    receiver.script = accepting("granted-3");
    bench.pass(5_000);
    await deliverAll(sender);
    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered", attempts: 3 });
    expect(await bench.recipients.readRecipient(recipientId)).toMatchObject({ trouble: null });
  });

  test("gets one fresh token when several lanes receive 401 at once", async () => {
    const sender = bench.createSender();
    await addRecipient();
    await bench.announce(sender, { orderId: "A" });
    await deliverAll(sender);
    for (const order of ["A", "B", "C", "D"]) await bench.announce(sender, { orderId: order });
    const held: (() => void)[] = [];
    receiver.script = (response, post) => {
      if (post.headers.authorization === "Bearer granted-2") return acknowledge(response);
      held.push(() => respondWith(401)(response, post));
      // All four are under way with the old token before any of them learns that it is dead.
      if (held.length === 4) for (const respond of held) respond();
    };

    await deliverAll(sender);

    expect(tokenServer.requests).toHaveLength(2);
    const { items } = await bench.recipients.listDeliveries({}, { limit: 10, cursor: null });
    expect(items.every(({ state, failures }) => state === "delivered" && failures === 0)).toBe(true);
  });

  test("uses a rotated secret from the next attempt on", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await addRecipient();
    await bench.announce(sender);
    await deliverAll(sender);

    await bench.recipients.changeRecipient(recipientId, {
      authorization: authorization({ clientSecret: new Secret("rotated"), clientAuthentication: "post" }),
    });
    await bench.announce(sender);
    await deliverAll(sender);

    expect(sentTokens()).toEqual(["Bearer granted-1", "Bearer granted-2"]);
    expect(tokenServer.requests[1]?.form["client_secret"]).toBe("rotated");
  });
});

describe("a token endpoint that gives no token", () => {
  test.each([
    ["is away", "closed", "sender.token_unavailable", 5_000],
    ["responds with 500", respondWith(500), "sender.token_unavailable", 5_000],
    ["asks for time", respondWith(503, "", { "retry-after": "60" }), "sender.token_unavailable", 60_000],
    ["returns no token", respondWith(200, "<html>Welcome</html>"), "sender.token_unavailable", 5_000],
    ["refuses the client", respondWith(400, `{"error":"invalid_client"}`), "sender.token_refused", 5_000],
  ])(
    "because it %s makes a retry by the schedule, and the recipient is not asked",
    async (_what, script, code, waitMs) => {
      const sender = bench.createSender();
      const { id: recipientId } = await addRecipient(
        script === "closed" ? { tokenUrl: "http://127.0.0.1:1/oauth/token" } : {},
      );
      if (typeof script === "function") tokenServer.script = (response) => script(response, undefined as never);
      await bench.announce(sender);

      await deliverAll(sender);

      expect(receiver.posts).toEqual([]);
      const delivery = await bench.newestDelivery();
      expect(delivery).toMatchObject({ state: "pending", attempts: 1, failures: 1 });
      expect(delivery.dueAt).toEqual(new Date(bench.now().getTime() + waitMs));
      const [attempt] = await bench.attempts(delivery.id);
      expect(attempt).toMatchObject({
        outcome: "failed",
        httpStatus: null,
        errorCode: code,
        errorMessage: expect.stringMatching(/^Token endpoint http:\/\/127\.0\.0\.1:\d+\/oauth\/token: /),
        answerExcerpt: null,
      });
      expect(await bench.recipients.readRecipient(recipientId)).toMatchObject({
        state: "active",
        trouble: { code, message: attempt?.errorMessage, at: attempt?.startedAt },
      });
    },
  );

  test("for two days loses nothing: the delivery arrives when it is back", async () => {
    const sender = bench.createSender();
    await addRecipient();
    tokenServer.script = (response) => void response.writeHead(400).end(`{"error":"invalid_client"}`);
    await bench.announce(sender);
    const until = bench.now().getTime() + 48 * hourMs;
    while (bench.now().getTime() < until) {
      await deliverAll(sender);
      bench.pass(hourMs);
    }
    expect(await bench.newestDelivery()).toMatchObject({ state: "pending" });

    tokenServer.script = (response) => grant(response, "back");
    bench.pass(12 * hourMs);
    await deliverAll(sender);

    expect(sentTokens()).toEqual(["Bearer back"]);
    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered" });
  });

  test("for as long as the schedule lasts puts the delivery among the dead, with the reason", async () => {
    const sender = bench.createSender();
    await addRecipient();
    tokenServer.script = (response) => void response.writeHead(401).end();
    await bench.announce(sender);
    await deliverAll(sender);

    bench.pass(72 * hourMs);
    await deliverAll(sender);

    expect(await bench.newestDelivery()).toMatchObject({
      state: "dead",
      attempts: 2,
      deadReason: { code: "sender.gave_up", message: expect.stringContaining("sender.token_refused") },
    });
  });

  test("because the sender closes makes the delivery due again at once, without a failure", async () => {
    const sender = bench.createSender();
    await addRecipient();
    const asked = new Promise<void>((resolve) => {
      tokenServer.script = () => resolve();
    });
    await bench.announce(sender);
    const turn = deliverAll(sender);
    await asked;

    await sender.close();
    await turn;

    expect(await bench.newestDelivery()).toMatchObject({ state: "pending", attempts: 1, failures: 0 });
  });
});

test("a token, a client and its secret come out nowhere, even when both servers echo them", async () => {
  const sender = bench.createSender();
  const { id: recipientId } = await addRecipient();
  receiver.script = (response, post) => void response.writeHead(500).end(`got ${post.headers.authorization}`);
  await bench.announce(sender);
  await deliverAll(sender);
  const error = { error: "invalid_client", error_description: "cl13nt-s3cr3t is wrong" };
  tokenServer.script = (response) => void response.writeHead(401).end(JSON.stringify(error));
  const second = bench.createSender();
  bench.pass(5_000);
  await deliverAll(second);

  const attempts = await bench.attempts((await bench.newestDelivery()).id);
  const texts = JSON.stringify([attempts, await bench.recipients.readRecipient(recipientId), bench.lines]);

  expect(attempts.map(({ answerExcerpt }) => answerExcerpt)).toEqual(["got Bearer [secret]", null]);
  expect(attempts[1]?.errorMessage).toContain("[secret] is wrong");
  const header = Buffer.from("gateway:cl13nt-s3cr3t").toString("base64");
  for (const secret of ["granted-1", "cl13nt-s3cr3t", header]) expect(texts).not.toContain(secret);
});

describe("stored bytes that cannot be opened", () => {
  test.each([
    ["a credential", "recipients", "credential", "sender.credential_unreadable"],
    ["a body", "ocn_bodies", "body", "sender.body_unreadable"],
  ])(
    "because %s is damaged are a failed attempt, retried by the schedule, and dead at its end",
    async (_what, table, column, code) => {
      const sender = bench.createSender();
      await bench.addRecipient(receiver.url);
      await bench.announce(sender);
      await sql`update ${sql.ref(`gateway.${table}`)} set ${sql.ref(column)} = '\\x00'`.execute(
        bench.ownerDatabase.connection,
      );

      await deliverAll(sender);

      const waiting = await bench.newestDelivery();
      expect(waiting).toMatchObject({ state: "pending", attempts: 1, failures: 1 });
      expect(await bench.attempts(waiting.id)).toMatchObject([
        { outcome: "failed", httpStatus: null, errorCode: code, errorMessage: expect.stringContaining("damaged") },
      ]);
      expect(await deliverAll(sender)).toBe(0);

      bench.pass(72 * hourMs);
      await deliverAll(sender);
      expect(await bench.newestDelivery()).toMatchObject({ state: "dead", deadReason: { code: "sender.gave_up" } });
      expect(receiver.posts).toEqual([]);
    },
  );

  test("arrive once they can be opened again", async () => {
    const sender = bench.createSender();
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    const setKey = (keyId: string | null) =>
      sql`update gateway.recipients set key_id = ${keyId}`.execute(bench.ownerDatabase.connection);
    await setKey("a-key-that-is-not-here");
    await deliverAll(sender);
    const lastError = (await bench.recipients.readRecipient(recipientId))?.trouble;
    expect(lastError).toMatchObject({ code: "sender.credential_unreadable" });

    await setKey(null);
    bench.pass(5_000);
    await deliverAll(sender);

    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered" });
  });
});
