import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGatewayCookie } from "../../../src/app/gateway-pages.ts";
import { createControlSessions } from "../../../src/gateway/sessions/control-sessions.ts";
import { createSessionCheck, createSessionRouter } from "../../../src/gateway/sessions/session-router.ts";
import { createTokenGuesses } from "../../../src/gateway/sessions/token-guesses.ts";
import { createClientAddress } from "../../../src/http/client-address.ts";
import { createLogger } from "../../../src/telemetry/json-logger.ts";

const token = "the-control-token";
const fromPage = { "Skedchange-Page": "1", "Content-Type": "application/json" };

let server: Server;
let url: string;
let now: Date;
let trustedProxies: string[];

beforeEach(async () => {
  trustedProxies = [];
  await start();
});

async function start(): Promise<void> {
  now = new Date("2026-11-21T09:00:00Z");
  const clock = { now: () => now };
  const sessions = createControlSessions(clock);
  const cookie = createGatewayCookie(trustedProxies);
  const app = express();
  const isSignedIn = createSessionCheck({ sessions, cookie });
  app.use(
    "/control",
    createSessionRouter({
      sessions,
      guesses: createTokenGuesses(clock),
      cookie,
      addressOf: createClientAddress([]),
      verifyToken: async (candidate) => candidate === token,
      logger: createLogger({ level: "silent" }),
    }),
    (request, response) => {
      response.status(isSignedIn(request) ? 200 : 401).end();
    },
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/control`;
}

async function stop(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
afterEach(stop);

function signIn(candidate: string, headers: Record<string, string> = fromPage): Promise<Response> {
  return fetch(`${url}/session`, { method: "POST", headers, body: JSON.stringify({ token: candidate }) });
}

/** What the browser would send back. */
function cookieOf(response: Response): string {
  return (response.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
}

async function statusOf(path: string, headers: Record<string, string>, method = "GET"): Promise<number> {
  return (await fetch(`${url}${path}`, { method, headers })).status;
}

describe("the control token", () => {
  test("is exchanged for a cookie that scripts and other sites cannot use, and that does not hold it", async () => {
    const response = await signIn(token);

    expect(await response.json()).toEqual({ expiresAt: "2026-11-21T17:00:00.000Z" });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^skedchange_gateway=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await statusOf("/orders", { ...fromPage, Cookie: cookieOf(response) })).toBe(200);
  });

  test("behind a trusted proxy with TLS the cookie is bound to TLS and to this host", async () => {
    await stop();
    trustedProxies = ["127.0.0.0/8"];
    await start();

    const response = await signIn(token, { ...fromPage, "X-Forwarded-Proto": "https" });

    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-skedchange_gateway=.*; Secure$/);
    expect((await signIn(token)).headers.getSetCookie()[0]).toMatch(/^skedchange_gateway=.*; SameSite=Strict$/);
  });

  test("what an unauthenticated caller says about TLS does not count", async () => {
    const response = await signIn(token, { ...fromPage, "X-Forwarded-Proto": "https" });

    expect(response.headers.getSetCookie()[0]).toMatch(/^skedchange_gateway=.*; SameSite=Strict$/);
  });

  test.each([
    { what: "a wrong one", body: '{"token":"another"}', status: 401 },
    { what: "none", body: "{}", status: 400 },
    { what: "no JSON", body: "{", status: 400 },
    { what: "more than a token", body: JSON.stringify({ token: "x".repeat(20_000) }), status: 413 },
  ])("$what opens nothing, and is not repeated in the response", async ({ body, status }) => {
    const response = await fetch(`${url}/session`, { method: "POST", headers: fromPage, body });

    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.text()).not.toContain("another");
  });
});

describe("a session", () => {
  test("counts only with the header that no other site can send", async () => {
    const Cookie = cookieOf(await signIn(token));

    expect(await statusOf("/orders", { Cookie })).toBe(401);
    expect(await statusOf("/orders", { Cookie }, "POST")).toBe(401);
    expect(await statusOf("/orders", { Cookie, ...fromPage }, "POST")).toBe(200);
    expect((await signIn(token, { "Content-Type": "application/json" })).status).toBe(403);
    expect(await statusOf("/session", { Cookie }, "DELETE")).toBe(403);
  });

  test("lasts eight hours, however much it is used", async () => {
    const Cookie = cookieOf(await signIn(token));

    now = new Date("2026-11-21T16:59:59.999Z");
    expect(await statusOf("/session", { Cookie, ...fromPage })).toBe(200);
    now = new Date("2026-11-21T17:00:00Z");
    expect(await statusOf("/session", { Cookie, ...fromPage })).toBe(401);
    expect(await statusOf("/orders", { Cookie, ...fromPage })).toBe(401);
  });

  test("ends with the sign-out, also for whoever has kept the cookie", async () => {
    const Cookie = cookieOf(await signIn(token));

    expect(await statusOf("/session", { Cookie, ...fromPage }, "DELETE")).toBe(204);

    expect(await statusOf("/orders", { Cookie, ...fromPage })).toBe(401);
  });

  test("is replaced by the next one of the same browser, and unknown ones open nothing", async () => {
    const Cookie = cookieOf(await signIn(token));
    const next = cookieOf(await signIn(token, { ...fromPage, Cookie }));

    expect(await statusOf("/orders", { Cookie, ...fromPage })).toBe(401);
    expect(await statusOf("/orders", { Cookie: next, ...fromPage })).toBe(200);
    expect(await statusOf("/orders", { Cookie: "skedchange_gateway=invented", ...fromPage })).toBe(401);
  });
});

describe("wrong tokens", () => {
  test("lock the address from the fifth on, for longer each time, also for the right one", async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await signIn(`wrong ${attempt}`)).status).toBe(401);

    const locked = await signIn(token);
    expect([locked.status, locked.headers.get("Retry-After")]).toEqual([429, "60"]);
    now = new Date(now.getTime() + 59_999);
    expect((await signIn(token)).status).toBe(429);
    now = new Date(now.getTime() + 1);
    expect((await signIn("wrong again")).status).toBe(401);
    expect((await signIn(token)).headers.get("Retry-After")).toBe("120");
    now = new Date(now.getTime() + 120_000);
    expect((await signIn(token)).status).toBe(200);
  });

  test("are forgotten with the right one", async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) await signIn(`wrong ${attempt}`);
    expect((await signIn(token)).status).toBe(200);

    for (let attempt = 0; attempt < 4; attempt += 1) await signIn(`wrong ${attempt}`);

    expect((await signIn(token)).status).toBe(200);
  });
});
