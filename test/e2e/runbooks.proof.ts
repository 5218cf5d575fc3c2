import { execFile } from "node:child_process";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { migrate } from "../../src/store/database/migrator.ts";
import { sampleNotification } from "../builders/sample-notification.ts";
import { upcoming } from "../builders/upcoming.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createEmptyDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { freePort } from "../harness/free-port.ts";
import { startIdentityProvider, type TestIdentityProvider } from "../harness/identity-provider.ts";
import { type MailServer, startMailServer } from "../harness/mail-server.ts";
import { readSections, readSteps } from "../harness/page-steps.ts";
import { hasRedisServer, requiresRedis } from "../harness/redis-presence.ts";
import { startRedisServer } from "../harness/redis-server.ts";
import { type ServerProcess, serverEntry, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { type BreakableProxy, startBreakableProxy } from "../integration/queue/breakable-proxy.ts";
import {
  acknowledge,
  respondWith,
  type ScriptedReceiver,
  startReceiver,
} from "../integration/sender/scripted-receiver.ts";
import { type LoadedFixture, loadFixture } from "../upgrade/load-fixture.ts";

/**
 * Each runbook of docs/operations.md, followed on an installation that is in the state that it is for. The installation goes
 * on with the data of an older one, which has orders in every state (test/upgrade/README.md).
 */

// Processes start and stop, and outages take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const operations = await readFile(fileURLToPath(new URL("../../docs/operations.md", import.meta.url)), "utf8");
const section = readSections(operations, 2).get("Runbooks") ?? "";
const runbooks = readSections(section, 3);

/** The policy accepts it. */
const small = { kind: "retime", departureMinutes: 10 };

let db: TestDatabase;
let database: BreakableProxy;
let gatewayPlace: BreakableProxy;
let gateway: ServerProcess;
let recipient: ScriptedReceiver;
let mails: MailServer;
let provider: TestIdentityProvider | null = null;
let fixture: LoadedFixture;
let folder: string;
let settings: Record<string, string>;
let agency: { readonly server: ServerProcess; readonly changed: Readonly<Record<string, string>> } | null = null;
let api: AgencyApi;

beforeAll(async () => {
  const [port, opsPort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  [db, recipient, mails, folder] = await Promise.all([
    createEmptyDatabase(),
    startReceiver(acknowledge),
    startMailServer({ offersTls: false }),
    makeTestFolder(),
  ]);
  fixture = await loadFixture(new URL("../upgrade/fixture-0.3.0/", import.meta.url), db, {
    eventRecipient: recipient.url,
    receiver: `http://127.0.0.1:${port}/ocn`,
  });
  await migrate({ ownerUrl: db.ownerUrl, serviceUser: new URL(db.serviceUrl).username });
  database = await startBreakableProxy(db.serviceUrl);
  // It forwards connections, whatever is spoken on them.
  gatewayPlace = await startBreakableProxy(`postgres://gateway@127.0.0.1:${gatewayPort}/gateway`);
  const shared = {
    ENCRYPTION_KEYS: fixture.encryptionKeys,
    GATEWAY_ACCESS_TOKEN: fixture.tokens.access,
    GATEWAY_CONTROL_TOKEN: fixture.tokens.control,
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
  };
  settings = {
    ...shared,
    PORT: String(port),
    OPS_PORT: String(opsPort),
    // Of this process, which needs it for nothing.
    GATEWAY_PORT: "0",
    DATABASE_URL: database.url,
    GATEWAY_BASE_URL: `http://127.0.0.1:${new URL(gatewayPlace.url).port}`,
    OCN_BEARER_TOKENS: fixture.tokens.ocn,
    API_TOKEN: fixture.tokens.api,
    SECOND_PERSON_ABOVE: fixture.secondPersonAbove,
    SMTP_URL: mails.url,
    SMTP_ALLOW_PLAINTEXT: "1",
    NOTICE_FROM: "skedchange@agency.example",
  };
  const bin = join(folder, "npx");
  await writeFile(bin, `#!/bin/sh\nshift\nexec "${process.execPath}" "${serverEntry}" "$@"\n`);
  await chmod(bin, 0o755);
  gateway = await startServerProcess({
    ...shared,
    ROLES: "gateway,sender",
    GATEWAY_PORT: String(gatewayPort),
    DATABASE_URL: db.serviceUrl,
  });
  await agencyRuns();
  // What was waiting when the older installation was stopped.
  await api.caseIn("UPGRECEIVED", ["done"], 60_000);
}, 120_000);
afterAll(async () => {
  await agency?.server.end("SIGTERM");
  await gateway?.end("SIGTERM");
  await Promise.all([database?.close(), gatewayPlace?.close(), recipient?.close(), mails?.close(), provider?.close()]);
  await db?.drop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Types a command that the runbook names, with these values in the place of `<…>`. @returns what it printed. */
type Type = (
  command: string,
  values?: Readonly<Record<string, string>>,
  options?: { readonly code?: number },
) => Promise<string>;

const scripts: Readonly<Record<string, (type: Type) => Promise<void>>> = {
  "A process is down": async () => {
    const killed = agency!.server;
    await killed.end("SIGKILL");
    expect(killed.output()).not.toContain("process.stopping");
    const unstarted = startServerProcess({ ...settings, GATEWAY_ACCESS_TOKEN: "", OCN_BEARER_TOKENS: "" });
    await expect(unstarted).rejects.toThrow(/OCN_BEARER_TOKENS[\s\S]*GATEWAY_ACCESS_TOKEN/);
    agency = null;

    await agencyRuns();

    await decides("KILLED");
  },

  "The database is down": async (type) => {
    await database.breakDown();
    await eventually(async () => {
      expect(await readyz()).toMatchObject([503, expect.stringMatching(/ECONNREFUSED|refused/)]);
    });
    expect((await push("{}")).status).toBe(503);

    await database.recover();

    await eventually(async () => expect(await readyz()).toMatchObject([200, expect.anything()]));
    await decides("AFTERDB");
    expect(await type("npx skedchange reconcile")).toContain("No inconsistencies found.");
  },

  "The queue is down": async () => {
    if (!hasRedisServer() && !requiresRedis()) return;
    const redis = await startRedisServer();
    try {
      await agencyRuns({ QUEUE_URL: redis.url });
      await redis.stop();
      await eventually(async () =>
        expect(await readyz()).toMatchObject([expect.anything(), expect.stringMatching(/queue/)]),
      );
      await book("NOQUEUE");
      await eventually(() => expect(agency!.server.output()).toMatch(/queue\.error|feeder\.failed/));

      // With what was in it, or empty: nothing must be restored.
      await redis.start();
      await api.caseIn("NOQUEUE", ["done"], 60_000);
      await redis.stop();
      await agencyRuns();
      await decides("WITHOUT");
    } finally {
      await redis.close();
    }
  },

  "Notifications are pending": async (type) => {
    await agencyRuns({ ROLES: "receiver,sender,dashboard" });
    await book("PENDING");
    await eventually(
      async () => {
        expect(await type("npx skedchange reconcile", {}, { code: 1 })).toContain("notification.without-case");
      },
      { everyMs: 1_000 },
    );
    const report = JSON.parse(await type("npx skedchange reconcile --json", {}, { code: 1 })) as object;
    expect(JSON.stringify(report)).toContain("notification.without-case");
    await skedchange("reconcile --repair", 1);
    expect(await api.listCases("orderId=PENDING")).toHaveLength(1);
  },

  "Due cases wait": async (type) => {
    await agencyRuns({ ROLES: "receiver,sender,dashboard" });
    await sql("update skedchange.cases set due_at = now() - interval '6 minutes' where order_id = 'PENDING'");
    expect(await type("npx skedchange blocked-orders")).toMatch(/PENDING.*not-picked-up/);

    await agencyRuns();

    await api.caseIn("PENDING", ["done"]);
    expect(await type("npx skedchange blocked-orders")).not.toContain("PENDING");
    expect(await metrics()).toContain("skedchange_gateway_seconds");
  },

  "The receiver refuses notifications": async (type) => {
    expect((await push("{}", "a-wrong-token")).status).toBe(401);
    await eventually(() =>
      expect(agency!.server.output()).toMatch(/"address":"127\.0\.0\.1".*"notification\.refused"/),
    );
    expect(await metrics()).toMatch(/skedchange_notifications_total{[^}]*outcome="receiver\.unauthorized"/);
    expect(await type("npx skedchange doctor")).toContain("Takes notifications with Bearer");
  },

  "Acknowledgements are slow": async () => {
    expect(await metrics()).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  },

  "The gateway is down": async (type) => {
    await gatewayPlace.breakDown();
    expect(await type("npx skedchange doctor", {}, { code: 1 })).toMatch(/gateway.*(?:ECONNREFUSED|refused)/i);
    await book("OUTAGE");
    await eventually(async () => {
      expect(await api.listCases("orderId=OUTAGE")).toMatchObject([{ lastError: { code: expect.anything() } }]);
    });
    expect(await metrics()).toMatch(/skedchange_gateway_seconds_count{[^}]*outcome="gateway\./);

    await gatewayPlace.recover();

    await api.caseIn("OUTAGE", ["done"], 60_000);
    await agencyRuns({ GATEWAY_ACCESS_TOKEN: "replaced-at-the-gateway" });
    await book("REFUSED");
    await eventually(async () => expect(await skedchange("doctor", 1)).toMatch(/problem +credentials/));
    await agencyRuns();
    await api.caseIn("REFUSED", ["done"], 60_000);
  },

  "Effects have an unknown outcome": async (type) => {
    const source = { "<id>": "default" };
    await type('npx skedchange automation stop --source <id> --note "gateway times out"', source);
    await book("STOPPED");
    await api.caseIn("STOPPED", ["awaiting-agent"]);
    // The airline has cancelled it, says the airline.
    await type("npx skedchange case <id> --confirm-effect", { "<id>": "UPGASKED" });
    await api.caseIn("UPGASKED", ["done"]);
    await type("npx skedchange automation resume --source <id>", source);
    await api.caseIn("STOPPED", ["done"]);
  },

  "Orders are blocked": async (type) => {
    await type("npx skedchange blocked-orders");
  },

  "Cases or tasks are overdue": async (type) => {
    await sql(
      "update skedchange.cases set due_by = now() - interval '1 minute', overdue_at = now() where order_id = 'UPGOPEN'",
    );
    expect(await type("npx skedchange cases --overdue")).toContain("UPGOPEN");
    expect(await type("npx skedchange tasks list")).toContain("UPGTICKET");
  },

  "Notices do not arrive": async () => {
    const address = "ana@agency.example";
    const { rule } = (await call("POST", "/notice-rules", {
      name: "Desk",
      when: { type: "at-once" },
      destination: { type: "email", addresses: [address] },
    })) as { rule: { id: string } };
    mails.refused.add(address);
    expect(await call("POST", `/notice-rules/${rule.id}/test`)).toMatchObject({
      problem: { code: "notices.mail_failed" },
    });
    mails.refused.delete(address);
    expect(await call("POST", `/notice-rules/${rule.id}/test`)).toEqual({ problem: null });
    expect(mails.mails.at(-1)?.to).toEqual([address]);
    await call("DELETE", `/notice-rules/${rule.id}`);
  },

  "Inconsistencies need people": async (type) => {
    await sql("delete from skedchange.effects where order_id = 'KILLED'");
    const named = await type("npx skedchange reconcile", {}, { code: 2 });
    expect(named).toMatch(/case\.done-without-success[\s\S]*KILLED|KILLED[\s\S]*case\.done-without-success/);
    await type("npx skedchange case <id> --reopen", { "<id>": "KILLED" });
    expect(await api.listCases("orderId=KILLED")).toHaveLength(2);
  },

  "The audit is behind": async (type) => {
    expect(await type("npx skedchange audit verify")).not.toContain("audit.sealing_behind");
    expect(await type("npx skedchange doctor")).toContain("audit");
  },

  "Deliveries are dead letters": async (type) => {
    recipient.script = respondWith(410);
    const { id } = (await control("POST", "/recipients", {
      name: "Other",
      url: recipient.url,
      authorization: { type: "bearer", token: "a-token-of-the-recipient" },
      ordering: "every",
    })) as {
      id: string;
    };
    const values = { "<id>": id, "<time>": "2h" };
    await book("LETTER");
    await eventually(async () => expect(await type("npx skedchange recipients list")).toMatch(/disabled.*Other/));
    recipient.script = respondWith(422);
    await type("npx skedchange recipients resume <id>", values);
    let dead = "";
    await eventually(async () => {
      dead = await type("npx skedchange deliveries list --state dead");
      expect(dead).toContain("LETTER");
    });
    const delivery = /^(\S+).*LETTER/m.exec(dead)![1]!;
    expect(await type("npx skedchange deliveries attempts <id>", { "<id>": delivery })).toContain("422");

    recipient.script = acknowledge;
    const resend = "npx skedchange deliveries resend --state dead --recipient <id> --since <time> --preview";
    expect(await type(resend, values)).toContain("1 dead delivery would be sent again.");
    expect(await skedchange(`deliveries resend --state dead --recipient ${id} --since 2h`)).toContain(
      "Sending 1 dead delivery again.",
    );
    await eventually(async () =>
      expect(await type(resend, values)).toContain("0 dead deliveries would be sent again."),
    );
    await type("npx skedchange deliveries resend <id>", { "<id>": delivery });
    await eventually(() =>
      expect(recipient.posts.filter(({ body }) => body.includes("LETTER")).length).toBeGreaterThan(3),
    );
    await type("npx skedchange events deliveries list");
  },

  "Notifications are in quarantine": async (type) => {
    await push("<OCN/>");
    expect(await type("npx skedchange quarantine list")).toContain("It is XML");
    await type("npx skedchange quarantine reprocess --all", {}, { code: 1 });
    const { items } = (await api.get("/api/v1/notifications?state=quarantined")) as { items: { id: string }[] };
    await call("POST", "/quarantine/discard", { ids: items.map(({ id }) => id), note: "nobody can use them" });
    expect(await metrics()).toMatch(/^skedchange_quarantined_notifications(?:{[^}]*})? 0$/m);
  },

  "Automatic effects are stopped": async (type) => {
    await skedchange('automation stop --note "a strike"');
    expect(await type("npx skedchange automation status")).toContain("a strike");
    await type("npx skedchange automation resume");
    expect(await skedchange("automation status")).not.toContain("a strike");
  },

  "The audit chain is broken": async (type) => {
    const verify = "npx skedchange audit verify";
    let head = "";
    await eventually(async () => {
      head = /^Head (\S+)/m.exec(await type(verify))![1]!;
    });
    await sql(
      "update skedchange.case_events set actor = 'nobody' where id = (select min(id) from skedchange.case_events)",
    );
    expect(await type(verify, {}, { code: 1 })).toMatch(/audit\./);
    await type("npx skedchange audit verify --head <block:hash>", { "<block:hash>": head }, { code: 1 });
  },

  "Stored bodies were changed": async () => {
    const { items } = (await api.get("/api/v1/notifications?limit=1")) as { items: { id: string }[] };
    const path = `/api/v1/notifications/${items[0]!.id}/body`;
    await sql("create table intact_bodies as select id, body from skedchange.notifications");
    await sql(`update skedchange.notifications set body = substring(body for 40) where id = '${items[0]!.id}'`);

    expect(await api.getText(path)).toMatchObject({
      status: 500,
      text: expect.stringContaining("store.body_changed"),
    });
    expect(agency!.server.output()).toContain("store.body_changed");
    expect(await metrics()).toMatch(/skedchange_unreadable_bodies_total{code="store\.body_changed"} [1-9]/);

    await sql("update skedchange.notifications n set body = b.body from intact_bodies b where b.id = n.id");
    expect(await api.getText(path)).toMatchObject({ status: 200 });
  },

  "The disk is full": async () => {
    await sql(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise 'No space left on device' using errcode = 'disk_full'; end $$`);
    await sql(
      "create trigger full_disk before insert on skedchange.notifications for each row execute function full_disk()",
    );
    await sql("alter table skedchange.notifications enable always trigger full_disk");
    expect((await push(JSON.stringify(sampleNotification("minor-delay")))).status).toBe(503);
    expect(await metrics()).toMatch(/outcome="receiver\.store_unavailable"/);
    expect(await readyz()).toMatchObject([200, expect.anything()]);
    await sql("drop function full_disk cascade");
    await decides("ROOMY");
  },

  "People cannot sign in with the identity provider": async (type) => {
    provider = await startIdentityProvider();
    await agencyRuns({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_ROLES: "agent=desk",
      PUBLIC_URL: `http://127.0.0.1:${settings["PORT"]}`,
    });
    provider.setAvailable(false);
    expect(await type("npx skedchange doctor", {}, { code: 1 })).toMatch(/sign-in/);
    await type("npx skedchange users add <name> --role admin", { "<name>": "rescue" });
    await skedchange("users disable rescue");
    provider.setAvailable(true);
    expect(await skedchange("doctor")).toMatch(/sign-in/);
  },

  "A secret has leaked": async (type) => {
    const { ana, bruno } = fixture.people;
    const { items } = (await api.get("/api/v1/tokens?of=everybody")) as { items: { id: string; user: string }[] };
    expect(items.length).toBeGreaterThan(1);
    await writeFile(join(folder, "password.txt"), "another horse that reads timetables");
    await type("npx skedchange users password <name> --revoke-tokens < password.txt", { "<name>": "ana" });
    await expect(openAgencyApi(agency!.server.agencyUrl, ana.token).get("/api/v1/counts")).rejects.toThrow(/401/);
    await openAgencyApi(agency!.server.agencyUrl, bruno.token).get("/api/v1/counts");
    await type("npx skedchange audit export --since <time>", { "<time>": "3d" });
    await type("npx skedchange automation stop --note <why>", { "<why>": "leaked" });
    await skedchange("automation resume");
  },
};

test("every runbook of docs/operations.md has a script here", () => {
  expect([...runbooks.keys()].toSorted()).toEqual(Object.keys(scripts).toSorted());
});

test("the first three commands to try show how an installation is", async () => {
  const [first = ""] = readSteps(section).map(({ commands }) => commands);
  expect(first).toContain("npx skedchange doctor");
  const output = await typeInShell(first.replaceAll(":9464", `:${settings["OPS_PORT"]}`), 0);
  expect(output).toContain("Takes notifications with Bearer");
  expect(output).toContain('"database"');
});

describe("a runbook, followed word for word", () => {
  test.each([...runbooks])("repairs or shows what it is for: %s", async (heading, text) => {
    const named = commandsOf(text);
    const typed = new Set<string>();

    await scripts[heading]!(async (command, values = {}, { code = 0 } = {}) => {
      expect(named).toContain(command);
      typed.add(command);
      const filled = command.replaceAll(/<[a-z:]+>/g, (placeholder) => values[placeholder] ?? placeholder);
      return await typeInShell(filled, code);
    });

    expect([...typed].toSorted()).toEqual(named.toSorted());
  });
});

/** Commands in the text and in its blocks, without what is only an explanation. */
function commandsOf(text: string): readonly string[] {
  const inText = [...text.matchAll(/`(npx\s+skedchange\s[^`]+)`/g)].map(([, command]) =>
    command!.replaceAll(/\s+/g, " "),
  );
  const inBlocks = readSteps(text).flatMap(({ commands }) => commands.trim().split("\n"));
  return [...new Set([...inText, ...inBlocks])];
}

async function typeInShell(commands: string, code: number): Promise<string> {
  const env = {
    ...settings,
    ...agency?.changed,
    GATEWAY_PORT: new URL(gateway.gatewayUrl!).port,
    PATH: `${folder}:${process.env["PATH"]}`,
  };
  return await new Promise((resolve, reject) => {
    execFile("sh", ["-c", commands], { env, cwd: folder }, (error, stdout, stderr) => {
      const ended = error === null ? 0 : error.code;
      if (ended === code) resolve(stdout + stderr);
      else reject(new Error(`${commands} ended with ${ended} instead of ${code}:\n${stdout}${stderr}`));
    });
  });
}

/** A command that the runbook names in another form. */
function skedchange(command: string, code = 0): Promise<string> {
  return typeInShell(`npx skedchange ${command}`, code);
}

/** Starts the agency's process if it is down or has other settings. */
async function agencyRuns(changed: Readonly<Record<string, string>> = {}): Promise<void> {
  if (JSON.stringify(agency?.changed) === JSON.stringify(changed)) return;
  await agency?.server.end("SIGTERM");
  const server = await startServerProcess({ ...settings, ...changed });
  agency = { server, changed };
  api = openAgencyApi(server.agencyUrl, fixture.tokens.api);
}

async function readyz(): Promise<readonly [number, string]> {
  const response = await fetch(`http://127.0.0.1:${settings["OPS_PORT"]}/readyz`);
  return [response.status, await response.text()];
}

async function metrics(): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${settings["OPS_PORT"]}/metrics`)).text();
}

function push(body: string, token = fixture.tokens.ocn): Promise<Response> {
  return fetch(`http://127.0.0.1:${settings["PORT"]}/ocn`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  return await ask(`http://127.0.0.1:${settings["PORT"]}/api/v1${path}`, fixture.tokens.api, method, body);
}

async function control(method: string, path: string, body: object): Promise<unknown> {
  return await ask(`${gateway.gatewayUrl}/control${path}`, fixture.tokens.control, method, body);
}

async function ask(url: string, token: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** An order whose airline makes a small change, which the gateway pushes. */
async function book(orderId: string): Promise<void> {
  const date = upcoming("2027-03-14");
  const times = { departure: `${date}T07:10`, arrival: `${date}T11:20` };
  const flights = [{ from: "LIS", to: "FRA", carrier: "LH", flightNumber: "1167", ...times }];
  await control("POST", "/orders", { orderId, gdsBookingReferences: [orderId.slice(0, 6)], flights });
  await control("POST", `/orders/${orderId}/changes`, { changes: [small] });
}

async function decides(orderId: string): Promise<void> {
  await book(orderId);
  await api.caseIn(orderId, ["done"], 60_000);
}

async function sql(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: db.adminUrl });
  await client.connect();
  try {
    // As somebody who may do anything: no trigger and no foreign key looks at it.
    await client.query("set session_replication_role = replica");
    await client.query(statement);
  } finally {
    await client.end();
  }
}
