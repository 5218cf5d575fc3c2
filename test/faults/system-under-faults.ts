import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type RedisServer, startRedisServer } from "../harness/redis-server.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type Fleet, type MemberPlan, startFleet } from "./fleet.ts";
import { createGatewayControl, type GatewayControl } from "./gateway-control.ts";
import { type LinkName, links, type RunPlan } from "./plan-run.ts";
import { type RestartablePostgres, startRestartablePostgres } from "./restartable-postgres.ts";

/** Everything that runs while faults are injected. */
export interface SystemUnderFaults {
  readonly plan: RunPlan;
  /** Connects as the owner, past the proxies. */
  readonly pool: pg.Pool;
  readonly fleet: Fleet;
  readonly postgres: RestartablePostgres;
  readonly redis: RedisServer | null;
  readonly proxies: Readonly<Record<LinkName, FaultProxy>>;
  readonly control: GatewayControl;
  /** Bearer token of the API, for people. */
  readonly apiToken: string;
  /** Share of the planned changes that was made, 0 to 1. */
  progress: number;
  /** How often each thing was done, by its name. */
  readonly counts: Map<string, number>;
  /** Stops everything. Returns the processes that had to be killed. */
  stop(): Promise<readonly string[]>;
}

export interface SystemOptions {
  readonly plan: RunPlan;
  readonly queue: "postgresql" | "redis";
  /** The compiled process. */
  readonly entry: string;
  /** Where logs go. */
  readonly folder: string;
  /** As in ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  /** Makes the tables as another version than this one. */
  readonly migrate?: (ownerUrl: string) => Promise<void>;
}

const tokens = {
  access: "gateway-of-the-run",
  control: "control-of-the-run",
  ocn: "ocn-of-the-run",
  api: "api-of-the-run",
};

/** Half of the processes reach PostgreSQL through a proxy, which injects network faults. */
const fullFleet = [
  { name: "gateway", roles: "gateway", isBehindProxy: false },
  { name: "receiver-1", roles: "receiver,dashboard", isBehindProxy: false },
  { name: "receiver-2", roles: "receiver,dashboard", isBehindProxy: true },
  { name: "worker-1", roles: "worker", isBehindProxy: false },
  { name: "worker-2", roles: "worker", isBehindProxy: true },
  { name: "sender-1", roles: "sender", isBehindProxy: false },
  { name: "sender-2", roles: "sender", isBehindProxy: true },
] as const;
/** For short runs, which would otherwise spend most of their time on starting processes. */
const smallFleet = fullFleet.filter(({ name }) => name !== "receiver-1" && name !== "sender-2");
const smallRunMax = 500;

/** Starts PostgreSQL, Redis if it is the queue, the proxies and every process, and adds the only recipient. */
export async function startSystem({
  plan,
  queue,
  entry,
  folder,
  encryptionKeys,
  migrate,
}: SystemOptions): Promise<SystemUnderFaults> {
  const postgres = await startRestartablePostgres(migrate);
  const redis = queue === "redis" ? await startRedisServer() : null;
  const proxies = Object.fromEntries(
    await Promise.all(links.map(async (link) => [link, await startFaultProxy()] as const)),
  ) as Record<LinkName, FaultProxy>;
  proxies["to-postgresql"].setTargets([postgres.port]);
  proxies["to-redis"].setTargets(redis === null ? [] : [redis.port]);

  const common = {
    HOST: "127.0.0.1",
    PORT: "0",
    GATEWAY_PORT: "0",
    LOG_LEVEL: "warn",
    ENCRYPTION_KEYS: encryptionKeys,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    ...(redis === null ? {} : { QUEUE_URL: `redis://127.0.0.1:${proxies["to-redis"].port}` }),
    OCN_BEARER_TOKENS: tokens.ocn,
    GATEWAY_BASE_URL: `http://127.0.0.1:${proxies["to-gateway"].port}`,
    GATEWAY_ACCESS_TOKEN: tokens.access,
    GATEWAY_CONTROL_TOKEN: tokens.control,
    GATEWAY_TIMEOUT_SECONDS: "2",
    API_TOKEN: tokens.api,
    POLICY_FILE: fileURLToPath(new URL("policy.yaml", import.meta.url)),
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
  };
  const processes = plan.orders.length > smallRunMax ? fullFleet : smallFleet;
  const plans = processes.map(({ name, roles, isBehindProxy }): MemberPlan => {
    const port = isBehindProxy ? proxies["to-postgresql"].port : postgres.port;
    return { name, environment: { ...common, ROLES: roles, DATABASE_URL: postgres.serviceUrl(port) } };
  });
  const portsOf = (role: string, port: "agencyPort" | "gatewayPort"): readonly number[] =>
    fleet.members
      .filter(({ name }) => name.startsWith(role))
      .map((member) => member[port]())
      .filter((found) => found !== null);
  const fleet = startFleet(entry, folder, plans, () => {
    proxies["to-receivers"].setTargets(portsOf("receiver", "agencyPort"));
    proxies["to-gateway"].setTargets(portsOf("gateway", "gatewayPort"));
  });
  const pool = new pg.Pool({ connectionString: postgres.ownerUrl, max: 4, connectionTimeoutMillis: 5_000 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const control = createGatewayControl(tokens.control, () => portsOf("gateway", "gatewayPort")[0] ?? null);
  await Promise.all(fleet.members.map((member) => member.ready()));
  await control.call("POST", "/recipients", {
    name: "Example Travel",
    url: `http://127.0.0.1:${proxies["to-receivers"].port}/ocn`,
    authorization: { type: "bearer", token: tokens.ocn },
    ordering: "every",
  });
  return {
    plan,
    pool,
    fleet,
    postgres,
    redis,
    proxies,
    control,
    apiToken: tokens.api,
    progress: 0,
    counts: new Map(),
    async stop() {
      const late = await fleet.stop();
      await pool.end();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
      await redis?.close();
      await cp(postgres.logFile, join(folder, "postgres.log")).catch(() => {});
      await postgres.close();
      return late;
    },
  };
}
