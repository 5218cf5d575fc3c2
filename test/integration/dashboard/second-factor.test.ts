import { TOTP } from "otpauth";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { createEventStreams } from "../../../src/dashboard/event-streams.ts";
import { createSecondFactors } from "../../../src/dashboard/people/second-factors.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createSecondFactorStore } from "../../../src/store/second-factors.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { eventually } from "../../harness/eventually.ts";
import { cookieOf, goodPassword, type PeopleServer, type ReadResponse, startPeopleServer } from "./people-server.ts";

const minute = 60;

let server: PeopleServer;
beforeAll(async () => {
  server = await startPeopleServer({ events: createEventStreams({ pingIntervalMs: 50 }) });
});
afterAll(() => server.close());
afterEach(() => server.forgetAll());

const signIn = (username: string, code?: string, password = goodPassword) =>
  server.send("POST", "/session", { body: { username, password, ...(code === undefined ? {} : { code }) } });

const codeOf = ({ status, body }: ReadResponse) => [status, problemSchema.parse(body).code];

/** Of an app that has the secret. */
function codeOfApp(secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: server.now().getTime() });
}

/** Somebody with a second factor, who has just shown a code of it. */
async function withFactor(username: string, role: "agent" | "admin" = "agent") {
  const { id, cookie } = await server.signedIn(username, role);
  const begun = await server.send("POST", "/session/second-factor", {
    cookie,
    body: { currentPassword: goodPassword },
  });
  const { secret } = begun.body as { secret: string };
  const proof = { cookie, body: { code: codeOfApp(secret) } };
  const proven = await server.send("POST", "/session/second-factor/proof", proof);
  const { recoveryCodes } = proven.body as { recoveryCodes: string[] };
  server.wait(30);
  return { id, cookie, secret, recoveryCodes };
}

