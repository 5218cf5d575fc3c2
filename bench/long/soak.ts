import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { spreadOf } from "../benchmark.ts";
import type { BenchDatabase } from "../database.ts";
import { type DecideParts, pushTarget } from "../decide/contenders.ts";
import { decidingSettings } from "../decide/decide.ts";
import { orderIdOf } from "../notifications.ts";
import { startProduct } from "../product-process.ts";
import { createStopList } from "../stop-list.ts";

export interface SoakSetting {
  readonly perSecond: number;
  readonly minutes: number;
  readonly connections: number;
  readonly firstOrder: number;
}

/** What was sampled at the end of one interval. */
export interface SoakSample {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMiB: Readonly<Record<string, number>>;
  /** Orders that were pushed and are not done. */
  readonly behind: number;
}

export interface SoakResult extends SoakSetting {
  readonly samples: readonly SoakSample[];
  readonly refused: Readonly<Record<number, number>>;
  /** Orders that were not done some time after the last push, by the state of their cases. */
  readonly leftOver: Readonly<Record<string, number>>;
  /** Medians of the last third of the samples to those of the first third, by what was sampled. */
  readonly growth: Readonly<Record<string, number>>;
}

/** What counts as flat, last third to first third. */
export const flatMax = 1.2;

/** A second samples nothing that is worth a median. */
const samplesMin = 3;
/** For what was under way when the last notification was pushed. */
const finishMs = 30_000;
const run = promisify(execFile);

/** Pushes at a steady rate for long, to a receiver and a worker, and looks at memory, latencies and backlog again and again. */
export async function soak(
  { gateway, load, gatewayUrl }: DecideParts,
  database: BenchDatabase,
  setting: SoakSetting,
  onProgress: (line: string) => void,
): Promise<SoakResult> {
  const stops = createStopList();
  try {
    const environment = { ...database.environment, ...decidingSettings(gatewayUrl) };
    const receiver = await startProduct({ ...environment, ROLES: "receiver" });
    stops.add(receiver.stop);
    const worker = await startProduct({ ...environment, ROLES: "worker" });
    stops.add(worker.stop);
    const { perSecond, minutes, connections, firstOrder } = setting;
    const count = Math.max(samplesMin, Math.round(minutes));
    const pushedEach = Math.ceil((perSecond * minutes * 60) / count);
    const samples: SoakSample[] = [];
    const refused: Record<number, number> = {};
    for (let sampled = 0; sampled < count; sampled += 1) {
      const pushed = await load.call("pushSteadily", {
        ...pushTarget(receiver.agencyUrl),
        connections,
        perSecond,
        count: pushedEach,
        bodies: "minor-delay",
        firstOrder: firstOrder + sampled * pushedEach,
      });
      for (const [status, times] of Object.entries(pushed.refused)) {
        refused[Number(status)] = (refused[Number(status)] ?? 0) + times;
      }
      const done = await countDone(database, firstOrder, firstOrder + (sampled + 1) * pushedEach - 1);
      const sample = {
        p50Ms: pushed.p50Ms,
        p99Ms: pushed.p99Ms,
        residentMiB: { receiver: await residentMiB(receiver.pid), worker: await residentMiB(worker.pid) },
        behind: (sampled + 1) * pushedEach - done,
      };
      samples.push(sample);
      // Its journal would grow, and is looked at by nobody here.
      await gateway.call("takeJournal", { first: firstOrder, count: 0 });
      onProgress(
        `soak, ${sampled + 1} of ${count}: p50 ${sample.p50Ms.toFixed(1)} ms, p99 ${sample.p99Ms.toFixed(0)} ms, ` +
          `receiver ${sample.residentMiB.receiver} MiB, worker ${sample.residentMiB.worker} MiB, ${sample.behind} behind`,
      );
    }
    const leftOver = await untilDone(database, firstOrder, count * pushedEach);
    return { ...setting, samples, refused, leftOver, growth: growthOf(samples) };
  } finally {
    await stops.stop();
  }
}

/** Medians of the last third to those of the first third. */
export function growthOf(samples: readonly SoakSample[]): Readonly<Record<string, number>> {
  const third = Math.floor(samples.length / 3);
  const growth = (read: (sample: SoakSample) => number): number =>
    spreadOf(samples.slice(-third).map(read)).median / spreadOf(samples.slice(0, third).map(read)).median;
  return {
    "p50 ms": growth(({ p50Ms }) => p50Ms),
    "p99 ms": growth(({ p99Ms }) => p99Ms),
    ...Object.fromEntries(
      Object.keys(samples[0]!.residentMiB).map((name) => [
        `${name}, MiB`,
        growth(({ residentMiB: resident }) => resident[name]!),
      ]),
    ),
  };
}

/** Waits for the orders that are under way, at most `finishMs`; returns those that are not done then, by state. */
async function untilDone(
  database: BenchDatabase,
  first: number,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const giveUpAt = performance.now() + finishMs;
  while ((await countDone(database, first, first + count - 1)) < count && performance.now() < giveUpAt)
    await sleep(200);
  const { rows } = await database.database.pool.query<{ state: string; count: number }>(
    `select coalesce(c.state, 'no case') as state, count(*)::int as count
     from unnest($1::text[]) as pushed (order_id) left join skedchange.cases c using (order_id)
     where c.state is distinct from 'done' group by 1`,
    [Array.from({ length: count }, (_, index) => orderIdOf(first + index))],
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}

async function countDone({ database }: BenchDatabase, first: number, last: number): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from skedchange.cases where order_id between $1 and $2 and state = 'done'",
    [orderIdOf(first), orderIdOf(last)],
  );
  return rows[0]!.count;
}

async function residentMiB(pid: number): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
  return Math.round(Number(stdout) / 1_024);
}
