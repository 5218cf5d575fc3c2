import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { messageOf } from "../../src/kernel/app-error.ts";
import { type OrderViewBody, sampleNotification, withFlags } from "../builders/sample-notification.ts";
import { type AgencyApi, basic, openAgencyApi } from "../harness/agency-api.ts";
import { createEmptyDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { startIdentityProvider, type TestIdentityProvider } from "../harness/identity-provider.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";
import { runUnderAttack, type ServerUnderAttack, startServerUnderAttack } from "./server-under-attack.ts";

/*
 * Ways round the rules that versions before 0.4 left open, tried from outside on a running process: with SECURITY_TARGET
 * on that of an older version, where each of these tests fails.
 */

// Processes start in real time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const apiToken = "a-good-token-of-the-api-0123456789";
const gatewayPassword = "a password of the gateway";
const initialPassword = "wolkig-97-Ampere-taucht";

/** Of an order that a notification is about: what the gateway shows as its status. */
const views = new Map<string, OrderViewBody>();

let db: TestDatabase;
let gateway: StatusGateway;
let provider: TestIdentityProvider;
let settings: Record<string, string>;
let server: ServerUnderAttack;
let agency: AgencyApi;

beforeAll(async () => {
  db = await createEmptyDatabase();
  gateway = await startStatusGateway((orderId) => views.get(orderId) ?? null);
  provider = await startIdentityProvider();
  settings = {
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ENCRYPTION_KEYS: "2026-11-01:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    ROLES: "all",
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: gatewayPassword,
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_ACCESS_TOKEN: "an-access-token-0123456789",
    GATEWAY_CONTROL_TOKEN: "a-good-token-of-the-control-0123456789",
    API_TOKEN: apiToken,
    SECOND_PERSON_ABOVE: "0",
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_ROLES: "agent=desk",
    PUBLIC_URL: "http://127.0.0.1:1",
    LOG_LEVEL: "info",
  };
  server = await startServerUnderAttack(settings);
  agency = openAgencyApi(server.agencyUrl, apiToken);
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await provider?.close();
  await gateway?.goAway();
  await db?.drop();
});

interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
  readonly cookie: string;
}

/** As a browser if there is a cookie, else as the command line. */
async function api(method: string, path: string, body?: object, cookie?: string): Promise<ApiResponse> {
  const response = await fetch(`${server.agencyUrl}/api/v1${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(cookie === undefined
        ? { authorization: `Bearer ${apiToken}` }
        : { cookie, origin: settings["PUBLIC_URL"] ?? "" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const session = response.headers.getSetCookie().find((each) => each.startsWith("skedchange_session=")) ?? "";
  return { status: response.status, body: text === "" ? null : JSON.parse(text), cookie: session.split(";")[0]! };
}

/** Adds a user; returns the cookie of a session in which the password is still the initial one. */
async function signInNew(username: string, role: string): Promise<string> {
  const user = { username, displayName: username, role, password: initialPassword };
  expect((await api("POST", "/users", user)).status).toBe(201);
  const signedIn = await api("POST", "/session", { username, password: initialPassword }, "");
  expect(signedIn.status).toBe(200);
  return signedIn.cookie;
}

/** Notifies of a change that needs a person, and waits for the case. */
async function notifyOf(orderId: string, view = sampleNotification("misconnection", { orderId })): Promise<string> {
  views.set(orderId, view);
  const { status } = await agency.postOcn(JSON.stringify(view), basic("gateway", gatewayPassword));
  expect(status).toBe(200);
  return (await agency.caseIn(orderId, ["awaiting-agent"])).id;
}

describe("foreign text", () => {
  const controls = "\u001b]52;c;eA==\u0007\u009b2J\r\nFAKE LINE";

  /** A change whose values of a member have the text behind them. */
  function hostileView(orderId: string, member: "AirlineID" | "AirportCode", text: string): OrderViewBody {
    const body = JSON.stringify(sampleNotification("misconnection", { orderId }));
    const values = new RegExp(`"${member}":"([^"]*)"`, "g");
    const hostile = body.replaceAll(values, (_, code) => JSON.stringify({ [member]: `${code}${text}` }).slice(1, -1));
    return JSON.parse(hostile) as OrderViewBody;
  }

  test("of a flight reaches the terminal of `skedchange case` without controls, on one line", async () => {
    await notifyOf("TERMINAL1", hostileView("TERMINAL1", "AirportCode", controls));

    const { code, output } = await runUnderAttack(["case", "TERMINAL1", "--url", server.agencyUrl], {
      API_TOKEN: apiToken,
    });

    expect(code).toBe(0);
    expect(output.split("\n").filter((line) => /[^\P{C}\t]/u.test(line) || line.startsWith("FAKE LINE"))).toEqual([]);
  });

  test("that is no code of a carrier is in no headline", async () => {
    await notifyOf("CODES1", hostileView("CODES1", "AirlineID", " https://evil.example/a"));

    const [{ headline, route }] = (await agency.listCases("orderId=CODES1")) as readonly unknown[] as [
      { readonly headline: string; readonly route: string },
    ];

    expect(headline).toContain("2290");
    expect(headline + route).not.toMatch(/evil\.example/i);
  });

  test("nobody sees is in no OrderID", async () => {
    const body = JSON.stringify(sampleNotification("minor-delay", { orderId: "SAME\u200b1" }));

    expect(await agency.postOcn(body, basic("gateway", gatewayPassword))).toMatchObject({
      status: 422,
      body: { code: "ocn.invisible_characters" },
    });
  });

  test("of an OrderID begins no formula in a CSV file whose separator is a semicolon", async () => {
    await notifyOf("X;=cmd|'/C calc'!A0;Y");

    const { text } = await agency.getText("/api/v1/cases.csv");

    expect(text).toContain("'/C calc'!A0");
    expect(text.split(/[;,\r\n]/).filter((cell) => cell.startsWith("="))).toEqual([]);
  });
});

