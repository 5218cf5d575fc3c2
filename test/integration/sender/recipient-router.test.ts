import { generateKeyPairSync } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Responses } from "../../../src/http/route.ts";
import { firstIdAt, newId } from "../../../src/kernel/ids.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createReadSignature } from "../../../src/receiver/webhook-signature.ts";
import { notificationRoutes } from "../../../src/sender/notification-routes.ts";
import type { Sender } from "../../../src/sender/sender.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { acknowledge, respondWith, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, openSenderBench, type SenderBench } from "./sender-bench.ts";
import { startTokenServer } from "./token-server.ts";

const noSuchId = "0190a8b0-0000-7000-8000-000000000000";
const basic = { type: "basic", username: "agency", password: "hunter2:ü" };
const oauth = {
  type: "oauth",
  tokenUrl: "https://agency.example/oauth/token",
  clientId: "gateway",
  clientSecret: "hunter2",
};

let bench: SenderBench;
let sender: Sender;
let receiver: ScriptedReceiver;
let baseUrl: string;

beforeAll(async () => {
  bench = await openSenderBench();
  sender = bench.createSender();
  baseUrl = `${await bench.serveControl(sender)}/control`;
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

/** Calls a control route as people do. */
async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
  });
  const text = await response.text();
  const json = JSON.parse(text === "" ? "null" : text);
  expectDescribed(method, path, response.status, json);
  return { status: response.status, text, json };
}

/** That a response is as the OpenAPI document says, without further members. */
function expectDescribed(method: string, path: string, status: number, json: unknown): void {
  const [way = ""] = path.split("?");
  const isMeant = ({ name }: { readonly name: string }) =>
    new RegExp(`^${name.replaceAll(/{\w+}/g, "[^/]+")}$`).test(`${method} ${way}`);
  const route = Object.values<{ readonly name: string; readonly responses: Responses }>(notificationRoutes).find(
    isMeant,
  );
  const schema = route?.responses[status]?.schema;
  if (schema instanceof z.ZodType) expect(schema.safeParse(json).error).toBeUndefined();
}

async function createRecipient(overrides: object = {}): Promise<string> {
  const created = await call("POST", "/recipients", {
    name: "Example Travel",
    url: receiver.url,
    authorization: basic,
    ...overrides,
  });
  if (created.status !== 201) throw new Error(created.text);
  return created.json.id;
}

