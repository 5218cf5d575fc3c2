import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { IdentityProviderConfiguration } from "../../../src/config/identity-provider.ts";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { sessionResponse, userResponse } from "../../../src/dashboard/api/people-responses.ts";
import { createIdentityProvider } from "../../../src/dashboard/people/identity-provider.ts";
import { createPeople } from "../../../src/dashboard/people/people.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createPeopleStore } from "../../../src/store/people.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { startIdentityProvider, type TestIdentityProvider } from "../../harness/identity-provider.ts";
import { apiToken, type DashboardServer, startDashboard } from "./dashboard-server.ts";
import { goodPassword, type PeopleServer, startPeopleServer } from "./people-server.ts";

const publicUrl = "https://dashboard.example";
const minute = 60;
const day = 24 * 60 * minute;

let provider: TestIdentityProvider;
let server: PeopleServer;
/** Another process of the same installation. */
let otherServer: DashboardServer;
/** The same with OIDC_SOURCES. */
let mappingServer: DashboardServer;
let auditedBefore: number;

const ines = { sub: "ines-1", preferred_username: "ines", name: "Inês Prata", groups: ["desk", "IT Admins of Porto"] };

function configuration(of: TestIdentityProvider): IdentityProviderConfiguration {
  return {
    name: "Contoso",
    issuer: of.issuer,
    clientId: of.clientId,
    clientSecret: new Secret(of.clientSecret),
    scope: "openid profile email",
    rolesClaim: "groups",
    roles: [
      { role: "agent", value: "desk" },
      { role: "supervisor", value: "leads" },
      { role: "viewer", value: "everybody" },
      { role: "admin", value: "bosses" },
    ],
    sources: null,
    redirectUri: `${publicUrl}/oidc/callback`,
  };
}

beforeAll(async () => {
  provider = await startIdentityProvider();
  const keys = readEncryptionKeys(createEncryptionKey(new Date()));
  if (!keys.ok) throw new Error(keys.problem);
  const clock = { now: () => server.now() };
  const options = () => ({
    publicUrl,
    identityProvider: createIdentityProvider(configuration(provider), clock),
    encryptionKeys: keys.keys,
  });
  server = await startPeopleServer(options());
  otherServer = await startDashboard({ queries: queriesWith([]), people: server.people, clock, ...options() });
  const sources = [
    { source: "north", value: "north desk" },
    { source: null, value: "all desks" },
  ];
  const write = (fields: object, message: string) => void server.log.push({ message, fields });
  mappingServer = await startDashboard({
    queries: queriesWith([]),
    sourceIds: ["north", "south"],
    people: createPeople({
      store: createPeopleStore(server.database.database),
      clock,
      logger: { debug: write, info: write, warn: write, error: write },
      providerGivesSources: true,
    }),
    clock,
    ...options(),
    identityProvider: createIdentityProvider({ ...configuration(provider), sources }, clock),
  });
});
afterAll(async () => {
  await mappingServer.close();
  await otherServer.close();
  await server.close();
  await provider.close();
});
beforeEach(async () => {
  auditedBefore = await lastAuditId();
});
afterEach(async () => {
  provider.signInAs(null);
  provider.changeIdToken(null);
  provider.signWith("published");
  provider.serveUserInfo({});
  provider.setAvailable(true);
  await server.forgetAll();
});

interface Visit {
  readonly status: number;
  readonly location: string | null;
  readonly page: string;
  /** By name; one that the response clears is empty. */
  readonly cookies: ReadonlyMap<string, string>;
  readonly setCookies: readonly string[];
}

/** Goes to an address as a browser does, without following. */
async function visit(url: string, cookie = ""): Promise<Visit> {
  const response = await fetch(url, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
  const setCookies = response.headers.getSetCookie();
  const pairs = setCookies.map((line) => line.split(";")[0]!);
  return {
    status: response.status,
    location: response.headers.get("location"),
    page: await response.text(),
    cookies: new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])),
    setCookies,
  };
}