describe("a second factor", () => {
  test("is asked for once its owner has shown a code of it, and then signing in takes one", async () => {
    const { cookie } = await server.signedIn("mlopez", "agent");
    const other = cookieOf(await signIn("mlopez"));
    const begun = await server.send("POST", "/session/second-factor", {
      cookie,
      body: { currentPassword: goodPassword },
    });
    expect(begun).toMatchObject({
      status: 200,
      body: { uri: expect.stringContaining("otpauth://totp/Skedchange:mlopez") },
    });
    const { secret } = begun.body as { secret: string };
    expect((await signIn("mlopez")).status).toBe(200);

    const proven = await server.send("POST", "/session/second-factor/proof", {
      cookie,
      body: { code: codeOfApp(secret) },
    });

    expect(proven).toMatchObject({
      status: 200,
      body: { recoveryCodes: expect.arrayContaining([expect.any(String)]) },
    });
    expect((await server.send("GET", "/session", { cookie })).body).toMatchObject({ user: { hasSecondFactor: true } });
    expect((await server.send("GET", "/session", { cookie: other })).status).toBe(401);
    expect(codeOf(await signIn("mlopez"))).toEqual([401, "people.code_needed"]);
    server.wait(30);
    expect((await signIn("mlopez", codeOfApp(secret))).status).toBe(200);
  });

  test.each([
    ["before", ["sign-in", "proof"]],
    ["after", ["proof", "sign-in"]],
  ] as const)("ends a sign-in without a code that reaches the database just %s the proof", async (_, order) => {
    const { id, cookie } = await server.signedIn("mlopez", "agent");
    const begin = { cookie, body: { currentPassword: goodPassword } };
    const { secret } = (await server.send("POST", "/session/second-factor", begin)).body as { secret: string };
    const does = {
      "sign-in": () => signIn("mlopez"),
      proof: () => server.send("POST", "/session/second-factor/proof", { cookie, body: { code: codeOfApp(secret) } }),
    };
    const results: Promise<ReadResponse>[] = [];
    const row = await holdUser(id);
    try {
      for (const what of order) {
        results.push(does[what]());
        await row.untilWaiting(results.length);
      }
    } finally {
      await row.release();
    }
    const [first, second] = await Promise.all(results);
    const [signedIn, proven] = order[0] === "sign-in" ? [first!, second!] : [second!, first!];
    expect(proven.status).toBe(200);
    const session = signedIn.status === 200 ? cookieOf(signedIn) : "skedchange_session=none";
    expect((await server.send("GET", "/session", { cookie: session })).status).toBe(401);
    expect((await server.send("GET", "/session", { cookie })).status).toBe(200);
  });

  test("lets a code work once, for signing in at the same moment, too", async () => {
    const { secret } = await withFactor("mlopez");
    const code = codeOfApp(secret);

    const both = await Promise.all([signIn("mlopez", code), signIn("mlopez", code)]);

    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(codeOf(await signIn("mlopez", code))).toEqual([401, "people.code_wrong"]);
  });

  test("lets a code work once for two changes at the same moment", async () => {
    const { cookie, secret } = await withFactor("mlopez");
    const renew = () => server.send("POST", "/session/recovery-codes", { cookie, body: { code: codeOfApp(secret) } });

    const both = await Promise.all([renew(), renew()]);

    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("counts wrong codes of its user, wherever they are asked for, and a missing one not at all", async () => {
    const { cookie, secret } = await withFactor("mlopez");
    const renew = (code: string) => server.send("POST", "/session/recovery-codes", { cookie, body: { code } });
    for (let time = 0; time < 10; time += 1) expect(codeOf(await signIn("mlopez"))[1]).toBe("people.code_needed");
    for (let time = 0; time < 3; time += 1) {
      expect(codeOf(await signIn("mlopez", "000000"))[1]).toBe("people.code_wrong");
    }
    for (let time = 0; time < 2; time += 1) expect(codeOf(await renew("000000"))[1]).toBe("people.code_wrong");

    expect(codeOf(await signIn("mlopez", codeOfApp(secret)))).toEqual([429, "people.sign_in_locked"]);
    expect(codeOf(await renew(codeOfApp(secret)))).toEqual([429, "people.too_many_codes"]);
    server.wait(minute);
    expect((await signIn("mlopez", codeOfApp(secret))).status).toBe(200);

    // The next lock is twice as long.
    expect(codeOf(await signIn("mlopez", "000000"))[1]).toBe("people.code_wrong");
    server.wait(minute);
    expect((await signIn("mlopez", codeOfApp(secret))).status).toBe(429);
    server.wait(minute);
    expect((await signIn("mlopez", codeOfApp(secret))).status).toBe(200);
  });

  test("is not locked by whoever guesses without the password", async () => {
    const { secret } = await withFactor("mlopez");
    for (let time = 0; time < 4; time += 1) await signIn("mlopez", "000000", "a wrong password");

    for (let time = 0; time < 4; time += 1) await signIn("mlopez", "000000");

    expect((await signIn("mlopez", codeOfApp(secret))).status).toBe(200);
  });

  test("says nothing about a code while the password is wrong", async () => {
    const { secret } = await withFactor("mlopez");

    expect(codeOf(await signIn("mlopez", codeOfApp(secret), "a wrong password"))).toEqual([
      401,
      "people.sign_in_failed",
    ]);
    expect(codeOf(await signIn("mlopez", undefined, "a wrong password"))).toEqual([401, "people.sign_in_failed"]);
  });

  test("can be replaced by each recovery code once, and by the old ones no more after new ones were made", async () => {
    const { cookie, secret, recoveryCodes } = await withFactor("mlopez");
    expect((await signIn("mlopez", recoveryCodes[0])).status).toBe(200);
    expect(codeOf(await signIn("mlopez", recoveryCodes[0]))).toEqual([401, "people.code_wrong"]);

    const renewed = await server.send("POST", "/session/recovery-codes", { cookie, body: { code: codeOfApp(secret) } });

    const { recoveryCodes: others } = renewed.body as { recoveryCodes: string[] };
    expect(others).toHaveLength(10);
    expect(codeOf(await signIn("mlopez", recoveryCodes[1]))).toEqual([401, "people.code_wrong"]);
    expect((await signIn("mlopez", others[1])).status).toBe(200);
  });

  test("is removed with the password and a code, and by an admin without them, which ends the sessions", async () => {
    const ana = await withFactor("ana");
    const remove = (currentPassword: string, code: string) =>
      server.send("DELETE", "/session/second-factor", { cookie: ana.cookie, body: { currentPassword, code } });
    expect(codeOf(await remove(goodPassword, "000000"))).toEqual([422, "people.code_wrong"]);
    expect(codeOf(await remove("a wrong password", codeOfApp(ana.secret)))).toEqual([
      422,
      "people.current_password_wrong",
    ]);
    expect((await remove(goodPassword, codeOfApp(ana.secret))).status).toBe(204);
    expect((await signIn("ana")).status).toBe(200);

    const admin = await server.signedIn("boss", "admin");
    const bob = await withFactor("bob");
    const path = `/users/${bob.id}/second-factor`;
    expect((await server.send("DELETE", path, { cookie: admin.cookie })).status).toBe(204);
    expect((await server.send("DELETE", path, { cookie: admin.cookie })).status).toBe(404);
    expect((await server.send("GET", "/session", { cookie: bob.cookie })).status).toBe(401);
    expect((await signIn("bob")).status).toBe(200);
    const own = await server.send("DELETE", `/users/${admin.id}/second-factor`, { cookie: admin.cookie });
    expect(codeOf(own)).toEqual([409, "people.own_account"]);
  });

  test("that an admin removes from a user who has none is not found, and the user stays signed in", async () => {
    const admin = await server.signedIn("boss", "admin");
    const ana = await server.signedIn("ana", "agent");

    const removed = await server.send("DELETE", `/users/${ana.id}/second-factor`, { cookie: admin.cookie });

    expect(removed.status).toBe(404);
    expect((await server.send("GET", "/session", { cookie: ana.cookie })).status).toBe(200);
  });

  test("is deleted with the password when the account becomes one of an identity provider", async () => {
    const { id } = await withFactor("mlopez");

    await server.people.editUser(id, { identity: { issuer: "https://login.example", subject: "s" } });

    const { rows } = await sql`
      select user_id from skedchange.second_factors union all select user_id from skedchange.recovery_codes`.execute(
      server.database.ownerDatabase.connection,
    );
    expect(rows).toEqual([]);
  });

  test("takes the current password to begin, a session, and no second one", async () => {
    const { cookie, secret } = await withFactor("mlopez");
    const begin = (currentPassword: string) =>
      server.send("POST", "/session/second-factor", { cookie, body: { currentPassword } });

    expect(codeOf(await begin("a wrong password"))).toEqual([422, "people.current_password_wrong"]);
    expect(codeOf(await begin(goodPassword))).toEqual([409, "people.second_factor_exists"]);
    const tokenAdded = await server.send("POST", "/tokens", { cookie, body: { name: "mid-office" } });
    const { token } = tokenAdded.body as { token: string };
    const body = { currentPassword: goodPassword, code: codeOfApp(secret) };
    expect(codeOf(await server.send("DELETE", "/session/second-factor", { token, body }))).toEqual([
      403,
      "people.session_needed",
    ]);
  });

  test("lets wrong codes be counted by all processes together", async () => {
    const { id, cookie, secret } = await withFactor("mlopez");
    const otherProcess = createSecondFactors({
      store: createSecondFactorStore(server.database.database),
      clock: { now: server.now },
      logger: silentLogger,
    });
    for (let time = 0; time < 5; time += 1) expect(await otherProcess.renewRecoveryCodes(id, "000000")).toBe("wrong");

    const body = { code: codeOfApp(secret) };
    expect(codeOf(await server.send("POST", "/session/recovery-codes", { cookie, body }))).toEqual([
      429,
      "people.too_many_codes",
    ]);
  });

  test("that nobody went on with is swept after a day, and one that is in use stays", async () => {
    const { secret } = await withFactor("ana");
    const { cookie } = await server.signedIn("bob", "agent");
    await server.send("POST", "/session/second-factor", { cookie, body: { currentPassword: goodPassword } });
    const owners = async () => {
      const { rows } = await server.database.ownerDatabase.pool.query<{ username: string }>(
        "select username from skedchange.second_factors join skedchange.users on id = user_id order by username",
      );
      return rows.map(({ username }) => username);
    };
    server.wait(24 * 60 * minute);
    await server.people.sweep();
    expect(await owners()).toEqual(["ana", "bob"]);

    server.wait(1);
    await server.people.sweep();

    expect(await owners()).toEqual(["ana"]);
    expect((await signIn("ana", codeOfApp(secret))).status).toBe(200);
  });

  test("is stored encrypted, and its recovery codes as digests", async () => {
    const { secret, recoveryCodes } = await withFactor("mlopez");
    const { rows } = await sql<{ text: string }>`
      select (select string_agg(f::text, '') from skedchange.second_factors f)
        || (select string_agg(c::text, '') from skedchange.recovery_codes c) as text`.execute(
      server.database.ownerDatabase.connection,
    );

    expect(rows[0]!.text).not.toContain(secret);
    expect(rows[0]!.text).not.toContain(Buffer.from(secret, "utf8").toString("hex"));
    expect(rows[0]!.text).not.toContain(recoveryCodes[0]!.replaceAll("-", ""));
    expect(JSON.stringify(server.log)).not.toContain(secret);
  });
});

describe("the service role of the database", () => {
  const asService = (text: string) => server.database.database.pool.query(text);

  test.each([
    ["is not proven any more", "proven_at = null"],
    ["has another secret", "secret = '\\\\x00'"],
    ["takes old codes again", "last_step = last_step - 1"],
    ["has no step that was used", "last_step = null"],
  ])("cannot change a proven factor so that it %s", async (_, change) => {
    await withFactor("mlopez");

    await expect(asService(`update skedchange.second_factors set ${change}`)).rejects.toThrow(/stays as it is/);
  });

  test("adds a proven factor or recovery codes, or removes a factor, with an entry in the audit only", async () => {
    const { id } = await withFactor("mlopez");
    const audited = async (text: string) => {
      const before = await auditedKinds();
      await asService(text);
      return (await auditedKinds()).slice(before.length);
    };

    const codes = `insert into skedchange.recovery_codes select '${id}', sha256(n::text::bytea) from generate_series(1, 3) n`;
    expect(await audited(codes)).toEqual(["second-factor.codes-made"]);
    expect(await audited("delete from skedchange.second_factors")).toEqual(["second-factor.removed"]);
    const factor = `insert into skedchange.second_factors (user_id, secret, secret_encoding, begun_at, proven_at)
      values ('${id}', '\\x00', 'gzip', now(), now())`;
    expect(await audited(factor)).toEqual(["second-factor.added"]);
  });
});

describe("a role that must have a second factor", () => {
  test("lets its users do nothing but add one, and says so", async () => {
    const admin = await server.signedIn("boss", "admin");
    const agent = await server.signedIn("mlopez", "agent");
    const put = { cookie: admin.cookie, body: { roles: ["agent", "supervisor"] } };
    expect((await server.send("PUT", "/second-factor-roles", put)).status).toBe(204);
    expect((await server.send("GET", "/second-factor-roles", { cookie: admin.cookie })).body).toEqual({
      roles: ["agent", "supervisor"],
    });

    const refused = await server.send("GET", "/cases", { cookie: agent.cookie });
    expect(codeOf(refused)).toEqual([403, "people.second_factor_needed"]);
    expect((await server.send("GET", "/session", { cookie: agent.cookie })).body).toMatchObject({
      user: { hasSecondFactor: false, secondFactorNeeded: true },
    });
    expect((await server.send("GET", "/cases", { cookie: admin.cookie })).status).toBe(200);

    const begun = await server.send("POST", "/session/second-factor", {
      cookie: agent.cookie,
      body: { currentPassword: goodPassword },
    });
    const { secret } = begun.body as { secret: string };
    await server.send("POST", "/session/second-factor/proof", {
      cookie: agent.cookie,
      body: { code: codeOfApp(secret) },
    });
    expect((await server.send("GET", "/cases", { cookie: agent.cookie })).status).toBe(200);
  });

  test("ends the event streams of its users who have none", async () => {
    const admin = await server.signedIn("boss", "admin");
    const { cookie } = await server.signedIn("mlopez", "agent");
    const stream = await fetch(`${server.url}/api/v1/events`, { headers: { cookie } });
    expect(stream.status).toBe(200);

    await server.send("PUT", "/second-factor-roles", { cookie: admin.cookie, body: { roles: ["agent"] } });

    // It ends at the next comment that keeps it open.
    expect(await stream.text()).toContain("retry:");
  });

  test("asks neither tokens nor accounts of an identity provider for one", async () => {
    const admin = await server.signedIn("boss", "admin");
    const agent = await server.signedIn("mlopez", "agent");
    const added = await server.send("POST", "/tokens", { cookie: agent.cookie, body: { name: "mid-office" } });
    const { token } = added.body as { token: string };
    await server.send("PUT", "/second-factor-roles", { cookie: admin.cookie, body: { roles: ["agent"] } });

    expect((await server.send("GET", "/cases", { token })).status).toBe(200);
    await sql`update skedchange.users set issuer = 'https://login.example', subject = 's', password_hash = null
      where username = 'mlopez'`.execute(server.database.ownerDatabase.connection);
    expect((await server.send("GET", "/cases", { cookie: agent.cookie })).status).toBe(200);
  });

  test("is in the audit, with who said it, as are factors that were added and removed", async () => {
    const admin = await server.signedIn("boss", "admin");
    const { cookie, secret } = await withFactor("ana");
    await server.send("DELETE", "/session/second-factor", {
      cookie,
      body: { currentPassword: goodPassword, code: codeOfApp(secret) },
    });
    await server.send("PUT", "/second-factor-roles", { cookie: admin.cookie, body: { roles: ["agent"] } });
    await server.send("PUT", "/second-factor-roles", { cookie: admin.cookie, body: { roles: [] } });

    const { rows } = await sql<{ kind: string; actor: string }>`
      select kind, actor from skedchange.audit_entries where kind like 'second-factor.%' order by id desc limit 5`.execute(
      server.database.ownerDatabase.connection,
    );
    expect(rows.reverse()).toEqual([
      { kind: "second-factor.added", actor: "person:ana" },
      { kind: "second-factor.codes-made", actor: "person:ana" },
      { kind: "second-factor.removed", actor: "person:ana" },
      { kind: "second-factor.required", actor: "person:boss" },
      { kind: "second-factor.not-required", actor: "person:boss" },
    ]);
  });
});

async function auditedKinds(): Promise<readonly string[]> {
  const { rows } = await sql<{ kind: string }>`select kind from skedchange.audit_entries order by id`.execute(
    server.database.ownerDatabase.connection,
  );
  return rows.map(({ kind }) => kind);
}

/** Holds the row of a user, so that what locks it waits, and goes on in the order in which it came. */
async function holdUser(id: string) {
  const client = await server.database.ownerDatabase.pool.connect();
  await client.query("begin");
  await client.query("select from skedchange.users where id = $1 for update", [id]);
  return {
    untilWaiting: (count: number) =>
      eventually(async () => {
        const { rows } = await server.database.ownerDatabase.pool.query(
          "select pid from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'",
        );
        expect(rows.length).toBeGreaterThanOrEqual(count);
      }),
    async release(): Promise<void> {
      await client.query("commit");
      client.release();
    },
  };
}