describe("recipients", () => {
  test("are created, shown and listed without their credentials", async () => {
    const created = await call("POST", "/recipients", {
      name: "Example Travel",
      url: receiver.url,
      authorization: basic,
    });

    expect(created).toMatchObject({
      status: 201,
      json: {
        name: "Example Travel",
        url: receiver.url,
        authorization: { type: "basic" },
        state: "active",
        stateReason: null,
        ordering: "latest",
        failing: null,
        hold: null,
        pendingDeliveries: 0,
        createdAt: bench.now().toISOString(),
      },
    });
    expect(await call("GET", `/recipients/${created.json.id}`)).toMatchObject({ status: 200, json: created.json });
    expect((await call("GET", "/recipients")).json).toEqual({ items: [created.json], nextCursor: null });
  });

  test("are listed page by page", async () => {
    const ids: string[] = [];
    for (const name of ["1", "2", "3"]) {
      bench.pass(1);
      ids.push(await createRecipient({ name }));
    }

    const first = (await call("GET", "/recipients?limit=2")).json;
    const second = (await call("GET", `/recipients?limit=2&cursor=${first.nextCursor}`)).json;

    expect([...first.items, ...second.items].map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect(second.nextCursor).toBeNull();
  });

  test.each([
    ["no name", { name: "  " }, "/name"],
    ["a URL that is none", { url: "example.com/ocn" }, "/url"],
    ["another scheme", { url: "ftp://example.com/ocn" }, "/url"],
    ["credentials in the URL", { url: "https://agency:hunter2@example.com/" }, "/url"],
    ["a fragment", { url: "https://example.com/#ocn" }, "/url"],
    ["no authorization", { authorization: undefined }, "/authorization"],
    ["an unknown type", { authorization: { type: "none" } }, "/authorization/type"],
    ["a user name with a colon", { authorization: { ...basic, username: "a:b" } }, "/authorization/username"],
    ["a password with a line break", { authorization: { ...basic, password: "a\nb" } }, "/authorization/password"],
    ["a token with a space", { authorization: { type: "bearer", token: "hunter2 x" } }, "/authorization/token"],
    [
      "a token URL that is none",
      { authorization: { ...oauth, tokenUrl: "agency.example" } },
      "/authorization/tokenUrl",
    ],
    [
      "credentials in the token URL",
      { authorization: { ...oauth, tokenUrl: "https://a:hunter2@b.example/" } },
      "/authorization/tokenUrl",
    ],
    ["no client", { authorization: { ...oauth, clientId: "" } }, "/authorization/clientId"],
    [
      "no private key",
      { authorization: { ...oauth, clientSecret: undefined, clientAuthentication: "private-key-jwt" } },
      "/authorization/privateKey",
    ],
    ["two kinds of proof", { authorization: { ...oauth, privateKey: pem(2_048) } }, "/authorization/privateKey"],
    [
      "a private key that is too short",
      {
        authorization: {
          ...oauth,
          clientSecret: undefined,
          clientAuthentication: "private-key-jwt",
          privateKey: pem(1_024),
        },
      },
      "/authorization/privateKey",
    ],
    ["no client secret", { authorization: { ...oauth, clientSecret: undefined } }, "/authorization/clientSecret"],
    [
      "another client authentication",
      { authorization: { ...oauth, clientAuthentication: "query" } },
      "/authorization/clientAuthentication",
    ],
    ["a scope with two spaces", { authorization: { ...oauth, scope: "a  b" } }, "/authorization/scope"],
    ["a scope with a quote", { authorization: { ...oauth, scope: 'a"b' } }, "/authorization/scope"],
    ["an empty audience", { authorization: { ...oauth, audience: "" } }, "/authorization/audience"],
    ["a grant that is not known", { authorization: { ...oauth, username: "a" } }, "/authorization/username"],
    ["a member that is not known", { colour: "red" }, "/colour"],
  ])("are refused with %s", async (_what, overrides, path) => {
    const response = await call("POST", "/recipients", {
      name: "Example Travel",
      url: receiver.url,
      authorization: basic,
      ...overrides,
    });

    expect(response).toMatchObject({ status: 400, json: { code: "sender.bad_request", title: expect.any(String) } });
    expect(response.json.problems.map((problem: { path: string }) => problem.path)).toEqual([path]);
    expect(response.text).not.toContain("hunter2");
  });

  test("are refused when the body is not JSON, without repeating it", async () => {
    const response = await call("POST", "/recipients", `{"password": hunter2}`);

    expect(response).toMatchObject({ status: 400, json: { code: "sender.bad_request" } });
    expect(response.text).not.toContain("hunter2");
    expect((await call("POST", "/recipients", `"${"x".repeat(70_000)}"`)).status).toBe(413);
  });

  test("are paused with a reason, resumed, renamed and moved", async () => {
    const id = await createRecipient();

    expect((await call("PATCH", `/recipients/${id}`, { state: "paused", reason: "maintenance" })).json).toMatchObject({
      state: "paused",
      stateReason: { code: "sender.paused", message: "maintenance" },
    });
    expect(
      (await call("PATCH", `/recipients/${id}`, { name: "Another", url: "https://example.com/" })).json,
    ).toMatchObject({ name: "Another", url: "https://example.com/", state: "paused" });
    expect((await call("PATCH", `/recipients/${id}`, { state: "active" })).json).toMatchObject({
      state: "active",
      stateReason: null,
    });
    expect((await call("PATCH", `/recipients/${id}`, { state: "disabled" })).status).toBe(400);
    expect((await call("PATCH", `/recipients/${id}`, { state: "active", reason: "x" })).status).toBe(400);
    expect((await call("PATCH", `/recipients/${id}`, {})).status).toBe(400);
  });

  test("use a new credential from the next attempt on", async () => {
    const id = await createRecipient();
    await call("PATCH", `/recipients/${id}`, { authorization: { type: "bearer", token: "rotated" } });
    await bench.announce(sender);

    await deliverAll(sender);

    expect(receiver.posts[0]?.headers.authorization).toBe("Bearer rotated");
  });

  test("are created with OAuth, changed to it, and used so", async () => {
    const tokenServer = await startTokenServer();
    try {
      const authorization = { ...oauth, tokenUrl: tokenServer.url, scope: "ocn.push", audience: receiver.url };
      const created = await call("POST", "/recipients", { name: "One", url: receiver.url, authorization });
      const changed = await createRecipient();
      const post = { ...authorization, clientAuthentication: "post", scope: undefined, audience: undefined };
      expect(await call("PATCH", `/recipients/${changed}`, { authorization: post })).toMatchObject({ status: 200 });
      await bench.announce(sender);

      await deliverAll(sender);

      expect(created).toMatchObject({ status: 201, json: { authorization: { type: "oauth" }, trouble: null } });
      expect(created.text).not.toContain("hunter2");
      // Both are delivered to at the same time.
      expect(receiver.posts.map(({ headers }) => headers.authorization).toSorted()).toEqual([
        "Bearer granted-1",
        "Bearer granted-2",
      ]);
      const forms = tokenServer.requests.map(({ form }) => form);
      expect(forms).toHaveLength(2);
      expect(forms).toContainEqual({ grant_type: "client_credentials", scope: "ocn.push", audience: receiver.url });
      expect(forms).toContainEqual({
        grant_type: "client_credentials",
        client_id: "gateway",
        client_secret: "hunter2",
      });
    } finally {
      await tokenServer.close();
    }
  });

  test("that are removed lose their credential, get nothing any more, and their deliveries are dead", async () => {
    const id = await createRecipient();
    await bench.announce(sender);

    expect((await call("DELETE", `/recipients/${id}`)).status).toBe(204);

    expect(await deliverAll(sender)).toBe(0);
    expect(await bench.announce(sender)).toBe(0);
    const { items } = (await call("GET", "/deliveries?state=dead")).json;
    expect(items).toMatchObject([{ recipientId: id, deadReason: { code: "sender.recipient_removed" } }]);
    expect(await call("POST", `/deliveries/${items[0].id}/replay`)).toMatchObject({
      status: 409,
      json: { code: "sender.recipient_removed" },
    });
    const { rows } = await sql`select credential, key_id from gateway.recipients`.execute(
      bench.ownerDatabase.connection,
    );
    expect(rows).toEqual([{ credential: null, key_id: null }]);
    expect((await call("DELETE", `/recipients/${id}`)).status).toBe(404);
  });

  test.each([
    ["GET", `/recipients/${noSuchId}`, "sender.recipient_not_found"],
    ["PATCH", `/recipients/${noSuchId}`, "sender.recipient_not_found"],
    ["DELETE", "/recipients/not-an-id", "sender.recipient_not_found"],
    ["GET", `/deliveries/${noSuchId}`, "sender.delivery_not_found"],
    ["GET", `/deliveries/${noSuchId}/attempts`, "sender.delivery_not_found"],
    ["POST", `/deliveries/${noSuchId}/replay`, "sender.delivery_not_found"],
  ])("that do not exist are a 404: %s %s", async (method, path, code) => {
    const body = method === "PATCH" ? { state: "paused" } : undefined;

    expect(await call(method, path, body)).toMatchObject({ status: 404, json: { code } });
  });
});

describe("traffic", () => {
  const since = (at: Date): string => `/traffic?since=${at.toISOString()}`;

  test("lists for each recipient what is pending, since when, and what has ended since then", async () => {
    const busy = await createRecipient({ ordering: "every" });
    const idle = await createRecipient({ airlines: ["AF"] });
    const announcedAt = bench.now();
    await bench.announce(sender, { orderId: "A" });
    await deliverAll(sender);
    receiver.script = respondWith(400, "no");
    await bench.announce(sender, { orderId: "B" });
    await deliverAll(sender);
    await bench.announce(sender, { orderId: "C" });

    const [waiting] = (await call("GET", "/deliveries?state=pending")).json.items;
    expect(waiting.orderId).toBe("C");
    expect((await call("GET", since(announcedAt))).json).toEqual({
      items: [
        {
          recipientId: busy,
          pending: 1,
          oldestPendingAt: waiting.createdAt,
          late: 0,
          delivered: 1,
          superseded: 0,
          dead: 1,
        },
        { recipientId: idle, pending: 0, oldestPendingAt: null, late: 0, delivered: 0, superseded: 0, dead: 0 },
      ],
    });
    const later = new Date(bench.now().getTime() + 1);
    expect((await call("GET", since(later))).json.items[0]).toMatchObject({ pending: 1, delivered: 0, dead: 0 });
  });

  test("counts as late what has been pending for more than a minute", async () => {
    await createRecipient();
    const announcedAt = bench.now();
    await bench.announce(sender, { orderId: "A" });

    bench.pass(60_000);
    expect((await call("GET", since(announcedAt))).json.items[0]).toMatchObject({ pending: 1, late: 0 });
    bench.pass(1);
    expect((await call("GET", since(announcedAt))).json.items[0]).toMatchObject({ pending: 1, late: 1 });
  });

  test("leaves removed recipients out, and needs a moment to count from", async () => {
    const id = await createRecipient();
    await call("DELETE", `/recipients/${id}`);

    expect((await call("GET", since(bench.now()))).json).toEqual({ items: [] });
    expect((await call("GET", "/traffic")).status).toBe(400);
  });
});

describe("the figures of attempts", () => {
  const hour = 3_600_000;
  const read = async (since: Date) => (await call("GET", `/traffic/attempts?since=${since.toISOString()}`)).json;
  const none = { acknowledged: 0, refused: 0, failed: 0, medianMs: null, p95Ms: null };
  const lastHour = () => new Date(Math.floor(bench.now().getTime() / hour) * hour);

  /** An attempt that began now and took so long. */
  async function attempt(outcome: string, durationMs: number, errorCode: string | null = null): Promise<void> {
    bench.pass(1);
    await sql`
      insert into gateway.attempts (id, delivery_id, number, started_at, lease_fence, outcome, duration_ms, error_code)
      select ${newId({ now: bench.now })}, id, attempts + 1 + (select count(*) from gateway.attempts), ${bench.now()}, 1,
        ${outcome}, ${durationMs}, ${errorCode}
      from gateway.deliveries`.execute(bench.ownerDatabase.connection);
  }

  test("count how attempts ended in each hour, and how long responses took", async () => {
    await createRecipient();
    await bench.announce(sender);
    const first = lastHour();
    for (let ms = 1; ms <= 20; ms += 1) await attempt("delivered", ms * 10);
    await attempt("refused", 1_000, "sender.refused");
    bench.pass(2 * hour);
    await attempt("failed", 15_000, "sender.timeout");
    await attempt("failed", 0, "sender.not_sent");

    const figures = await read(new Date(bench.now().getTime() - 24 * hour));

    expect(figures).toMatchObject({
      since: new Date(first.getTime() - 22 * hour).toISOString(),
      stepSeconds: 3_600,
      total: { acknowledged: 20, refused: 1, failed: 1, medianMs: 110, p95Ms: 200 },
    });
    expect(figures.steps).toHaveLength(25);
    expect(figures.steps.slice(-3)).toEqual([
      { at: first.toISOString(), acknowledged: 20, refused: 1, failed: 0, medianMs: 110, p95Ms: 200 },
      { at: new Date(first.getTime() + hour).toISOString(), ...none },
      { at: lastHour().toISOString(), ...none, failed: 1 },
    ]);
  });

  test("have steps of 5 minutes for an hour, of 6 hours for a week, and begin at most 32 days ago", async () => {
    const figures = async (hours: number) => await read(new Date(bench.now().getTime() - hours * hour));

    expect((await figures(1)).stepSeconds).toBe(300);
    expect((await figures(7 * 24)).stepSeconds).toBe(6 * 3_600);
    const ofAllTime = await figures(24 * 365);
    expect(ofAllTime).toMatchObject({ stepSeconds: 24 * 3_600, total: none });
    expect(ofAllTime.steps).toHaveLength(33);
    expect((await call("GET", "/traffic/attempts")).status).toBe(400);
  });

  test("count the newest 100,000 attempts, and say since when these are", async () => {
    await createRecipient();
    await bench.announce(sender);
    bench.pass(hour);
    const newest = bench.now();
    const ago = (ms: number) => new Date(newest.getTime() - ms).toISOString();
    // One each 10 ms, so that 100,000 are a quarter of an hour and some more.
    await sql`
      insert into gateway.attempts (id, delivery_id, number, started_at, lease_fence, outcome, duration_ms)
      select (left(${firstIdAt(newest)}, 24) || lpad(to_hex(100001 - n), 12, '0'))::uuid, d.id, n + 1,
        ${newest}::timestamptz - n * interval '10 milliseconds', 1, 'delivered', n % 100
      from gateway.deliveries d, generate_series(0, 100000) as n`.execute(bench.ownerDatabase.connection);

    const figures = await read(new Date(newest.getTime() - hour));

    expect(figures).toMatchObject({ since: ago(999_990), total: { acknowledged: 100_000 } });
    expect(figures.steps.length).toBeGreaterThanOrEqual(4);
    expect(figures.steps[0].at <= figures.since).toBe(true);
  });
});

describe("deliveries", () => {
  test("are shown one by one as in the list", async () => {
    await createRecipient();
    await bench.announce(sender);
    const [listed] = (await call("GET", "/deliveries")).json.items;

    expect((await call("GET", `/deliveries/${listed.id}`)).json).toEqual(listed);
  });

  test("are filtered by state and order, page by page", async () => {
    const id = await createRecipient();
    await call("PATCH", `/recipients/${id}`, { ordering: "every" });
    receiver.script = (response, post) =>
      post.body.toString() === "B" ? acknowledge(response) : respondWith(500)(response, post);
    for (const order of ["A", "B", "A"]) await bench.announce(sender, { orderId: order, body: order });
    await deliverAll(sender);

    expect((await call("GET", "/deliveries?orderId=A")).json.items).toHaveLength(2);
    expect((await call("GET", "/deliveries?state=delivered")).json.items).toMatchObject([
      { orderId: "B", state: "delivered", airline: "LH", recipientId: id, attempts: 1, waitsFor: null },
    ]);
    const first = (await call("GET", `/deliveries?recipientId=${id}&limit=2`)).json;
    const second = (await call("GET", `/deliveries?limit=2&cursor=${first.nextCursor}`)).json;
    expect([...first.items, ...second.items].map((item: { orderId: string }) => item.orderId)).toEqual(["A", "B", "A"]);
    expect(first.items[0].waitsFor).toBe(second.items[0].id);
    expect(second.nextCursor).toBeNull();
    expect((await call("GET", "/deliveries?state=lost")).status).toBe(400);
    expect((await call("GET", "/deliveries?limit=201")).status).toBe(400);
  });

  test("show the bytes that are sent, and each reading is logged, without them", async () => {
    await createRecipient();
    await bench.announce(sender, { body: '{"traveller": "DOE", "amount": 1.50}' });
    await deliverAll(sender);
    const [{ id }] = (await call("GET", "/deliveries")).json.items;

    const response = await fetch(`${baseUrl}/deliveries/${id}/body`);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="delivery-${id}.json"`);
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(await response.text()).toBe('{"traveller": "DOE", "amount": 1.50}');
    const read = bench.lines.filter((line) => line.includes("delivery.body_read"));
    expect(read).toEqual([expect.stringContaining("127.0.0.1")]);
    expect(bench.lines.join("")).not.toContain("DOE");
    expect(await call("GET", `/deliveries/${noSuchId}/body`)).toMatchObject({
      status: 404,
      json: { code: "sender.delivery_not_found" },
    });

    await sql`update gateway.ocn_bodies set body_encoding = 'unknown'`.execute(bench.ownerDatabase.connection);
    expect(await call("GET", `/deliveries/${id}/body`)).toMatchObject({
      status: 409,
      json: { code: "sender.body_unreadable" },
    });
  });

  test("are found by the beginning of an order id in any case, and sent again so", async () => {
    await createRecipient();
    for (const order of ["QX7R2M1A", "QX7R9", "Q%7R", "AQX7R"]) await bench.announce(sender, { orderId: order });
    await deliverAll(sender);
    const found = async (orderId: string) => {
      const { json } = await call("GET", `/deliveries?orderId=${encodeURIComponent(orderId)}`);
      return json.items.map((item: { orderId: string }) => item.orderId);
    };

    expect(await found("qx7r*")).toEqual(["QX7R9", "QX7R2M1A"]);
    expect(await found("QX7R9*")).toEqual(["QX7R9"]);
    expect(await found("Q%*")).toEqual(["Q%7R"]);
    expect(await found("QX7R")).toEqual([]);
    expect(await found("*")).toHaveLength(4);
    const resend = { state: "delivered", orderId: "qx7r*" };
    expect((await call("POST", "/replays", { ...resend, preview: true })).json.total).toBe(2);
    await call("POST", "/replays", resend);
    await bench.resends.advanceResend(10);
    expect(await found("QX7R9")).toEqual(["QX7R9", "QX7R9"]);
    const [again, original] = (await call("GET", "/deliveries?orderId=QX7R9")).json.items;
    expect([again.replayOf, original.resentAs, again.resentAs]).toEqual([original.id, again.id, null]);
    expect(await found("AQX7R")).toEqual(["AQX7R"]);
  });

  test("show their attempts, newest first, and are replayed", async () => {
    await createRecipient();
    receiver.script = respondWith(500, "broken");
    await bench.announce(sender, { body: "the bytes" });
    await deliverAll(sender);
    receiver.script = acknowledge;
    bench.pass(5_000);
    await deliverAll(sender);
    const delivery = await bench.newestDelivery();

    expect((await call("GET", `/deliveries/${delivery.id}/attempts`)).json.items).toMatchObject([
      { number: 2, outcome: "delivered", httpStatus: 200 },
      { number: 1, outcome: "refused", httpStatus: 500, errorCode: "sender.refused", answerExcerpt: "broken" },
    ]);
    // One that was given back before anything was sent is no response.
    await sql`
      insert into gateway.attempts (id, delivery_id, number, started_at, lease_fence, outcome, duration_ms, error_code)
      values (gen_random_uuid(), ${delivery.id}, 3, now(), 1, 'failed', 0, 'sender.not_sent')
    `.execute(bench.ownerDatabase.connection);
    expect((await call("GET", `/deliveries/${delivery.id}`)).json.lastAttempt).toMatchObject({ outcome: "delivered" });

    const resend = await call("POST", `/deliveries/${delivery.id}/replay`);
    expect(resend).toMatchObject({
      status: 201,
      json: {
        newerNotifications: 0,
        delivery: { replayOf: delivery.id, state: "pending", changeId: delivery.changeId },
      },
    });
    await deliverAll(sender);
    expect(receiver.posts.map((post) => post.body.toString())).toEqual(["the bytes", "the bytes", "the bytes"]);
    expect(receiver.posts[2]?.headers["webhook-id"]).toBe(resend.json.delivery.id);
  });
});

describe("credentials", () => {
  test("come out nowhere: not in responses, logs or attempts, even when the recipient echoes them", async () => {
    const secrets = ["hunter2:ü", Buffer.from("agency:hunter2:ü").toString("base64"), "t0p-s3cr3t"];
    const one = await createRecipient();
    await createRecipient({ authorization: { type: "bearer", token: "t0p-s3cr3t" } });
    receiver.script = (response, post) => {
      const [, value = ""] = post.headers.authorization?.split(" ") ?? [];
      const decoded = Buffer.from(value, "base64").toString("utf8");
      response.writeHead(401).end(JSON.stringify({ got: post.headers.authorization, decoded }));
    };
    await bench.announce(sender);
    await deliverAll(sender);

    const { items } = (await call("GET", "/deliveries")).json;
    const texts = [
      ...(await Promise.all(
        [
          "/recipients",
          `/recipients/${one}`,
          "/deliveries",
          ...items.map((item: { id: string }) => `/deliveries/${item.id}/attempts`),
        ].map(async (path) => (await call("GET", path)).text),
      )),
      (await call("PATCH", `/recipients/${one}`, { authorization: basic })).text,
      ...bench.lines,
    ];

    expect(receiver.posts).toHaveLength(2);
    expect(texts.join("\n")).toContain("[secret]");
    for (const secret of secrets) expect(texts.join("\n")).not.toContain(secret);
  });
});

describe("rules of a recipient", () => {
  test("are the usual ones unless given, and are changed one by one", async () => {
    const usual = { ordering: "latest", airlines: null, acknowledgement: "required", deadlineMs: null, lanesMax: null };
    const id = await createRecipient();
    expect((await call("GET", `/recipients/${id}`)).json).toMatchObject(usual);

    const rules = { airlines: ["LH", "4U"], acknowledgement: "any-success", deadlineMs: 60_000, lanesMax: 1 };
    expect((await call("PATCH", `/recipients/${id}`, rules)).json).toMatchObject({ ...usual, ...rules });
    expect((await call("PATCH", `/recipients/${id}`, { airlines: null })).json).toMatchObject({ airlines: null });
  });

  test.each([
    [{ airlines: [] }],
    [{ airlines: ["LHX"] }],
    [{ deadlineMs: 999 }],
    [{ deadlineMs: 60_001 }],
    [{ lanesMax: 0 }],
    [{ lanesMax: 65 }],
    [{ ordering: "newest" }],
  ])("out of their bounds are refused: %j", async (rules) => {
    const id = await createRecipient();

    expect((await call("PATCH", `/recipients/${id}`, rules)).status).toBe(400);
  });

  test("say whose changes it gets", async () => {
    await createRecipient({ airlines: ["TP"] });

    expect(await bench.announce(sender)).toBe(0);
    await createRecipient({ airlines: ["TP", "LH"] });
    expect(await bench.announce(sender)).toBe(1);
  });

  test("say whether any 2xx is an acknowledgement", async () => {
    await createRecipient({ acknowledgement: "any-success" });
    receiver.script = respondWith(202, "");
    await bench.announce(sender);
    await deliverAll(sender);

    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered" });
  });

  test("give an attempt a deadline of its own", async () => {
    await createRecipient({ deadlineMs: 1_000 });
    receiver.script = () => undefined;
    await bench.announce(sender);
    await deliverAll(sender);

    const [attempt] = await bench.attempts((await bench.newestDelivery()).id);
    expect(attempt).toMatchObject({
      errorCode: "sender.timeout",
      // Its credential may have taken a millisecond of it.
      errorMessage: expect.stringMatching(/^No complete response within (1000|9\d\d) ms\.$/),
    });
  });
});

describe("notifications that went to nobody", () => {
  test("are counted, and sent when a recipient asks for them, the newest of each order", async () => {
    const since = bench.now().toISOString();
    await bench.announce(sender, { orderId: "A", body: "A1" });
    await bench.announce(sender, { orderId: "B", body: "B1" });
    await bench.announce(sender, { orderId: "A", body: "A2" });
    expect((await call("GET", "/missed")).json).toMatchObject({ count: 3 });
    const id = await createRecipient();

    const sent = await call("POST", `/recipients/${id}/missed`, { since });
    await deliverAll(sender);

    expect(sent).toMatchObject({ status: 201, json: { deliveries: 2 } });
    expect(receiver.posts.map((post) => post.body.toString()).toSorted()).toEqual(["A2", "B1"]);
    expect((await call("POST", `/recipients/${id}/missed`, { since })).json.deliveries).toBe(0);
    expect((await call("GET", "/missed")).json).toEqual({ count: 0, oldestAt: null });
  });

  test("of before the time that is asked for, or of other airlines, stay", async () => {
    await bench.announce(sender, { orderId: "A" });
    const id = await createRecipient({ airlines: ["TP"] });
    const early = new Date(bench.now().getTime() - 60_000).toISOString();

    expect((await call("POST", `/recipients/${id}/missed`, { since: early })).json).toEqual({ deliveries: 0 });
    await call("PATCH", `/recipients/${id}`, { airlines: null });
    const late = new Date(bench.now().getTime() + 1).toISOString();
    expect((await call("POST", `/recipients/${id}/missed`, { since: late })).json).toEqual({ deliveries: 0 });
    expect((await call("POST", `/recipients/${id}/missed`, { since: early })).json).toEqual({ deliveries: 1 });
    expect((await call("POST", `/recipients/${noSuchId}/missed`, { since: early })).status).toBe(404);
    expect((await call("POST", `/recipients/${id}/missed`, { since: "yesterday" })).status).toBe(400);
  });
});

describe("signing secrets", () => {
  const older = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
  const newer = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;

  test("sign each notification, several at a time while they are rotated", async () => {
    await createRecipient({ signingSecrets: [newer, older] });
    await bench.announce(sender, { body: '{"Total": 1134.30}' });
    await deliverAll(sender);

    const { headers, body } = receiver.posts[0]!;
    const clock = { now: () => bench.now() };
    for (const secret of [older, newer]) {
      const isSigned = createReadSignature([new Secret(secret)], clock)(headers);
      expect(isSigned?.(body)).toBe(true);
    }
    const outsider = createReadSignature([new Secret(`whsec_${Buffer.alloc(24, 3).toString("base64")}`)], clock);
    expect(outsider(headers)?.(body)).toBe(false);
  });

  test("are counted, replaced and taken away, and never come out", async () => {
    const id = await createRecipient({ signingSecrets: [older] });
    const responses = [
      await call("GET", `/recipients/${id}`),
      await call("PATCH", `/recipients/${id}`, { signingSecrets: [newer, older] }),
      await call("PATCH", `/recipients/${id}`, { signingSecrets: [] }),
    ];

    expect(responses.map(({ json }) => json.signingSecrets)).toEqual([1, 2, 0]);
    expect(responses.map(({ text }) => text).join()).not.toContain("whsec_");
    await bench.announce(sender);
    await deliverAll(sender);
    expect(receiver.posts[0]!.headers["webhook-signature"]).toBeUndefined();
    expect((await call("DELETE", `/recipients/${id}`)).status).toBe(204);
  });

  test.each([[["whsec_c2hvcnQ"]], [["not-a-secret"]], [[older, older, older, older]]])(
    "that are none, or too many, are refused: %j",
    async (signingSecrets) => {
      const refused = await call("POST", "/recipients", {
        name: "Example Travel",
        url: receiver.url,
        authorization: basic,
        signingSecrets,
      });

      expect(refused.status).toBe(400);
      for (const secret of signingSecrets) expect(refused.text).not.toContain(secret);
    },
  );
});

test("a recipient may have a private key instead of a client secret", async () => {
  const { clientSecret: _, ...client } = oauth;
  const authorization = { ...client, clientAuthentication: "private-key-jwt", privateKey: pem(2_048), keyId: "2026-a" };
  const created = await call("POST", "/recipients", { name: "Example Travel", url: receiver.url, authorization });

  expect(created.status).toBe(201);
  expect(created.text).not.toContain("PRIVATE KEY");
});

function pem(modulusLength: number): string {
  return generateKeyPairSync("rsa", { modulusLength }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