const pendingName = "__Host-skedchange_sign_in";
const sessionName = "__Host-skedchange_session";

/** To the provider and back, up to the callback, which is not visited yet. */
async function goToProvider(to = "/tasks") {
  const start = await visit(`${server.url}/oidc/sign-in?${new URLSearchParams({ to })}`);
  expect(start.status).toBe(303);
  const back = await visit(start.location ?? "");
  expect(back.location).toMatch(/^https:\/\/dashboard\.example\/oidc\/callback\?code=/);
  const query = new URL(back.location ?? "").search;
  return { query, cookie: `${pendingName}=${start.cookies.get(pendingName)}`, start };
}

async function signIn(user: { readonly sub: string; readonly [claim: string]: unknown }, at = server.url) {
  provider.signInAs(user);
  const { query, cookie } = await goToProvider();
  const callback = await visit(`${at}/oidc/callback${query}`, cookie);
  const session = callback.cookies.get(sessionName);
  return { ...callback, session: session === undefined ? null : `${sessionName}=${session}` };
}

async function whoIs(session: string | null) {
  const { status, body } = await server.send("GET", "/session", session === null ? {} : { cookie: session });
  return status === 200 ? sessionResponse.parse(body).user : null;
}

const failureOf = () => server.log.find(({ message }) => message === "people.provider_sign_in_failed")?.fields;

