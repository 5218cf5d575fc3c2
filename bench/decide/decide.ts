import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/kernel/clock.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { makeWebhookSecret } from "../../src/kernel/webhook-signature.ts";
import { createEventRecipientStore } from "../../src/store/deliveries/recipients.ts";
import { hasRedisServer, redisBinary } from "../../test/harness/redis-presence.ts";
import { startRedisServer } from "../../test/harness/redis-server.ts";
import type { LoadCalls } from "../acknowledge/load-process.ts";
import type { Benchmark, Contender, Orders, StartedContender } from "../benchmark.ts";
import { type BenchDatabase, startDatabase } from "../database.ts";
import { orderIdOf } from "../notifications.ts";
import { type ProductProcess, startProduct } from "../product-process.ts";
import { type Programs, startProcess } from "../remote-process.ts";
import { createStopList } from "../stop-list.ts";
import type { BullmqCalls } from "./bullmq-process.ts";
import {
  type DecidedByPush,
  type DecideParts,
  loopContender,
  pushConnections,
  pushedContender,
  pushToken,
} from "./contenders.ts";
import { createCostMeter } from "./cost-meter.ts";
import { credentials } from "./gateway-calls.ts";
import type { GatewayCalls } from "./gateway-process.ts";
import type { LoopCalls } from "./loop-process.ts";
import { aboutPeers, peersOnRedis, startPeers, targetsBesidePeers } from "./peers.ts";

const names = {
  product: "Skedchange",
  fetchLoop: "fetch loop",
  undiciLoop: "undici loop",
  bullmq: "BullMQ worker on Redis",
} as const;

/** How many orders a second go from the push of their notification to an accepted change. */
export function createDecide(programs: Programs): Benchmark {
  return {
    name: "decide",
    title: "From the push to the accepted change",
    unit: "orders",
    warmUp: 2_500,
    async start({ atOnce, withPeers }) {
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
        const parts = { gateway, load, gatewayUrl: url, atOnce };
        const product = await startDecider(parts, database, names.product);
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
        const peers = withPeers ? await startPeers(programs, parts, stops) : [];
        contenders.push(...peers);
        return {
          setup: [
            `${atOnce} orders at a time in every contender. Four calls an order: status, accept, status, documents; 16 KB a status. The gateway is a process of its own.`,
            `Skedchange: ROLES=receiver,worker in one process, the shipped policy, the queue on PostgreSQL with fsync, bodies encrypted, audit on, one recipient of events, JSON log into a file. Notifications come over ${pushConnections} connections, and its time begins with the first.`,
            ...(peers.length === 0 ? [] : [aboutPeers]),
          ],
          contenders,
          targets: [
            { subject: names.product, comparedWith: names.fetchLoop, atLeast: 0.25, aim: 0.4 },
            { subject: names.product, comparedWith: names.bullmq, atLeast: 0.6, aim: 1 },
            { subject: names.product, comparedWith: names.undiciLoop, atLeast: null, aim: null },
            ...targetsBesidePeers(names.product, atOnce),
          ],
          leftOut: hasRedisServer() ? [] : [names.bullmq, ...(withPeers ? peersOnRedis : [])].map(withoutRedis),
          stop: stops.stop,
        };
      } catch (error) {
        await stops.stop();
        throw error;
      }
    },
  };
}

function withoutRedis(name: string) {
  return { name, why: `There is no ${redisBinary} on the PATH. Install Redis 7 to have it.` };
}

/** A process of the product that receives and decides. */
export async function startDecider(
  parts: DecideParts,
  database: BenchDatabase,
  name: string,
): Promise<StartedContender<DecidedByPush>> {
  const product = await startProduct({
    ...database.environment,
    ...decidingSettings(parts.gatewayUrl),
    ROLES: "receiver,worker",
    WORKER_CONCURRENCY: String(parts.atOnce),
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

/** The product, which has done its work when every case is done. */
function productContender(
  name: string,
  parts: DecideParts,
  database: BenchDatabase,
  product: ProductProcess,
): Contender<DecidedByPush> {
  return pushedContender(parts, {
    name,
    description: "Acknowledges, commits, reads the status, decides by facts, law and policy, accepts, checks, records.",
    url: product.agencyUrl,
    cost: createCostMeter({ "Node.js": product.pid, PostgreSQL: database.serverPid }, database.database.pool),
    untilRecorded: async (orders) => {
      const states = await untilDone(database, orders);
      return states["done"] === orders.count ? [] : [`Of ${orders.count} cases: ${JSON.stringify(states)}.`];
    },
  });
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
