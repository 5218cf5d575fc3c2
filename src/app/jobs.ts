import { repeatWork } from "../kernel/repeat-work.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Shutdown } from "./shutdown.ts";

/** Work that a role does again and again. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Milliseconds before the first run. Default: none. */
  readonly firstAfterMs?: number;
  /**
   * Does one portion. Resolves to true if more is left, which follows without a pause. Any other value, such as a count,
   * means nothing.
   */
  readonly work: () => Promise<unknown>;
  /** Runs when the process stops, once no work runs any more. */
  readonly afterwards?: () => Promise<void>;
  /** Default: `job.failed`. */
  readonly failureMessage?: string;
}

/** Runs each job in its own time until the process stops. */
export function startJobs(
  jobs: readonly Job[],
  { logger, shutdown }: { readonly logger: Logger; readonly shutdown: Shutdown },
): void {
  for (const job of jobs) {
    const { name, everyMs, failureMessage = "job.failed" } = job;
    const onFailure = (error: unknown): number => {
      logger.warn({ job: name, error }, failureMessage);
      return everyMs;
    };
    const running = repeatWork({ ...job, onFailure });
    shutdown.add("work", name, async () => {
      await running.close();
      await job.afterwards?.();
    });
  }
}