async function lastAuditId(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from skedchange.audit_entries`.execute(server.database.ownerDatabase.connection);
  return rows[0]!.id;
}

/** Since the test began. */
async function auditKinds(): Promise<readonly unknown[][]> {
  const { rows } = await sql<{ kind: string; actor: string; refs: Record<string, unknown> }>`
    select kind, actor, refs from skedchange.audit_entries where id > ${auditedBefore} order by id`.execute(
    server.database.ownerDatabase.connection,
  );
  return rows.map(({ kind, actor, refs }) => [kind, actor, refs["role"] ?? null, refs["changed"] ?? null]);
}

describe("signing in with an identity provider", () => {
  test("creates an account with the role of its groups, and leads to the page that was asked for", async () => {
    provider.signInAs(ines);
    const { query, cookie, start } = await goToProvider("/cases/019aa000-0000-7000-8000-000000000000?x=1");
    const callback = await visit(`${server.url}/oidc/callback${query}`, cookie);

    expect(start.setCookies).toEqual([
      expect.stringMatching(
        /^__Host-skedchange_sign_in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    expect(callback.status).toBe(303);
    expect(callback.location).toBe("/cases/019aa000-0000-7000-8000-000000000000?x=1");
    expect(callback.setCookies).toEqual([
      "__Host-skedchange_sign_in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
      expect.stringMatching(
        /^__Host-skedchange_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      ),
      expect.stringMatching(
        /^__Host-skedchange_browser=[\w-]{22}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    expect(await whoIs(`${sessionName}=${callback.cookies.get(sessionName)}`)).toEqual({
      id: expect.any(String),
      username: "ines",
      displayName: "Inês Prata",
      role: "agent",
      sources: null,
      passwordChangeNeeded: false,
      hasSecondFactor: false,
      secondFactorNeeded: false,
      issuer: provider.issuer,
    });
    expect(await auditKinds()).toEqual([
      ["user.added", "system", "agent", null],
      ["session.started", "person:ines", null, null],
    ]);
    expect(server.log.map(({ message }) => message)).toEqual(["people.user_added", "people.signed_in"]);
  });

  test("finds no account by a subject that another provider gave", async () => {
    await signIn(ines);
    await sql`update skedchange.users set issuer = 'https://other.example', username = 'other'`.execute(
      server.database.ownerDatabase.connection,
    );

    expect(await whoIs((await signIn(ines)).session)).toMatchObject({ username: "ines", issuer: provider.issuer });
    expect((await server.people.listUsers()).map(({ username }) => username).toSorted()).toEqual(["ines", "other"]);
  });

  test("takes role and name from the provider at each sign-in, and keeps the user name", async () => {
    const first = await whoIs((await signIn(ines)).session);

    const promoted = {
      ...ines,
      preferred_username: "ines.prata",
      name: "Inês P.",
      groups: ["everybody", "leads", "desk"],
    };
    const second = await whoIs((await signIn(promoted)).session);

    expect(second).toMatchObject({ id: first?.id, username: "ines", displayName: "Inês P.", role: "supervisor" });
    expect(await auditKinds()).toContainEqual(["user.changed", "system", "supervisor", "role"]);
    expect(server.log).toContainEqual({
      message: "people.role_from_provider",
      fields: { userId: first?.id, roleBefore: "agent", role: "supervisor" },
    });
  });

  test("can begin at one process and end at another one", async () => {
    const { status, session } = await signIn(ines, otherServer.url);

    expect(status).toBe(303);
    expect(await whoIs(session)).toMatchObject({ username: "ines" });
  });

  test("gives the client secret in the way that the provider takes it", async () => {
    for (const place of ["form", "header"] as const) {
      provider.takeSecretIn(place);
      // What the provider said about itself an hour ago no longer counts.
      server.wait(60 * minute);
      expect(await signIn(ines)).toMatchObject({ status: 303 });
    }
  });

  test("asks userinfo for groups that the ID token does not have", async () => {
    provider.serveUserInfo({ groups: "leads" });

    expect(await whoIs((await signIn({ sub: "thin", email: "Thin@Example.com" })).session)).toMatchObject({
      username: "thin@example.com",
      role: "supervisor",
    });
  });

  test("refuses people whose groups have no role, and ends the sessions that they had", async () => {
    const { session } = await signIn(ines);

    const refused = await signIn({ ...ines, groups: ["Desk", "IT Admins of Porto"] });

    expect(refused).toMatchObject({ status: 403, session: null });
    expect(refused.page).toContain("You have no access to Skedchange");
    expect(refused.page).toContain("people.no_role");
    expect(await whoIs(session)).toBeNull();
    expect(await signIn({ sub: "stranger-1", preferred_username: "stranger" })).toMatchObject({ status: 403 });
    expect(await server.people.listUsers()).toHaveLength(1);
  });

  test("refuses somebody whom an admin has disabled, until an admin enables them", async () => {
    const user = await whoIs((await signIn(ines)).session);
    await server.people.editUser(user!.id!, { disabled: true });

    const refused = await signIn({ ...ines, groups: ["leads"] });

    expect(refused).toMatchObject({ status: 403, session: null });
    expect(refused.page).toContain("Your account is disabled");
    expect(await server.people.findUser(user!.id!)).toMatchObject({ disabled: true, role: "agent" });
    await server.people.editUser(user!.id!, { disabled: false });
    expect(await signIn(ines)).toMatchObject({ status: 303 });
  });

  test("creates one account for somebody who signs in several times at once", async () => {
    const outcomes = await Promise.all([signIn(ines), signIn(ines), signIn(ines)]);

    expect(outcomes.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await server.people.listUsers()).toHaveLength(1);
  });

  test("does not write names, groups or tokens to the log when it refuses", async () => {
    await signIn({ ...ines, groups: [] });

    expect(server.log).toEqual([
      {
        message: "people.provider_sign_in_refused",
        fields: { userId: null, address: "127.0.0.1", issuer: provider.issuer, subject: "ines-1", reason: "no-role" },
      },
    ]);
  });
});

describe("the sources of an account of an identity provider", () => {
  const admin = { ...ines, sub: "root-1", preferred_username: "root", groups: ["bosses"] };

  test("are all while nobody is limited, and none in a new account once somebody is", async () => {
    const first = await whoIs((await signIn(ines)).session);
    await server.people.editUser(first!.id!, { sources: ["north"] });

    const second = await whoIs((await signIn({ ...ines, sub: "rui-1", preferred_username: "rui" })).session);
    const again = await whoIs((await signIn(ines)).session);

    expect(first).toMatchObject({ sources: null });
    expect(second).toMatchObject({ username: "rui", sources: [] });
    expect(again).toMatchObject({ sources: ["north"] });
  });

  test("are given by an admin to a new account that has none, and stay with its next sign-ins", async () => {
    await signIn(ines);
    const [limited] = await server.people.listUsers();
    await server.people.editUser(limited!.id, { sources: ["north"] });
    const rui = { ...ines, sub: "rui-1", preferred_username: "rui" };
    const { id } = (await whoIs((await signIn(rui)).session))!;

    await server.people.editUser(id!, { sources: ["south"] });

    expect(await whoIs((await signIn(rui)).session)).toMatchObject({ sources: ["south"] });
  });

  test("are those of its groups at each sign-in, if groups give sources", async () => {
    const inGroups = async (...groups: readonly string[]) =>
      await whoIs((await signIn({ ...ines, groups: ["desk", ...groups] }, mappingServer.url)).session);

    const first = await inGroups("north desk");
    const second = await inGroups("north desk", "all desks");
    const third = await inGroups("north desk");

    expect([first, second, third].map((user) => user?.sources)).toEqual([["north"], null, ["north"]]);
    expect(await auditKinds()).toContainEqual(["user.changed", "system", "agent", "sources"]);
    expect(server.log).toContainEqual({
      message: "people.sources_from_provider",
      fields: { userId: first?.id, sourcesBefore: ["north"], sources: null },
    });
  });

  test("without any, refuse who is no admin and end the sessions that they had, if groups give sources", async () => {
    const { session } = await signIn(ines);

    const refused = await signIn(ines, mappingServer.url);

    expect(refused).toMatchObject({ status: 403, session: null });
    expect(refused.page).toContain("people.no_source");
    expect(await whoIs(session)).toBeNull();
    expect(server.log).toContainEqual({
      message: "people.provider_sign_in_refused",
      fields: expect.objectContaining({ reason: "no-source" }),
    });
    expect(await whoIs((await signIn(admin, mappingServer.url)).session)).toMatchObject({
      role: "admin",
      sources: null,
    });
  });

  test("cannot be changed here, if groups give them", async () => {
    const groups = ["desk", "north desk"];
    const { id } = (await whoIs((await signIn({ ...ines, groups }, mappingServer.url)).session))!;

    const response = await mappingServer.request(`/api/v1/users/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sources: ["south"] }),
    });

    expect(problemSchema.parse(await response.json())).toMatchObject({
      status: 409,
      code: "people.provider_account",
    });
    expect(await server.people.findUser(id!)).toMatchObject({ sources: ["north"] });
  });
});

