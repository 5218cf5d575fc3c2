import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examine } from "../../../src/app/doctor.ts";
import { examineWork } from "../../../src/app/examine-work.ts";
import type { Finding } from "../../../src/app/finding.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { demoUsers } from "../../../src/config/demo-credentials.ts";
import { prepareDemoPeople } from "../../../src/dashboard/people/demo-people.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";
import { createNoticeRuleStore } from "../../../src/store/notices/notice-rules.ts";
import { createPeopleStore } from "../../../src/store/people.ts";
import { createPolicyStore } from "../../../src/store/policies.ts";
import { createHeartbeat } from "../../../src/store/processes.ts";
import { createSecondFactorStore } from "../../../src/store/second-factors.ts";
import { insertCase, insertNotification, insertStatusView } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { startIdentityProvider } from "../../harness/identity-provider.ts";
import { startMailServer } from "../../harness/mail-server.ts";
import { findFreePort, type RedisServer, startRedisServer } from "../../harness/redis-server.ts";
import { describeWithRedis } from "../../harness/redis-suites.ts";

let database: TestDatabase;
let gateway: Server;
let gatewayUrl: string;
let freeUrl: string;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "skedchange-doctor-"));
  gateway = createServer((_request, response) => response.writeHead(404).end());
  gatewayUrl = await listen(gateway);
  freeUrl = `http://127.0.0.1:${await findFreePort()}`;
});
afterAll(async () => {
  await new Promise((resolve) => gateway.close(resolve));
  await rm(folder, { recursive: true });
  await database.drop();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function settings(overrides: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: database.serviceUrl,
    ENCRYPTION_KEYS: createEncryptionKey(new Date()),
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: "BASICSECRET-0123456",
    GATEWAY_BASE_URL: gatewayUrl,
    GATEWAY_ACCESS_TOKEN: "GATEWAYSECRET",
    API_TOKEN: "APISECRET-0123456",
    PORT: new URL(freeUrl).port,
    ...overrides,
  };
}

async function find(environment: NodeJS.ProcessEnv, subject: string): Promise<Finding | undefined> {
  return (await examine(environment, fetch, noTxtRecords)).find((finding) => finding.subject === subject);
}

/** As a name server says that knows no such name. */
async function noTxtRecords(name: string): Promise<never> {
  throw Object.assign(new Error(`queryTxt ENOTFOUND ${name}`), { code: "ENOTFOUND" });
}

describe("the doctor", () => {
  test("finds no problem when everything can be reached, and shows no secret", async () => {
    const findings = await examine(settings());

    expect(findings.filter(({ state }) => state === "problem" || state === "warning")).toEqual([]);
    expect(findings.map(({ subject }) => subject)).toEqual([
      "settings",
      "database",
      "processes",
      "cases",
      "backlog",
      "quarantine",
      "audit",
      "policy default",
      "notifications default",
      "credentials default",
      "queue",
      "source default",
      "gateway default",
      "api",
      "server",
      "time zones",
    ]);
    expect(findings.at(-1)!.detail).toMatch(
      /^tz 20\d\d[a-z] of \d{4}-\d\d-\d\d, \d+ days? old, as this version brings it: /,
    );
    expect(JSON.stringify(findings)).not.toMatch(/SECRET/);
  });

  test("counts orders that are blocked, and cases and tasks that are overdue", async () => {
    const owner = database.ownerDatabase;
    await insertCase(owner, { orderId: "STUCK", dueAt: new Date(Date.now() - 3_600_000) });
    await insertCase(owner, { orderId: "LATE", state: "awaiting-agent" });
    await owner.pool.query("update skedchange.cases set overdue_at = now() where order_id = 'LATE'");
    await owner.pool.query(
      `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, overdue_at)
       select gen_random_uuid(), id, source, order_id, 'check-refund', '[]', now(), now()
       from skedchange.cases where order_id = 'LATE'`,
    );
    try {
      expect(await find(settings(), "cases")).toMatchObject({
        state: "warning",
        detail: "1 order is blocked, and 1 case is overdue, and 1 task is overdue.",
        advice: expect.stringContaining("skedchange blocked-orders"),
      });
    } finally {
      await owner.pool.query("truncate skedchange.cases, skedchange.orders cascade");
    }
    expect(await find(settings(), "cases")).toMatchObject({ state: "ok" });
  });

  test("knows which processes run, and that cases wait when no worker does", async () => {
    const owner = database.ownerDatabase;
    const started = (roles: readonly string[], version: string) =>
      createHeartbeat(database.database, systemClock, { roles, version });
    const dashboard = started(["receiver", "dashboard"], "1.2.3");
    const worker = started(["worker"], "1.2.4");
    expect(await find(settings(), "processes")).toMatchObject({ state: "off", detail: "No process runs." });

    await dashboard.give(null);
    // As during an upgrade, whose older processes are not seen.
    expect(await find(settings(), "processes")).toMatchObject({
      state: "warning",
      detail:
        "No worker is seen, and no case has waited for one for long. 1 process runs: receiver, dashboard; version 1.2.3.",
      advice: expect.stringContaining("unless one of version 0.2 runs"),
    });
    await insertCase(owner, { state: "checking", dueAt: new Date(Date.now() - 301_000) });
    try {
      expect(await find(settings(), "processes")).toMatchObject({
        state: "problem",
        detail:
          "No worker runs, so no case is decided and nothing is sent to a gateway. 1 process runs: receiver, dashboard; version 1.2.3.",
        advice: expect.stringContaining("worker in ROLES"),
      });
    } finally {
      await owner.pool.query("truncate skedchange.cases, skedchange.orders cascade");
    }
    await worker.give(null);
    await worker.give(null);
    expect(await find(settings(), "processes")).toEqual({
      subject: "processes",
      state: "ok",
      detail: "2 processes run: receiver, dashboard, worker; version 1.2.3 and 1.2.4.",
    });

    await started(["sender"], "1.2.3").give(null);
    await owner.pool.query(
      "update skedchange.processes set seen_at = now() - interval '91 seconds' where roles = '{sender}'",
    );
    expect((await find(settings(), "processes"))?.detail).not.toContain("sender");
    await worker.remove();
    await dashboard.remove();
    expect(await find(settings(), "processes")).toMatchObject({ state: "off" });
  });

  test("knows when each source was last notified and read, and whose credentials the gateway refuses", async () => {
    const owner = database.ownerDatabase;
    expect(await find(settings(), "notifications default")).toMatchObject({ state: "off" });
    expect(await find(settings(), "credentials default")).toMatchObject({ state: "off" });
    const receivedAt = new Date(Date.now() - 4 * 24 * 3_600_000);
    await insertNotification(owner, { receivedAt });
    const caseId = await insertCase(owner, { state: "checking", dueAt: new Date(Date.now() + 60_000) });
    await owner.pool.query(
      `update skedchange.cases set failures = 1, last_error = '{"code": "gateway.unauthorized", "message": "401"}'
       where id = $1`,
      [caseId],
    );
    try {
      expect(await find(settings(), "notifications default")).toMatchObject({ state: "warning", lastAt: receivedAt });
      expect(await find(settings(), "credentials default")).toMatchObject({
        state: "problem",
        detail: "The gateway refuses our credentials: 1 case waits for that.",
        advice: expect.stringContaining("GATEWAY_ACCESS_TOKEN"),
      });
      await owner.pool.query("update skedchange.cases set failures = 0, last_error = null");
      await insertStatusView(owner, caseId, { readAt: receivedAt });
      expect(await find(settings(), "credentials default")).toMatchObject({
        state: "off",
        detail: "The gateway took them when they were last used, more than 3 days ago.",
        lastAt: receivedAt,
      });
      await owner.pool.query("update skedchange.orders set polled_at = now(), next_poll_at = now()");
      expect(await find(settings(), "credentials default")).toMatchObject({ state: "ok" });
      await owner.pool.query("update skedchange.orders set poll_error = 'gateway.unauthorized', poll_failures = -1");
      expect(await find(settings(), "credentials default")).toMatchObject({
        state: "problem",
        detail: "The gateway refuses our credentials: the status of 1 order waits for that.",
      });
      await insertNotification(owner, { receivedAt: new Date() });
      expect(await find(settings(), "notifications default")).toMatchObject({ state: "ok" });
    } finally {
      await owner.pool.query("truncate skedchange.cases, skedchange.orders, skedchange.notifications cascade");
    }
  });

  test("does not take a quiet source beside a busy one for one that was never used", async () => {
    const owner = database.ownerDatabase;
    const gateway = {} as never;
    const states = async () => {
      const sources = [
        { id: "busy", gateway, policyFile: null },
        { id: "quiet", gateway, policyFile: null },
        { id: "new", gateway: null, policyFile: null },
      ];
      const findings = await examineWork(database.database, sources, systemClock);
      return findings
        .filter(({ subject }) => /^(?:notifications|credentials) (?:busy|quiet|new)$/.test(subject))
        .map(({ subject, state, detail }) => [subject, state, detail]);
    };
    const busyWithin = (interval: string) =>
      owner.pool.query(
        `insert into skedchange.notifications (id, source, received_at, digest, body, body_encoding, body_bytes, state)
         select gen_random_uuid(), 'busy', now() - n / 10000.0 * $1::interval, sha256(n::text::bytea), '', 'gzip', 1,
           'accepted' from generate_series(1, 10000) n`,
        [interval],
      );
    await insertNotification(owner, { source: "quiet", receivedAt: new Date(Date.now() - 5 * 24 * 3_600_000) });
    const caseId = await insertCase(owner, { source: "quiet", state: "done" });
    await insertStatusView(owner, caseId);
    try {
      await busyWithin("4 days");
      expect(await states()).toEqual([
        ["notifications busy", "ok", "Notifications come."],
        ["credentials busy", "off", "No reservation was read, so they were not used."],
        ["notifications quiet", "warning", "No notification has come for more than 3 days."],
        ["credentials quiet", "ok", "The gateway takes them: reservations are read."],
        ["notifications new", "off", "No notification has come."],
      ]);
      await busyWithin("1 day");
      expect((await states())[2]).toEqual([
        "notifications quiet",
        "off",
        expect.stringMatching(/^No notification has come since .* at least\.$/),
      ]);
    } finally {
      await owner.pool.query("truncate skedchange.cases, skedchange.orders, skedchange.notifications cascade");
    }
  });

  test("names the policy version that decides, whoever made it the active one", async () => {
    const policies = createPolicyStore(database.database, systemClock);
    const { policy, text } = readPolicyFile("cautious");
    const { name, version } = policy;
    expect(await find(settings(), "policy default")).toMatchObject({
      detail: "The one that is shipped, once a process starts.",
    });
    await policies.saveVersion({ version, name, text, createdBy: "person:ana", note: null });
    await policies.activate({ source: "default", role: "active", version, note: "ours", actor: "person:ana" });

    expect(await find(settings(), "policy default")).toMatchObject({
      state: "ok",
      detail: expect.stringMatching(
        new RegExp(`^'${name}', version ${version.slice(0, 12)}, since .* by person:ana\\.$`),
      ),
    });
    const file = join(folder, "policy.yaml");
    await writeFile(file, text);
    expect(await find(settings({ POLICY_FILE: file }), "policy default")).toMatchObject({
      detail: expect.stringContaining(file),
    });
  });

  test("names a proxy that TRUSTED_PROXIES does not", async () => {
    const receiver = createHeartbeat(database.database, systemClock, { roles: ["receiver", "worker"], version: "1" });
    try {
      await receiver.give(null);
      expect(await find(settings(), "proxy")).toBeUndefined();
      await receiver.give("10.0.1.5");
      expect(await find(settings(), "proxy")).toEqual({
        subject: "proxy",
        state: "warning",
        detail:
          "10.0.1.5 says for whom it sends requests (X-Forwarded-For), and is not in TRUSTED_PROXIES, so it is taken for the client itself.",
        advice: "If it is your reverse proxy, name it in TRUSTED_PROXIES, or its clients share each limit and lockout.",
      });
    } finally {
      await receiver.remove();
    }
  });

  test("warns of periods of retention that are not those of the database, and says how to store them", async () => {
    expect(await find(settings({ RETENTION_BODIES_DAYS: "90" }), "retention")).toMatchObject({
      state: "warning",
      detail:
        "The settings keep bodies for 90 days and cases for ever, the database bodies for ever and cases for ever. Each goes after the longer of the two.",
      advice: expect.stringContaining("Run `skedchange migrate` with DATABASE_OWNER_URL"),
    });
    expect(await find(settings(), "retention")).toBeUndefined();
  });

  test("says that travellers wait to be informed by an event that no recipient gets or has taken", async () => {
    const owner = database.ownerDatabase;
    const openTask = async (): Promise<void> => {
      const caseId = await insertCase(owner, { source: "default", state: "done" });
      await owner.pool.query(
        `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, by_event)
         select gen_random_uuid(), id, source, order_id, 'inform-traveller', '[]', now(), true
         from skedchange.cases where id = $1`,
        [caseId],
      );
    };
    const addRecipient = (types: string | null, sources: string) =>
      owner.pool.query(
        `insert into skedchange.event_recipients (id, name, url, auth_type, credential, state_changed_at, created_at,
           updated_at, signing_secrets, signing_secret_count, event_types, sources)
         values (gen_random_uuid(), 'Mid-office', 'https://mid-office.example', 'none', '', now(), now(), now(), '', 1,
           $1::text[], $2::text[])`,
        [types, sources],
      );
    const detail = async () => (await find(settings(), "informing default"))?.detail;
    const one = "1 traveller waits to be informed by an event that no recipient of events gets or has taken.";
    try {
      await addRecipient(null, "{default}");
      await addRecipient("{traveller.inform}", "{other}");
      await openTask();
      expect(await find(settings(), "informing default")).toEqual({
        subject: "informing default",
        state: "warning",
        detail: one,
        advice: expect.stringContaining("traveller.inform"),
      });
      // It gets what happens from then on.
      await addRecipient("{traveller.inform}", "{default}");
      await openTask();
      expect(await detail()).toBe(one);
      await owner.pool.query("update skedchange.event_bodies set routed_at = now()");
      expect(await detail()).toMatch(/^2 travellers wait/);
    } finally {
      await owner.pool.query(
        "truncate skedchange.cases, skedchange.orders, skedchange.event_recipients, skedchange.event_bodies cascade",
      );
    }
  });

  test("says that nobody sends notices and events while no sender runs", async () => {
    const owner = database.ownerDatabase;
    const receiver = createHeartbeat(database.database, systemClock, { roles: ["receiver", "worker"], version: "1" });
    await receiver.give(null);
    expect(await find(settings(), "sending")).toBeUndefined();
    await createNoticeRuleStore(database.database, systemClock).addRule(
      {
        name: "Desk",
        queues: null,
        sources: null,
        priorityMax: 5,
        when: { type: "at-once" },
        timeZone: "Europe/Madrid",
        destination: { type: "email", addresses: ["desk@agency.example"] },
      },
      { actor: "person:ana", tokenId: null },
    );
    const sender = createHeartbeat(database.database, systemClock, { roles: ["sender"], version: "1" });
    try {
      expect(await find(settings(), "sending")).toEqual({
        subject: "sending",
        state: "warning",
        detail: "No sender runs, so no notice is sent.",
        advice: "Start a process with sender in ROLES.",
      });
      await owner.pool.query(
        `insert into skedchange.notices (id, rule_id, due_at, created_at)
         select gen_random_uuid(), id, now() - interval '5 minutes', now() from skedchange.notice_rules`,
      );
      expect(await find(settings(), "sending")).toMatchObject({
        state: "problem",
        detail: "No sender runs, so no notice is sent. The oldest has waited for 5 minutes.",
      });
      await sender.give(null);
      expect(await find(settings(), "sending")).toBeUndefined();
    } finally {
      await sender.remove();
      await receiver.remove();
      await owner.pool.query("truncate skedchange.notice_rules cascade");
    }
  });

  test("signs in at the mail server, sends nothing, and shows no password", async () => {
    const mail = await startMailServer({ offersTls: false });
    const found = (url: string) =>
      find(settings({ SMTP_URL: url, SMTP_ALLOW_PLAINTEXT: "1", NOTICE_FROM: "desk@agency.example" }), "mail");
    try {
      const url = new URL(mail.url);
      expect(await found(url.href)).toEqual({
        subject: "mail",
        state: "ok",
        detail: `The mail server at ${url.host} takes our credentials; nothing was sent.`,
      });
      expect(mail.mails).toEqual([]);
      const spf = await find(
        settings({ SMTP_URL: url.href, NOTICE_FROM: "Desk <desk@agency.example>", SMTP_ALLOW_PLAINTEXT: "1" }),
        "mail SPF",
      );
      expect(spf).toMatchObject({ state: "warning", detail: expect.stringContaining("agency.example") });
      url.password = "WRONGSECRET";
      const refused = await found(url.href);
      expect(refused).toMatchObject({
        state: "problem",
        detail: expect.stringMatching(/^The mail server refused the credentials of SMTP_URL/),
      });
      expect(JSON.stringify(refused)).not.toMatch(/SECRET/);
    } finally {
      await mail.close();
    }
  });

  test("asks what was meant by a setting that does not exist", async () => {
    const findings = await examine(
      settings({ GATEWAY_BASEURL: "x", OCN_BASIC_USERNAMEX: "y", OCN_QQ: "z", HOME: "/" }),
    );

    expect(findings.filter(({ detail }) => detail.includes("no setting"))).toEqual(
      [
        "GATEWAY_BASEURL is no setting and has no effect. Did you mean GATEWAY_BASE_URL?",
        "OCN_BASIC_USERNAMEX is no setting and has no effect. Did you mean OCN_BASIC_USERNAME?",
        "OCN_QQ is no setting and has no effect. Leave it out; docs/settings.md lists all.",
      ].map((detail) => ({ subject: "settings", state: "warning", detail })),
    );
  });

  test("does not ask a process that receives nothing for a credential to receive with", async () => {
    const environment = settings({ ROLES: "worker", OCN_BASIC_USERNAME: "", OCN_BASIC_PASSWORD: "" });

    expect(await find(environment, "source default")).toBeUndefined();
  });

  test("knows how long work has waited, and what could not be used", async () => {
    const owner = database.ownerDatabase;
    await insertCase(owner, { state: "checking", dueAt: new Date(Date.now() - 600_000) });
    await insertNotification(owner, { state: "quarantined" });
    try {
      expect(await find(settings(), "backlog")).toMatchObject({
        state: "warning",
        detail: "1 case is due, the oldest for 10 minutes.",
        advice: expect.stringContaining("WORKER_CONCURRENCY"),
      });
      expect(await find(settings(), "quarantine")).toMatchObject({
        state: "warning",
        detail: "1 notification could not be used.",
      });
    } finally {
      await owner.pool.query("truncate skedchange.cases, skedchange.orders, skedchange.notifications cascade");
    }
  });

  test("warns when the audit is not chained, and says up to where it is", async () => {
    const owner = database.ownerDatabase;
    const add = (recordedAt: string) =>
      owner.pool.query(
        `insert into skedchange.audit_entries (at, recorded_at, kind, actor, refs)
         values (now(), ${recordedAt}, 'test.made', 'test', '{}')`,
      );
    await add("now()");
    expect(await find(settings(), "audit")).toMatchObject({ detail: "The first entries are about to be chained." });
    await owner.pool.query("select skedchange.seal_audit_entries(10000)");
    expect(await find(settings(), "audit")).toMatchObject({
      state: "ok",
      detail: expect.stringMatching(/^Chained up to block \d+\.$/),
    });
    await add("now() - interval '2 minutes'");
    expect(await find(settings(), "audit")).toMatchObject({
      state: "warning",
      detail: expect.stringMatching(/^1 entry waits to be chained/),
      advice: expect.stringContaining("audit chaining"),
    });
    await owner.pool.query("select skedchange.seal_audit_entries(10000)");
    expect(await find(settings(), "audit")).toMatchObject({ state: "ok" });
  });

  test("warns when a demo has run on the database that is used for real", async () => {
    expect((await examine(settings())).map(({ detail }) => detail).join(" ")).not.toContain("A demo has run");
    await prepareDemoPeople(
      createPeopleStore(database.database),
      createSecondFactorStore(database.database),
      systemClock,
      demoUsers,
    );
    try {
      expect(await examine(settings())).toContainEqual({
        subject: "database",
        state: "warning",
        detail: "A demo has run on this database: its invented orders are among the cases.",
        advice: "Start with another DATA_DIR or DATABASE_URL.",
      });
    } finally {
      await database.ownerDatabase.pool.query("delete from skedchange.users where is_demo");
    }
  });

  test("names every setting that is wrong", async () => {
    const findings = await examine({ PORT: "many", ROLES: "pilot" });

    expect(findings.map(({ state }) => state)).toEqual(["problem", "problem"]);
    expect(findings[0]?.detail).toContain("PORT");
    expect(findings[1]?.detail).toContain("unknown role 'pilot'");
  });

  test.each([
    [{ OCN_OAUTH_CLIENTS: "acme:CLIENTSECRET-0123456", PUBLIC_URL: "https://agency.example" }, "OAuth"],
    [{ OCN_EXACT_AUTHORIZATION: "EXACTSECRET" }, "one exact header"],
    [{ OCN_SIGNING_SECRETS: `whsec_${"A".repeat(32)}` }, "signatures"],
  ])("knows a source that is pushed to by %j", async (credential, way) => {
    const environment = settings({ ...credential, OCN_BASIC_USERNAME: "", OCN_BASIC_PASSWORD: "" });

    expect(await find(environment, "source default")).toEqual({
      subject: "source default",
      state: "ok",
      detail: `Takes notifications with ${way}.`,
    });
  });

  test("warns of demo mode", async () => {
    expect(await find({ DATA_DIR: folder, PORT: "0" }, "settings")).toMatchObject({ state: "warning" });
  });

  test("says that the embedded database is not there yet, without making it", async () => {
    const findings = await examine({ DATA_DIR: join(folder, "data"), PORT: "0" });

    expect(findings.find(({ subject }) => subject === "database")).toMatchObject({
      state: "off",
      detail: "There is no data yet.",
    });
    expect(findings.find(({ subject }) => subject === "data")?.detail).toBe(`${join(folder, "data")} can be made.`);
  });

  test("names a Redis that is away, without its password", async () => {
    const { port } = new URL(freeUrl);
    const finding = await find(settings({ QUEUE_URL: `redis://worker:QUEUESECRET@127.0.0.1:${port}/2` }), "queue");

    expect(finding).toMatchObject({
      state: "problem",
      detail: `Redis at 127.0.0.1:${port}/2 cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
    });
    expect(JSON.stringify(finding)).not.toContain("QUEUESECRET");
  });

  test("names a database that is away, without its password", async () => {
    const { port } = new URL(freeUrl);
    const finding = await find(
      settings({ DATABASE_URL: `postgres://app:DBSECRET@127.0.0.1:${port}/orders` }),
      "database",
    );

    expect(finding?.state).toBe("problem");
    expect(finding?.detail).toContain(`PostgreSQL at 127.0.0.1:${port}/orders cannot be used`);
    expect(finding?.detail).toContain("ECONNREFUSED");
    expect(JSON.stringify(finding)).not.toContain("DBSECRET");
  });

  test("names a database that can be read only, as a standby can", async () => {
    const url = new URL(database.serviceUrl);
    url.searchParams.set("options", "-c default_transaction_read_only=on");

    expect(await find(settings({ DATABASE_URL: url.href }), "database")).toMatchObject({
      state: "problem",
      detail: expect.stringContaining("can be read only"),
    });
  });

  test("says how to migrate an empty database", async () => {
    const url = new URL(database.adminUrl);
    url.pathname = "/postgres";

    const finding = await find(settings({ DATABASE_URL: url.href }), "database");

    expect(finding?.state).toBe("warning");
    expect(finding?.detail).toContain("Run `npx skedchange migrate`");
  });

  test("names a gateway that cannot be reached", async () => {
    expect(await find(settings({ GATEWAY_BASE_URL: freeUrl }), "gateway default")).toMatchObject({
      state: "problem",
      detail: `${freeUrl} cannot be reached: ECONNREFUSED.`,
    });
  });

  test("asks the identity provider who it is, and says so if it cannot be asked", async () => {
    const provider = await startIdentityProvider();
    const signIn = {
      OIDC_CLIENT_ID: "skedchange",
      OIDC_CLIENT_SECRET: "OIDCSECRET",
      OIDC_ROLES: "admin=IT",
      PUBLIC_URL: freeUrl,
    };
    try {
      const found = async (issuer: string) => await find(settings({ ...signIn, OIDC_ISSUER: issuer }), "sign-in");

      expect(await found(provider.issuer)).toMatchObject({ state: "ok" });
      expect(await found(`${provider.issuer}/`)).toMatchObject({
        state: "problem",
        detail: `The provider names itself "${provider.issuer}", which is not OIDC_ISSUER.`,
      });
      expect(await found(gatewayUrl)).toMatchObject({
        state: "problem",
        detail: expect.stringContaining("responds 404"),
      });
      expect(await found(freeUrl)).toMatchObject({ state: "problem", detail: expect.stringContaining("ECONNREFUSED") });
      expect(await find(settings(), "sign-in")).toBeUndefined();
    } finally {
      await provider.close();
    }
  });

  test("shows what is wrong with a policy file", async () => {
    const file = join(folder, "policy.yaml");
    await writeFile(file, "nonsense: true\n");

    const finding = await find(settings({ POLICY_FILE: file }), "policy default");

    expect(finding?.state).toBe("problem");
    expect(finding?.detail).toContain("policy.yaml:1:");
  });

  test("warns of a rule that can never decide in a policy file, which is used all the same", async () => {
    const file = join(folder, "unreachable.yaml");
    await writeFile(
      file,
      "version: 1\nname: ours\nrules:\n  - { name: all, when: true, do: review, reason: all }\n  - { name: late, when: dateChanged, do: review, reason: late }\n",
    );

    const finding = await find(settings({ POLICY_FILE: file }), "policy default");

    expect(finding?.state).toBe("warning");
    expect(finding?.detail).toContain("rule 'late': The rule never decides");
  });

  test("distinguishes another program on our port from ours", async () => {
    expect(await find(settings({ PORT: new URL(gatewayUrl).port }), "server")).toMatchObject({
      state: "problem",
      detail: `Something else responds at ${gatewayUrl}.`,
    });
  });
});

describeWithRedis("the doctor, with the queue on Redis", () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(async () => {
    await redis?.close();
  });

  test("the doctor finds Redis, and warns when it may evict jobs", async () => {
    const healthy = await find(settings({ QUEUE_URL: redis.url }), "queue");
    await redis.command("config", "set", "maxmemory-policy", "volatile-lru");
    const evicting = await find(settings({ QUEUE_URL: redis.url }), "queue");

    expect(healthy).toEqual({
      subject: "queue",
      state: "ok",
      detail: `BullMQ on Redis at 127.0.0.1:${redis.port}, which can be reached.`,
    });
    expect(evicting?.state).toBe("warning");
    expect(evicting?.detail).toContain("'volatile-lru'");
  });
});
