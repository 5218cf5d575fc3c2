import { systemClock } from "../kernel/clock.ts";
import type { QueueWork } from "../queue/run-queue.ts";
import type { AddressGuard } from "../sender/address-guard.ts";
import { pingBody } from "../sender/events/outgoing-event.ts";
import { createHttpTransport } from "../sender/http-transport.ts";
import { createDeliverer, createSender, type Deliverer, type Sender, type SenderSettings } from "../sender/sender.ts";
import type { Database } from "../store/database/database.ts";
import { createDeliveryStore } from "../store/deliveries/deliveries.ts";
import { createEventDeliveryStore } from "../store/deliveries/event-deliveries.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Shutdown } from "./shutdown.ts";

/** Lanes that one process begins to deliver in at the same time. They wait for the network, not for the processor. */
const lanesMax = 64;

interface SenderRuntimeOptions {
  readonly database: Database;
  readonly guard: AddressGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  readonly settings: SenderSettings;
}

/** Makes the OCN sender. It delivers nothing by itself; `deliveryQueue` gives it work. */
export function openSender(options: SenderRuntimeOptions): Sender {
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

/** Makes what sends the agency's own events, which the database adds. `deliveryQueue` gives it work. */
export function openEventSender(options: SenderRuntimeOptions): Deliverer {
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

/** The queue of lanes with deliveries that are due, and the work on them: of notifications, or of the agency's own events. */
export function deliveryQueue(name: "lanes" | "event-lanes", sender: Deliverer): QueueWork {
  return {
    name,
    takeDue: (limit) => sender.takeDueLanes(limit),
    batchSize: lanesMax * 2,
    handle: async ({ recipientId, orderId }, kick) => {
      if (recipientId !== undefined && orderId !== undefined) await sender.deliver({ recipientId, orderId }, kick);
    },
    concurrency: lanesMax,
    // A recipient has few lanes under way at once, so the end of one makes room for another.
    kickAfter: 1,
    failureMessage: "sender.failed",
  };
}
