import { systemClock } from "../kernel/clock.ts";
import { runSweeps, type Sweeps } from "../queue/run-sweeps.ts";
import type { AddressGuard } from "../sender/address-guard.ts";
import { pingBody } from "../sender/events/outgoing-event.ts";
import { createHttpTransport } from "../sender/http-transport.ts";
import { createDeliverer, createSender, type Deliverer, type Sender, type SenderSettings } from "../sender/sender.ts";
import type { Database } from "../store/database/database.ts";
import { createDeliveryStore, createEventDeliveryStore } from "../store/deliveries/lane-store.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Shutdown } from "./shutdown.ts";

interface SenderRuntimeOptions {
  readonly database: Database;
  readonly guard: AddressGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  readonly settings: SenderSettings;
}

/** Delivers nothing until `runSender` polls it. */
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

/** The database adds the events. Delivers nothing until `runSender` polls it. */
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

export function runSender(
  name: "lanes" | "event-lanes",
  sender: Deliverer,
  parts: { readonly logger: Logger; readonly metrics: Metrics },
): Sweeps {
  const look = async (): Promise<boolean> => (await sender.deliverDue(() => sweeps.kick())).isIncomplete;
  const sweeps: Sweeps = runSweeps(name, look, parts);
  return sweeps;
}
