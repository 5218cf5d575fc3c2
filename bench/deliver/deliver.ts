import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/kernel/clock.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { asTx, inTransaction } from "../../src/store/database/transaction.ts";
import { createDeliveryStore } from "../../src/store/deliveries/lane-store.ts";
import { createRecipientStore } from "../../src/store/deliveries/recipients.ts";
import {
  type Benchmark,
  type Contender,
  createOrderNumbers,
  type Orders,
  type StartedContender,
  type Work,
} from "../benchmark.ts";
import { createCpuMeter } from "../cpu-of-processes.ts";
import { type BenchDatabase, startDatabase } from "../database.ts";
import { mixedNotifications, orderIdOf } from "../notifications.ts";
import { type ProductProcess, startProduct } from "../product-process.ts";
import { type Programs, type RemoteProcess, startProcess } from "../remote-process.ts";
import { createStopList } from "../stop-list.ts";
import type { LoopCalls } from "./loop-process.ts";
import type { RecipientCalls } from "./recipient-process.ts";

const names = { product: "Skedchange", fetchLoop: "fetch loop", undiciLoop: "undici loop" } as const;

/** Notifications under way at the same time, in every contender. */
const atOnce = 8;
const takeOrders = createOrderNumbers({ first: 200, max: 20_000 });
const patienceMs = 60_000;
const bodies = mixedNotifications();

/** How many notifications a second one process sends out of a backlog to one recipient. */
export function createDeliver(programs: Programs): Benchmark {
  return {
    name: "deliver",
    title: "Delivering a backlog of notifications to one recipient",
    unit: "deliveries",
    warmUp: 0,
    async start() {
      const stops = createStopList();
      try {
        const recipient = await startProcess<RecipientCalls>(programs, "bench/deliver/recipient-process");
        stops.add(recipient.stop);
        const target = await recipient.call("listen");
        const loops = { fetch: "fetch", undici: "undici" } as const;
        const startLoop = async (client: keyof typeof loops) => {
          const loop = await startProcess<LoopCalls>(programs, "bench/deliver/loop-process");
          stops.add(loop.stop);
          await loop.call("open", { ...target, client, atOnce });
          return loop;
        };
        const fetchLoop = await startLoop("fetch");
        const undiciLoop = await startLoop("undici");
        const database = await startDatabase();
        stops.add(database.stop);
        await createRecipient(database, target);
        const product = await startSender(recipient, database, names.product);
        stops.add(product.stop);
        return {
          setup: [
            `${atOnce} notifications at a time in the loops, as many as the recipient's latency allows in Skedchange; each is of an order of its own, 12.9 to 16.1 KB, with the same headers.`,
            `Skedchange: ROLES=sender in one process, a recipient without a limit of its own, PostgreSQL with fsync, bodies encrypted, JSON log into a file. The backlog commits in one transaction, and its time begins with that commit.`,
          ],
          contenders: [
            product.contender,
            loopContender(names.fetchLoop, "Posts the bodies by the global `fetch`.", recipient, (orders) =>
              fetchLoop.call("run", orders),
            ),
            loopContender(names.undiciLoop, "Posts the bodies by `undici.Pool.request`.", recipient, (orders) =>
              undiciLoop.call("run", orders),
            ),
          ],
          targets: [
            { subject: names.product, comparedWith: names.fetchLoop, atLeast: 0.5, aim: 1 },
            { subject: names.product, comparedWith: names.undiciLoop, atLeast: null, aim: null },
          ],
          leftOut: [],
          stop: stops.stop,
        };
      } catch (error) {
        await stops.stop();
        throw error;
      }
    },
  };
}

interface Delivered extends Work, Orders {
  readonly arrivals: Awaited<ReturnType<RecipientCalls["takeArrivals"]>>;
}

export interface DeliveredByProduct extends Delivered {
  /** Deliveries by their state in the database. */
  readonly states: Readonly<Record<string, number>>;
}

/** A contender that is given orders and posts their notifications. */
export function loopContender(
  name: string,
  description: string,
  recipient: RemoteProcess<RecipientCalls>,
  run: (orders: Orders) => Promise<void>,
): Contender<Delivered> {
  return {
    name,
    description,
    async work(pace) {
      const orders = takeOrders(pace);
      const startedAt = performance.now();
      await run(orders);
      const seconds = (performance.now() - startedAt) / 1_000;
      return { ...orders, seconds, arrivals: await recipient.call("takeArrivals", orders) };
    },
    findMissing: async (delivered) => findNotArrived(delivered),
  };
}

