import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { messageOf } from "../../src/kernel/app-error.ts";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { sampleNotification } from "../builders/sample-notification.ts";
import { eventually } from "../harness/eventually.ts";
import { startIdentityProvider, type TestIdentityProvider } from "../harness/identity-provider.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { runUnderAttack, type ServerUnderAttack, startServerUnderAttack } from "./server-under-attack.ts";

// A server starts, and deadlines run out, in real time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Only the redirects name it. */
const dashboardUrl = "http://127.0.0.1:1";
const apiToken = "a-good-token-of-the-api-0123456789";
const password = "a password of the gateway";
const user = { username: "ann", password: "correct horse battery" };

let folder: string;
let server: ServerUnderAttack;
let provider: TestIdentityProvider;

beforeAll(async () => {
  folder = await makeTestFolder();
  provider = await startIdentityProvider();
  server = await startServerUnderAttack({
    DATA_DIR: join(folder, "data"),
    ROLES: "receiver,dashboard",
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: password,
    GATEWAY_BASE_URL: "http://127.0.0.1:1",
    GATEWAY_ACCESS_TOKEN: "none",
    API_TOKEN: apiToken,
    PUBLIC_URL: dashboardUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_ROLES: "agent=desk",
    OPS_PORT: "0",
    LOG_LEVEL: "info",
  });
  const added = await api("POST", "/users", { ...user, displayName: "Ann", role: "viewer" });
  expect(added.status).toBe(201);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.end("SIGTERM");
  await provider?.close();
  await rm(folder, { recursive: true, force: true });
});

const sockets: Socket[] = [];

async function api(method: string, path: string, body?: object, token = apiToken, at = server): Promise<Response> {
  return await fetch(`${at.agencyUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function push(body: string, name = "gateway", secret = password, at = server): Promise<Response> {
  const credentials = Buffer.from(`${name}:${secret}`).toString("base64");
  const headers = { "Content-Type": "application/json", Authorization: `Basic ${credentials}` };
  return await fetch(`${at.agencyUrl}/ocn`, { method: "POST", headers, body });
}

/** Sends a request from one of the loopback addresses, as another client. */
function sendFrom(localAddress: string, request: string): Socket {
  const socket = connect({ port: Number(new URL(server.agencyUrl).port), host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => {});
  socket.write(request);
  return socket;
}

async function statusFrom(localAddress: string, method: string, path: string, body?: object): Promise<number> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const socket = sendFrom(
    localAddress,
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return await new Promise((resolve) => {
    socket.once("data", (data) => resolve(Number(String(data).slice(9, 12))));
    socket.once("close", () => resolve(0));
  });
}

describe("signing in", () => {
  test("is not locked for the owner of a name whose password others guess elsewhere (M1)", async () => {
    for (let guess = 1; guess <= 6; guess += 1) {
      await statusFrom("127.0.7.1", "POST", "/api/v1/session", { username: user.username, password: `wrong ${guess}` });
    }

    expect(await statusFrom("127.0.7.1", "POST", "/api/v1/session", user)).toBe(429);
    expect(await statusFrom("127.0.7.2", "POST", "/api/v1/session", user)).toBe(200);
  });

  test("can be undone elsewhere: people list and end their sessions (L10)", async () => {
    const added = { username: "lea", password: "correct horse lantern" };
    expect((await api("POST", "/users", { ...added, displayName: "Lea", role: "viewer" })).status).toBe(201);
    const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const ask = (method: string, path: string, cookie = "", body?: object) =>
      fetch(`${server.agencyUrl}/api/v1${path}`, {
        method,
        headers: { cookie, origin: dashboardUrl, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const newPassword = "another horse, another lantern";
    const initial = cookieOf(await ask("POST", "/session", "", added));
    const chosen = { currentPassword: added.password, newPassword };
    expect((await ask("POST", "/session/password", initial, chosen)).status).toBe(204);
    const lost = cookieOf(await ask("POST", "/session", "", { ...added, password: newPassword }));
    const own = cookieOf(await ask("POST", "/session", "", { ...added, password: newPassword }));

    const sessions = (await (await ask("GET", "/sessions", own)).json()) as { items: readonly object[] };
    expect(sessions.items).toHaveLength(3);
    expect((await ask("DELETE", "/sessions", own)).status).toBe(200);
    expect((await ask("GET", "/session", lost)).status).toBe(401);
    expect((await ask("GET", "/session", own)).status).toBe(200);
  });

  test("is refused for a password with NUL behind it (L1)", async () => {
    const withNul = { ...user, password: `${user.password}\0` };

    expect(await statusFrom("127.0.7.3", "POST", "/api/v1/session", withNul)).toBe(401);
    expect((await push("{}", "gateway", `${password}\0`)).status).toBe(401);
  });

  test("leaves a line with the address when it fails, and so does a wrong token (M5)", async () => {
    await statusFrom("127.0.7.4", "POST", "/api/v1/session", { ...user, password: "wrong password" });
    await statusFrom("127.0.7.5", "GET", "/api/v1/cases");

    await eventually(() => {
      expect(server.output()).toMatch(/"address":"127\.0\.7\.4".*people\.sign_in_failed/);
      expect(server.output()).toMatch(/"address":"127\.0\.7\.5".*request\.refused/);
    });
  });
});

describe("signing in with an identity provider, which may ask for a second factor (M4)", () => {
  const visit = (url: string, cookie = "") => fetch(url, { redirect: "manual", headers: { cookie } });

  /** To the provider and back. @returns the response of the callback */
  async function signIn(change: (query: URLSearchParams) => void = () => {}): Promise<Response> {
    provider.signInAs({ sub: "eva-1", preferred_username: "eva", groups: ["desk"] });
    const start = await visit(`${server.agencyUrl}/oidc/sign-in?to=//evil.example/`);
    const [cookie = ""] = start.headers.getSetCookie();
    const back = await visit(start.headers.get("location") ?? "");
    const query = new URL(back.headers.get("location") ?? "").searchParams;
    change(query);
    return await visit(`${server.agencyUrl}/oidc/callback?${query}`, cookie.split(";")[0]);
  }

  test("starts a session and leads nowhere else", async () => {
    const signedIn = await signIn();

    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get("location")).toBe("/");
    expect(signedIn.headers.getSetCookie().join()).toMatch(/skedchange_session=[\w-]{43};/);
  });

  test("starts none for what the provider did not sign, or what another sign-in asked for", async () => {
    provider.signWith("other");
    const forged = await signIn();
    provider.signWith("published");
    const replayed = await signIn((query) => query.set("state", "of-another-sign-in"));

    for (const refused of [forged, replayed]) {
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.headers.getSetCookie().join()).not.toContain("skedchange_session");
    }
    expect(server.output()).not.toMatch(/eyJ|code=/);
  });
});

