import { type ChildProcess, spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { hashSecret } from "../../src/kernel/secret-verifier.ts";
import { sampleNotification } from "../builders/sample-notification.ts";
import {
  makeIssuerKey,
  sendJson,
  signToken,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from "../harness/authorization-server.ts";
import { type CompiledProcess, compileProcess } from "../harness/compile-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { type ServerUnderAttack, startServerUnderAttack } from "./server-under-attack.ts";

// The flood lasts in real time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const floodMs = 15_000;
const pushEveryMs = 50;
/** Shown with SHOW_TIMES=1 and not asserted: the time depends on what else the machine does. */
const promptMs = 1_000;

const password = "a password of the gateway";
const userPassword = "wolkig-97-Ampere-taucht";
const token = randomBytes(24).toString("hex");
const exactValue = `Key ${randomBytes(24).toString("hex")}`;
const opaqueToken = randomBytes(24).toString("hex");
const signingSecret = `whsec_${randomBytes(32).toString("base64")}`;

const basic = (): Headers => ({ Authorization: `Basic ${Buffer.from(`gateway:${password}`).toString("base64")}` });
const bearer = (): Headers => ({ Authorization: `Bearer ${token}` });
const exact = (): Headers => ({ Authorization: exactValue });

type Headers = Readonly<Record<string, string>>;

interface Outcome {
  readonly way: string;
  readonly status: number;
  readonly ms: number;
}

let folder: string;
let compiled: CompiledProcess;
let authorizationServer: TestAuthorizationServer;
let settings: Record<string, string>;
let server: ServerUnderAttack;
let flood: ChildProcess | undefined;
/** The source of each way of authentication, with the headers of an authorised push. */
let ways: Readonly<Record<string, (body: string) => Headers>>;

beforeAll(async () => {
  compiled = await compileProcess("test/security/flood-process");
  folder = await makeTestFolder();
  authorizationServer = await startAuthorizationServer();
  const key = await makeIssuerKey("key", "ES256");
  authorizationServer.publish(key);
  const seconds = Math.floor(Date.now() / 1_000);
  const [iss, aud] = [authorizationServer.url, "https://agency.example/ocn"];
  const jwt = await signToken(key, {
    iss,
    aud,
    sub: "gateway",
    client_id: "gateway",
    iat: seconds,
    exp: seconds + 600,
  });
  ways = {
    "basic-clear": basic,
    "basic-hashed": basic,
    "bearer-clear": bearer,
    "bearer-hashed": bearer,
    "exact-clear": exact,
    "exact-hashed": exact,
    signed: sign,
    jwt: () => ({ Authorization: `Bearer ${jwt}` }),
    opaque: () => ({ Authorization: `Bearer ${opaqueToken}` }),
  };
  authorizationServer.serveIntrospection((asked, response) =>
    sendJson(response, asked === opaqueToken ? { active: true, aud } : { active: false }),
  );
  const introspection = {
    url: authorizationServer.introspectionUrl,
    client_id: "agency",
    client_secret: randomBytes(24).toString("hex"),
  };
  const sources = [
    { id: "basic-clear", basic: { username: "gateway", passwords: [password] } },
    { id: "basic-hashed", basic: { username: "gateway", passwords: [await hashSecret(password)] } },
    { id: "bearer-clear", bearer_tokens: [token] },
    { id: "bearer-hashed", bearer_tokens: [await hashSecret(token)] },
    { id: "exact-clear", exact_authorization: [exactValue] },
    { id: "exact-hashed", exact_authorization: [await hashSecret(exactValue)] },
    { id: "signed", signing_secrets: [signingSecret] },
    { id: "jwt", oauth: { issuer: iss, audience: aud, jwks_url: authorizationServer.jwksUrl, allow_http: true } },
    { id: "opaque", oauth: { audience: aud, introspection, allow_http: true } },
  ];
  const gateway = { base_url: "http://127.0.0.1:1", access_token: "none" };
  const file = join(folder, "sources.yaml");
  await writeFile(file, stringify({ sources: sources.map((source) => ({ ...source, gateway })) }));
  settings = {
    DATA_DIR: join(folder, "data"),
    ROLES: "receiver,dashboard",
    SOURCES_FILE: file,
    API_TOKEN: token,
    LOG_LEVEL: "error",
  };
  server = await startServerUnderAttack(settings);
});
afterEach(async () => {
  if (flood === undefined) return;
  const ended = once(flood, "exit");
  flood.kill("SIGKILL");
  await ended;
  flood = undefined;
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await authorizationServer?.close();
  compiled?.remove();
  await rm(folder, { recursive: true, force: true });
});

test("a flood by callers without credentials leaves 99 % of authorised pushes acknowledged, for each way of authentication", async () => {
  await startFlood();

  expectServed(await pushWhileFlooded([]));
});

test("after a restart, and where all callers have one address, it leaves pushes and sign-ins as they were", async () => {
  await addUser("known");
  await addUser("other");
  const cookies = await signIn("known", {});
  expect(cookies.status).toBe(200);
  await server.end("SIGTERM");
  server = await startServerUnderAttack(settings);
  await startFlood("one-address");

  expectServed(
    await pushWhileFlooded([
      ["sign-in in a known browser", () => signIn("known", { Cookie: cookies.browser })],
      ["sign-in in another browser", () => signIn("other", {})],
    ]),
  );
});

test("invented tokens cause at most 1,200 questions to the authorization server in a minute, and keep no active one out", async () => {
  await server.end("SIGTERM");
  // The limit of a minute begins with its first question.
  server = await startServerUnderAttack(settings);
  const askedBefore = authorizationServer.introspections.length;
  await startFlood("tokens");

  const outcomes = await pushWhileFlooded([]);

  expect(authorizationServer.introspections.length - askedBefore).toBeLessThanOrEqual(1_200);
  expectServed(outcomes);
});

async function startFlood(...parameters: readonly string[]): Promise<void> {
  flood = spawn(process.execPath, [compiled.entry, new URL(server.agencyUrl).port, ...parameters]);
  await once(flood.stdout!, "data");
}

/** Pushes in each way in turn, and beside that does what people do, one after the other. */
async function pushWhileFlooded(
  ofPeople: readonly (readonly [string, () => Promise<Omit<Outcome, "way">>])[],
): Promise<readonly Outcome[]> {
  const body = JSON.stringify(sampleNotification("minor-delay"));
  const outcomes: Outcome[] = [];
  const names = Object.keys(ways);
  const endsAt = performance.now() + floodMs;
  const people = ofPeople.map(async ([way, act]) => {
    while (performance.now() < endsAt) {
      outcomes.push({ way, ...(await act()) });
      await sleep(10 * pushEveryMs);
    }
  });
  const pushes: Promise<void>[] = [];
  for (let count = 0; performance.now() < endsAt; count += 1) {
    const way = names[count % names.length]!;
    pushes.push(push(way, body).then((outcome) => void outcomes.push({ way, ...outcome })));
    await sleep(pushEveryMs);
  }
  await Promise.all([...pushes, ...people]);
  return outcomes;
}

function expectServed(outcomes: readonly Outcome[]): void {
  const refused = outcomes.filter(({ status }) => status !== 200);
  const late = outcomes.filter(({ ms }) => ms > promptMs);
  if (process.env["SHOW_TIMES"] === "1") {
    console.log(`${outcomes.length} pushes, ${late.length} after more than a second`, summarise(late));
  }
  expect(outcomes.length).toBeGreaterThan(100);
  expect(refused.length / outcomes.length > 0.01 ? summarise(refused) : {}).toEqual({});
}

async function addUser(username: string): Promise<void> {
  const response = await fetch(`${server.agencyUrl}/api/v1/users`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...bearer() },
    body: JSON.stringify({ username, displayName: username, role: "agent", password: userPassword }),
  });
  expect(response.status).toBe(201);
}

