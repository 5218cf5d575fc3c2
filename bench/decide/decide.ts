import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/kernel/clock.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { makeWebhookSecret } from "../../src/kernel/webhook-signature.ts";
import { createEventRecipientStore } from "../../src/store/deliveries/recipients.ts";
import { hasRedisServer, redisBinary } from "../../test/harness/redis-presence.ts";
import { startRedisServer } from "../../test/harness/redis-server.ts";
import type { LoadCalls } from "../acknowledge/load-process.ts";
import { type Benchmark, type Contender, countFor, type Pace, type StartedContender, type Work } from "../benchmark.ts";
import { createCpuMeter } from "../cpu-of-processes.ts";
import { type BenchDatabase, startDatabase } from "../database.ts";
import { orderIdOf } from "../notifications.ts";
import { type ProductProcess, startProduct } from "../product-process.ts";
import { type Programs, type RemoteProcess, startProcess } from "../remote-process.ts";
import { createStopList } from "../stop-list.ts";
import type { BullmqCalls } from "./bullmq-process.ts";
import { credentials } from "./gateway-calls.ts";
import type { GatewayCalls } from "./gateway-process.ts";
import type { LoopCalls } from "./loop-process.ts";

const names = {
  product: "Skedchange",
  fetchLoop: "fetch loop",
  undiciLoop: "undici loop",
  bullmq: "BullMQ worker on Redis",
} as const;

/** Orders under way at the same time, in every contender; the default of WORKER_CONCURRENCY. */
const atOnce = 8;
const pushToken = "push-of-the-bench";
const pushConnections = 8;
const counts = { first: 60, max: 5_000 } as const;
const patienceMs = 60_000;

/** How many orders a second go from the push of their notification to an accepted change. */
export function createDecide(programs: Programs): Benchmark {
  return {
    name: "decide",
    title: "From the push to the accepted change",
    unit: "orders",
    async start() {
      const stops = createStopList();
      const startCounted = async <Offered extends Record<string, (input: never) => unknown>>(path: string) => {
        const started = await startProcess<Offered>(programs, `bench/${path}`);
        stops.add(started.stop);
        return started;
      };
      try {
        const gateway = await startCounted<GatewayCalls>("decide/gateway-process");
        const url = await gateway.call("listen");
        const load = await startCounted<LoadCalls>("acknowledge/load-process");
        const fetchLoop = await startCounted<LoopCalls>("decide/loop-process");
        await fetchLoop.call("open", { url, atOnce, client: "fetch" });
        const undiciLoop = await startCounted<LoopCalls>("decide/loop-process");
        await undiciLoop.call("open", { url, atOnce, client: "undici" });
        const database = await startDatabase();
        stops.add(database.stop);
        await createEventRecipient(database);
        const product = await startDecider({ gateway, load, gatewayUrl: url }, database, names.product);
        stops.add(product.stop);
        const contenders: Contender[] = [
          product.contender,
          loopContender(names.fetchLoop, "The four calls of each order by the global `fetch`.", gateway, (orders) =>
            fetchLoop.call("run", { ...orders, atOnce }),
          ),
          loopContender(names.undiciLoop, "The four calls of each order by `undici.Pool.request`.", gateway, (orders) =>
            undiciLoop.call("run", { ...orders, atOnce }),
          ),
        ];
        if (hasRedisServer()) {
          const redis = await startRedisServer();
          stops.add(redis.close);
          const worker = await startCounted<BullmqCalls>("decide/bullmq-process");
          await worker.call("open", { redisPort: redis.port, url, atOnce });
          const description = "A job for each order, added one by one; it makes the four calls by `fetch`. AOF always.";
          contenders.push(
            loopContender(names.bullmq, description, gateway, async (orders) => {
              const failed = await worker.call("run", orders);
              if (failed > 0) throw new Error(`${failed} jobs of the BullMQ worker failed.`);
            }),
          );
        }
        return {
          setup: [
            `${atOnce} orders at a time in every contender. Four calls an order: status, accept, status, documents; 16 KB a status. The gateway is a process of its own.`,
            `Skedchange: ROLES=receiver,worker in one process, the shipped policy, the queue on PostgreSQL with fsync, bodies encrypted, audit on, one recipient of events, JSON log into a file. Notifications come over ${pushConnections} connections, and its time begins with the first.`,
          ],
          contenders,
          targets: [
            { subject: names.product, comparedWith: names.fetchLoop, atLeast: 0.25, aim: 0.4 },
            { subject: names.product, comparedWith: names.bullmq, atLeast: 0.6, aim: 1 },
            { subject: names.product, comparedWith: names.undiciLoop, atLeast: null, aim: null },
          ],
          leftOut: hasRedisServer()
            ? []
            : [{ name: names.bullmq, why: `There is no ${redisBinary} on the PATH. Install Redis 7 to have it.` }],
          stop: stops.stop,
        };
      } catch (error) {
        await stops.stop();
        throw error;
      }
    },
  };
}

interface Orders {
  readonly first: number;
  readonly count: number;
}

interface Decided extends Work, Orders {
  readonly journal: JournalCounts;
}

/** What the gateway was asked. */
type JournalCounts = Awaited<ReturnType<GatewayCalls["takeJournal"]>>;

let nextOrder = 1;

function takeOrders(pace: Pace): Orders {
  const count = countFor(pace, counts);
  const first = nextOrder;
  nextOrder += count;
  return { first, count };
}