describe("a user name that another account has", () => {
  const link = (id: string, subject: string) =>
    server.send("PATCH", `/users/${id}`, { token: apiToken, body: { subject } });

  test("is refused with what an admin can do, and never linked by the name", async () => {
    await server.signedIn("ines", "admin");

    const refused = await signIn(ines);

    expect(refused).toMatchObject({ status: 409, session: null });
    expect(refused.page).toContain("<pre>npx skedchange users link ines &#39;ines-1&#39;</pre>");
    expect(await server.people.listUsers()).toMatchObject([{ issuer: null, role: "admin" }]);
  });

  test("belongs to the provider's account once an admin has linked it, and its password is gone", async () => {
    const { id, cookie } = await server.signedIn("ines", "admin");

    const linked = userResponse.parse((await link(id, "ines-1")).body).user;

    expect(linked).toMatchObject({ username: "ines", issuer: provider.issuer, subject: "ines-1" });
    expect(await whoIs(cookie)).toBeNull();
    const withPassword = await server.send("POST", "/session", { body: { username: "ines", password: goodPassword } });
    expect(withPassword.status).toBe(401);
    expect(await whoIs((await signIn(ines)).session)).toMatchObject({ id, role: "agent" });
    expect(await auditKinds()).toContainEqual(["user.changed", "person:api", "admin", "issuer,password_hash,subject"]);
  });

  test("cannot be linked to a subject that has an account, nor by an admin to their own account", async () => {
    const admin = await server.signedIn("root", "admin");
    await signIn(ines);

    const taken = problemSchema.parse((await link(admin.id, "ines-1")).body);
    const own = await server.send("PATCH", `/users/${admin.id}`, {
      cookie: admin.cookie,
      origin: publicUrl,
      body: { subject: "mine" },
    });

    expect(taken).toMatchObject({ status: 409, code: "people.identity_taken" });
    expect(own.body).toMatchObject({ status: 409, code: "people.own_account" });
  });
});

