// Pushes notifications as a gateway does: kept-alive connections, one notification at a time on each.
import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import { minorDelay, mixedNotifications } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";

interface Push {
  readonly url: string;
  readonly path: string;
  readonly authorization: string;
  readonly connections: number;
  readonly firstOrder: number;
  readonly bodies: "mixed" | "minor-delay";
  /** When to stop: after so long, or after so many. */
  readonly until: { readonly seconds: number } | { readonly count: number };
}

const bodies = { mixed: mixedNotifications(), "minor-delay": minorDelay() };

/** Pushes until it is time to stop, and waits for every response. Each notification is of the order behind the one before. */
async function push({ url, path, authorization, connections, firstOrder, until, ...options }: Push) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const headers = { authorization, "content-type": "application/json" };
  const { bodyOf } = bodies[options.bodies];
  const latencies: number[] = [];
  const refused: Record<number, number> = {};
  let [bytes, orderSum, nextOrder] = [0, 0, firstOrder];
  const startedCpu = process.cpuUsage();
  const startedAt = performance.now();
  const isOver = (): boolean =>
    "count" in until ? nextOrder >= firstOrder + until.count : performance.now() - startedAt >= until.seconds * 1_000;

  const pushUntilOver = async (): Promise<void> => {
    while (!isOver()) {
      const order = nextOrder++;
      const body = bodyOf(order);
      const sentAt = performance.now();
      const { status, isAcknowledged } = await post(pool, { method: "POST", path, headers, body });
      if (isAcknowledged) {
        latencies.push(performance.now() - sentAt);
        bytes += body.length;
        orderSum += order;
      } else refused[status] = (refused[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, pushUntilOver));

  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(startedCpu);
  await pool.close();
  return {
    /** Responded with 200 and an acknowledgement. */
    acknowledged: latencies.length,
    refused,
    seconds,
    /** Of what was acknowledged. */
    bytes,
    orderSum,
    nextOrder,
    ...percentilesOf(latencies),
    /** Share of one core that this process used. */
    cpuShare: (user + system) / 1e6 / seconds,
  };
}

interface SteadyPush extends Omit<Push, "until"> {
  readonly perSecond: number;
  readonly count: number;
}

/**
 * Pushes at this rate whatever the responses are, and waits for all of them. A latency begins when its notification was to be
 * pushed, so a wait for a free connection is part of it.
 */
async function pushSteadily({
  url,
  path,
  authorization,
  connections,
  firstOrder,
  perSecond,
  count,
  ...rest
}: SteadyPush) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const headers = { authorization, "content-type": "application/json" };
  const { bodyOf } = bodies[rest.bodies];
  const latencies: number[] = [];
  const refused: Record<number, number> = {};
  const startedAt = performance.now();
  const pushOne = async (index: number): Promise<void> => {
    const body = bodyOf(firstOrder + index);
    const response = await post(pool, { method: "POST", path, headers, body }).catch(() => connectionFailed);
    if (response.isAcknowledged) latencies.push(performance.now() - startedAt - (index * 1_000) / perSecond);
    else refused[response.status] = (refused[response.status] ?? 0) + 1;
  };
  const pushes: Promise<void>[] = [];
  while (pushes.length < count) {
    const due = Math.min(Math.floor(((performance.now() - startedAt) * perSecond) / 1_000) + 1, count);
    while (pushes.length < due) pushes.push(pushOne(pushes.length));
    await sleep(2);
  }
  const pushedSeconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(pushes);
  const seconds = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return { acknowledged: latencies.length, refused, pushedSeconds, seconds, ...percentilesOf(latencies) };
}

/** Counted as status 0. */
const connectionFailed = { status: 0, isAcknowledged: false };

function percentilesOf(latencies: readonly number[]): { readonly p50Ms: number; readonly p99Ms: number } {
  const sorted = latencies.toSorted((a, b) => a - b);
  const percentile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

/** By the handlers of undici: the streams of its `request` would take a quarter more of the processor. */
function post(pool: Pool, request: Dispatcher.DispatchOptions): Promise<{ status: number; isAcknowledged: boolean }> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = "";
    pool.dispatch(request, {
      // Without it undici takes the handler for one of its earlier versions.
      onRequestStart: () => undefined,
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        text += chunk.toString("latin1");
      },
      onResponseEnd: () => resolve({ status, isAcknowledged: status === 200 && text.includes('"OK"') }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

const calls = { push, pushSteadily };
export type LoadCalls = typeof calls;
serveCalls(calls);
