import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import {
  sessionList,
  sessionResponse,
  sessionsEnded,
  signedInResponse,
  tokenAdded,
  tokenList,
  userAdded,
  userList,
  userResponse,
} from "../../../src/dashboard/api/people-responses.ts";
import { prepareDemoPeople } from "../../../src/dashboard/people/demo-people.ts";
import { newFactorSecret } from "../../../src/dashboard/people/factor-codes.ts";
import { createPeople } from "../../../src/dashboard/people/people.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createPeopleStore } from "../../../src/store/people.ts";
import { createSecondFactorStore } from "../../../src/store/second-factors.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { someCaseId } from "../../builders/case-response.ts";
import { eventually } from "../../harness/eventually.ts";
import { apiToken } from "./dashboard-server.ts";
import { cookieOf, cookiesOf, goodPassword, type PeopleServer, startPeopleServer } from "./people-server.ts";

const unknownId = "019aa000-0000-7000-8000-000000000000";
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

let server: PeopleServer;

beforeAll(async () => {
  server = await startPeopleServer();
});
afterAll(() => server.close());
afterEach(() => server.forgetAll());

const signIn = (username: string, password = goodPassword) =>
  server.send("POST", "/session", { body: { username, password } });

async function problemOf(response: Promise<{ status: number; body: never }>) {
  const { status, body } = await response;
  return { ...problemSchema.parse(body), status };
}