describe("an account of an identity provider", () => {
  test("has no password: it signs in with none and can neither change nor be given one", async () => {
    const { session } = await signIn(ines);
    const user = await whoIs(session);

    const own = await server.send("POST", "/session/password", {
      cookie: session!,
      origin: publicUrl,
      body: { currentPassword: "", newPassword: goodPassword },
    });
    const edits = await Promise.all(
      [{ password: goodPassword }, { role: "admin" }, { displayName: "Somebody" }].map((body) =>
        server.send("PATCH", `/users/${user!.id}`, { token: apiToken, body }),
      ),
    );
    const signedIn = await server.send("POST", "/session", { body: { username: "ines", password: "" } });

    expect(own.body).toMatchObject({ status: 409, code: "people.provider_account" });
    for (const { body } of edits) expect(body).toMatchObject({ status: 409, code: "people.provider_account" });
    expect(signedIn.status).toBe(401);
    expect(await server.people.findUser(user!.id!)).toMatchObject({ role: "agent", displayName: "Inês Prata" });
  });

  test("can use its tokens for 30 days after its last sign-in, and not after it was refused", async () => {
    const { session } = await signIn(ines);
    const created = await server.send("POST", "/tokens", {
      cookie: session!,
      origin: publicUrl,
      body: { name: "Report", expiresInDays: 365 },
    });
    const { token } = created.body as { readonly token: string };
    const statusOfToken = async () => (await server.send("GET", "/session", { token })).status;

    server.wait(30 * day - minute);
    expect(await statusOfToken()).toBe(200);
    server.wait(2 * minute);
    expect(await statusOfToken()).toBe(401);
    await signIn(ines);
    expect(await statusOfToken()).toBe(200);
    await signIn({ ...ines, groups: [] });
    expect(await statusOfToken()).toBe(401);
  });
});

