import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { createClientAddress } from "../../../src/http/client-address.ts";
import { createEncryptionKey, type EncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createAddressGuard } from "../../../src/sender/address-guard.ts";
import { createHttpTransport } from "../../../src/sender/http-transport.ts";
import { createRecipientRouter } from "../../../src/sender/notification-routes.ts";
import type {
  AttemptView,
  DeliveryStore,
  DeliveryView,
  NewRecipient,
  RecipientView,
} from "../../../src/sender/ports.ts";
import {
  createSender,
  type Deliverer,
  defaultSenderSettings,
  type Sender,
  type SenderSettings,
} from "../../../src/sender/sender.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { asTx, inTransaction } from "../../../src/store/database/transaction.ts";
import { createDeliveryStore } from "../../../src/store/deliveries/lane-store.ts";
import { createRecipientStore } from "../../../src/store/deliveries/recipients.ts";
import { createResendStore } from "../../../src/store/deliveries/resends.ts";
import { createLogger } from "../../../src/telemetry/json-logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { createTestDatabase } from "../../harness/database.ts";

/** Receivers of tests are http servers on this machine. */
export const guardForTests = createAddressGuard({ allowHttp: true, allowedNetworks: ["127.0.0.0/8"] });

/** Delivers what is due, up to one delivery of each lane; returns how many attempts that took. */
export async function deliverOnce(sender: Deliverer): Promise<number> {
  let attempts = 0;
  for (let isIncomplete = true; isIncomplete; ) {
    const look = await sender.deliverDue();
    attempts += look.begun;
    isIncomplete = look.isIncomplete;
  }
  await sender.settle();
  return attempts;
}

/** Delivers what is due until nothing is; returns how many attempts that took. */
export async function deliverAll(sender: Deliverer): Promise<number> {
  let attempts = 0;
  for (let begun = -1; begun !== 0; attempts += begun) begun = await deliverOnce(sender);
  return attempts;
}

/**
 * A sender on a real database and real sockets, with a clock that the test turns.
 *
 * @param options.encrypts whether what is stored is encrypted, as it is outside of tests.
 */
export async function openSenderBench({ encrypts = false } = {}) {
  const testDatabase = await createTestDatabase({ encryptionKeys: encrypts ? [aKey()] : [] });
  const { database, ownerDatabase } = testDatabase;
  let time = new Date("2026-11-21T10:00:00.000Z");
  const clock = { now: () => time };
  const lines: string[] = [];
  const logger = createLogger({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const store = createDeliveryStore({ database, clock });
  const recipients = createRecipientStore({ database, clock });
  const resends = createResendStore({ database, clock });
  const http = createHttpTransport(guardForTests);
  const metrics = createMetrics();
  const senders: Sender[] = [];
  const servers: Server[] = [];

  const bench = {
    database,
    ownerDatabase,
    store,
    recipients,
    resends,
    logger,
    metrics,
    /** Every log line that was written. */
    lines,
    now: () => time,
    /** Turns the clock. */
    pass(milliseconds: number) {
      time = new Date(time.getTime() + milliseconds);
    },

    /** Another process, as it were: its own sender on the same database. */
    createSender(settings: Partial<SenderSettings> = {}, ofStore: DeliveryStore = store): Sender {
      const sender = createSender({
        store: ofStore,
        http,
        clock,
        // The middle of the jitter: waits are exactly as the schedule says.
        random: () => 0.5,
        logger,
        metrics,
        // A test that delivers waits for the end of the turn, however slow its recipient.
        settings: { ...defaultSenderSettings, closeGraceMs: 0, slowAfterMs: 60_000, ...settings },
      });
      senders.push(sender);
      return sender;
    },

    addRecipient(url: string, overrides: Partial<NewRecipient> = {}): Promise<RecipientView> {
      return recipients.createRecipient({
        name: "Example Travel",
        url,
        authorization: { type: "basic", username: "agency", password: new Secret("s3cr3t-pässword") },
        signingSecrets: [],
        ordering: "every",
        airlines: null,
        acknowledgement: "required",
        deadlineMs: null,
        lanesMax: null,
        ratePerSecond: null,
        agencyId: null,
        clientCertificate: null,
        ...overrides,
      });
    },

    /** Serves the control routes until the bench is closed; returns where `/control` is. */
    async serveControl(sender: Sender): Promise<string> {
      const router = createRecipientRouter({
        addressOf: createClientAddress([]),
        store: recipients,
        resends,
        tester: sender,
        announce: (announcement) => inTransaction(database, (trx) => sender.announce(asTx(trx), announcement)),
        clock,
        guard: guardForTests,
        logger,
      });
      const server = createServer(express().use("/control", router)).listen(0, "127.0.0.1");
      await once(server, "listening");
      servers.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },

    /** Announces a change in a transaction of its own, a moment after the one before. */
    async announce(
      sender: Sender,
      overrides: { orderId?: string; airline?: string; changeId?: string; body?: string } = {},
    ): Promise<number> {
      bench.pass(1);
      const {
        orderId = "QX7R2M1A",
        airline = "LH",
        changeId = `change-${bench.now().getTime()}`,
        body = `{"change":"${changeId}"}`,
      } = overrides;
      const announced = await inTransaction(database, (trx) =>
        sender.announce(asTx(trx), { orderId, airline, changeId, body: Buffer.from(body, "utf8") }),
      );
      return announced.deliveries.length;
    },

    /** The newest delivery that fits. */
    async newestDelivery(filter: { orderId?: string; recipientId?: string } = {}): Promise<DeliveryView> {
      const { items } = await recipients.listDeliveries(filter, { limit: 1, cursor: null });
      if (items[0] === undefined) throw new Error("there is no delivery");
      return items[0];
    },

    /** Oldest first. */
    async attempts(deliveryId: string): Promise<readonly AttemptView[]> {
      return [...((await recipients.listAttempts(deliveryId, 100)) ?? [])].reverse();
    },

    /** Call after each test: it leaves no recipient behind. */
    async clear() {
      await sql`truncate gateway.recipients, gateway.lanes, gateway.deliveries, gateway.attempts, gateway.ocn_bodies, gateway.replays`.execute(
        ownerDatabase.connection,
      );
      lines.length = 0;
      metrics.registry.resetMetrics();
    },

    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await Promise.all(senders.map((sender) => sender.close()));
      await http.close();
      await testDatabase.drop();
    },
  };
  return bench;
}

function aKey(): EncryptionKey {
  const read = readEncryptionKeys(createEncryptionKey(new Date()));
  if (!read.ok) throw new Error(read.problem);
  return read.keys[0]!;
}

export type SenderBench = Awaited<ReturnType<typeof openSenderBench>>;