describe("signing in", () => {
  test("returns who it is and sets a cookie that scripts cannot read and other sites cannot send", async () => {
    const { id } = await server.signedIn("mlopez", "agent");

    const response = await signIn(" MLopez ");

    expect(response.status).toBe(200);
    expect(signedInResponse.parse(response.body)).toEqual({
      user: {
        id,
        username: "mlopez",
        displayName: "mlopez",
        role: "agent",
        sources: null,
        passwordChangeNeeded: false,
        hasSecondFactor: false,
        secondFactorNeeded: false,
        issuer: null,
      },
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^skedchange_session=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^skedchange_browser=[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  test("identifies the user by the cookie afterwards", async () => {
    const { id, cookie } = await server.signedIn("mlopez", "agent");

    const { status, body } = await server.send("GET", "/session", { cookie });

    expect(status).toBe(200);
    expect(sessionResponse.parse(body)).toEqual({
      user: {
        id,
        username: "mlopez",
        displayName: "mlopez",
        role: "agent",
        sources: null,
        passwordChangeNeeded: false,
        hasSecondFactor: false,
        secondFactorNeeded: false,
        issuer: null,
      },
      demo: false,
    });
  });

  test("stores neither the password nor the token of the session", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");

    const { rows } = await sql<{ all: string }>`
      select (select jsonb_agg(u)::text from skedchange.users u) || (select jsonb_agg(s)::text from skedchange.sessions s)
        as all`.execute(server.database.ownerDatabase.connection);
    for (const secret of [goodPassword, cookie.split("=")[1]!]) {
      const bytes = Buffer.from(secret);
      // Without the last group of base64, which depends on what follows.
      const base64 = bytes.subarray(0, 12).toString("base64");
      for (const written of [secret, bytes.toString("hex"), base64]) expect(rows[0]!.all).not.toContain(written);
    }
  });

  test("fails in the same words for a wrong password, an unknown and a disabled user", async () => {
    await server.signedIn("mlopez", "agent");
    const { id } = await server.signedIn("gone", "agent");
    await server.people.editUser(id, { disabled: true });

    const responses = [await signIn("mlopez", "wrong password"), await signIn("nobody"), await signIn("gone")];

    for (const { status, headers, body } of responses) {
      expect(status).toBe(401);
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get("www-authenticate")).toBe('Bearer realm="skedchange"');
      expect(body).toEqual({
        type: "urn:skedchange:problem:people.sign_in_failed",
        title: "Signing in failed",
        status: 401,
        code: "people.sign_in_failed",
        detail: "The user name or the password is wrong, or the user is disabled.",
      });
    }
  });

  test.each([["nul\0name"], [""], ["x".repeat(500)], ["' or 1=1 --"], ["api"]])(
    "with the name %j fails like any other",
    async (username) => {
      expect(await problemOf(signIn(username))).toMatchObject({ status: 401, code: "people.sign_in_failed" });
    },
  );

  test("costs as much for somebody unknown as for a wrong password", async () => {
    const slow = await startPeopleServer({ realHashes: true });
    try {
      await slow.signedIn("mlopez", "agent");
      // Processor time, which other programs on the machine do not change as they change the time on the wall.
      const costOf = async (username: string): Promise<number> => {
        const before = process.cpuUsage();
        await slow.send("POST", "/session", { body: { username, password: "wrong password" } });
        return process.cpuUsage(before).user;
      };

      const wrong = Math.min(await costOf("mlopez"), await costOf("mlopez"), await costOf("mlopez"));
      const unknown = Math.min(await costOf("nobody"), await costOf("nobody"), await costOf("nobody"));

      // Without the decoy hash it is under a tenth.
      expect(unknown / wrong).toBeGreaterThan(0.25);
      expect(unknown / wrong).toBeLessThan(4);
    } finally {
      await slow.close();
    }
  });

  test.each([
    [{}, "/username: must be a text; /password: must be a text"],
    [{ username: "mlopez", password: 7 }, "/password: must be a text"],
    [
      { username: "mlopez", password: "p", remember: true },
      "/remember: is unknown; allowed are username, password, code",
    ],
  ])("with the body %j is refused", async (body, detail) => {
    expect(await problemOf(server.send("POST", "/session", { body }))).toMatchObject({ status: 422, detail });
  });

  test("needs JSON, which a form of another site cannot send", async () => {
    const response = await fetch(`${server.url}/api/v1/session`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `username=mlopez&password=${goodPassword}`,
    });

    expect(response.status).toBe(415);
  });

  test("from a page of another site is refused", async () => {
    await server.signedIn("mlopez", "agent");

    const response = server.send("POST", "/session", {
      origin: "https://evil.test",
      body: { username: "mlopez", password: goodPassword },
    });

    expect(await problemOf(response)).toMatchObject({ status: 403, code: "people.bad_origin" });
  });

  test("again ends the session that the browser had", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");

    const again = await server.send("POST", "/session", {
      cookie,
      body: { username: "mlopez", password: goodPassword },
    });

    expect((await server.send("GET", "/session", { cookie })).status).toBe(401);
    expect((await server.send("GET", "/session", { cookie: cookieOf(again) })).status).toBe(200);
  });

  test("names users in log lines by their ids only", async () => {
    const { id } = await server.signedIn("mlopez", "agent");
    await signIn("mlopez", "wrong password");
    await signIn("nobody");

    const lines = JSON.stringify(server.log);
    const address = "127.0.0.1";
    expect(server.log).toContainEqual({ message: "people.signed_in", fields: { userId: id, address } });
    expect(server.log).toContainEqual({ message: "people.sign_in_failed", fields: { userId: id, address } });
    expect(server.log).toContainEqual({ message: "people.sign_in_failed", fields: { userId: null, address } });
    expect(lines).not.toMatch(/mlopez|nobody|password"/);
  });
});

describe("failed sign-ins", () => {
  test("lock the user name at that network after the fifth, also for the right password, with Retry-After", async () => {
    await server.signedIn("mlopez", "agent");
    for (let failure = 1; failure <= 5; failure += 1) {
      expect((await signIn("mlopez", "wrong password")).status).toBe(401);
    }

    const locked = await signIn("mlopez");

    expect(locked.headers.get("retry-after")).toBe("60");
    expect(problemSchema.parse(locked.body)).toMatchObject({
      status: 429,
      code: "people.sign_in_locked",
      detail: "Too many failed attempts with this user name or from this address. Try again in 60 s.",
    });
    server.wait(minute - 1);
    expect((await signIn("mlopez")).status).toBe(429);
    server.wait(1);
    expect((await signIn("mlopez")).status).toBe(200);
  });

  test("lock a name that nobody has in the same way", async () => {
    for (let failure = 1; failure <= 5; failure += 1) expect((await signIn("nobody")).status).toBe(401);

    expect((await signIn("nobody")).status).toBe(429);
  });

  test("at the same moment are all counted", async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => signIn("nobody")));

    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test("are forgotten by a success", async () => {
    await server.signedIn("mlopez", "agent");
    for (let failure = 1; failure <= 4; failure += 1) await signIn("mlopez", "wrong password");
    expect((await signIn("mlopez")).status).toBe(200);

    for (let failure = 1; failure <= 4; failure += 1) {
      expect((await signIn("mlopez", "wrong password")).status).toBe(401);
    }
    expect((await signIn("mlopez")).status).toBe(200);
  });

  test("of many names lock the address, but not for who has signed in there", async () => {
    await server.signedIn("mlopez", "agent");
    const statuses: number[] = [];
    for (let guess = 1; guess <= 21; guess += 1) {
      statuses.push((await signIn(`guess-${guess}`)).status);
      if (guess === 10) expect((await signIn("mlopez")).status).toBe(200);
    }

    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(statuses[20]).toBe(429);
    expect((await signIn("mlopez")).status).toBe(200);
  });

  test("while locked leave nothing behind, whatever names are invented", async () => {
    for (let failure = 1; failure <= 20; failure += 1) await signIn(`guess-${failure}`);
    const countRows = async (): Promise<number> => {
      const { rows } = await sql`select from skedchange.sign_in_failures`.execute(
        server.database.ownerDatabase.connection,
      );
      return rows.length;
    };
    expect(await countRows()).toBe(41);

    expect((await signIn("made-up")).status).toBe(429);

    expect(await countRows()).toBe(41);
  });

  test("count together in all processes", async () => {
    const otherProcess = createPeople({
      store: createPeopleStore(server.database.database),
      clock: server,
      logger: silentLogger,
    });
    for (let failure = 1; failure <= 5; failure += 1) expect((await signIn("nobody")).status).toBe(401);

    const outcome = await otherProcess.signIn({
      username: "nobody",
      password: goodPassword,
      address: "127.0.0.1",
      browser: null,
      sessionToken: null,
      browserToken: null,
    });

    expect(outcome).toEqual({ outcome: "locked", retryAfterSeconds: 60 });
  });

  test("from elsewhere do not keep an owner from signing in where they did before", async () => {
    await server.signedIn("mlopez", "agent");
    const people = createPeople({
      store: createPeopleStore(server.database.database),
      clock: server,
      logger: silentLogger,
    });
    const attempt = async (address: string, password: string) =>
      (
        await people.signIn({
          username: "mlopez",
          password,
          address,
          browser: null,
          sessionToken: null,
          browserToken: null,
        })
      ).outcome;
    for (let network = 1; network <= 20; network += 1) {
      for (let guess = 1; guess <= 5; guess += 1) await attempt(`192.0.2.${network}`, "wrong password");
    }

    expect(await attempt("198.51.100.9", goodPassword)).toBe("locked");
    expect(await attempt("127.0.0.1", goodPassword)).toBe("signed-in");
  });
});

describe("where strangers and people have one address", () => {
  /** A hundred wrong passwords; the statuses that came back. */
  async function guess(nameOf: (guess: number) => string): Promise<Set<number>> {
    const guesses = Array.from({ length: 100 }, (_, index) => signIn(nameOf(index), `wrong password ${index}`));
    return new Set((await Promise.all(guesses)).map(({ status }) => status));
  }

  test("somebody signs in in a browser that is known, while strangers guess for the same name", async () => {
    await server.signedIn("mlopez", "agent");
    const browser = cookiesOf(await signIn("mlopez")).replace(/^skedchange_session=[^;]*; /, "");
    expect(browser).toMatch(/^skedchange_browser=/);
    expect(await guess(() => "mlopez")).toEqual(new Set([401, 429]));

    expect((await signIn("mlopez")).status).toBe(429);
    const body = { username: "mlopez", password: goodPassword };
    const again = await server.send("POST", "/session", { body, cookie: browser });
    expect(again.status).toBe(200);
    expect(cookiesOf(again)).toContain(browser);
  });

  test("somebody signs in in another browser, also for the first time, while strangers guess for other names", async () => {
    const added = await server.people.addUser({ username: "new", role: "agent" });
    const { generatedPassword } = added as { generatedPassword: string };
    expect(await guess((index) => `guess-${index}`)).toEqual(new Set([401, 429]));

    expect((await signIn("new", "wrong password")).status).toBe(429);
    expect((await signIn("new", generatedPassword)).status).toBe(200);
  });

  test("a guess counts for its name also when its network has used up what it may try", async () => {
    await server.signedIn("mlopez", "agent");
    expect(await guess((index) => `guess-${index}`)).toEqual(new Set([401, 429]));
    for (let index = 0; index < 5; index += 1) expect((await signIn("mlopez", "wrong password")).status).toBe(429);

    await eventually(async () => expect((await signIn("mlopez")).status).toBe(429));
  });
});

describe("what recognises a password", () => {
  const proofOf = async (username: string): Promise<Buffer | null> => {
    const { rows } = await sql<{ proof: Buffer | null }>`
      select password_proof as proof from skedchange.users where username = ${username}`.execute(
      server.database.ownerDatabase.connection,
    );
    return rows[0]!.proof;
  };

  test("goes with the hash, also when a program changes it that does not know of it", async () => {
    const { id } = await server.signedIn("mlopez", "agent");
    const proof = await proofOf("mlopez");
    expect(proof?.byteLength).toBe(32);

    await server.people.editUser(id, { password: "another good password" });
    const afterChange = await proofOf("mlopez");
    expect(afterChange).not.toBeNull();
    expect(afterChange).not.toEqual(proof);

    await sql`update skedchange.users set password_hash = 'scrypt$other' where id = ${id}`.execute(
      server.database.database.connection,
    );
    expect(await proofOf("mlopez")).toBeNull();
  });

  test("is made at the next sign-in where there is none yet, as after an upgrade", async () => {
    const { id } = await server.signedIn("mlopez", "agent");
    await sql`update skedchange.users set password_proof = null where id = ${id}`.execute(
      server.database.database.connection,
    );

    expect((await signIn("mlopez")).status).toBe(200);

    expect((await proofOf("mlopez"))?.byteLength).toBe(32);
  });
});

describe("wrong credentials", () => {
  test("are refused after 60 in a minute, and right ones of the same address are not", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    const guesses = Array.from({ length: 60 }, (_, guess) =>
      server.send("GET", "/session", { token: `sked_guess-${guess}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));

    const refused = await server.send("GET", "/session", { token: "sked_guess-61" });

    expect(problemSchema.parse(refused.body)).toMatchObject({ status: 429, code: "api.too_many_attempts" });
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    const { cookie: another } = await server.signedIn("asilva", "agent");
    expect((await server.send("GET", "/session", { cookie: another })).status).toBe(200);
    expect(server.log).toContainEqual({
      message: "request.refused",
      fields: {
        address: "127.0.0.1",
        userId: null,
        method: "GET",
        path: "/api/v1/session",
        status: 429,
        code: "api.too_many_attempts",
      },
    });
  });
});

describe("a session", () => {
  test("ends after two hours without use, and not before", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    server.wait(2 * hour - 1);
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);

    server.wait(2 * hour - 1);
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    server.wait(2 * hour);
    const ended = await server.send("GET", "/session", { cookie });

    expect(problemSchema.parse(ended.body)).toMatchObject({ status: 401, code: "people.session_ended" });
    expect(ended.headers.getSetCookie()).toEqual(["skedchange_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict"]);
  });

  test("ends after twelve hours however much it is used", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    for (let hours = 1; hours <= 11; hours += 1) {
      server.wait(hour);
      expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    }

    server.wait(hour);

    expect((await server.send("GET", "/session", { cookie })).status).toBe(401);
  });

  test("ends by signing out", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");

    const out = await server.send("DELETE", "/session", { cookie });

    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toMatch(/^skedchange_session=; Max-Age=0;/);
    expect((await server.send("GET", "/session", { cookie })).status).toBe(401);
  });

  test.each([
    ["disabling the user", { disabled: true }],
    ["another password", { password: "another good password" }],
  ])("ends by %s, in every browser", async (_title, change) => {
    const { id, cookie } = await server.signedIn("mlopez", "agent");
    const elsewhere = cookieOf(await signIn("mlopez"));

    await server.people.editUser(id, change);

    expect((await server.send("GET", "/session", { cookie })).status).toBe(401);
    expect((await server.send("GET", "/session", { cookie: elsewhere })).status).toBe(401);
  });

  test("has another role as soon as its user has", async () => {
    const { id, cookie } = await server.signedIn("mlopez", "supervisor");

    await server.people.editUser(id, { role: "viewer" });

    const response = server.send("POST", `/cases/${someCaseId}/actions`, { cookie, body: { action: "cancel" } });
    expect(await problemOf(response)).toMatchObject({ code: "people.role_too_low", neededRole: "supervisor" });
  });

  test("is one of at most twenty; the oldest ends", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    for (let further = 1; further <= 19; further += 1) {
      server.wait(1);
      await signIn("mlopez");
    }
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);

    await signIn("mlopez");

    expect((await server.send("GET", "/session", { cookie })).status).toBe(401);
  });

  test.each([["skedchange_session=nonsense"], [`skedchange_session=${"A".repeat(43)}`]])(
    "that never was, %s, is refused",
    async (cookie) => {
      expect(await problemOf(server.send("GET", "/cases", { cookie }))).toMatchObject({
        status: 401,
        code: "people.session_ended",
      });
    },
  );

  test.each([[null], ["https://evil.test"], ["null"], ["http://localhost:1"]])(
    "changes nothing for a request with the Origin %j",
    async (origin) => {
      const { cookie } = await server.signedIn("mlopez", "agent");
      const act = { cookie, origin, body: { action: "close" } };

      expect(await problemOf(server.send("POST", `/cases/${someCaseId}/actions`, act))).toMatchObject({
        status: 403,
        code: "people.bad_origin",
      });
      expect(await problemOf(server.send("DELETE", "/session", { cookie, origin }))).toMatchObject({ status: 403 });
      expect((await server.send("GET", "/session", { cookie, origin })).status).toBe(200);
      expect(server.actions).toEqual([]);
    },
  );

  test("acts in the name of its user", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");

    const response = await server.send("POST", `/cases/${someCaseId}/actions`, { cookie, body: { action: "close" } });

    expect(response.status).toBe(202);
    expect(server.actions).toMatchObject([{ action: "close", actor: "person:mlopez" }]);
  });
});

describe("one's own sessions", () => {
  const list = async (cookie: string) =>
    sessionList.parse((await server.send("GET", "/sessions", { cookie })).body).items;

  test("are listed with when, from where and with what they were started, and which one is asking", async () => {
    const { cookie } = await server.signedIn("mlopez", "viewer");
    await server.signedIn("ann", "viewer");
    server.wait(5 * minute);
    const elsewhere = await fetch(`${server.url}/api/v1/session`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
      },
      body: JSON.stringify({ username: "mlopez", password: goodPassword }),
    });
    expect(elsewhere.status).toBe(200);
    server.wait(minute + 1);

    const [current, other, ...more] = await list(cookie);

    expect(more).toEqual([]);
    expect(current).toMatchObject({ current: true, browser: null, lastUsedAt: server.now().toISOString() });
    const startedAt = new Date(server.now().getTime() - (minute + 1) * 1_000);
    expect(other).toEqual({
      id: expect.any(String),
      startedAt: startedAt.toISOString(),
      lastUsedAt: startedAt.toISOString(),
      endsAt: new Date(startedAt.getTime() + 12 * hour * 1_000).toISOString(),
      address: "127.0.0.1",
      browser: "Firefox on Windows",
      current: false,
    });
  });

  test("that have ended by themselves are not listed", async () => {
    await server.signedIn("mlopez", "viewer");
    server.wait(2 * hour - 1);
    const cookie = cookieOf(await signIn("mlopez"));
    expect(await list(cookie)).toHaveLength(2);

    server.wait(1);

    expect(await list(cookie)).toHaveLength(1);
  });

  test("are ended one by one, and nobody ends those of others by their ids", async () => {
    const { cookie } = await server.signedIn("mlopez", "viewer");
    const elsewhere = cookieOf(await signIn("mlopez"));
    const boss = await server.signedIn("boss", "admin");
    const other = (await list(cookie)).find(({ current }) => !current)!;

    expect(await problemOf(server.send("DELETE", `/sessions/${other.id}`, { cookie: boss.cookie }))).toMatchObject({
      status: 404,
      code: "people.session_not_found",
    });
    expect((await server.send("DELETE", `/sessions/${other.id}`, { cookie })).status).toBe(204);

    expect((await server.send("GET", "/session", { cookie: elsewhere })).status).toBe(401);
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    expect((await server.send("DELETE", `/sessions/${other.id}`, { cookie })).status).toBe(404);
  });

  test("are ended all but the one that is asking", async () => {
    const { id, cookie } = await server.signedIn("mlopez", "viewer");
    const elsewhere = [cookieOf(await signIn("mlopez")), cookieOf(await signIn("mlopez"))];
    const ann = await server.signedIn("ann", "viewer");

    expect((await server.send("DELETE", "/sessions", { cookie })).body).toEqual({ ended: 2 });

    for (const ended of elsewhere) expect((await server.send("GET", "/session", { cookie: ended })).status).toBe(401);
    expect(await list(cookie)).toMatchObject([{ current: true }]);
    expect((await server.send("GET", "/session", { cookie: ann.cookie })).status).toBe(200);
    expect(server.log).toContainEqual({ message: "people.sessions_ended", fields: { userId: id, ended: 2, by: id } });
  });

  test("are neither seen nor ended by a token", async () => {
    const { cookie } = await server.signedIn("mlopez", "viewer");
    const { token } = tokenAdded.parse((await server.send("POST", "/tokens", { cookie, body: { name: "n" } })).body);
    const { id } = (await list(cookie))[0]!;

    for (const [method, path] of [
      ["GET", "/sessions"],
      ["DELETE", "/sessions"],
      ["DELETE", `/sessions/${id}`],
    ] as const) {
      expect(await problemOf(server.send(method, path, { token }))).toMatchObject({ code: "people.session_needed" });
    }
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
  });

  test("are all ended by an admin, which the audit records with who did it", async () => {
    const { id, cookie } = await server.signedIn("mlopez", "viewer");
    await signIn("mlopez");

    expect(
      sessionsEnded.parse((await server.send("DELETE", `/users/${id}/sessions`, { token: apiToken })).body),
    ).toEqual({ ended: 2 });

    expect((await server.send("GET", "/session", { cookie })).status).toBe(401);
    const { rows } = await sql<{ actor: string; user: string }>`
      select actor, refs ->> 'user_id' as user from skedchange.audit_entries where kind = 'session.ended'
      order by id desc limit 2`.execute(server.database.ownerDatabase.connection);
    expect(rows).toEqual([
      { actor: "person:api", user: id },
      { actor: "person:api", user: id },
    ]);
    expect(await problemOf(server.send("DELETE", `/users/${unknownId}/sessions`, { token: apiToken }))).toMatchObject({
      status: 404,
      code: "people.user_not_found",
    });
  });
});

describe("one's own password", () => {
  const newPassword = "a better passphrase";
  const change = (cookie: string, body: object = {}) =>
    server.send("POST", "/session/password", {
      cookie,
      body: { currentPassword: goodPassword, newPassword, ...body },
    });
  const statusOf = async (cookie: string) => (await server.send("GET", "/session", { cookie })).status;

  test("is changed by whoever knows the current one; the session goes on and all others end", async () => {
    const { id, cookie } = await server.signedIn("mlopez", "viewer");
    const elsewhere = cookieOf(await signIn("mlopez"));
    const other = await server.signedIn("ann", "viewer");

    expect((await change(cookie)).status).toBe(204);

    expect(await statusOf(cookie)).toBe(200);
    expect(await statusOf(elsewhere)).toBe(401);
    expect(await statusOf(other.cookie)).toBe(200);
    expect((await signIn("mlopez")).status).toBe(401);
    expect((await signIn("mlopez", newPassword)).status).toBe(200);
    expect(server.log).toContainEqual({
      message: "people.password_changed",
      fields: { userId: id, address: "127.0.0.1", revokeTokens: false },
    });
    const { rows } = await sql<{ actor: string; changed: string }>`
      select actor, refs ->> 'changed' as changed from skedchange.audit_entries where kind = 'user.changed'
      order by id desc limit 1`.execute(server.database.ownerDatabase.connection);
    expect(rows).toEqual([{ actor: "person:mlopez", changed: "password_hash" }]);
  });

  test.each([
    [{ currentPassword: "wrong password" }, "people.current_password_wrong", "/currentPassword"],
    [{ newPassword: "short" }, "people.password_refused", "/newPassword"],
    [{ newPassword: goodPassword }, "people.password_refused", "/newPassword"],
    [{ newPassword: `${goodPassword.toUpperCase()} ` }, "people.password_refused", "/newPassword"],
    [{ newPassword: "mlopez-mlopez" }, "people.password_refused", "/newPassword"],
    [{ newPassword: 7 }, "api.body_invalid", "/newPassword"],
  ])("asked for with %j stays as it is", async (body, code, path) => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    const elsewhere = cookieOf(await signIn("mlopez"));

    expect(await problemOf(change(cookie, body))).toMatchObject({ status: 422, code, problems: [{ path }] });
    expect(await statusOf(elsewhere)).toBe(200);
    expect((await signIn("mlopez")).status).toBe(200);
  });

  test("cannot be guessed: the fifth failure locks, as of signing in, and the lock counts for both", async () => {
    const { id, cookie } = await server.signedIn("mlopez", "agent");
    for (let failure = 1; failure <= 5; failure += 1) {
      expect((await change(cookie, { currentPassword: "wrong password" })).status).toBe(422);
    }

    const locked = await change(cookie);

    expect(problemSchema.parse(locked.body)).toMatchObject({ status: 429, code: "people.sign_in_locked" });
    expect(locked.headers.get("retry-after")).toBe("60");
    expect((await signIn("mlopez")).status).toBe(429);
    expect(server.log).toContainEqual({
      message: "people.password_change_failed",
      fields: { userId: id, address: "127.0.0.1" },
    });
    server.wait(minute);
    expect((await change(cookie)).status).toBe(204);
  });

  test("that is changed forgets the failures before", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    for (let failure = 1; failure <= 4; failure += 1) await change(cookie, { currentPassword: "wrong password" });
    expect((await change(cookie)).status).toBe(204);

    for (let failure = 1; failure <= 4; failure += 1) await signIn("mlopez", "wrong password");
    expect((await signIn("mlopez", newPassword)).status).toBe(200);
  });

  test("must be changed before anything else, if somebody else has set it", async () => {
    const { body: added } = await server.send("POST", "/users", {
      token: apiToken,
      body: { username: "mlopez", role: "agent" },
    });
    const { user, password } = userAdded.parse(added);
    expect(user.passwordChangeNeeded).toBe(true);
    const signedIn = await signIn("mlopez", password!);
    expect(signedInResponse.parse(signedIn.body).user.passwordChangeNeeded).toBe(true);
    const cookie = cookieOf(signedIn);

    expect(await problemOf(server.send("GET", "/cases", { cookie }))).toMatchObject({
      status: 403,
      code: "people.password_change_needed",
    });
    expect((await server.send("GET", "/session", { cookie })).body).toMatchObject({
      user: { passwordChangeNeeded: true },
    });
    expect((await change(cookie, { currentPassword: password })).status).toBe(204);

    expect((await server.send("GET", "/cases", { cookie })).status).toBe(200);
    expect((await server.send("GET", "/session", { cookie })).body).toMatchObject({
      user: { passwordChangeNeeded: false },
    });
  });

  test("must be changed again after an admin has set it; personal tokens go on", async () => {
    const { id, cookie: before } = await server.signedIn("mlopez", "agent");
    const made = await server.send("POST", "/tokens", { cookie: before, body: { name: "n" } });
    const { token } = tokenAdded.parse(made.body);
    await server.send("PATCH", `/users/${id}`, { token: apiToken, body: { password: "an initial passphrase" } });

    const cookie = cookieOf(await signIn("mlopez", "an initial passphrase"));

    expect((await server.send("GET", "/cases", { cookie })).status).toBe(403);
    expect((await server.send("GET", "/cases", { token })).status).toBe(200);
    expect((await server.send("DELETE", "/session", { cookie })).status).toBe(204);
  });

  test("is not set by an admin as that of somebody else, which would take no current one", async () => {
    const { id, cookie } = await server.signedIn("boss", "admin");

    expect(
      await problemOf(server.send("PATCH", `/users/${id}`, { cookie, body: { password: newPassword } })),
    ).toMatchObject({ status: 409, code: "people.own_account" });
    expect((await signIn("boss")).status).toBe(200);
  });

  test("is not changed by a token, nor from a page of another site", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    const { token } = tokenAdded.parse((await server.send("POST", "/tokens", { cookie, body: { name: "n" } })).body);
    const body = { currentPassword: goodPassword, newPassword };

    for (const given of [token, apiToken]) {
      expect(await problemOf(server.send("POST", "/session/password", { token: given, body }))).toMatchObject({
        status: 403,
        code: "people.session_needed",
      });
    }
    expect(
      await problemOf(server.send("POST", "/session/password", { cookie, origin: "https://evil.test", body })),
    ).toMatchObject({ status: 403, code: "people.bad_origin" });
  });
});

describe("behind PUBLIC_URL", () => {
  let behindProxy: PeopleServer;
  beforeAll(async () => {
    behindProxy = await startPeopleServer({ publicUrl: "https://changes.example.com", demo: true });
  });
  afterAll(() => behindProxy.close());

  test("the cookie is bound to the host, and only pages of that address change something", async () => {
    const { cookie } = await behindProxy.signedIn("mlopez", "agent");
    const act = { cookie, body: { action: "close" } };

    expect(cookie).toMatch(/^__Host-skedchange_session=/);
    const path = `/cases/${someCaseId}/actions`;
    expect(await problemOf(behindProxy.send("POST", path, act))).toMatchObject({ code: "people.bad_origin" });
    expect((await behindProxy.send("POST", path, { ...act, origin: "https://changes.example.com" })).status).toBe(202);
  });

  test("demo mode is shown before and after signing in", async () => {
    const { cookie } = await behindProxy.signedIn("ann", "viewer");

    expect((await behindProxy.send("GET", "/session")).body).toMatchObject({ status: 401, demo: true });
    expect((await behindProxy.send("GET", "/session", { cookie })).body).toMatchObject({ demo: true });
  });
});

describe("API_TOKEN", () => {
  test("acts as the admin person:api, without any Origin", async () => {
    const { status, body } = await server.send("GET", "/session", { token: apiToken });
    await server.send("POST", `/cases/${someCaseId}/actions`, { token: apiToken, body: { action: "cancel" } });

    expect(status).toBe(200);
    expect(sessionResponse.parse(body).user).toEqual({
      id: null,
      username: "api",
      displayName: "API token",
      role: "admin",
      sources: null,
      passwordChangeNeeded: false,
      hasSecondFactor: false,
      secondFactorNeeded: false,
      issuer: null,
    });
    expect(server.actions).toMatchObject([{ actor: "person:api" }]);
  });

  test("has no personal tokens and makes none", async () => {
    expect((await server.send("GET", "/tokens", { token: apiToken })).body).toEqual({ items: [] });
    expect(
      await problemOf(server.send("POST", "/tokens", { token: apiToken, body: { name: "script" } })),
    ).toMatchObject({ status: 403, code: "people.session_needed" });
  });

  test("that is wrong is refused even beside a good cookie", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");

    expect(await problemOf(server.send("GET", "/cases", { cookie, token: "wrong" }))).toMatchObject({
      status: 401,
      code: "api.token_invalid",
    });
  });
});

describe("a personal token", () => {
  async function withToken(role: "viewer" | "agent" | "supervisor" | "admin", body: object) {
    const owner = await server.signedIn(`owner-of-${role}`, role);
    const response = await server.send("POST", "/tokens", { cookie: owner.cookie, body: { name: "nightly", ...body } });
    return { ...owner, response, ...tokenAdded.parse(response.body) };
  }

  test("is shown once, and then works in the name of its owner", async () => {
    const { response, token, item, cookie } = await withToken("agent", {});

    expect(response.status).toBe(201);
    expect(token).toMatch(/^sked_[A-Za-z0-9_-]{43}$/);
    expect(item).toMatchObject({
      username: "owner-of-agent",
      name: "nightly",
      role: "agent",
      expiresAt: new Date(server.now().getTime() + 90 * day * 1_000).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    });
    await server.send("POST", `/cases/${someCaseId}/actions`, { token, body: { action: "close" } });
    expect(server.actions).toMatchObject([{ actor: "person:owner-of-agent" }]);
    const listed = await server.send("GET", "/tokens", { cookie });
    expect(tokenList.parse(listed.body).items).toEqual([{ ...item, lastUsedAt: server.now().toISOString() }]);
    expect(JSON.stringify(listed.body)).not.toContain(token);
  });

  test("may be given less than its owner may, never more", async () => {
    const { token, cookie } = await withToken("agent", { role: "viewer" });

    const act = { token, body: { action: "close" } };
    expect(await problemOf(server.send("POST", `/cases/${someCaseId}/actions`, act))).toMatchObject({
      code: "people.role_too_low",
      role: "viewer",
    });
    expect(
      await problemOf(server.send("POST", "/tokens", { cookie, body: { name: "more", role: "admin" } })),
    ).toMatchObject({ status: 422, code: "people.token_role_too_high" });
  });

  test("for reading only sees what its role sees and changes nothing", async () => {
    const { token, item } = await withToken("admin", { readOnly: true });
    expect(item.readOnly).toBe(true);

    expect((await server.send("GET", "/users", { token })).status).toBe(200);
    for (const [method, path, body] of [
      ["POST", `/cases/${someCaseId}/actions`, { action: "close" }],
      ["PATCH", `/users/${unknownId}`, { role: "admin" }],
      ["DELETE", `/tokens/${item.id}`, undefined],
      ["POST", "/recipients", { name: "Mid-office", url: "http://127.0.0.1/events" }],
    ] as const) {
      const response = server.send(method, path, { token, ...(body === undefined ? {} : { body }) });
      expect(await problemOf(response)).toMatchObject({ status: 403, code: "people.token_read_only" });
    }
    expect(server.actions).toEqual([]);
  });

  test("is revoked with a new password if that is asked for, and goes on otherwise", async () => {
    const { id, cookie, token } = await withToken("agent", {});
    const change = (currentPassword: string, newPassword: string, more: object) =>
      server.send("POST", "/session/password", { cookie, body: { currentPassword, newPassword, ...more } });
    const statusOf = async (of: string) => (await server.send("GET", "/session", { token: of })).status;

    expect((await change(goodPassword, "a better passphrase", {})).status).toBe(204);
    expect(await statusOf(token)).toBe(200);
    expect((await change("a better passphrase", goodPassword, { revokeTokens: true })).status).toBe(204);
    expect(await statusOf(token)).toBe(401);

    const next = tokenAdded.parse((await server.send("POST", "/tokens", { cookie, body: { name: "next" } })).body);
    const ofOthers = await withToken("viewer", {});
    const reset = (body: object) => server.send("PATCH", `/users/${id}`, { token: apiToken, body });
    await reset({ password: "an initial passphrase" });
    expect(await statusOf(next.token)).toBe(200);
    await reset({ password: "an initial passphrase", revokeTokens: true });
    expect(await statusOf(next.token)).toBe(401);
    expect(await statusOf(ofOthers.token)).toBe(200);
  });

  test("loses what its owner loses", async () => {
    const { id, token } = await withToken("admin", {});
    expect((await server.send("GET", "/users", { token })).status).toBe(200);

    await server.people.editUser(id, { role: "viewer" });
    expect((await server.send("GET", "/users", { token })).status).toBe(403);
    await server.people.editUser(id, { disabled: true });
    expect((await server.send("GET", "/session", { token })).status).toBe(401);
  });

  test("expires after its days are over", async () => {
    const { token } = await withToken("agent", { expiresInDays: 1 });
    server.wait(day - 1);
    expect((await server.send("GET", "/session", { token })).status).toBe(200);

    server.wait(1);

    expect(await problemOf(server.send("GET", "/session", { token }))).toMatchObject({
      status: 401,
      code: "api.token_invalid",
    });
  });

  test("can be revoked by its owner, and by nobody else but an admin", async () => {
    const { token, item, cookie } = await withToken("agent", {});
    const outsider = await server.signedIn("stranger", "supervisor");
    const admin = await server.signedIn("boss", "admin");

    expect(await problemOf(server.send("DELETE", `/tokens/${item.id}`, { cookie: outsider.cookie }))).toMatchObject({
      status: 404,
      code: "people.token_not_found",
    });
    expect((await server.send("GET", "/session", { token })).status).toBe(200);
    expect((await server.send("DELETE", `/tokens/${item.id}`, { cookie: admin.cookie })).status).toBe(204);
    expect((await server.send("GET", "/session", { token })).status).toBe(401);
    expect((await server.send("DELETE", `/tokens/${item.id}`, { cookie })).status).toBe(204);
    const everybodys = await server.send("GET", "/tokens?of=everybody", { cookie: admin.cookie });
    expect(tokenList.parse(everybodys.body).items).toMatchObject([{ id: item.id, revokedAt: expect.any(String) }]);
  });

  test("makes no further token", async () => {
    const { token } = await withToken("admin", {});

    expect(await problemOf(server.send("POST", "/tokens", { token, body: { name: "more" } }))).toMatchObject({
      status: 403,
      code: "people.session_needed",
    });
  });

  test("is one of at most fifty that work", async () => {
    const { id, cookie } = await withToken("agent", {});
    for (let further = 1; further <= 49; further += 1) {
      await server.people.addToken(
        { userId: id, role: "agent" },
        { name: "more", role: null, readOnly: false, lifeDays: 1 },
      );
    }
    const oneMore = { cookie, body: { name: "one more" } };

    expect(await problemOf(server.send("POST", "/tokens", oneMore))).toMatchObject({
      status: 409,
      code: "people.too_many_tokens",
    });
    server.wait(day);
    const again = cookieOf(await signIn("owner-of-agent"));
    expect((await server.send("POST", "/tokens", { ...oneMore, cookie: again })).status).toBe(201);
  });

  test.each([
    [{ name: "" }, "/name: must not be empty"],
    [{ name: "n", expiresInDays: 0 }, "/expiresInDays: must be at least 1"],
    [{ name: "n", expiresInDays: 366 }, "/expiresInDays: must be at most 365"],
    [{ name: "n", role: "king" }, "/role: must be one of viewer, agent, supervisor, admin"],
  ])("asked for as %j is refused", async (body, detail) => {
    const { cookie } = await server.signedIn("mlopez", "agent");

    expect(await problemOf(server.send("POST", "/tokens", { cookie, body }))).toMatchObject({ status: 422, detail });
  });
});

test("a personal token that works is listed however many revoked ones are newer", async () => {
  const { id, cookie } = await server.signedIn("mlopez", "agent");
  await server.send("POST", "/tokens", { cookie, body: { name: "forgotten" } });
  await sql`
    insert into skedchange.api_tokens (id, token_digest, user_id, name, role, created_at, expires_at, revoked_at)
    select gen_random_uuid(), sha256(n::text::bytea), ${id}::uuid, 'revoked', 'agent', ${server.now()}::timestamptz + n * interval '1 second',
      ${server.now()}::timestamptz + interval '90 days', ${server.now()}
    from generate_series(1, 200) n`.execute(server.database.ownerDatabase.connection);

  const { items } = (await server.send("GET", "/tokens", { cookie })).body as { items: { name: string }[] };

  expect(items).toHaveLength(200);
  expect(items.at(-1)).toMatchObject({ name: "forgotten", revokedAt: null });
});

describe("users", () => {
  const asAdmin = (method: string, path: string, body?: object) =>
    server.send(method, path, { token: apiToken, ...(body === undefined ? {} : { body }) });

  test("are added with a password that is generated and shown once", async () => {
    const response = await asAdmin("POST", "/users", { username: "MLopez", displayName: "María López", role: "agent" });

    expect(response.status).toBe(201);
    const { user, password } = userAdded.parse(response.body);
    expect(user).toMatchObject({
      username: "mlopez",
      displayName: "María López",
      role: "agent",
      disabled: false,
      lastSignInAt: null,
    });
    expect((await signIn("mlopez", password!)).status).toBe(200);
    const { items } = userList.parse((await asAdmin("GET", "/users")).body);
    expect(items).toEqual([{ ...user, lastSignInAt: server.now().toISOString() }]);
    expect(server.log).toContainEqual({
      message: "people.user_added",
      fields: { userId: user.id, role: "agent", by: null },
    });
  });

  test("are added with a password of one's own, which is not repeated", async () => {
    const response = await asAdmin("POST", "/users", { username: "ann", role: "viewer", password: goodPassword });

    expect(userAdded.parse(response.body).password).toBeNull();
    expect((await signIn("ann")).status).toBe(200);
  });

  test.each([
    [{ username: "api", role: "viewer" }, 422, "api.body_invalid"],
    [{ username: "two words", role: "viewer" }, 422, "api.body_invalid"],
    [{ username: "-dash", role: "viewer" }, 422, "api.body_invalid"],
    [{ username: "ann", role: "pilot" }, 422, "api.body_invalid"],
    [{ username: "ann", role: "viewer", displayName: "a\0b" }, 422, "api.body_invalid"],
    [{ username: "ann", role: "viewer", password: "short" }, 422, "people.password_refused"],
    [{ username: "Taken", role: "viewer" }, 409, "people.username_taken"],
  ])("as %j are refused", async (body, status, code) => {
    await server.signedIn("taken", "viewer");

    expect(await problemOf(asAdmin("POST", "/users", body))).toMatchObject({ status, code });
  });

  test("are changed by an admin, with their role, name and state", async () => {
    const { id } = await server.signedIn("mlopez", "agent");

    const response = await asAdmin("PATCH", `/users/${id}`, { role: "supervisor", displayName: "M. López" });

    expect(userResponse.parse(response.body).user).toMatchObject({ id, role: "supervisor", displayName: "M. López" });
    expect((await asAdmin("PATCH", `/users/${id}`, { disabled: true })).body).toMatchObject({
      user: { disabled: true },
    });
    expect((await signIn("mlopez")).status).toBe(401);
    await asAdmin("PATCH", `/users/${id}`, { disabled: false, password: "another good password" });
    expect((await signIn("mlopez", "another good password")).status).toBe(200);
  });

  test.each([
    [unknownId, { role: "agent" }, 404, "people.user_not_found"],
    [unknownId, { password: goodPassword }, 404, "people.user_not_found"],
    ["nonsense", { role: "agent" }, 404, "people.user_not_found"],
    [unknownId, {}, 422, "api.body_invalid"],
    [unknownId, { username: "other" }, 422, "api.body_invalid"],
  ])("%s changed by %j is refused", async (id, body, status, code) => {
    expect(await problemOf(asAdmin("PATCH", `/users/${id}`, body))).toMatchObject({ status, code });
  });

  test("who are admins cannot lock themselves out", async () => {
    const { id, cookie } = await server.signedIn("boss", "admin");

    for (const body of [{ disabled: true }, { role: "agent" }]) {
      expect(await problemOf(server.send("PATCH", `/users/${id}`, { cookie, body }))).toMatchObject({
        status: 409,
        code: "people.own_account",
      });
    }
    expect((await server.send("PATCH", `/users/${id}`, { cookie, body: { displayName: "Boss" } })).status).toBe(200);
  });

  test("cannot be deleted, renamed, or un-demoed by the processes", async () => {
    await server.signedIn("mlopez", "agent");
    const { connection } = server.database.database;

    for (const statement of [
      sql`delete from skedchange.users`,
      sql`update skedchange.users set username = 'boss'`,
      sql`update skedchange.users set is_demo = true`,
      sql`delete from skedchange.api_tokens`,
      sql`update skedchange.api_tokens set role = 'admin'`,
      sql`update skedchange.sessions set ends_at = 'infinity'`,
    ]) {
      await expect(statement.execute(connection)).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("the users of demo mode", () => {
  const demoUser = {
    username: "demo-agent",
    displayName: "Demo",
    role: "agent",
    password: "agent of the demo",
  } as const;

  const factorStore = () => createSecondFactorStore(server.database.database);

  test("are there after each start, and keep their sessions", async () => {
    const store = createPeopleStore(server.database.database);
    await prepareDemoPeople(store, factorStore(), server, [demoUser]);
    const cookie = cookieOf(await signIn("demo-agent", demoUser.password));

    await prepareDemoPeople(store, factorStore(), server, [demoUser]);

    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    expect(await store.listUsers()).toHaveLength(1);
  });

  test("are as printed again after somebody changed them", async () => {
    const store = createPeopleStore(server.database.database);
    await prepareDemoPeople(store, factorStore(), server, [demoUser]);
    const [user] = await store.listUsers();
    await server.people.editUser(user!.id, { disabled: true, role: "viewer", password: "another good password" });
    await factorStore().beginFactor(user!.id, newFactorSecret(), server.now());
    await factorStore().proveFactor({
      userId: user!.id,
      begunAt: server.now(),
      step: 1,
      recoveryCodes: [],
      session: Buffer.alloc(32),
      at: server.now(),
    });

    await prepareDemoPeople(store, factorStore(), server, [demoUser]);

    expect((await signIn("demo-agent", demoUser.password)).body).toMatchObject({
      user: { role: "agent", sources: null, passwordChangeNeeded: false, issuer: null },
    });
  });

  test("are disabled, and signed out, where the database is used for real; others are not", async () => {
    const store = createPeopleStore(server.database.database);
    await prepareDemoPeople(store, factorStore(), server, [demoUser]);
    const cookie = cookieOf(await signIn("demo-agent", demoUser.password));
    const real = await server.signedIn("mlopez", "agent");
    expect(await store.hasDemoUsers()).toBe(true);

    expect(await store.disableDemoUsers(server.now())).toBe(1);
    // The cases of the demo are still there.
    expect(await store.hasDemoUsers()).toBe(true);

    expect((await server.send("GET", "/session", { cookie })).status).toBe(401);
    expect((await signIn("demo-agent", demoUser.password)).status).toBe(401);
    expect((await server.send("GET", "/session", { cookie: real.cookie })).status).toBe(200);
    expect(await store.disableDemoUsers(server.now())).toBe(0);
  });

  test("are nobody to a process that is not in demo mode, also when another one makes them while it runs", async () => {
    const inDemo = createPeopleStore(server.database.database);
    const otherProcess = createPeople({
      store: createPeopleStore(server.database.database, { admitDemoUsers: false }),
      clock: server,
      logger: silentLogger,
    });
    await prepareDemoPeople(inDemo, factorStore(), server, [demoUser]);
    const cookie = cookieOf(await signIn("demo-agent", demoUser.password));
    const made = await server.send("POST", "/tokens", { cookie, body: { name: "of the demo" } });
    const { token } = made.body as { token: string };

    expect(await server.people.findByToken(token)).toMatchObject({ role: "agent" });
    expect(await otherProcess.findByToken(token)).toBeNull();
    const sessionToken = cookie.slice(cookie.indexOf("=") + 1);
    expect(await server.people.findBySession(sessionToken)).toMatchObject({ role: "agent" });
    expect(await otherProcess.findBySession(sessionToken)).toBeNull();
    const attempt = { ...demoUser, address: "192.0.2.7", browser: null, sessionToken: null, browserToken: null };
    expect(await otherProcess.signIn(attempt)).toEqual({ outcome: "failed" });
  });

  test("do not take the place of a person who is called the same, whose password everybody would know then", async () => {
    await server.signedIn("demo-agent", "admin");
    const store = createPeopleStore(server.database.database);

    await expect(prepareDemoPeople(store, factorStore(), server, [demoUser])).rejects.toMatchObject({
      code: "people.demo_name_taken",
      message: expect.stringContaining("demo-agent"),
    });

    expect((await signIn("demo-agent", demoUser.password)).status).toBe(401);
    expect((await signIn("demo-agent")).body).toMatchObject({ user: { role: "admin" } });
  });
});

describe("the sweep", () => {
  test("removes sessions that ended and failures and devices that are forgotten, and nothing else", async () => {
    await server.signedIn("idle", "agent");
    await signIn("nobody");
    server.wait(47 * hour);
    const { cookie } = await server.signedIn("mlopez", "agent");

    // The session of `idle`; the failures are a little too young.
    expect(await server.people.sweep()).toBe(1);
    server.wait(hour + 1);
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    // The names `idle` and `nobody` and where `nobody` failed; the address was counted when `mlopez` signed in.
    expect(await server.people.sweep()).toBe(3);
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
    server.wait(30 * day);
    // The session of `mlopez`, that name, the address, and the networks and browsers where `idle` and `mlopez` signed in.
    expect(await server.people.sweep()).toBe(7);
  });
});
