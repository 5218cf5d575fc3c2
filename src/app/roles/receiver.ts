import { dialect } from "../../connectors/document/dialect.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createKeyedDigest } from "../../kernel/keyed-digest.ts";
import { createRecognisedCredentials } from "../../kernel/recognised-credentials.ts";
import { createReceiver, type Receiver } from "../../receiver/receiver.ts";
import { announceOn } from "../../store/database/database.ts";
import { pendingChannel } from "../../store/database/due-listener.ts";
import { createAssertionStore, createSigningKeyStore } from "../../store/deliveries/signing-keys.ts";
import { createNotificationStore } from "../../store/notifications/notifications.ts";
import { createRecognisedStore } from "../../store/recognised-credentials.ts";
import { watchValue } from "../../telemetry/metrics.ts";
import type { ProcessParts } from "../process-parts.ts";

const bodyTimeoutMs = 10_000;

/** The most bodies of one source that are read at a time; more would only wait in memory for their commit. */
const readsPerSource = 256;

export function startReceiver(parts: ProcessParts): Receiver {
  const { configuration, storage, database, keyedDatabase, logger, metrics, tracer, sweeps, urls } = parts;
  const { settings, sources } = configuration;
  const onCommitted = sweeps.kicks[pendingChannel] ?? announcePending(parts);
  const receiver = createReceiver({
    sources: sources.map(({ id, ...source }) => ({ name: id, ...source })),
    tokenEndpoint: {
      // In demo mode without PUBLIC_URL, the issuer is known only once the server listens.
      issuer: () => settings.PUBLIC_URL?.replace(/\/+$/, "") ?? urls.agency ?? "",
      keys: createSigningKeyStore(database),
      assertions: createAssertionStore(database),
    },
    dialect,
    store: createNotificationStore(keyedDatabase, onCommitted),
    ...(storage.encryptionKeys.length > 0 && {
      recognised: createRecognisedCredentials({
        digest: createKeyedDigest(storage.encryptionKeys, "skedchange recognised credentials"),
        store: createRecognisedStore(database),
        clock: systemClock,
        onError: (error) => logger.warn({ error }, "receiver.recognised_unavailable"),
      }),
    }),
    clock: systemClock,
    addressOf: parts.clientAddress,
    logger,
    metrics,
    tracer,
    limits: {
      bodyBytes: settings.OCN_BODY_LIMIT_BYTES,
      orders: settings.OCN_ORDER_LIMIT,
      backlogBytes: settings.OCN_BACKLOG_LIMIT_BYTES,
      bodyTimeoutMs,
      readsPerSource,
    },
  });
  watchValue(metrics, {
    name: "skedchange_receiver_backlog_bytes",
    help: "Bytes of notifications that wait for their commit in this process.",
    read: () => receiver.backlogBytes(),
  });
  return receiver;
}

/** The pause between two messages to workers of other processes. Each is a commit, and those wait for each other. */
const pendingPauseMs = 10;

function announcePending({ keyedDatabase, shutdown }: ProcessParts): () => void {
  const announcer = announceOn(keyedDatabase.pool, pendingPauseMs);
  shutdown.add("work", "announcer", () => announcer.close());
  return () => announcer.announce(pendingChannel);
}