describe("an expensive cancel", () => {
  test("that an admin asks for is not approved with API_TOKEN, which the same person may have", async () => {
    const view = sampleNotification("misconnection", { orderId: "CANCEL1" });
    const caseId = await notifyOf("CANCEL1", withFlags(view, { Accept: "Y", Cancel: "Y", ReSchedule: "N" }));
    const initial = await signInNew("ada", "admin");
    const newPassword = "another horse, another lantern";
    await api("POST", "/session/password", { currentPassword: initialPassword, newPassword }, initial);
    const { cookie } = await api("POST", "/session", { username: "ada", password: newPassword }, "");
    const cancel = { action: "cancel", confirm: "CANCEL1" };
    expect((await api("POST", `/cases/${caseId}/actions`, cancel, cookie)).status).toBeLessThan(300);
    const { approval } = (await agency.get(`/api/v1/cases/${caseId}`)) as { approval: { id: string } };

    const approved = await agency.act(caseId, "approve", { approvalId: approval.id });

    expect(approved).toMatchObject({ status: 422, body: { code: "desk.user_needed" } });
    expect(gateway.journal).toEqual([]);
  });
});

test("a search for travellers by a bulk action that is only tried out is in the audit", async () => {
  const body = { dryRun: true, command: { action: "recheck" }, filter: { text: "Silva" } };
  expect((await api("POST", "/bulk-actions", body)).status).toBe(200);

  expect(await agency.get("/api/v1/audit?kind=traveller.searched")).toMatchObject({ items: [{ actor: "person:api" }] });
});