describe("what nobody has signed in for", () => {
  test("is closed when its body does not arrive within 30 seconds (M2)", async () => {
    const slow = sendFrom(
      "127.0.7.6",
      "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
    );
    const dribble = setInterval(() => slow.write(" "), 1_000);

    await eventually(() => expect(slow.closed || slow.readableEnded).toBe(true), { timeoutMs: 45_000 });
    clearInterval(dribble);
  });

  test("gets nothing by a name that a page elsewhere has pointed at this machine, on any port", async () => {
    const operations = /operations\s+(http\S+)/.exec(server.output())?.[1] ?? "";
    for (const url of [server.agencyUrl, operations]) {
      const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
      sockets.push(socket);
      socket.write("GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n");
      const [response] = await once(socket, "data");
      expect(String(response)).toMatch(/^HTTP\/1\.1 421 /);
    }
  });

  test("gets no metrics, documents or details on the port of notifications when operations have their own (M6)", async () => {
    const open = await Promise.all(
      ["/metrics", "/openapi.json", "/docs"].map(async (path) => (await fetch(`${server.agencyUrl}${path}`)).status),
    );

    expect(open).toEqual([404, 404, 404]);
    expect(await (await fetch(`${server.agencyUrl}/readyz`)).json()).toEqual({ status: "ready" });
    const operations = /operations\s+(http\S+)/.exec(server.output())?.[1];
    expect((await fetch(`${operations}/metrics`)).status).toBe(200);
  });
});

describe("notifications", () => {
  test("of some megabytes of brackets are quarantined, and long ones are read in a thread (M9)", async () => {
    const brackets = `{"Order":{"OrderID":"DEEP"},"X":${"[".repeat(900_000)}${"]".repeat(900_000)}}`;
    const long = { ...sampleNotification("minor-delay", { orderId: "LONG01" }), Remarks: "x".repeat(1_000_000) };

    expect(await (await push(brackets)).json()).toMatchObject({ code: "ocn.too_complex" });
    expect((await push(JSON.stringify(long))).status).toBe(200);
  });

  test("of more orders than one may have are quarantined, and open no case (H1)", async () => {
    const orders = Array.from({ length: 2_000 }, (_, index) => ({ OrderID: `MANY${index}` }));

    expect(await (await push(JSON.stringify({ Order: orders }))).json()).toMatchObject({
      code: "ocn.too_many_orders",
    });
    const found = await (await api("GET", "/cases?orderId=MANY1")).json();
    expect(found).toMatchObject({ items: [] });
  });

  test("show nobody a card number or a security code (M3)", async () => {
    const sample = JSON.stringify(sampleNotification("minor-delay", { orderId: "CARD01" }))
      .replaceAll(/"CardNumber":"[^"]*"/g, '"CardNumber":"4111111111111111"')
      .replaceAll(/"SeriesCode":"[^"]*"/g, '"SeriesCode":"737"');
    expect(sample).toContain("4111111111111111");
    expect((await push(sample)).status).toBe(200);

    const list = (await (await api("GET", "/notifications?limit=200")).json()) as { items: readonly { id: string }[] };
    const bodies = await Promise.all(
      list.items.map(async ({ id }) => await (await api("GET", `/notifications/${id}/body`)).text()),
    );

    expect(bodies.filter((body) => body.includes("CARD01"))).toHaveLength(1);
    for (const body of bodies) expect(body).not.toMatch(/4111111111111111|"737"/);
  });

  test("whose OrderID has NUL in it are quarantined (L4)", async () => {
    const response = await push('{"Order":{"OrderID":"NULX\\u0000123"}}');

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "ocn.invisible_characters" });
  });

  test("show no text in another order than it stands (L6)", async () => {
    const overridden = sampleNotification("minor-delay", { orderId: "BIDI01", reference: "ABC123" });
    const text = JSON.stringify(overridden).replaceAll("LH", "L\u202eH");
    expect((await push(text)).status).toBe(200);

    const cases = await (await api("GET", "/cases?limit=200")).text();
    expect(cases).not.toContain("\u202e");
  });
});

