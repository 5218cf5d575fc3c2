import { hostname } from "node:os";
import type { CaseTiming } from "../cases/timing.ts";
import type { Configuration } from "../config/load-settings.ts";
import { createDesk, type Desk } from "../desk/desk.ts";
import { airportsVersion } from "../itinerary/airports.ts";
import { timeZoneDataVersion } from "../itinerary/local-time.ts";
import { systemClock } from "../kernel/clock.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { shippedCarriers } from "../policy/legal/carriers.ts";
import type { QueueBackend } from "../queue/dispatch-queue.ts";
import { createFeeder } from "../queue/feeder.ts";
import { createCaseStore } from "../store/cases.ts";
import type { Database } from "../store/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { PolicyRuntime } from "./policies.ts";
import type { Shutdown } from "./shutdown.ts";
import type { SourceAccounts } from "./source-accounts.ts";

/** Which carriers are licensed where: digest of the table. */
const carriersVersion = digestOfValue(shippedCarriers).slice(0, 16);

/** The queue of orders that are due. */
const orderQueue = "orders";

export interface DeskRuntimeOptions {
  readonly database: Database;
  readonly accounts: SourceAccounts;
  readonly policies: Pick<PolicyRuntime, "policyOf" | "shadowOf">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called when a person's action has made a case due. */
  readonly onDue: () => void;
  readonly timing: CaseTiming;
  readonly sources: Configuration["sources"];
  /** Orders worth more are cancelled only when two people want it; null: one is always enough. */
  readonly secondPersonAbove: string | null;
}

/** Makes the desk. It works on nothing by itself; `runWorkers` gives it work. */
export function openDesk(options: DeskRuntimeOptions): Desk {
  const { database, accounts, policies, sources, secondPersonAbove, logger, metrics, onDue, timing } = options;
  const agreed = new Set(sources.filter(({ customerAgreement }) => customerAgreement).map(({ id }) => id));
  return createDesk(
    {
      store: createCaseStore(database, systemClock, { secondPersonAbove, statusLagMs: timing.statusLagMs }),
      gatewayOf: accounts.gatewayOf,
      policyOf: policies.policyOf,
      customerAgreementOf: (source) => agreed.has(source),
      shadowOf: policies.shadowOf,
      clock: systemClock,
      random: Math.random,
      logger,
      metrics,
      holder: `${hostname()}:${process.pid}`,
      versions: {
        airports: airportsVersion,
        timeZones: timeZoneDataVersion,
        carriers: carriersVersion,
      },
      timing,
      crashPoint: () => {},
    },
    onDue,
  );
}

/** Feeds due orders into the queue and works on what comes out of it. */
export function runWorkers(options: {
  readonly desk: Desk;
  readonly queues: QueueBackend;
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
}): { kick(): void } {
  const { desk, queues, configuration, logger, metrics, shutdown } = options;
  const concurrency = configuration.settings.WORKER_CONCURRENCY;
  const perSourceMax = ordersPerSource(configuration);
  const queue = queues.openQueue(orderQueue);
  let finished = 0;
  shutdown.add("connections", "order queue", () => queue.close());
  const consumer = queues.consume(
    orderQueue,
    { concurrency, onError: (error) => logger.error({ error }, "worker.failed") },
    async ({ source, orderId }) => {
      if (source === undefined || orderId === undefined) return;
      await desk.workOn({ source, orderId });
      // What is handed out is bounded, so a backlog would otherwise move on once a sweep.
      finished += 1;
      if (perSourceMax !== null || finished % concurrency === 0) feeder.kick();
    },
  );
  shutdown.add("work", "workers", () => consumer.close());
  const feeder = createFeeder({
    takeDue: async (limit) => {
      const orders = await desk.takeDue(limit, perSourceMax);
      metrics.dispatches.inc({ queue: orderQueue }, orders.length);
      return orders.map(({ source, orderId }) => ({ key: `${source}/${orderId}`, ids: { source, orderId } }));
    },
    queue,
    // Enough to keep the workers busy between two looks, and no more: the backlog belongs in PostgreSQL.
    batchSize: concurrency * 8,
    onError: (error) => {
      metrics.feederFailures.inc({ queue: orderQueue });
      logger.warn({ queue: orderQueue, error }, "feeder.failed");
    },
  });
  shutdown.add("work", "feeder", () => feeder.stop());
  return feeder;
}

/** With several sources one worker at least is left for the others, however slow the gateway of one is. */
function ordersPerSource({ settings, sources }: Configuration): number | null {
  if (settings.WORKER_CONCURRENCY_PER_SOURCE !== undefined) return settings.WORKER_CONCURRENCY_PER_SOURCE;
  return sources.length < 2 ? null : Math.max(1, settings.WORKER_CONCURRENCY - 1);
}