describe("people", () => {
  test("do not keep the initial password by a blank behind it", async () => {
    const cookie = await signInNew("ben", "viewer");
    const change = { currentPassword: initialPassword, newPassword: `${initialPassword} ` };

    expect((await api("POST", "/session/password", change, cookie)).status).toBe(422);
  });

  test("whom the identity provider sends for the first time see no source once anybody is limited to some", async () => {
    const limited = { username: "lia", displayName: "Lia", role: "agent", sources: ["default"] };
    expect((await api("POST", "/users", { ...limited, password: initialPassword })).status).toBe(201);

    const cookie = await signInByProvider("eva");

    expect((await api("GET", "/session", undefined, cookie)).body).toMatchObject({ user: { sources: [] } });
  });

  /** Returns the cookie of a session. */
  async function signInByProvider(username: string): Promise<string> {
    const visit = (url: string, cookie = "") => fetch(url, { redirect: "manual", headers: { cookie } });
    provider.signInAs({ sub: `${username}-1`, preferred_username: username, groups: ["desk"] });
    const start = await visit(`${server.agencyUrl}/oidc/sign-in`);
    const [cookie = ""] = start.headers.getSetCookie();
    const back = await visit(start.headers.get("location") ?? "");
    const { search } = new URL(back.headers.get("location") ?? "");
    const signedIn = await visit(`${server.agencyUrl}/oidc/callback${search}`, cookie.split(";")[0]);
    const session = signedIn.headers.getSetCookie().find((each) => each.startsWith("skedchange_session=")) ?? "";
    return session.split(";")[0]!;
  }
});

describe("an unauthenticated caller", () => {
  /** From one of the loopback addresses, as another client. @returns the status */
  async function ask(localAddress: string, path: string): Promise<number | undefined> {
    const { port } = new URL(server.agencyUrl);
    return await new Promise((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, localAddress, path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject).end();
    });
  }

  const linesOf = (address: string) =>
    server
      .output()
      .split("\n")
      .filter((line) => line.includes(`"address":"${address}"`));

  test("does not choose how long a line of the log is", async () => {
    expect(await ask("127.0.8.1", `/api/v1/cases/${"x".repeat(4_000)}`)).toBe(401);

    await eventually(() => expect(linesOf("127.0.8.1")).toHaveLength(1));
    expect(linesOf("127.0.8.1")[0]!.length).toBeLessThan(1_000);
  });

  test("does not choose how many lines the log has", async () => {
    for (let count = 0; count < 200; count += 1) await ask("127.0.9.1", "/api/v1/cases");
    await ask("127.0.9.2", "/api/v1/cases");

    await eventually(() => expect(linesOf("127.0.9.2")).toHaveLength(1));
    expect(linesOf("127.0.9.1").length).toBeLessThanOrEqual(100);
  });

  test("causes no error with a path that is no UTF-8, on the port of the gateway side", async () => {
    expect((await fetch(`${server.gatewayUrl}/%c0%ae%c0%ae/etc/passwd`)).status).toBe(400);
  });
});

test("a policy that nests very deep is refused before it is parsed", async () => {
  const text = `version: 1\nname: deep\nrules: ${"[".repeat(50_000)}`;

  const { status, body } = await api("POST", "/policies", { text });

  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain("nests deeper than 100 levels");
});

test("bytes that were moved to another row of the database are named as such", async () => {
  await notifyOf("SWAP1");
  await notifyOf("SWAP2");
  await db.ownerDatabase.pool.query(
    "update skedchange.notifications n set body = o.body from skedchange.notifications o where o.id <> n.id",
  );
  const { items } = (await agency.get("/api/v1/notifications?limit=1")) as { items: readonly { id: string }[] };

  const { body } = await api("GET", `/notifications/${items[0]!.id}/body`);

  expect(body).toMatchObject({ code: "store.body_misplaced" });
});

describe("a process that others can reach", () => {
  const reachable = () => ({ ...settings, HOST: "0.0.0.0", PUBLIC_URL: "https://skedchange.example.com" });

  test("does not start with a gateway over http whose name begins like a private address", async () => {
    const settingsOfIt = { ...reachable(), GATEWAY_BASE_URL: "http://10.gateway.example" };
    const outcome = await startServerUnderAttack(settingsOfIt).then(async (started) => {
      await started.end("SIGTERM");
      return "it started";
    }, messageOf);

    expect(outcome).toContain("is called over http");
  });

  test.each(["TRUSTED_PROXIES", "OPS_PORT"])("is warned by `skedchange doctor` that %s is not set", async (name) => {
    const { output } = await runUnderAttack(["doctor"], reachable());

    expect(output).toContain(`${name} is not set`);
  });
});
