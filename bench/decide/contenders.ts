import type { LoadCalls } from "../acknowledge/load-process.ts";
import { type Contender, createOrderNumbers, type Orders, type Work } from "../benchmark.ts";
import type { RemoteProcess } from "../remote-process.ts";
import type { CostMeter } from "./cost-meter.ts";
import type { GatewayCalls } from "./gateway-process.ts";

export const pushToken = "push-of-the-bench";
export const pushConnections = 8;
const takeOrders = createOrderNumbers({ first: 60, max: 5_000 });
const patienceMs = 300_000;

interface Decided extends Work, Orders {
  readonly journal: JournalCounts;
}

/** What the gateway was asked. */
type JournalCounts = Awaited<ReturnType<GatewayCalls["takeJournal"]>>;

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

/** Who pushes, the gateway that is asked, and how many orders are worked on at the same time. */
export interface DecideParts {
  readonly gateway: RemoteProcess<GatewayCalls>;
  readonly load: RemoteProcess<LoadCalls>;
  readonly gatewayUrl: string;
  readonly atOnce: number;
}

/** A program that notifications are pushed to. */
export interface PushedProgram {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly cost: CostMeter;
  /** Resolves when what was done is recorded, with what is missing. */
  untilRecorded(orders: Orders): Promise<readonly string[]>;
}

/** Its time begins with the first push and ends when the last order is accepted and that is recorded. */
export function pushedContender(
  { gateway, load }: DecideParts,
  { name, description, url, cost, untilRecorded }: PushedProgram,
): Contender<DecidedByPush> {
  return {
    name,
    description,
    async work(pace) {
      const orders = takeOrders(pace);
      const { first, count } = orders;
      await cost.start();
      const startedAt = performance.now();
      const pushing = load.call("push", {
        ...pushTarget(url),
        connections: pushConnections,
        firstOrder: first,
        bodies: "minor-delay",
        until: { count },
      });
      await gateway.call("untilFinished", { count, withinMs: patienceMs });
      const notRecorded = await untilRecorded(orders);
      const seconds = (performance.now() - startedAt) / 1_000;
      const { acknowledged } = await pushing;
      const used = await cost.perOrder(count);
      const { journal, figures } = await readJournal(gateway, orders);
      return { ...orders, seconds, notRecorded, acknowledged, journal, figures: { ...figures, ...used } };
    },
    async findMissing(decided) {
      const { count, notRecorded, acknowledged } = decided;
      const missing = [...findMissingCalls(decided), ...notRecorded];
      if (acknowledged !== count) missing.push(`${acknowledged} of ${count} notifications were acknowledged.`);
      return missing;
    },
  };
}

export interface DecidedByPush extends Decided {
  readonly notRecorded: readonly string[];
  readonly acknowledged: number;
}

async function readJournal(gateway: RemoteProcess<GatewayCalls>, orders: Orders) {
  const journal = await gateway.call("takeJournal", orders);
  return { journal, figures: { "gateway calls an order": journal.calls / orders.count } };
}

/** Where notifications are pushed to, and as whom. */
export function pushTarget(url: string) {
  return { url, path: "/ocn", authorization: `Bearer ${pushToken}` };
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
