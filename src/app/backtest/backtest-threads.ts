import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type BacktestTally, mergeTally } from "../../policy/backtest.ts";
import type { BacktestWorkerData } from "./backtest-worker.ts";
import type { EncryptedBody } from "./evaluate-batch.ts";

export interface BatchEvaluator {
  /** May resolve before the bodies are evaluated, but waits while all threads are busy, to limit memory. */
  evaluate(bodies: readonly EncryptedBody[]): Promise<void>;
  /** Resolves once all bodies are counted. */
  finish(): Promise<void>;
}

export interface ThreadOptions {
  readonly count: number;
  readonly file: URL;
}

/** Returns null if the program runs from TypeScript, which threads can't load. */
export function threadOptions(count: number): ThreadOptions | null {
  return import.meta.url.endsWith(".ts") ? null : { count, file: new URL("./backtest-worker.js", import.meta.url) };
}

/** In MiB. Threads keep nothing between bodies, but without a limit garbage accumulates. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };

/** @param onEvaluated called with the number of bodies of each batch */
export function startThreads(
  { count, file }: ThreadOptions,
  data: BacktestWorkerData,
  tally: BacktestTally,
  onEvaluated: (bodies: number) => void,
): BatchEvaluator {
  const workers = Array.from({ length: count }, () => new Worker(file, { workerData: data, resourceLimits }));
  const idle = [...workers];
  const busy = new Map<Worker, Promise<void>>();

  const run = async (worker: Worker, bodies: readonly EncryptedBody[]): Promise<void> => {
    const reply = once(worker, "message") as Promise<[BacktestTally]>;
    // Copied, because posting a view would send its whole buffer.
    worker.postMessage(bodies.map((row) => ({ ...row, body: new Uint8Array(row.body) })));
    const [share] = await reply;
    mergeTally(tally, share, data.settings);
    onEvaluated(bodies.length);
    busy.delete(worker);
    idle.push(worker);
  };

  return {
    evaluate: async (bodies) => {
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
