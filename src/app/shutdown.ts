import { AppError } from "../kernel/app-error.ts";
import type { Logger } from "../telemetry/logger.ts";

/**
 * In order, with limits in ms; the sum is below the 10 s that orchestrators give. Unfinished work is safe: leases
 * expire, and an effect without a response becomes unknown.
 */
const phases = {
  /** Stop listening, finish and commit accepted requests. */
  intake: 3_500,
  /** Finish or release work. */
  work: 3_000,
  connections: 1_200,
  database: 1_800,
} as const;

export type ShutdownPhase = keyof typeof phases;

export interface Shutdown {
  add(phase: ShutdownPhase, name: string, stop: () => Promise<void>): void;
  /** Runs all phases, whatever fails. A repeated call waits for the same run. */
  run(): Promise<void>;
}

export function createShutdown(logger: Logger): Shutdown {
  const steps: { readonly phase: ShutdownPhase; readonly name: string; readonly stop: () => Promise<void> }[] = [];
  let running: Promise<void> | null = null;

  async function stopAll(): Promise<void> {
    for (const phase of Object.keys(phases) as ShutdownPhase[]) {
      await Promise.all(
        steps
          .filter((step) => step.phase === phase)
          .map(async ({ name, stop }) => {
            try {
              await within(phases[phase], name, stop());
            } catch (error) {
              logger.warn({ phase, step: name, error }, "shutdown.step_failed");
            }
          }),
      );
    }
  }

  return {
    add: (phase, name, stop) => {
      steps.push({ phase, name, stop });
    },
    run: () => {
      running ??= stopAll();
      return running;
    },
  };
}

async function within(limitMs: number, name: string, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new AppError("app.stop_timeout", `Stopping ${name} took longer than ${limitMs} ms; the rest stops without it.`),
      );
    }, limitMs);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
