import { systemClock } from "../kernel/clock.ts";
import type { QueueBackend } from "../queue/dispatch-queue.ts";
import { createFeeder } from "../queue/feeder.ts";
import type { AddressGuard } from "../sender/address-guard.ts";
import { pingBody } from "../sender/events/outgoing-event.ts";
import { createHttpTransport } from "../sender/http-transport.ts";
import { createDeliverer, createSender, type Deliverer, type Sender, type SenderSettings } from "../sender/sender.ts";
import type { Database } from "../store/database.ts";
import { createDeliveryStore } from "../store/deliveries.ts";
import { createEventDeliveryStore } from "../store/event-deliveries.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Shutdown } from "./shutdown.ts";

/** The queues of lanes with deliveries that are due: of notifications, and of the agency's own events. */
export const laneQueue = "lanes";
export const eventLaneQueue = "event-lanes";

/** Lanes that one process begins to deliver in at the same time. They wait for the network, not for the processor. */
const lanesMax = 64;

/** Makes the OCN sender. It delivers nothing by itself; `runDeliveries` gives it work. */
export function openSender(options: {
  readonly database: Database;
  readonly guard: AddressGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  readonly settings: SenderSettings;
}): Sender {
  const { database, guard, logger, metrics, shutdown, settings } = options;
  const http = createHttpTransport(guard);
  shutdown.add("connections", "sender connections", () => http.close());
  const sender = createSender({
    store: createDeliveryStore({ database, clock: systemClock }),
    http,
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    settings,
  });
  shutdown.add("work", "sender", () => sender.close());
  return sender;
}

/** Makes what sends the agency's own events, which the database adds. `runDeliveries` gives it work. */
export function openEventSender(options: {
  readonly database: Database;
  readonly guard: AddressGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  readonly settings: SenderSettings;
}): Deliverer {
  const { database, guard, logger, metrics, shutdown, settings } = options;
  const http = createHttpTransport(guard);
  shutdown.add("connections", "event connections", () => http.close());
  const sender = createDeliverer({
    store: createEventDeliveryStore({ database, clock: systemClock }),
    http,
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    settings: { ...settings, userAgent: "Skedchange-Events" },
    testBody: () => pingBody(systemClock),
  });
  shutdown.add("work", "event sender", () => sender.close());
  return sender;
}

/** Feeds due lanes into a queue and delivers what comes out of it. */
export function runDeliveries(options: {
  readonly sender: Deliverer;
  /** Its name; one for each sender. */
  readonly queueName: string;
  readonly queues: QueueBackend;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
}): { kick(): void } {
  const { sender, queueName, queues, logger, metrics, shutdown } = options;
  const queue = queues.openQueue(queueName);
  shutdown.add("connections", `queue ${queueName}`, () => queue.close());
  const consumer = queues.consume(
    queueName,
    { concurrency: lanesMax, onError: (error) => logger.error({ error }, "sender.failed") },
    async ({ recipientId, orderId }) => {
      if (recipientId === undefined || orderId === undefined) return;
      // A recipient has few lanes under way at once, so the end of one makes room for another.
      await sender.deliver({ recipientId, orderId }, () => feeder.kick());
      feeder.kick();
    },
  );
  shutdown.add("work", `deliveries of ${queueName}`, () => consumer.close());
  const feeder = createFeeder({
    takeDue: async (limit) => {
      const lanes = await sender.takeDueLanes(limit);
      metrics.dispatches.inc({ queue: queueName }, lanes.length);
      return lanes;
    },
    queue,
    batchSize: lanesMax * 2,
    onError: (error) => {
      metrics.feederFailures.inc({ queue: queueName });
      logger.warn({ queue: queueName, error }, "feeder.failed");
    },
  });
  shutdown.add("work", `feeder of ${queueName}`, () => feeder.stop());
  return feeder;
}
