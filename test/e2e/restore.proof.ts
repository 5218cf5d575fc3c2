import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import pg from "pg";
import { makeEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { upcoming } from "../builders/upcoming.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import {
  findPostgresPrograms,
  type InstalledPostgres,
  requiresPostgresPrograms,
  startInstalledPostgres,
} from "../harness/postgres-programs.ts";
import { findFreePort } from "../harness/redis-server.ts";
import { type ServerProcess, serverEntry, startServerProcess } from "../harness/server-process.ts";

/** The steps of "Restoring" in `docs/operations.md`, one after the other, by the commands that stand there. */

const programs = findPostgresPrograms();
const withPrograms = programs !== null || requiresPostgresPrograms() ? describe : describe.skip;

const encryptionKeys = makeEncryptionKey(new Date());
const tokens = { ocn: "ocn-of-the-restore", api: "api-of-the-restore", access: "access", control: "control" };
const policyFile = fileURLToPath(new URL("../faults/policy.yaml", import.meta.url));
/** The policy accepts it. */
const small = { kind: "retime", departureMinutes: 10 };
/** The policy leaves it to a person. */
const large = { kind: "retime", departureMinutes: 120 };

let folder: string;
let gatewayDatabase: TestDatabase;
let gateway: ServerProcess;
let live: InstalledPostgres;
let restored: InstalledPostgres;
let port: string;
const agencies: ServerProcess[] = [];