/** A contender that is given orders and makes the calls. */
export function loopContender(
  name: string,
  description: string,
  gateway: RemoteProcess<GatewayCalls>,
  run: (orders: Orders) => Promise<void>,
): Contender<Decided> {
  return {
    name,
    description,
    async work(pace) {
      const orders = takeOrders(pace);
      const startedAt = performance.now();
      await run(orders);
      const seconds = (performance.now() - startedAt) / 1_000;
      return { ...orders, seconds, ...(await readJournal(gateway, orders)) };
    },
    findMissing: async (decided) => findMissingCalls(decided),
  };
}

/** Who pushes, and the gateway that is asked. */
export interface DecideParts {
  readonly gateway: RemoteProcess<GatewayCalls>;
  readonly load: RemoteProcess<LoadCalls>;
  readonly gatewayUrl: string;
}

/** A process of the product that receives and decides. */
export async function startDecider(
  parts: DecideParts,
  database: BenchDatabase,
  name: string,
): Promise<StartedContender<DecidedByProduct>> {
  const product = await startProduct({
    ...database.environment,
    ...decidingSettings(parts.gatewayUrl),
    ROLES: "receiver,worker",
  });
  return { contender: productContender(name, parts, database, product), stop: product.stop };
}

/** What a process needs to take in what `load` pushes and to ask the gateway about it. */
export function decidingSettings(gatewayUrl: string): Readonly<Record<string, string>> {
  return {
    OCN_BEARER_TOKENS: pushToken,
    GATEWAY_BASE_URL: gatewayUrl,
    GATEWAY_ACCESS_TOKEN: credentials.accessToken,
    GATEWAY_API_KEY: credentials.apiKey,
  };
}

/** Where notifications are pushed to, and as whom. */
export function pushTarget(url: string) {
  return { url, path: "/ocn", authorization: `Bearer ${pushToken}` };
}

function productContender(
  name: string,
  { gateway, load }: DecideParts,
  database: BenchDatabase,
  product: ProductProcess,
): Contender<DecidedByProduct> {
  const cpu = createCpuMeter(product.pid, database.serverPid);
  return {
    name,
    description: "Acknowledges, commits, reads the status, decides by facts, law and policy, accepts, checks, records.",
    async work(pace) {
      const orders = takeOrders(pace);
      const { first, count } = orders;
      cpu.start();
      const startedAt = performance.now();
      const pushing = load.call("push", {
        ...pushTarget(product.agencyUrl),
        connections: pushConnections,
        firstOrder: first,
        bodies: "minor-delay",
        until: { count },
      });
      await gateway.call("untilFinished", { count, withinMs: patienceMs });
      const states = await untilDone(database, orders);
      const seconds = (performance.now() - startedAt) / 1_000;
      const { acknowledged } = await pushing;
      const used = cpu.perUnit(count);
      const { journal, figures } = await readJournal(gateway, orders);
      return { ...orders, seconds, states, acknowledged, journal, figures: { ...figures, ...used } };
    },
    async findMissing(decided) {
      const { count, states, acknowledged } = decided;
      const missing = findMissingCalls(decided);
      if (acknowledged !== count) missing.push(`${acknowledged} of ${count} notifications were acknowledged.`);
      if (states["done"] !== count) missing.push(`Of ${count} cases: ${JSON.stringify(states)}.`);
      return missing;
    },
  };
}

export interface DecidedByProduct extends Decided {
  readonly states: Readonly<Record<string, number>>;
  readonly acknowledged: number;
}

async function readJournal(gateway: RemoteProcess<GatewayCalls>, orders: Orders) {
  const journal = await gateway.call("takeJournal", orders);
  return { journal, figures: { "gateway calls an order": journal.calls / orders.count } };
}

/** How many cases of the orders are in which state, as soon as all of them are done or it has taken too long. */
async function untilDone({ database }: BenchDatabase, { first, count }: Orders): Promise<Record<string, number>> {
  const giveUpAt = performance.now() + 10_000;
  for (;;) {
    const { rows } = await database.pool.query<{ state: string; count: number }>(
      `select state, count(*)::int as count from skedchange.cases
       where order_id between $1 and $2 group by state`,
      [orderIdOf(first), orderIdOf(first + count - 1)],
    );
    const states = Object.fromEntries(rows.map((row) => [row.state, row.count]));
    if (states["done"] === count || performance.now() > giveUpAt) return states;
    await sleep(10);
  }
}

function findMissingCalls({ count, journal }: Decided): string[] {
  const wanted = {
    "were accepted exactly once": journal.acceptedOnce,
    "had their status read before": journal.readBefore,
    "had their status read after": journal.readAfter,
    "had their documents read": journal.documentsRead,
  };
  const missing = Object.entries(wanted)
    .filter(([, orders]) => orders !== count)
    .map(([what, orders]) => `${orders} of ${count} orders ${what}.`);
  if (journal.otherOrders > 0) missing.push(`${journal.otherOrders} other orders were asked about.`);
  return missing;
}

/** Whoever is told of every event; nothing is sent to it where no process is a sender. */
export async function createEventRecipient({ database }: BenchDatabase): Promise<void> {
  await createEventRecipientStore({ database, clock: systemClock }).createRecipient({
    name: "back office",
    url: "https://events.example/skedchange",
    authorization: { type: "bearer", token: new Secret("events-of-the-bench") },
    signingSecrets: [makeWebhookSecret()],
    clientCertificate: null,
    ordering: "every",
    acknowledgement: "any-success",
    deadlineMs: null,
    lanesMax: null,
    ratePerSecond: null,
    agencyId: null,
    eventTypes: null,
    sources: null,
  });
}
