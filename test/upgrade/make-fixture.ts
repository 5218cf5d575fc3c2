// Makes an upgrade fixture from a real installation: `tsx test/upgrade/make-fixture.ts <installation> <commit> <folder>`.
//
// `installation` is a built checkout of the commit. Everything goes through its processes and their HTTP interfaces, so
// this file imports nothing of what it runs. README.md says what each case is.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { prepareDatabase } from "../../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded-postgres/server.ts";
import { eventually } from "../harness/eventually.ts";
import { type Row, writeRows } from "./rows.ts";

const [installation, commit, folder] = process.argv.slice(2);
if (installation === undefined || commit === undefined || folder === undefined) {
  throw new Error("Usage: tsx test/upgrade/make-fixture.ts <installation> <commit> <folder>");
}

const tokens = { api: "api-of-the-fixture", ocn: "ocn-of-the-fixture", access: "access", control: "control" };
/** What is left of the short waits when the fixture is loaded: time enough to see that they are kept. */
const shortWaitLeftMs = 10_000;
const encryptionKeys = `fixture:${randomBytes(32).toString("base64")}`;

interface RunningProcess {
  readonly agencyUrl: string;
  readonly gatewayUrl: string | null;
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const processes = new Set<ChildProcess>();

async function startProcess(roles: string, settings: Readonly<Record<string, string>>): Promise<RunningProcess> {
  const child = spawn(process.execPath, [join(installation!, "bin", "skedchange.js"), "serve"], {
    env: { PATH: process.env["PATH"] ?? "", ROLES: roles, ...common, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  processes.add(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually(
    () => {
      if (!output.includes("  database ")) throw new Error(`the process of ${roles} does not come up:\n${output}`);
    },
    { timeoutMs: 60_000 },
  );
  return {
    agencyUrl: /agency side\s+(http\S+)/.exec(output)?.[1] ?? "",
    gatewayUrl: /gateway side\s+(http\S+)/.exec(output)?.[1] ?? null,
    async end(signal) {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      processes.delete(child);
    },
  };
}

async function call(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}

/** Says what happened, for whoever waits. */
const print = (line: string): void => console.error(`${new Date().toISOString()} ${line}`);

const dataDir = await mkdtemp(join(tmpdir(), "upgrade-fixture-"));
const postgres = await startEmbeddedPostgres({ dataDir });
const { ownerUrl, serviceUrl } = await prepareDatabase(postgres.adminUrl, "skedchange");
const pool = new pg.Pool({ connectionString: ownerUrl.replace("skedchange_owner", "postgres"), max: 3 });
pool.on("error", () => {});

const common = {
  HOST: "127.0.0.1",
  PORT: "0",
  GATEWAY_PORT: "0",
  LOG_LEVEL: "warn",
  DATABASE_URL: serviceUrl,
  DATABASE_OWNER_URL: ownerUrl,
  ENCRYPTION_KEYS: encryptionKeys,
  OCN_BEARER_TOKENS: tokens.ocn,
  API_TOKEN: tokens.api,
  GATEWAY_ACCESS_TOKEN: tokens.access,
  GATEWAY_CONTROL_TOKEN: tokens.control,
  SECOND_PERSON_ABOVE: "1",
  RECIPIENT_ALLOW_HTTP: "1",
  RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
  RECONCILE_MINUTES: "0",
};

/** Takes events, until it is told to respond no more. */
const pendingResponses: ServerResponse[] = [];
let takesEvents = true;
const eventRecipient = createServer((request, response) => {
  request.resume();
  if (takesEvents) response.writeHead(204).end();
  else pendingResponses.push(response);
});
eventRecipient.listen(0, "127.0.0.1");
await once(eventRecipient, "listening");

try {
  const front = await startProcess("dashboard", { GATEWAY_BASE_URL: "http://127.0.0.1:1" });
  const api = (method: string, path: string, body?: unknown, token = tokens.api) =>
    call(front.agencyUrl, token, method, `/api/v1${path}`, body);

  const post = (path: string, cookie: string, body: object) =>
    fetch(`${front.agencyUrl}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie, origin: front.agencyUrl },
      body: JSON.stringify(body),
    });
  const signIn = async (username: string, password: string): Promise<string> => {
    const signedIn = await post("/session", "", { username, password });
    return signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  };

  const people = {
    ana: { role: "supervisor", password: "a horse that reads timetables", token: "" },
    bruno: { role: "supervisor", password: "two tickets to nowhere at all", token: "" },
    chloe: { role: "admin", password: "the desk is never empty at noon", token: "" },
  };
  for (const [username, person] of Object.entries(people)) {
    const { role, password } = person;
    const initialPassword = `${password} at first`;
    await api("POST", "/users", { username, role, password: initialPassword });
    const cookie = await signIn(username, initialPassword);
    // Who got a password from somebody else must change it before anything else.
    const changed = await post("/session/password", cookie, {
      currentPassword: initialPassword,
      newPassword: password,
    });
    if (!changed.ok) throw new Error(`the password of ${username} is not changed: ${await changed.text()}`);
    const made = await post("/tokens", await signIn(username, password), { name: "desk script", expiresInDays: 365 });
    if (made.status !== 201) throw new Error(`no token for ${username}: ${await made.text()}`);
    person.token = ((await made.json()) as { token: string }).token;
  }

  const policies: Record<string, string> = {};
  for (const role of ["active", "shadow"] as const) {
    const text = await readFile(fileURLToPath(new URL(`policies/${role}.yaml`, import.meta.url)), "utf8");
    const { version } = (await api("POST", "/policies", { text, note: `${role} policy of the fixture` })) as {
      version: string;
    };
    policies[role] = version;
    const activation = { source: "default", role, version, note: `${role} from here on` };
    await api("POST", "/policies/activations", activation, people.ana.token);
  }

  const eventRecipientUrl = `http://127.0.0.1:${(eventRecipient.address() as AddressInfo).port}/events`;
  const added = await api("POST", "/recipients", { name: "Mid-office", url: eventRecipientUrl }, people.chloe.token);
  const signingSecret = String(added["signingSecret"]);

  const gateway = await startProcess("gateway", {});
  const gatewayUrl = gateway.gatewayUrl!;
  const control = (method: string, path: string, body?: unknown) =>
    call(gatewayUrl, tokens.control, method, `/control${path}`, body);
  const worker = (settings: Readonly<Record<string, string>> = {}) =>
    startProcess("worker", { GATEWAY_BASE_URL: gatewayUrl, ...settings });
  const receiver = await startProcess("receiver", { GATEWAY_BASE_URL: gatewayUrl });
  const sender = await startProcess("sender", { GATEWAY_BASE_URL: gatewayUrl });
  let working = await worker();
  await control("POST", "/recipients", {
    name: "Example Travel",
    url: `${receiver.agencyUrl}/ocn`,
    authorization: { type: "bearer", token: tokens.ocn },
    ordering: "every",
  });

  // --- What airlines do, and what people do about it -----------------------------------------------------------------

  let booked = 0;
  const book = async (orderId: string, isSplit = false): Promise<void> => {
    booked += 1;
    const reference = (letter: string): string => `${letter}UPG${String(booked).padStart(2, "0")}`;
    const out = { from: "LIS", to: "FRA", carrier: "LH", flightNumber: "1167" };
    const on = { from: "FRA", to: "ARN", carrier: "LH", flightNumber: "802" };
    const flights = [
      { ...out, departure: "2035-03-14T07:10", arrival: "2035-03-14T11:20", gdsBookingReference: reference("A") },
      { ...on, departure: "2035-03-14T16:20", arrival: "2035-03-14T18:25", gdsBookingReference: reference("B") },
    ].slice(0, isSplit ? 2 : 1);
    const gdsBookingReferences = flights.map(({ gdsBookingReference }) => gdsBookingReference);
    await control("POST", "/orders", { orderId, gdsBookingReferences, flights });
  };
  const change = (orderId: string, request: object) => control("POST", `/orders/${orderId}/changes`, request);
  /** The active policy accepts it. */
  const small = { kind: "retime", departureMinutes: 20 };
  /** The active policy leaves it to a person. */
  const large = { kind: "retime", departureMinutes: 180 };
  const fault = (orderId: string, mode: string, more: object = {}) =>
    control("POST", "/faults", { mode, orderId, ...more });
  const withFault = async (orderId: string, changes: object, mode: string, more: object = {}): Promise<void> => {
    await book(orderId);
    await fault(orderId, mode, more);
    await change(orderId, changes);
  };
  const inState = async (orderId: string, state: string, timeoutMs = 30_000): Promise<string> => {
    let id = "";
    await eventually(
      async () => {
        const { rows } = await pool.query(
          "select id, state from skedchange.cases where order_id = $1 order by opened_at desc limit 1",
          [orderId],
        );
        if (rows[0]?.state !== state) throw new Error(`${orderId} is ${rows[0]?.state}, not ${state}`);
        id = rows[0].id;
      },
      { timeoutMs, everyMs: 50 },
    );
    return id;
  };
  const act = (caseId: string, who: keyof typeof people, action: object) =>
    api("POST", `/cases/${caseId}/actions`, action, people[who].token);
  const waiting = async (orderId: string): Promise<string> => {
    await book(orderId);
    await change(orderId, large);
    return await inState(orderId, "awaiting-agent");
  };
  const cancelByTwo = async (orderId: string, caseId: string): Promise<void> => {
    const asked = await act(caseId, "ana", {
      action: "cancel",
      confirm: orderId,
      note: "The traveller wants a refund.",
    });
    const { id: approvalId } = asked["approval"] as { id: string };
    await act(caseId, "bruno", { action: "approve", approvalId });
  };
  const accept = { operation: "AirOrderInvoluntaryAccept" };
  const cancel = { operation: "AirOrderInvoluntaryCancel" };

  // Unknown for minutes before a person is asked, so it comes first.
  const askedCase = await waiting("UPGASKED");
  await fault("UPGASKED", "reset", { ...cancel, afterEffect: false });
  await cancelByTwo("UPGASKED", askedCase);
  print("UPGASKED is being settled");

  await book("UPGDONE");
  await change("UPGDONE", small);
  await inState("UPGDONE", "done");

  await book("UPGSECOND");
  await change("UPGSECOND", small);
  await inState("UPGSECOND", "done");
  await change("UPGSECOND", large);
  await inState("UPGSECOND", "awaiting-agent");

  await cancelByTwo("UPGCANCELLED", await waiting("UPGCANCELLED"));
  await inState("UPGCANCELLED", "done");

  // Its ticket still shows the old flight number.
  await book("UPGTICKET");
  await change("UPGTICKET", { kind: "renumber", flightNumber: "1169" });
  await act(await inState("UPGTICKET", "awaiting-agent"), "ana", { action: "accept" });
  await inState("UPGTICKET", "done");

  const closed = await waiting("UPGCLOSED");
  await act(closed, "ana", { action: "close", reasonCode: "no-longer-travelling" });
  const elsewhere = await waiting("UPGELSEWHERE");
  await act(elsewhere, "bruno", { action: "resolved-elsewhere", note: "Done by phone with the airline." });
  const reopened = await waiting("UPGREOPENED");
  await act(reopened, "ana", { action: "close", reasonCode: "agency-error" });
  await act(reopened, "bruno", { action: "reopen", note: "Closed by mistake." });
  await inState("UPGREOPENED", "awaiting-agent");

  // Right before the accept takes effect the airline makes another change, which may not be accepted.
  await withFault("UPGFAILED", small, "replaced-proposal", {
    at: "accept",
    change: { kind: "retime", departureMinutes: 200, flags: { accept: "N" } },
  });
  await inState("UPGFAILED", "awaiting-agent", 60_000);
  await book("UPGMIXED", true);
  await fault("UPGMIXED", "mixed-results");
  await change("UPGMIXED", {
    kind: "combined",
    parts: [
      { kind: "retime", flightIndex: 0, departureMinutes: 15 },
      { kind: "retime", flightIndex: 1, departureMinutes: 15 },
    ],
  });
  await inState("UPGMIXED", "awaiting-agent", 60_000);
  print("what is finished or failed is there");

  const open = await waiting("UPGOPEN");
  await act(open, "ana", { action: "assign", assignee: "me" });
  await act(open, "ana", { action: "note", note: "Called the traveller, no answer yet." });
  const traveller = await waiting("UPGTRAVELLER");
  const happenedAt = new Date().toISOString();
  await act(traveller, "ana", { action: "traveller-asked", channel: "email", happenedAt });
  await act(await waiting("UPGRESCHEDULE"), "ana", { action: "reschedule" });
  const snoozedFor = async (orderId: string, ms: number): Promise<void> => {
    const until = new Date(Date.now() + ms).toISOString();
    await act(await waiting(orderId), "ana", { action: "snooze", until });
  };
  await snoozedFor("UPGSNOOZEDLONG", 20 * 24 * 60 * 60_000);
  const approval = await waiting("UPGAPPROVAL");
  await act(approval, "ana", { action: "cancel", confirm: "UPGAPPROVAL", note: "The traveller wants a refund." });
  for (const body of ['{"AirOrderChangeNotif', JSON.stringify({ AirOrderChangeNotif: { Order: [] } })]) {
    const response = await fetch(`${receiver.agencyUrl}/ocn`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens.ocn}`, "content-type": "application/json" },
      body,
    });
    if (response.status !== 400 && response.status !== 422) throw new Error(`not quarantined: ${response.status}`);
  }
  print("what waits for people is there");
  await eventually(
    async () => {
      const { rows } = await pool.query(
        "select 1 from skedchange.decisions where case_id = $1 and rule = 'check:effect'",
        [askedCase],
      );
      if (rows.length === 0) throw new Error("nobody is asked about UPGASKED");
    },
    { timeoutMs: 240_000, everyMs: 500 },
  );
  await inState("UPGASKED", "awaiting-agent");
  const allEventsDelivered = async (): Promise<void> => {
    const { rows } = await pool.query(
      `select (select count(*)::int from skedchange.event_bodies where routed_at is null)
         + (select count(*)::int from skedchange.event_deliveries where state = 'pending') as n`,
    );
    if (rows[0].n > 0) throw new Error(`${rows[0].n} events are not delivered`);
  };
  await eventually(allEventsDelivered, { timeoutMs: 30_000 });

  // --- What is under way when everything dies ------------------------------------------------------------------------

  takesEvents = false;
  await working.end("SIGTERM");
  working = await worker({ UNDO_WINDOW_SECONDS: "3600" });
  const inUndoWindow = async (orderId: string): Promise<void> => {
    await book(orderId);
    await change(orderId, small);
    await eventually(async () => {
      const { rows } = await pool.query("select undo_until from skedchange.cases where order_id = $1", [orderId]);
      if (!rows[0]?.undo_until) throw new Error(`${orderId} is not held back`);
    });
  };
  await inUndoWindow("UPGUNDOLONG");
  await working.end("SIGTERM");
  working = await worker({ UNDO_WINDOW_SECONDS: "120" });
  await inUndoWindow("UPGUNDOSHORT");
  const { rows: windows } = await pool.query<{ at: Date }>(
    "select undo_until as at from skedchange.cases where order_id = 'UPGUNDOSHORT'",
  );
  const shortWaitEndsAt = windows[0]!.at;
  await act(await waiting("UPGSNOOZEDSHORT"), "ana", { action: "snooze", until: shortWaitEndsAt.toISOString() });
  await working.end("SIGTERM");

  // Its worker stands still between the plan and the mark that it is sent, which are one commit since 0.2.0.
  await pool.query(`
    create function public.stand_still() returns trigger language plpgsql as
      $$ begin perform pg_sleep(60); return new; end $$;
    create trigger stand_still before update on skedchange.effects
      for each row when (new.order_id = 'UPGPLANNED' and new.state = 'sent') execute function public.stand_still()`);
  working = await worker();
  await book("UPGPLANNED");
  await change("UPGPLANNED", small);
  await withFault("UPGSENTDONE", small, "timeout", { ...accept, afterEffect: true });
  await withFault("UPGSENTLOST", small, "timeout", { ...accept, afterEffect: false });
  // Last, because workers begin to settle them within seconds.
  await withFault("UPGUNKNOWNDONE", small, "reset", { ...accept, afterEffect: true });
  await withFault("UPGUNKNOWNLOST", small, "reset", { ...accept, afterEffect: false });
  const effectStates = async (): Promise<Record<string, string>> => {
    const { rows } = await pool.query<{ order_id: string; state: string }>(
      "select order_id, state from skedchange.effects where order_id ~ '^UPG(UNKNOWN|SENT|PLANNED)'",
    );
    return Object.fromEntries(rows.map(({ order_id: orderId, state }) => [orderId, state]));
  };
  await eventually(
    async () => {
      const found = await effectStates();
      const { rows } = await pool.query(
        `select 1 from gateway.journal where order_id = 'UPGSENTDONE' and result = 'SUCCESS' and operation ~ 'Accept'`,
      );
      const standsStill = await pool.query("select pid from pg_stat_activity where wait_event = 'PgSleep'");
      const wanted = {
        UPGSENTDONE: "sent",
        UPGSENTLOST: "sent",
        UPGUNKNOWNDONE: "unknown",
        UPGUNKNOWNLOST: "unknown",
      };
      const isThere = Object.entries(wanted).every(([orderId, state]) => found[orderId] === state);
      if (!isThere || rows.length === 0 || standsStill.rows.length === 0) throw new Error(JSON.stringify(found));
    },
    { timeoutMs: 20_000, everyMs: 10 },
  );
  await working.end("SIGKILL");
  // Its statement would otherwise go on without it.
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'");
  await pool.query("drop trigger stand_still on skedchange.effects; drop function public.stand_still()");
  print(`the worker is killed: ${JSON.stringify(await effectStates())}`);

  await book("UPGRECEIVED");
  await change("UPGRECEIVED", small);
  // A worker's feeder opens its case.
  await eventually(async () => {
    const { rows } = await pool.query(
      "select 1 from skedchange.notification_digests where pending_orders::text like '%UPGRECEIVED%'",
    );
    if (rows.length === 0) throw new Error("UPGRECEIVED was not acknowledged");
  });
  await receiver.end("SIGTERM");
  await book("UPGUNHEARD");
  await change("UPGUNHEARD", small);
  await eventually(async () => {
    const { rows } = await pool.query(
      "select 1 from gateway.deliveries where order_id = 'UPGUNHEARD' and state = 'pending' and attempts > 0",
    );
    if (rows.length === 0) throw new Error("UPGUNHEARD was not tried");
    if (pendingResponses.length === 0) throw new Error("no event is on its way");
  });
  await sender.end("SIGKILL");
  // Joins what has happened to the chain of the audit.
  await eventually(async () => {
    const { rows } = await pool.query(
      `select count(*)::int as n
       from (select id from skedchange.audit_entries union all select id from skedchange.audited_lines) e
       where id > (select last_id from skedchange.audit_progress)`,
    );
    if (rows[0].n > 0) throw new Error(`${rows[0].n} entries of the audit are in no block`);
  });
  await front.end("SIGTERM");
  await gateway.end("SIGTERM");

  // --- The rows ------------------------------------------------------------------------------------------------------

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { rows: tables } = await pool.query<{ schema: string; name: string; key: string }>(`
    select n.nspname as schema, c.relname as name,
      (select string_agg(quote_ident(a.attname), ', ' order by array_position(i.indkey::int2[], a.attnum))
       from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
       where i.indrelid = c.oid and i.indisprimary) as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('skedchange', 'gateway') and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname !~ '_transitions$' and c.relname not in ('audit_chain', 'audit_blocks', 'audit_progress')
    order by 1, 2`);
  for (const { schema, name, key } of tables) {
    const { rows } = await pool.query<{ row: Row }>(
      `select row_to_json(t) as row from ${schema}.${name} t order by ${key}`,
    );
    if (rows.length === 0) continue;
    await writeFile(join(folder, `${schema}.${name}.jsonl`), writeRows(rows.map(({ row }) => row)));
  }
  const { rows: newest } = await pool.query<{ at: Date }>(
    "select greatest((select max(recorded_at) from skedchange.audit_entries), (select max(recorded_at) from skedchange.case_events)) as at",
  );
  const takenAt = new Date(shortWaitEndsAt.getTime() - shortWaitLeftMs);
  if (newest[0]!.at > takenAt) throw new Error("the short waits ended before everything was there");
  const description = {
    commit,
    takenAt: takenAt.toISOString(),
    encryptionKeys,
    tokens,
    secondPersonAbove: common.SECOND_PERSON_ABOVE,
    people,
    policies,
    addresses: { eventRecipient: eventRecipientUrl, receiver: `${receiver.agencyUrl}/ocn` },
    signingSecret,
  };
  await writeFile(join(folder, "installation.json"), `${JSON.stringify(description, null, 2)}\n`);
  print(`written to ${folder}`);
} finally {
  for (const child of processes) child.kill("SIGKILL");
  for (const response of pendingResponses) response.destroy();
  eventRecipient.close();
  await pool.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
