import { systemClock } from "../kernel/clock.ts";
import type { QueueBackend } from "../queue/dispatch-queue.ts";
import { createFeeder } from "../queue/feeder.ts";
import type { AddressGuard } from "../sender/address-guard.ts";
import { createHttpTransport } from "../sender/http-transport.ts";
import { createSender, defaultSenderSettings, type Sender } from "../sender/sender.ts";
import type { Database } from "../store/database.ts";
import { createDeliveryStore } from "../store/deliveries.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Shutdown } from "./shutdown.ts";

/** The queue of lanes with deliveries that are due. */
const laneQueue = "lanes";

/** Lanes that one process delivers in at the same time. */
const lanesMax = 16;

/** Makes the OCN sender. It delivers nothing by itself; `runDeliveries` gives it work. */
export function openSender(options: {
  readonly database: Database;
  readonly guard: AddressGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
}): Sender {
  const { database, guard, logger, metrics, shutdown } = options;
  const http = createHttpTransport(guard);
  shutdown.add("connections", "sender connections", () => http.close());
  const sender = createSender({
    store: createDeliveryStore({ database, clock: systemClock }),
    http,
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    settings: defaultSenderSettings,
  });
  shutdown.add("work", "sender", () => sender.close());
  return sender;
}

/** Feeds due lanes into the queue and delivers what comes out of it. */
export function runDeliveries(options: {
  readonly sender: Sender;
  readonly queues: QueueBackend;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
}): { kick(): void } {
  const { sender, queues, logger, metrics, shutdown } = options;
  const queue = queues.openQueue(laneQueue);
  shutdown.add("connections", "lane queue", () => queue.close());
  const consumer = queues.consume(
    laneQueue,
    { concurrency: lanesMax, onError: (error) => logger.error({ error }, "sender.failed") },
    async ({ recipientId, orderId }) => {
      if (recipientId === undefined || orderId === undefined) return;
      await sender.deliver({ recipientId, orderId });
      // A recipient has few lanes under way at once, so the end of one makes room for another.
      feeder.kick();
    },
  );
  shutdown.add("work", "deliveries", () => consumer.close());
  const feeder = createFeeder({
    takeDue: async (limit) => {
      const lanes = await sender.takeDueLanes(limit);
      metrics.dispatches.inc({ queue: laneQueue }, lanes.length);
      return lanes;
    },
    queue,
    batchSize: lanesMax * 4,
    onError: (error) => {
      metrics.feederFailures.inc({ queue: laneQueue });
      logger.warn({ queue: laneQueue, error }, "feeder.failed");
    },
  });
  shutdown.add("work", "lane feeder", () => feeder.stop());
  return feeder;
}
