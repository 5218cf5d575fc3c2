import { setTimeout as sleep } from "node:timers/promises";
import type { BenchDatabase } from "../database.ts";
import { type DecideParts, pushTarget } from "../decide/contenders.ts";
import { decidingSettings } from "../decide/decide.ts";
import { orderIdOf } from "../notifications.ts";
import { startProduct } from "../product-process.ts";
import { createStopList } from "../stop-list.ts";

export interface StormSetting {
  readonly notifications: number;
  readonly seconds: number;
  readonly connections: number;
  readonly firstOrder: number;
}

export interface StormResult extends StormSetting {
  readonly acknowledged: number;
  /** Responses that were no acknowledgement, by status; 0 where the connection failed. */
  readonly refused: Readonly<Record<number, number>>;
  /** How long the load generator took to push. More than it was given: it was what limits. */
  readonly pushedSeconds: number;
  /** Until the last response. */
  readonly respondedSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly stored: number;
  readonly cases: number;
  /** From the first push until every case was open; null when they never were. */
  readonly openedSeconds: number | null;
}

/** Whether something was lost, or refused by a fault of ours. */
export function findFailures({ acknowledged, refused, stored, cases }: StormResult): readonly string[] {
  const failures = Object.entries(refused)
    .filter(([status]) => status === "0" || Number(status) >= 500)
    .map(([status, count]) => `${count} notifications got ${status}.`);
  if (stored !== acknowledged) failures.push(`${acknowledged} notifications were acknowledged, and ${stored} stored.`);
  if (cases < acknowledged)
    failures.push(`${acknowledged} notifications were acknowledged, and ${cases} cases opened.`);
  return failures;
}

/** Without a new case for so long, the rest is not waited for. */
const patienceMs = 60_000;

/** Pushes a storm at a receiver and a worker, and then looks for everything that was acknowledged. */
export async function storm(
  { load, gatewayUrl }: DecideParts,
  database: BenchDatabase,
  setting: StormSetting,
): Promise<StormResult> {
  const stops = createStopList();
  try {
    const environment = { ...database.environment, ...decidingSettings(gatewayUrl) };
    const receiver = await startProduct({ ...environment, ROLES: "receiver" });
    stops.add(receiver.stop);
    const worker = await startProduct({ ...environment, ROLES: "worker" });
    stops.add(worker.stop);
    const { notifications: count, seconds, connections, firstOrder } = setting;
    const startedAt = performance.now();
    const since = new Date();
    const pushed = await load.call("pushSteadily", {
      ...pushTarget(receiver.agencyUrl),
      connections,
      firstOrder,
      count,
      perSecond: count / seconds,
      bodies: "minor-delay",
    });
    const { acknowledged, refused, pushedSeconds, p50Ms, p99Ms } = pushed;
    const cases = await untilOpened(database, setting, acknowledged);
    const openedSeconds = cases < acknowledged ? null : (performance.now() - startedAt) / 1_000;
    return {
      ...setting,
      acknowledged,
      refused,
      pushedSeconds,
      respondedSeconds: pushed.seconds,
      p50Ms,
      p99Ms,
      cases,
      openedSeconds,
      stored: await countStored(database, since),
    };
  } finally {
    await stops.stop();
  }
}

async function untilOpened(
  { database }: BenchDatabase,
  { firstOrder, notifications }: StormSetting,
  wanted: number,
): Promise<number> {
  let [opened, grewAt] = [0, performance.now()];
  for (;;) {
    const { rows } = await database.pool.query<{ count: number }>(
      "select count(*)::int as count from skedchange.cases where order_id between $1 and $2",
      [orderIdOf(firstOrder), orderIdOf(firstOrder + notifications - 1)],
    );
    const { count } = rows[0]!;
    if (count > opened) [opened, grewAt] = [count, performance.now()];
    if (opened >= wanted || performance.now() - grewAt > patienceMs) return opened;
    await sleep(200);
  }
}

async function countStored({ database }: BenchDatabase, since: Date): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from skedchange.notifications where received_at >= $1 and state = 'accepted'",
    [since],
  );
  return rows[0]!.count;
}
