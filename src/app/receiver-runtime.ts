import type { Configuration } from "../config/load-settings.ts";
import { systemClock } from "../kernel/clock.ts";
import { createReceiver, type Receiver } from "../receiver/receiver.ts";
import type { Database } from "../store/database/database.ts";
import { createAssertionStore, createSigningKeyStore } from "../store/deliveries/signing-keys.ts";
import { createNotificationStore } from "../store/notifications/notifications.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** The whole body of a notification must be there within this time. */
const bodyTimeoutMs = 10_000;

/** Bodies of one source that are read at the same time; more than the commits can keep up with only costs memory. */
const readsPerSource = 256;

/** Makes the receiver of all sources. */
export function openReceiver(options: {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called after each commit of notifications, which are pending then. */
  readonly onCommitted: () => void;
  /** The URL that tokens of the built-in endpoint name as their issuer, without a slash at its end. */
  readonly issuer: () => string;
}): Receiver {
  const { configuration, database, logger, metrics, onCommitted, issuer } = options;
  const { settings, sources } = configuration;
  return createReceiver({
    sources: sources.map((source) => ({
      name: source.id,
      acknowledgeUnusable: source.acknowledgeUnusable,
      authentication: {
        ...(source.basic === null ? {} : { basic: source.basic }),
        bearerTokens: source.bearerTokens,
        exactValues: source.exactValues,
        signingSecrets: source.signingSecrets,
        ...(source.oauth?.accessTokens ? { accessTokens: source.oauth.accessTokens } : {}),
        ...(source.oauth?.clients ? { clients: source.oauth.clients } : {}),
      },
    })),
    tokenEndpoint: {
      issuer,
      keys: createSigningKeyStore(database),
      assertions: createAssertionStore(database),
    },
    store: createNotificationStore(database, onCommitted),
    clock: systemClock,
    logger,
    metrics,
    limits: {
      bodyBytes: settings.OCN_BODY_LIMIT_BYTES,
      orders: settings.OCN_ORDER_LIMIT,
      backlogBytes: settings.OCN_BACKLOG_LIMIT_BYTES,
      bodyTimeoutMs,
      readsPerSource,
    },
  });
}
