import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect } from "vitest";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { upcoming } from "../builders/upcoming.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase } from "../harness/database.ts";
import { findPostgresPrograms, type InstalledPostgres, startInstalledPostgres } from "../harness/postgres-programs.ts";
import { findFreePort } from "../harness/redis-server.ts";
import { type ServerProcess, serverEntry, startServerProcess } from "../harness/server-process.ts";
import { type Detour, type ForwardedRequest, startForwarder } from "../upgrade/forwarder.ts";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A gateway, and an agency on a PostgreSQL that was installed, with a second one to restore its dumps into. */
export interface TwoInstallations {
  /** For files; removed in the end. */
  readonly folder: string;
  readonly live: InstalledPostgres;
  readonly restored: InstalledPostgres;
  readonly encryptionKeys: string;
  readonly ocnToken: string;
  readonly gatewayUrl: string;
  readonly controlToken: string;
  /** Every process of the agency that was started. */
  readonly agencies: readonly ServerProcess[];
  control<Body>(method: string, path: string, body?: object): Promise<Body>;
  /** An order with one flight. */
  book(orderId: string): Promise<void>;
  change(orderId: string, change: object): Promise<unknown>;
  startAgency(
    on: InstalledPostgres,
    roles: string,
  ): Promise<{ readonly api: AgencyApi; readonly server: ServerProcess }>;
  /** `npx skedchange …` with the settings of a process. */
  skedchange(on: InstalledPostgres, ...parameters: string[]): Promise<Ended>;
  /** `pg_dump` with these options; returns what it printed. */
  dump(on: InstalledPostgres, ...options: string[]): Promise<string>;
  /** Into the second PostgreSQL, which is migrated then. */
  restore(file: string): Promise<void>;
  close(): Promise<void>;
}

export interface TwoInstallationsOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** What becomes of a call of the gateway, or of a notification, on its way. */
  readonly onTheWay?: (request: ForwardedRequest) => Detour | null;
}

const tokens = { ocn: "ocn-of-the-restore", api: "api-of-the-restore", access: "access", control: "control" };
const policyFile = fileURLToPath(new URL("../faults/policy.yaml", import.meta.url));

export async function startTwoInstallations({
  settings = {},
  onTheWay,
}: TwoInstallationsOptions = {}): Promise<TwoInstallations> {
  const programs = findPostgresPrograms();
  if (programs === null) throw new Error("There is no pg_dump. Debian: apt-get install postgresql.");
  const encryptionKeys = createEncryptionKey(new Date());
  const [folder, gatewayDatabase, live, restored, toGateway, toAgency, agencyPort] = await Promise.all([
    mkdtemp(join(tmpdir(), "skedchange-restore-")),
    createTestDatabase(),
    startInstalledPostgres(programs),
    startInstalledPostgres(programs),
    startForwarder(onTheWay),
    startForwarder(onTheWay),
    findFreePort(),
  ]);
  const gateway = await startServerProcess({
    ROLES: "gateway,sender",
    DATABASE_URL: gatewayDatabase.serviceUrl,
    GATEWAY_ACCESS_TOKEN: tokens.access,
    GATEWAY_CONTROL_TOKEN: tokens.control,
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  const gatewayUrl = gateway.gatewayUrl!;
  toGateway.forwardTo(gatewayUrl);
  toAgency.forwardTo(`http://127.0.0.1:${agencyPort}`);
  const agencies: ServerProcess[] = [];

  const settingsOf = ({ serviceUrl, ownerUrl }: InstalledPostgres): Record<string, string> => ({
    PORT: String(agencyPort),
    DATABASE_URL: serviceUrl,
    DATABASE_OWNER_URL: ownerUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    OCN_BEARER_TOKENS: tokens.ocn,
    API_TOKEN: tokens.api,
    GATEWAY_BASE_URL: toGateway.url,
    GATEWAY_ACCESS_TOKEN: tokens.access,
    POLICY_FILE: policyFile,
    ...settings,
  });
  const execute = (command: string, parameters: readonly string[], environment: object): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { PATH: process.env["PATH"] ?? "", ...environment };
      execFile(command, parameters, { env, maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  const skedchange: TwoInstallations["skedchange"] = (on, ...parameters) =>
    execute(process.execPath, [serverEntry, ...parameters], settingsOf(on));
  const control = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${gatewayUrl}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.control}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };

  await control("POST", "/recipients", {
    name: "Example Travel",
    url: `${toAgency.url}/ocn`,
    authorization: { type: "bearer", token: tokens.ocn },
    ordering: "every",
  });
  return {
    folder,
    live,
    restored,
    encryptionKeys,
    ocnToken: tokens.ocn,
    gatewayUrl,
    controlToken: tokens.control,
    agencies,
    control,
    async book(orderId) {
      const date = upcoming("2027-03-14");
      const times = { departure: `${date}T07:10`, arrival: `${date}T11:20` };
      const flights = [{ from: "LIS", to: "FRA", carrier: "LH", flightNumber: "1167", ...times }];
      await control("POST", "/orders", { orderId, gdsBookingReferences: [orderId], flights });
    },
    change: (orderId, made) => control("POST", `/orders/${orderId}/changes`, { changes: [made] }),
    async startAgency(on, roles) {
      const server = await startServerProcess({ ...settingsOf(on), ROLES: roles });
      agencies.push(server);
      return { api: openAgencyApi(server.agencyUrl, tokens.api), server };
    },
    skedchange,
    async dump({ ownerUrl }, ...options) {
      return (await succeeds(execute(join(programs, "pg_dump"), [...options, ownerUrl], {}))).stdout;
    },
    async restore(file) {
      const options = ["--no-owner", "--role=skedchange_owner", "--dbname", restored.ownerUrl, file];
      await succeeds(execute(join(programs, "pg_restore"), options, {}));
      await succeeds(skedchange(restored, "migrate"));
    },
    async close() {
      await Promise.all([gateway, ...agencies].map((server) => server.end("SIGTERM")));
      await Promise.all([toGateway.close(), toAgency.close()]);
      await Promise.all([gatewayDatabase.drop(), live.close(), restored.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function succeeds(command: Promise<Ended>): Promise<Ended> {
  const ended = await command;
  expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
  return ended;
}

export async function rowsOf<Row extends object>({ ownerUrl }: InstalledPostgres, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
