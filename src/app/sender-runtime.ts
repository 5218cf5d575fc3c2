import { systemClock } from "../kernel/clock.ts";
import type { RepeatedWork } from "../kernel/repeat-work.ts";
import { runSweeps } from "../queue/run-sweeps.ts";
import type { AddressGuard } from "../sender/address-guard.ts";
import { pingBody } from "../sender/events/outgoing-event.ts";
import { createHttpTransport } from "../sender/http-transport.ts";
import {
  createDeliverer,
  createSender,
  type Deliverer,
  type DelivererOptions,
  type Sender,
  type SenderSettings,
} from "../sender/sender.ts";
import type { Database } from "../store/database/database.ts";
import { createDeliveryStore, createEventDeliveryStore } from "../store/deliveries/lane-store.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { noTracer, type Tracer } from "../telemetry/tracing.ts";
import type { Shutdown } from "./shutdown.ts";

interface SenderRuntimeOptions {
  readonly database: Database;
  readonly guard: AddressGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly shutdown: Shutdown;
  readonly settings: SenderSettings;
}

export function openSender(options: SenderRuntimeOptions): Sender {
  const store = createDeliveryStore({ database: options.database, clock: systemClock });
  return openDeliverer("sender", options, (parts) => createSender({ ...parts, store }));
}

/** Has no outbox: events are stored with the changes that they tell of, and the store makes deliveries of them. */
export function openEventSender(options: SenderRuntimeOptions): Deliverer {
  const store = createEventDeliveryStore({ database: options.database, clock: systemClock });
  const settings = { ...options.settings, userAgent: "Skedchange-Events" };
  return openDeliverer("event sender", { ...options, settings }, (parts) =>
    createDeliverer({ ...parts, store, testBody: () => pingBody(systemClock) }),
  );
}

/** Delivers nothing until `runSender` polls it. */
function openDeliverer<T extends Deliverer>(
  name: string,
  { guard, logger, metrics, tracer = noTracer, shutdown, settings }: SenderRuntimeOptions,
  create: (parts: Omit<DelivererOptions, "store">) => T,
): T {
  const http = createHttpTransport(guard);
  shutdown.add("connections", `${name} connections`, () => http.close());
  const deliverer = create({ http, clock: systemClock, random: Math.random, logger, metrics, tracer, settings });
  shutdown.add("work", name, () => deliverer.close());
  return deliverer;
}

export function runSender(
  name: "lanes" | "event-lanes",
  sender: Deliverer,
  parts: { readonly logger: Logger; readonly metrics: Metrics },
): RepeatedWork {
  const look = async (): Promise<boolean> => (await sender.deliverDue(() => sweeps.kick())).isIncomplete;
  const sweeps: RepeatedWork = runSweeps(name, look, parts);
  return sweeps;
}