describe("what comes back from the provider", () => {
  async function expectRefused(change: () => void, code: string, status: number): Promise<void> {
    provider.signInAs(ines);
    change();
    const { query, cookie } = await goToProvider();
    const refused = await visit(`${server.url}/oidc/callback${query}`, cookie);
    expect(refused.status).toBe(status);
    expect(refused.page).toContain(code);
    expect(refused.cookies.get(sessionName)).toBeUndefined();
    expect(failureOf()).toMatchObject({ code, address: "127.0.0.1" });
    expect(JSON.stringify(server.log)).not.toMatch(/eyJ|code=|ines/);
    expect(await server.people.listUsers()).toEqual([]);
  }

  test.each([
    ["another nonce", { nonce: "another" }],
    ["no nonce", { nonce: undefined }],
    ["another issuer", { iss: "https://other.example" }],
    ["another audience", { aud: "other-client" }],
    ["an expired token", { exp: Math.floor(Date.now() / 1_000) - 120 }],
    ["no subject", { sub: undefined }],
    ["a subject of several lines", { sub: "ines-1\n$(reboot)" }],
  ])("is refused with %s", async (_name, wrong) => {
    await expectRefused(
      () => provider.changeIdToken((claims) => JSON.parse(JSON.stringify({ ...claims, ...wrong }))),
      "people.provider_response_invalid",
      502,
    );
  });

  test("is refused if the ID token is signed with a key that the provider has not published", async () => {
    await expectRefused(() => provider.signWith("other"), "people.provider_response_invalid", 502);
  });

  test.each(["another state", "no state"])("is refused with %s, without asking the provider", async (name) => {
    provider.signInAs(ines);
    const { query, cookie } = await goToProvider();
    const changed = new URLSearchParams(query);
    if (name === "no state") changed.delete("state");
    else changed.set("state", "another");
    const asked = provider.count("/token");

    const refused = await visit(`${server.url}/oidc/callback?${changed}`, cookie);

    expect(refused).toMatchObject({ status: 400 });
    expect(refused.page).toContain("people.sign_in_expired");
    expect(provider.count("/token")).toBe(asked);
  });

  test("is refused in another browser, with a forged cookie, and after ten minutes", async () => {
    provider.signInAs(ines);
    const { query, cookie } = await goToProvider();
    const callback = `${server.url}/oidc/callback${query}`;

    expect((await visit(callback)).status).toBe(400);
    expect((await visit(callback, `${cookie.slice(0, -4)}AAAA`)).status).toBe(400);
    expect((await visit(callback, `${pendingName}=made-up`)).status).toBe(400);
    server.wait(10 * minute);
    expect((await visit(callback, cookie)).status).toBe(400);
    expect(await server.people.listUsers()).toEqual([]);
  });

  test("can be used once", async () => {
    provider.signInAs(ines);
    const { query, cookie } = await goToProvider();
    expect((await visit(`${server.url}/oidc/callback${query}`, cookie)).status).toBe(303);

    const again = await visit(`${server.url}/oidc/callback${query}`, cookie);

    expect(again).toMatchObject({ status: 502 });
    expect(failureOf()).toMatchObject({ reason: expect.stringContaining("invalid_grant") });
  });

  test("is a page that says so if the provider has denied the sign-in", async () => {
    provider.signInAs(ines);
    const { query, cookie } = await goToProvider();
    const state = new URLSearchParams(query).get("state") ?? "";
    const denied = new URLSearchParams({ error: "access_denied", error_description: "<b>no</b>", state });

    const page = await visit(`${server.url}/oidc/callback?${denied}`, cookie);

    expect(page).toMatchObject({ status: 403 });
    expect(page.page).toContain("The identity provider did not let you in");
    expect(page.page).not.toContain("<b>");
    expect(failureOf()).toMatchObject({ code: "people.provider_denied" });
  });

  test("is a page that says so if the provider is down, and passwords go on working", async () => {
    provider.signInAs(ines);
    const { query, cookie } = await goToProvider();
    provider.setAvailable(false);

    const page = await visit(`${server.url}/oidc/callback${query}`, cookie);

    expect(page).toMatchObject({ status: 503 });
    expect(page.page).toContain("The identity provider cannot be reached");
    expect(failureOf()).toMatchObject({ code: "people.provider_unavailable" });
    expect(await whoIs((await server.signedIn("breakglass", "admin")).cookie)).toMatchObject({ role: "admin" });
    server.wait(2 * 60 * minute);
    expect((await visit(`${server.url}/oidc/sign-in`)).status).toBe(503);
    provider.setAvailable(true);
    expect((await visit(`${server.url}/oidc/sign-in`)).status).toBe(303);
  });

  test("cannot be begun by another page, so that its images use up no sign-ins", async () => {
    for (let count = 0; count < 60; count += 1) {
      const image = await fetch(`${server.url}/oidc/sign-in`, { headers: { "Sec-Fetch-Dest": "image" } });
      expect(image.status).toBe(403);
    }

    expect(await visit(`${server.url}/oidc/sign-in`)).toMatchObject({ status: 303 });
  });

  test("is taken however many others come from the same address, and other methods are refused", async () => {
    for (let count = 0; count < 70; count += 1) await visit(`${server.url}/oidc/callback?state=${count}`);
    provider.signInAs(ines);
    const { query, cookie } = await goToProvider();

    expect(await visit(`${server.url}/oidc/callback${query}`, cookie)).toMatchObject({ status: 303 });
    expect((await fetch(`${server.url}/oidc/callback`, { method: "HEAD" })).status).toBe(405);
    expect((await fetch(`${server.url}/oidc/sign-in`, { method: "POST" })).status).toBe(405);
  });
});