/** A process of the product that sends to the recipient. */
export async function startSender(
  recipient: RemoteProcess<RecipientCalls>,
  database: BenchDatabase,
  name: string,
): Promise<StartedContender<DeliveredByProduct>> {
  const product = await startProduct({
    ...database.environment,
    ROLES: "sender",
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  return { contender: productContender(name, recipient, database, product), stop: product.stop };
}

function productContender(
  name: string,
  recipient: RemoteProcess<RecipientCalls>,
  database: BenchDatabase,
  product: ProductProcess,
): Contender<DeliveredByProduct> {
  const cpu = createCpuMeter({ "Node.js": product.pid, PostgreSQL: database.serverPid });
  return {
    name,
    description:
      "Takes due deliveries, decrypts, posts, judges the response, records attempt and outcome in PostgreSQL.",
    async work(pace) {
      const orders = takeOrders(pace);
      const { count } = orders;
      const startedAt = await announce(database, orders);
      cpu.start();
      await recipient.call("untilReceived", { count, withinMs: patienceMs });
      const states = await untilRecorded(database, orders);
      const seconds = (performance.now() - startedAt) / 1_000;
      const figures = cpu.perUnit(count);
      return { ...orders, seconds, states, figures, arrivals: await recipient.call("takeArrivals", orders) };
    },
    async findMissing(delivered) {
      const { count, states } = delivered;
      const missing = findNotArrived(delivered);
      if (states["delivered"] !== count) missing.push(`Of ${count} deliveries: ${JSON.stringify(states)}.`);
      return missing;
    },
  };
}

/** Commits a notification of each order at the same moment, and returns when that was. */
async function announce({ database }: BenchDatabase, { first, count }: Orders): Promise<number> {
  const store = createDeliveryStore({ database, clock: systemClock });
  return await inTransaction(database, async (trx) => {
    for (let order = first; order < first + count; order += 1) {
      const announcement = {
        orderId: orderIdOf(order),
        airline: "LH",
        changeId: `change-${order}`,
        body: bodies.bodyOf(order),
      };
      await store.addAnnouncement(asTx(trx), announcement);
    }
    return performance.now();
  });
}

async function untilRecorded({ database }: BenchDatabase, { first, count }: Orders): Promise<Record<string, number>> {
  const giveUpAt = performance.now() + 10_000;
  for (;;) {
    const { rows } = await database.pool.query<{ state: string; count: number }>(
      `select state, count(*)::int as count from gateway.deliveries
       where order_id between $1 and $2 group by state`,
      [orderIdOf(first), orderIdOf(first + count - 1)],
    );
    const states = Object.fromEntries(rows.map((row) => [row.state, row.count]));
    if (states["delivered"] === count || performance.now() > giveUpAt) return states;
    await sleep(10);
  }
}

function findNotArrived({ count, arrivals }: Delivered): string[] {
  const { intact, webhookIds, unauthenticated, firstMissing } = arrivals;
  const missing: string[] = [];
  if (intact !== count) missing.push(`${intact} of ${count} notifications arrived byte for byte; not ${firstMissing}.`);
  if (webhookIds < count) missing.push(`They had ${webhookIds} different webhook-ids.`);
  if (unauthenticated > 0)
    missing.push(`${unauthenticated} came without credentials, webhook-id or webhook-timestamp.`);
  return missing;
}

/** Has deliveries of the database sent to the process of the recipient. */
export async function createRecipient(
  { database }: BenchDatabase,
  target: Awaited<ReturnType<RecipientCalls["listen"]>>,
): Promise<void> {
  await createRecipientStore({ database, clock: systemClock }).createRecipient({
    name: "Example Travel",
    url: target.url,
    authorization: { type: "bearer", token: new Secret(target.token) },
    signingSecrets: [],
    clientCertificate: null,
    ordering: "latest",
    airlines: null,
    acknowledgement: "required",
    deadlineMs: null,
    lanesMax: null,
    ratePerSecond: null,
    agencyId: null,
  });
}
