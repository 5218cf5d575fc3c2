import { hasRedisServer, redisBinary } from "../../test/harness/redis-presence.ts";
import { type RedisServer, startRedisServer } from "../../test/harness/redis-server.ts";
import type { Benchmark, Contender, StartedContender, Work } from "../benchmark.ts";
import { createCpuMeter } from "../cpu-of-processes.ts";
import { type BenchDatabase, startDatabase } from "../database.ts";
import { type ProductProcess, startProduct } from "../product-process.ts";
import { type Programs, type RemoteProcess, startProcess } from "../remote-process.ts";
import { createStopList } from "../stop-list.ts";
import type { BareCalls } from "./bare-process.ts";
import type { ExpressCalls } from "./express-process.ts";
import type { LoadCalls } from "./load-process.ts";

const names = { product: "Skedchange", bare: "bare node:http", express: "Express + BullMQ on Redis" } as const;
const login = { user: "gateway", password: "push-of-the-bench" };

/** How many notifications a second are acknowledged when as many are pushed as are taken. */
export function createAcknowledge(programs: Programs): Benchmark {
  return {
    name: "acknowledge",
    title: "Acknowledging notifications at saturation",
    unit: "notifications",
    warmUp: 0,
    async start({ connections }) {
      const stops = createStopList();
      try {
        const load = await startProcess<LoadCalls>(programs, "bench/acknowledge/load-process");
        stops.add(load.stop);
        const source: LoadSource = { load, connections };
        const bare = await startProcess<BareCalls>(programs, "bench/acknowledge/bare-process");
        stops.add(bare.stop);
        const database = await startDatabase();
        stops.add(database.stop);
        const product = await startReceiver(source, database, names.product);
        stops.add(product.stop);
        const contenders: Contender<Pushed>[] = [
          product.contender,
          bareContender(source, await bare.call("listen"), bare),
        ];
        if (hasRedisServer()) {
          const redis = await startRedisServer();
          stops.add(redis.close);
          const naive = await startProcess<ExpressCalls>(programs, "bench/acknowledge/express-process");
          stops.add(naive.stop);
          contenders.push(await expressContender(source, naive, redis));
        }
        return {
          setup: [
            `${connections} connections, a notification at a time on each; 12.9 to 16.1 KB, each of an order of its own.`,
            "Skedchange: ROLES=receiver, everything else as it is by default, PostgreSQL with fsync, bodies encrypted, audit on, JSON log into a file, Basic authentication.",
          ],
          contenders,
          targets: [
            { subject: names.product, comparedWith: names.bare, atLeast: 0.3, aim: 0.4 },
            { subject: names.product, comparedWith: names.express, atLeast: 1.5, aim: 2 },
          ],
          leftOut: hasRedisServer()
            ? []
            : [{ name: names.express, why: `There is no ${redisBinary} on the PATH. Install Redis 7 to have it.` }],
          stop: stops.stop,
        };
      } catch (error) {
        await stops.stop();
        throw error;
      }
    },
  };
}

/** Who pushes. */
export interface LoadSource {
  readonly load: RemoteProcess<LoadCalls>;
  readonly connections: number;
}

export interface Pushed extends Work {
  readonly bytes: number;
  readonly orderSum: number;
  readonly refused: Readonly<Record<number, number>>;
}

/** A process of the product that takes notifications in, and nothing else. */
export async function startReceiver(
  source: LoadSource,
  database: BenchDatabase,
  name: string,
): Promise<StartedContender<Pushed>> {
  const product = await startProduct({
    ...database.environment,
    ROLES: "receiver",
    OCN_BASIC_USERNAME: login.user,
    OCN_BASIC_PASSWORD: login.password,
  });
  return { contender: productContender(name, source, product, database), stop: product.stop };
}

