import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { databaseRoleOf, rightsOfRoles } from "../../src/store/database/role-rights.ts";
import { urlFor } from "../../src/store/embedded-postgres/own-database.ts";
import { upcoming } from "../builders/upcoming.ts";
import { openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { runCommand } from "../harness/run-command.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { respondWith, type ScriptedReceiver, startReceiver } from "../integration/sender/scripted-receiver.ts";

const roles = Object.keys(rightsOfRoles);
const suffix = randomBytes(4).toString("hex");
const loginOf = (role: string): string => `test_${role}_${suffix}`;

let db: TestDatabase;
let admin: pg.Client;
let recipient: ScriptedReceiver;
const processes = new Map<string, ServerProcess>();

beforeAll(async () => {
  db = await createTestDatabase();
  admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  const password = decodeURIComponent(new URL(db.adminUrl).password);
  for (const role of roles) {
    await admin.query(`create role ${loginOf(role)} login password ${admin.escapeLiteral(password)}`);
    await admin.query(`grant ${databaseRoleOf(role)} to ${loginOf(role)}`);
  }
  recipient = await startReceiver(respondWith(200));
  for (const role of ["gateway", "sender", "receiver", "worker", "dashboard"]) processes.set(role, await start(role));
  // Five processes start one after the other.
}, 180_000);

afterAll(async () => {
  await Promise.all([...processes.values()].map((running) => running.end("SIGTERM")));
  await recipient?.close();
  for (const role of roles) {
    await admin.query(`drop owned by ${loginOf(role)}`);
    await admin.query(`drop role ${loginOf(role)}`);
  }
  await admin.end();
  await db.drop();
});

const urlOf = (role: string): string =>
  urlFor(db.serviceUrl, loginOf(role), new URL(db.serviceUrl).pathname.slice("/".length));

function start(role: string): Promise<ServerProcess> {
  return startServerProcess({
    ROLES: role,
    DATABASE_URL: urlOf(role),
    OCN_BEARER_TOKENS: "ocn",
    API_TOKEN: "api",
    ...(role === "gateway" ? {} : { GATEWAY_BASE_URL: processes.get("gateway")!.gatewayUrl! }),
    GATEWAY_ACCESS_TOKEN: "access",
    ...(role === "gateway" ? { GATEWAY_CONTROL_TOKEN: "control" } : {}),
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    POLICY_FILE: fileURLToPath(new URL("../faults/policy.yaml", import.meta.url)),
    LEARN_ORDERS: "0",
    LOG_LEVEL: "warn",
  });
}

async function control(method: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${processes.get("gateway")!.gatewayUrl}/control${path}`, {
    method,
    headers: { authorization: "Bearer control", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}

async function book(orderId: string): Promise<void> {
  const date = upcoming("2027-03-14");
  const times = { departure: `${date}T07:10`, arrival: `${date}T11:20` };
  const flights = [{ from: "LIS", to: "FRA", carrier: "LH", flightNumber: "1167", ...times }];
  await control("POST", "/orders", { orderId, gdsBookingReferences: [orderId], flights });
}

const retiming = (minutes: number) => ({
  changes: [{ kind: "retime", departureMinutes: minutes }],
});

test("an order goes from its change at the gateway to an event for another system, each process with the login of its role", async () => {
  const agency = openAgencyApi(processes.get("dashboard")!.agencyUrl, "api");
  await control("POST", "/recipients", {
    name: "Agency",
    url: `${processes.get("receiver")!.agencyUrl}/ocn`,
    authorization: { type: "bearer", token: "ocn" },
    ordering: "every",
  });
  const added = await fetch(`${processes.get("dashboard")!.agencyUrl}/api/v1/recipients`, {
    method: "POST",
    headers: { authorization: "Bearer api", "content-type": "application/json" },
    body: JSON.stringify({ name: "Mid-office", url: recipient.url }),
  });
  expect(added.status).toBe(201);

  await book("AUTOMATIC");
  await book("BYPERSON1");
  await control("POST", "/orders/AUTOMATIC/changes", retiming(20));
  await control("POST", "/orders/BYPERSON1/changes", retiming(300));

  await agency.caseIn("AUTOMATIC", ["done"], 60_000);
  const waiting = await agency.caseIn("BYPERSON1", ["awaiting-agent"], 60_000);
  const accepted = await agency.act(waiting.id, "accept", { version: waiting.version });
  expect(accepted.status).toBe(202);
  await agency.caseIn("BYPERSON1", ["done"], 60_000);
  await eventually(
    () => {
      const kinds = recipient.posts.map(({ body }) => JSON.parse(body.toString()).type);
      expect(kinds.filter((kind) => kind === "case.done")).toHaveLength(2);
    },
    { timeoutMs: 30_000 },
  );
  await eventually(
    async () => {
      const { rows } = await admin.query(
        `select count(*)::int as unsealed
         from (select id from skedchange.audit_entries union all select id from skedchange.audited_lines) e
         where id > (select last_id from skedchange.audit_progress)`,
      );
      expect(rows).toEqual([{ unsealed: 0 }]);
    },
    { timeoutMs: 30_000 },
  );
}, 240_000);

test("no process asked the database for what its role may not do", async () => {
  for (const { agencyUrl } of processes.values()) {
    expect((await openAgencyApi(agencyUrl, "api").getText("/metrics")).text).toContain("skedchange_");
  }

  const refused = [...processes].flatMap(([role, running]) =>
    (running.output().match(/permission denied for [a-z]+ \w+/g) ?? []).map((words) => `${role}: ${words}`),
  );
  expect([...new Set(refused)]).toEqual([]);
});

test("nothing belongs to the login of a process, so that it can get another one", async () => {
  const { rows } = await admin.query(
    `select c.oid::regclass::text as name, c.relowner::regrole::text as owner from pg_class c
     where c.relowner::regrole::text like $1`,
    [`test_%_${suffix}`],
  );

  expect(rows).toEqual([]);
});

// A worker does the same now and then.
test.each([["retention"], ["reconcile", "--repair"]])("the login of a worker suffices for %s", async (...command) => {
  const run = runCommand(command, { DATABASE_URL: urlOf("worker"), ENCRYPTION_KEYS: createEncryptionKey(new Date()) });

  expect(await run.ended).toBe(0);
  expect(run.output()).not.toContain("permission denied");
});

test("the doctor says that it does not see what waits with the login of a receiver", async () => {
  const run = runCommand(["doctor"], {
    ROLES: "receiver",
    DATABASE_URL: urlOf("receiver"),
    OCN_BEARER_TOKENS: "ocn",
    ENCRYPTION_KEYS: createEncryptionKey(new Date()),
  });
  await run.ended;

  expect(run.output().replaceAll(/\s+/g, " ")).toContain("The login has the rights of one role only");
});

test.each(["users", "sessions", "api_tokens", "second_factors", "decisions", "effects", "cases", "case_events"])(
  "the login of a receiver cannot read %s",
  async (table) => {
    const client = new pg.Client({ connectionString: urlOf("receiver") });
    await client.connect();
    try {
      await expect(client.query(`select from skedchange.${table}`)).rejects.toMatchObject({ code: "42501" });
    } finally {
      await client.end();
    }
  },
);

test.each(["worker", "sender", "gateway"])("the login of a %s cannot read sessions", async (role) => {
  const client = new pg.Client({ connectionString: urlOf(role) });
  await client.connect();
  try {
    await expect(client.query("select from skedchange.sessions")).rejects.toMatchObject({ code: "42501" });
  } finally {
    await client.end();
  }
});