async function signIn(
  username: string,
  headers: Headers,
): Promise<Omit<Outcome, "way"> & { readonly browser: string }> {
  const startedAt = performance.now();
  const response = await fetch(`${server.agencyUrl}/api/v1/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ username, password: userPassword }),
  }).catch(() => null);
  await response?.arrayBuffer();
  const browser = response?.headers.getSetCookie().find((cookie) => cookie.startsWith("skedchange_browser=")) ?? "";
  return { status: response?.status ?? 0, ms: performance.now() - startedAt, browser: browser.split(";")[0]! };
}

/** How many outcomes of each way had which status. */
function summarise(outcomes: readonly Outcome[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { way, status, ms } of outcomes) {
    const name = `${way}: ${status}${ms > promptMs ? " late" : ""}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function push(way: string, body: string): Promise<{ readonly status: number; readonly ms: number }> {
  const startedAt = performance.now();
  const headers = { "Content-Type": "application/json", ...ways[way]!(body) };
  const response = await fetch(`${server.agencyUrl}/ocn/${way}`, { method: "POST", headers, body }).catch(() => null);
  await response?.arrayBuffer();
  return { status: response?.status ?? 0, ms: performance.now() - startedAt };
}

function sign(body: string): Headers {
  const [id, seconds] = [randomBytes(8).toString("hex"), Math.floor(Date.now() / 1_000)];
  const key = Buffer.from(signingSecret.slice("whsec_".length), "base64");
  const value = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${value}` };
}
