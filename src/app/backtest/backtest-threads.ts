import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type BacktestTally, mergeTally } from "../../policy/backtest.ts";
import type { BacktestWorkerData } from "./backtest-worker.ts";
import type { EncryptedBody } from "./judge-batch.ts";

/** Threads that judge stored bodies. */
export interface BacktestThreads {
  /** Resolves once a thread has taken the rows; it waits while all of them have work, so that memory stays bounded. */
  judge(bodies: readonly EncryptedBody[]): Promise<void>;
  /** Waits for what is under way and ends the threads. */
  finish(): Promise<void>;
}

export interface ThreadOptions {
  readonly count: number;
  /** The module that each of them runs. */
  readonly file: URL;
}

/** Threads as the built program has them; null when it runs from TypeScript, which threads do not understand. */
export function threadsOf(count: number): ThreadOptions | null {
  return import.meta.url.endsWith(".ts") ? null : { count, file: new URL("./backtest-worker.js", import.meta.url) };
}

/**
 * What a thread may hold, MiB. It keeps nothing from one body to the next, so a fraction is enough; without a limit the
 * garbage of so many bodies is left lying until the whole process is large.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };

/**
 * @param tally where the shares of the threads are added.
 * @param onJudged told how many bodies have been judged.
 */
export function startThreads(
  { count, file }: ThreadOptions,
  data: BacktestWorkerData,
  tally: BacktestTally,
  onJudged: (bodies: number) => void,
): BacktestThreads {
  const workers = Array.from({ length: count }, () => new Worker(file, { workerData: data, resourceLimits }));
  const idle = [...workers];
  const busy = new Map<Worker, Promise<void>>();

  const run = async (worker: Worker, bodies: readonly EncryptedBody[]): Promise<void> => {
    const answer = once(worker, "message") as Promise<[BacktestTally]>;
    // Copied, because with a part of a larger buffer all of that would be sent.
    worker.postMessage(bodies.map((row) => ({ ...row, body: new Uint8Array(row.body) })));
    const [share] = await answer;
    mergeTally(tally, share, data.settings);
    onJudged(bodies.length);
    busy.delete(worker);
    idle.push(worker);
  };

  return {
    judge: async (bodies) => {
      while (idle.length === 0) await Promise.race(busy.values());
      const worker = idle.pop()!;
      const work = run(worker, bodies);
      busy.set(worker, work);
    },
    finish: async () => {
      try {
        await Promise.all(busy.values());
      } finally {
        await Promise.all(workers.map((worker) => worker.terminate()));
      }
    },
  };
}
