import { hostname } from "node:os";
import type { CaseTiming } from "../cases/timing.ts";
import type { Configuration } from "../config/load-settings.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { createLeaseStore } from "../store/orders/leases.ts";
import { createPollStore } from "../store/orders/status-polls.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Observing } from "../worker/observe-members.ts";
import { type PollContext, type PolledSource, planPolls, pollNext } from "../worker/status-poll.ts";
import type { WorkerContext } from "../worker/worker-context.ts";
import type { Job } from "./jobs.ts";

/** How soon new orders are scheduled. */
const planEveryMs = 60_000;
const plannedAtOnce = 500;
const minuteMs = 60_000;

/** Polls one order at a time per source. */
export function pollJobs(options: {
  readonly database: Database;
  readonly gatewayOf: WorkerContext["gatewayOf"];
  readonly observing: Observing;
  readonly timing: CaseTiming;
  readonly logger: Logger;
  readonly configuration: Pick<Configuration, "settings" | "sources">;
  /** Called when a poll has made a case due, or has released an order that a notification may wait for. */
  readonly onDue: () => void;
}): readonly Job[] {
  const { database, gatewayOf, observing, timing, logger, configuration, onDue } = options;
  const worker: PollContext = {
    store: createLeaseStore(database),
    polls: createPollStore(database, systemClock),
    gatewayOf,
    ...observing,
    clock: systemClock,
    random: Math.random,
    logger,
    holder: `${hostname()}:${process.pid}`,
    timing,
  };
  const { POLL_HOURS, POLLS_PER_MINUTE } = configuration.settings;
  const gapMs = minuteMs / POLLS_PER_MINUTE;
  return configuration.sources.flatMap(({ id: source, gateway, pollHours }): readonly Job[] => {
    const polled: PolledSource = { source, pollHours: pollHours ?? POLL_HOURS, gapMs };
    if (polled.pollHours === 0 || gateway === null) return [];
    return [
      {
        name: `poll plan of ${source}`,
        everyMs: planEveryMs,
        work: async () => (await planPolls(worker, polled, plannedAtOnce)) === plannedAtOnce,
      },
      {
        name: `polls of ${source}`,
        everyMs: gapMs,
        work: async () => {
          if ((await pollNext(worker, polled)) !== "idle") onDue();
        },
      },
    ];
  });
}