describe("the API", () => {
  test("refuses NUL in a query with 400 (L3)", async () => {
    expect((await api("GET", "/policies/terms?source=a%00")).status).toBe(400);
    expect((await api("GET", "/deliveries?orderId=a%00")).status).not.toBe(500);
  });

  test("lets one user take only some of the event streams (L5)", async () => {
    const streams = await Promise.all(Array.from({ length: 25 }, () => api("GET", "/events")));

    expect(streams.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
    for (const stream of streams) await stream.body?.cancel();
  });

  test("refuses a policy of thousands of unknown keys without computing a suggestion for each (L7)", async () => {
    const text = `version: 1\nname: wide\n${Array.from({ length: 4_000 }, (_, index) => `k${index}: 1`).join("\n")}`;

    const response = await api("POST", "/policies", { text });

    expect(response.status).toBe(422);
    const { problems } = (await response.json()) as { problems: readonly unknown[] };
    expect(problems.length).toBeLessThan(30);
  });
});

test("a process that others can reach does not start with secrets that can be guessed (M7)", async () => {
  const starting = startServerUnderAttack({
    DATA_DIR: join(folder, "weak"),
    PUBLIC_URL: "https://skedchange.example.com",
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: "a",
    GATEWAY_BASE_URL: "https://gateway.example.com",
    GATEWAY_ACCESS_TOKEN: "none",
    GATEWAY_CONTROL_TOKEN: "b",
    API_TOKEN: "x",
  });
  const outcome = await starting.then(async (started) => {
    await started.end("SIGTERM");
    return "it started";
  }, messageOf);

  expect(outcome).toContain("API_TOKEN can be guessed.");
});

test("an encryption key that has leaked can be taken out, with all bodies and notes (M8)", async () => {
  const [leaked, newer] = [createEncryptionKey(new Date("2026-01-01")), createEncryptionKey(new Date("2026-06-01"))];
  const environment = (encryptionKeys: string): Record<string, string> => ({
    DATA_DIR: join(folder, "keys"),
    ROLES: "receiver,worker,dashboard",
    ENCRYPTION_KEYS: encryptionKeys,
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: password,
    GATEWAY_BASE_URL: "http://127.0.0.1:1",
    GATEWAY_ACCESS_TOKEN: "none",
    API_TOKEN: apiToken,
  });
  const first = await startServerUnderAttack(environment(leaked));
  const readCase = async (at: ServerUnderAttack): Promise<{ id: string; notifications: readonly { id: string }[] }> => {
    const { items } = (await (await api("GET", "/cases?orderId=KEYS01", undefined, apiToken, at)).json()) as {
      items: readonly { id: string }[];
    };
    expect(items).toHaveLength(1);
    return (await (await api("GET", `/cases/${items[0]!.id}`, undefined, apiToken, at)).json()) as Awaited<
      ReturnType<typeof readCase>
    >;
  };
  const pushed = await push(
    JSON.stringify(sampleNotification("minor-delay", { orderId: "KEYS01" })),
    "gateway",
    password,
    first,
  );
  expect(pushed.status).toBe(200);
  const { id } = await eventually(() => readCase(first));
  const note = { action: "note", note: "Ms Silva called" };
  expect((await api("POST", `/cases/${id}/actions`, note, apiToken, first)).status).toBeLessThan(300);
  await first.end("SIGTERM");

  expect(await runUnderAttack(["keys", "reencrypt"], environment(`${newer} ${leaked}`))).toMatchObject({ code: 0 });

  const second = await startServerUnderAttack(environment(newer));
  try {
    const detail = await readCase(second);
    const body = `/notifications/${detail.notifications[0]!.id}/body`;
    expect((await api("GET", body, undefined, apiToken, second)).status).toBe(200);
    expect(JSON.stringify(detail)).toContain("Ms Silva called");
  } finally {
    await second.end("SIGTERM");
  }
});