function productContender(
  name: string,
  source: LoadSource,
  product: ProductProcess,
  { database, serverPid }: BenchDatabase,
): Contender<Pushed> {
  const cpu = createCpuMeter({ "Node.js": product.pid, PostgreSQL: serverPid });
  const startedAt = new Date();
  const readStored = async () => {
    const { rows } = await database.pool.query<{ count: number; bytes: number }>(
      `select count(*)::int as count, coalesce(sum(body_bytes), 0)::float as bytes
       from skedchange.notifications where state = 'accepted' and received_at >= $1`,
      [startedAt],
    );
    return rows[0]!;
  };
  let before = { count: 0, bytes: 0 };
  return {
    name,
    description: "Authenticates, checks, commits the encrypted body and the case's due time in PostgreSQL, responds.",
    async work({ seconds }) {
      cpu.start();
      const pushed = await push(source, product.agencyUrl, seconds);
      return { ...pushed, figures: { ...pushed.figures, ...cpu.perUnit(pushed.count) } };
    },
    async findMissing(pushed) {
      const stored = await readStored();
      const added = { count: stored.count - before.count, bytes: stored.bytes - before.bytes };
      before = stored;
      return [
        ...findRefused(pushed),
        ...differing("notifications stored", pushed.count, added.count),
        ...differing("bytes stored", pushed.bytes, added.bytes),
      ];
    },
  };
}

/** A server that only parses. It must have read the order's id out of every notification that it acknowledged. */
export function bareContender(
  source: LoadSource,
  url: string,
  server: Pick<RemoteProcess<BareCalls>, "call">,
): Contender<Pushed> {
  return {
    name: names.bare,
    description: "Reads the body, parses the JSON, responds. It stores nothing and lets everybody in.",
    work: ({ seconds }) => push(source, url, seconds),
    async findMissing(pushed) {
      const { parsed, orderSum } = await server.call("takeCounts");
      return [
        ...findRefused(pushed),
        ...differing("notifications parsed", pushed.count, parsed),
        ...differing("sum of the orders' numbers", pushed.orderSum, orderSum),
      ];
    },
  };
}

async function expressContender(
  source: LoadSource,
  server: RemoteProcess<ExpressCalls>,
  redis: RedisServer,
): Promise<Contender<Pushed>> {
  const url = await server.call("listen", { redisPort: redis.port, ...login });
  return {
    name: names.express,
    description: "Express, passport, zod, and `await queue.add()` on Redis with `appendfsync always`.",
    work: ({ seconds }) => push(source, url, seconds),
    async findMissing(pushed) {
      const { waiting, read, orderSum } = await server.call("takeCounts");
      return [
        ...findRefused(pushed),
        ...differing("jobs waiting", pushed.count, waiting),
        ...differing("jobs with a notification", pushed.count, read),
        ...differing("sum of the orders' numbers", pushed.orderSum, orderSum),
      ];
    },
  };
}

let nextOrder = 1;

async function push({ load, connections }: LoadSource, url: string, seconds: number): Promise<Pushed> {
  const pushed = await load.call("push", {
    url,
    connections,
    path: "/ocn",
    authorization: `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`,
    firstOrder: nextOrder,
    bodies: "mixed",
    until: { seconds },
  });
  nextOrder = pushed.nextOrder;
  const { acknowledged, bytes, orderSum, refused, p50Ms, p99Ms, cpuShare } = pushed;
  return {
    count: acknowledged,
    seconds: pushed.seconds,
    bytes,
    orderSum,
    refused,
    figures: { "p50 ms": p50Ms, "p99 ms": p99Ms, "load generator, % of a core": cpuShare * 100 },
  };
}

function findRefused({ refused }: Pushed): readonly string[] {
  return Object.entries(refused).map(([status, count]) => `${count} got ${status}.`);
}

function differing(what: string, wanted: number, found: number): readonly string[] {
  return wanted === found ? [] : [`Of what it acknowledged: ${what} should be ${wanted} and is ${found}.`];
}
