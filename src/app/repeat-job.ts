import type { Logger } from "../telemetry/logger.ts";
import type { Shutdown } from "./shutdown.ts";

export interface RepeatedJob {
  readonly name: string;
  readonly everyMs: number;
  /** Milliseconds before the first run. Default: none. */
  readonly firstAfterMs?: number;
  /** Does one portion; returns whether more is left, which follows without a pause. */
  readonly work: () => Promise<boolean>;
  /** At a stop, once no work runs any more. */
  readonly afterwards?: () => Promise<void>;
}

export function repeatJob(
  { name, everyMs, firstAfterMs, work, afterwards }: RepeatedJob,
  { logger, shutdown }: { readonly logger: Logger; readonly shutdown: Shutdown },
): void {
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      while (!isStopping && (await work()));
    } catch (error) {
      logger.warn({ job: name, error }, "job.failed");
    }
    if (!isStopping) timer = setTimeout(start, everyMs);
  };
  const start = (): void => {
    running = run();
  };
  if (firstAfterMs === undefined) start();
  else timer = setTimeout(start, firstAfterMs);
  shutdown.add("work", name, async () => {
    isStopping = true;
    clearTimeout(timer);
    await running;
    await afterwards?.();
  });
}