beforeEach(async () => {
  [folder, gatewayDatabase, live, restored] = await Promise.all([
    mkdtemp(join(tmpdir(), "skedchange-restore-")),
    createTestDatabase(),
    startInstalledPostgres(programs!),
    startInstalledPostgres(programs!),
  ]);
  port = String(await findFreePort());
  gateway = await startServerProcess({
    ROLES: "gateway,sender",
    DATABASE_URL: gatewayDatabase.serviceUrl,
    GATEWAY_ACCESS_TOKEN: tokens.access,
    GATEWAY_CONTROL_TOKEN: tokens.control,
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  await control("POST", "/recipients", {
    name: "Example Travel",
    url: `http://127.0.0.1:${port}/ocn`,
    authorization: { type: "bearer", token: tokens.ocn },
    ordering: "every",
  });
}, 120_000);
afterEach(async () => {
  await Promise.all([gateway?.end("SIGTERM"), ...agencies.splice(0).map((agency) => agency.end("SIGTERM"))]);
  await Promise.all([gatewayDatabase?.drop(), live?.close(), restored?.close()]);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function control<Body>(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${gateway.gatewayUrl}/control${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens.control}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

function settingsOf({ serviceUrl, ownerUrl }: InstalledPostgres): Record<string, string> {
  return {
    PORT: port,
    DATABASE_URL: serviceUrl,
    DATABASE_OWNER_URL: ownerUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    OCN_BEARER_TOKENS: tokens.ocn,
    API_TOKEN: tokens.api,
    GATEWAY_BASE_URL: gateway.gatewayUrl!,
    GATEWAY_ACCESS_TOKEN: tokens.access,
    POLICY_FILE: policyFile,
    UNDO_WINDOW_SECONDS: "4",
  };
}

async function startAgency(on: InstalledPostgres, roles: string): Promise<{ api: AgencyApi; server: ServerProcess }> {
  const server = await startServerProcess({ ...settingsOf(on), ROLES: roles });
  agencies.push(server);
  return { api: openAgencyApi(server.agencyUrl, tokens.api), server };
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function execute(command: string, parameters: readonly string[], environment: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: `${programs}:${process.env["PATH"]}`, ...environment };
    execFile(command, parameters, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** `npx skedchange …` with the settings of a process. */
const skedchange = (on: InstalledPostgres, ...parameters: string[]): Promise<Ended> =>
  execute(process.execPath, [serverEntry, ...parameters], settingsOf(on));

async function succeeds(command: Promise<Ended>): Promise<Ended> {
  const ended = await command;
  expect(ended).toMatchObject({ code: 0 });
  return ended;
}

async function book(orderId: string): Promise<void> {
  const date = upcoming("2027-03-14");
  await control("POST", "/orders", {
    orderId,
    gdsBookingReferences: [orderId.slice(0, 6)],
    flights: [
      {
        from: "LIS",
        to: "FRA",
        carrier: "LH",
        flightNumber: "1167",
        departure: `${date}T07:10`,
        arrival: `${date}T11:20`,
      },
    ],
  });
}

const change = (orderId: string, made: object) => control("POST", `/orders/${orderId}/changes`, { changes: [made] });

/** The accepts and cancels that took effect, by order. */
async function effectsAtGateway(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { items } = await control<{ items: { orderId: string; operation: string; result: string }[] }>(
    "GET",
    "/journal?limit=500",
  );
  const found: Record<string, string[]> = {};
  for (const { orderId, operation, result } of items) {
    if (!operation.startsWith("AirOrderInvoluntary") || result !== "SUCCESS") continue;
    found[orderId] = [...(found[orderId] ?? []), operation.slice("AirOrderInvoluntary".length).toLowerCase()];
  }
  return found;
}

async function rowsOf<Row extends object>({ ownerUrl }: InstalledPostgres, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

const effectsOf = async (on: InstalledPostgres, orderId: string): Promise<string[]> =>
  (await rowsOf<{ state: string }>(on, `select state from skedchange.effects where order_id = '${orderId}'`)).map(
    ({ state }) => state,
  );

async function dump(file: string): Promise<void> {
  await succeeds(execute("pg_dump", ["--format=custom", `--file=${file}`, live.ownerUrl], {}));
}

async function restore(file: string): Promise<void> {
  const role = ["--no-owner", "--role=skedchange_owner"];
  await succeeds(execute("pg_restore", [...role, "--dbname", restored.ownerUrl, file], {}));
  await succeeds(skedchange(restored, "migrate"));
}

withPrograms("a dump that is older than what happened at the gateway (needs pg_dump)", () => {
  test("is restored and brought in line with the gateway: nothing is repeated, and nothing is lost", async () => {
    const { api, server } = await startAgency(live, "receiver,worker,dashboard");
    const inState = (orderId: string, state: string) => api.caseIn(orderId, [state]);
    for (const orderId of [
      "DONE01",
      "AGAIN1",
      "ERASED",
      "OPEN01",
      "TAKEN1",
      "CANCEL",
      "HELD01",
      "SENT01",
      "NEWTAK",
      "NEWOPN",
    ]) {
      await book(orderId);
    }

    for (const orderId of ["DONE01", "AGAIN1", "ERASED"]) await change(orderId, small);
    for (const orderId of ["OPEN01", "TAKEN1", "CANCEL"]) await change(orderId, large);
    for (const orderId of ["DONE01", "AGAIN1", "ERASED"]) await inState(orderId, "done");
    const waiting = await Promise.all(["OPEN01", "TAKEN1", "CANCEL"].map((id) => inState(id, "awaiting-agent")));
    const slow = { operation: "AirOrderInvoluntaryAccept", mode: "delay", delayMs: 8_000, afterEffect: true };
    await control("POST", "/faults", { ...slow, orderId: "SENT01" });
    await change("SENT01", small);
    await eventually(async () => expect(await effectsOf(live, "SENT01")).toEqual(["sent"]));
    await change("HELD01", small);
    await eventually(async () => {
      expect(await api.listCases("orderId=HELD01")).toMatchObject([{ decision: { action: "accept" } }]);
    });
    const head = /head\s+(\d+:[0-9a-f]+)/i.exec((await succeeds(skedchange(live, "audit", "verify"))).stdout)?.[1];
    expect(head).toBeDefined();
    const dumpFile = join(folder, "skedchange.dump");
    await dump(dumpFile);
    const dumpedAt = new Date().toISOString();

    for (const orderId of ["HELD01", "SENT01"]) await inState(orderId, "done");
    expect((await api.act(waiting[1]!.id, "accept")).status).toBe(202);
    expect((await api.act(waiting[2]!.id, "cancel", { confirm: "CANCEL" })).status).toBe(202);
    await change("AGAIN1", small);
    await change("NEWTAK", small);
    await change("NEWOPN", large);
    for (const orderId of ["TAKEN1", "CANCEL", "NEWTAK", "AGAIN1"]) await inState(orderId, "done");
    await inState("NEWOPN", "awaiting-agent");
    await succeeds(skedchange(live, "erase", "--order", "default/ERASED", "--by", "dpo", "--yes"));
    const erased = join(folder, "erased.jsonl");
    await writeFile(erased, (await succeeds(skedchange(live, "erase", "--list"))).stdout);
    const before = await effectsAtGateway();
    expect(before).toEqual({
      DONE01: ["accept"],
      AGAIN1: ["accept", "accept"],
      ERASED: ["accept"],
      HELD01: ["accept"],
      SENT01: ["accept"],
      TAKEN1: ["accept"],
      CANCEL: ["cancel"],
      NEWTAK: ["accept"],
    });
    await server.end("SIGKILL");

    await restore(dumpFile);
    expect(await effectsOf(restored, "HELD01")).toEqual([]);
    expect(await effectsOf(restored, "SENT01")).toEqual(["sent"]);
    const dashboard = await startAgency(restored, "dashboard");
    await succeeds(skedchange(restored, "automation", "stop", "--note", "restored to 14:05"));
    await succeeds(skedchange(restored, "audit", "verify", "--head", head!));
    await succeeds(skedchange(restored, "erase", "--apply", erased));
    await dashboard.server.end("SIGTERM");
    const again = await startAgency(restored, "receiver,worker,dashboard");
    const reconciled = await skedchange(restored, "reconcile", "--repair", "--recheck");
    expect(reconciled).toMatchObject({ stdout: expect.stringContaining("status of 3 waiting cases") });
    expect([0, 1]).toContain(reconciled.code);
    const resend = ["deliveries", "resend", "--state", "delivered", "--since", dumpedAt];
    await succeeds(skedchange(restored, ...resend, "--url", gateway.gatewayUrl!, "--token", tokens.control));
    await eventually(
      async () => {
        const newest = new Map((await again.api.listCases()).toReversed().map((found) => [found.orderId, found]));
        expect(Object.fromEntries([...newest].map(([orderId, { state }]) => [orderId, state]))).toEqual({
          DONE01: "done",
          ERASED: "done",
          OPEN01: "awaiting-agent",
          TAKEN1: "resolved-elsewhere",
          // Its notification is so new that the status may lag behind it: it is looked at once more.
          CANCEL: "snoozed",
          HELD01: "resolved-elsewhere",
          SENT01: "done",
          NEWTAK: "resolved-elsewhere",
          NEWOPN: "awaiting-agent",
          // The gateway shows other flights as accepted than were accepted before the dump: a person looks.
          AGAIN1: "awaiting-agent",
        });
        expect(newest.get("CANCEL")?.decision?.rule).toBe("check:not-shown-yet");
        expect(newest.get("AGAIN1")?.decision?.rule).toBe("check:accepted-other-flights");
      },
      { timeoutMs: 60_000, everyMs: 250 },
    );
    await succeeds(skedchange(restored, "automation", "resume"));
    await eventually(async () => {
      expect(await rowsOf(restored, "select order_id from skedchange.cases where due_at is not null")).toEqual([
        { order_id: "CANCEL" },
      ]);
    });

    expect(await effectsAtGateway()).toEqual(before);
    await succeeds(skedchange(restored, "audit", "verify", "--head", head!));
    expect(await skedchange(restored, "erase", "--list")).toMatchObject({
      stdout: expect.stringContaining('"orderId":"ERASED"'),
    });
    const { code, stdout } = await skedchange(restored, "reconcile");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("No inconsistencies found.") });

    const [open] = await again.api.listCases("orderId=NEWOPN");
    await again.api.act(open!.id, "accept");
    await again.api.caseIn("NEWOPN", ["done"]);
    expect(await effectsAtGateway()).toEqual({ ...before, NEWOPN: ["accept"] });
  }, 240_000);
});
