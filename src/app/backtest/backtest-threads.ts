import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type BacktestTally, mergeTally } from "../../policy/backtest.ts";
import type { BacktestWorkerData } from "./backtest-worker.ts";
import type { EncryptedBody } from "./judge-batch.ts";

export interface BacktestThreads {
  /** Resolves once a thread has taken the rows; waits while all are busy, to limit memory. */
  judge(bodies: readonly EncryptedBody[]): Promise<void>;
  finish(): Promise<void>;
}

export interface ThreadOptions {
  readonly count: number;
  readonly file: URL;
}

/** Returns null if the program runs from TypeScript, which threads can't load. */
export function threadsOf(count: number): ThreadOptions | null {
  return import.meta.url.endsWith(".ts") ? null : { count, file: new URL("./backtest-worker.js", import.meta.url) };
}

/** In MiB. Threads keep nothing between bodies, but without a limit garbage accumulates. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };

/** @param onJudged called with the number of bodies judged so far */
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
    const reply = once(worker, "message") as Promise<[BacktestTally]>;
    // Copied, because posting a view would send its whole buffer.
    worker.postMessage(bodies.map((row) => ({ ...row, body: new Uint8Array(row.body) })));
    const [share] = await reply;
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
