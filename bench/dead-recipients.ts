/**
 * Whether a dead recipient slows the others: how long a notification takes from its commit to the recipient, with every
 * recipient well, and with one in five that accepts connections and never responds. One process of the sender; the bench
 * prints the 99th percentile of the recipients that are well, and their ratio, which is to stay within 1.5.
 *
 *     npm run bench:dead-recipients -- [recipients] [changes] [milliseconds between changes]
 */
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultProcessTiming } from "../src/app/process-timing.ts";
import { openSender, runSender } from "../src/app/sender-runtime.ts";
import { createShutdown } from "../src/app/shutdown.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { Secret } from "../src/kernel/secret.ts";
import { createAddressGuard } from "../src/sender/address-guard.ts";
import { defaultSenderSettings } from "../src/sender/sender.ts";
import { type Database, openDatabase } from "../src/store/database/database.ts";
import { deliveriesDueChannel, listenForDue } from "../src/store/database/due-listener.ts";
import { migrate } from "../src/store/database/migrator.ts";
import { asTx, inTransaction } from "../src/store/database/transaction.ts";
import { createRecipientStore } from "../src/store/deliveries/recipients.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { silentLogger } from "../src/telemetry/logger.ts";
import { createMetrics } from "../src/telemetry/metrics.ts";

const recipientCount = Number(process.argv[2] ?? 50);
const changes = Number(process.argv[3] ?? 60);
const everyMs = Number(process.argv[4] ?? 1_000);
const ratioMax = 1.5;

const well = await measure(0);
const withDead = await measure(0.2);
const ratio = withDead.p99Ms / well.p99Ms;
console.log(
  `${recipientCount} recipients, ${changes} changes of an order each, one every ${everyMs} ms, to all of them`,
);
console.table(
  [
    { recipients: "all are well", ...well },
    { recipients: "20 % never respond", ...withDead },
  ].map((row) => ({
    recipients: row.recipients,
    "to those that are well": row.count,
    "p50 ms": Math.round(row.p50Ms),
    "p99 ms": Math.round(row.p99Ms),
  })),
);
console.log(`p99 with dead recipients is ${ratio.toFixed(2)} times the p99 without: at most ${ratioMax} is wanted.`);
process.exitCode = ratio <= ratioMax ? 0 : 1;

interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** From the commit of a change to its arrival, at the recipients that are well; ends when all of them have all. */
async function measure(deadShare: number): Promise<Latencies> {
  const deadCount = Math.round(recipientCount * deadShare);
  const committedAt = new Map<string, number>();
  const arrivals: { readonly orderId: string; readonly at: number }[] = [];
  const servers = await Promise.all(
    Array.from({ length: recipientCount }, (_, index) =>
      startRecipient(index < deadCount ? null : (orderId) => arrivals.push({ orderId, at: performance.now() })),
    ),
  );
  const expected = (recipientCount - deadCount) * changes;
  try {
    await withDatabase(async (database, url) => {
      const recipients = createRecipientStore({ database, clock: systemClock });
      for (const server of servers) {
        await recipients.createRecipient({
          name: "bench",
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocn`,
          authorization: { type: "bearer", token: new Secret("bench") },
          signingSecrets: [],
          ordering: "latest",
          airlines: null,
          acknowledgement: "required",
          deadlineMs: null,
          lanesMax: null,
          ratePerSecond: null,
          agencyId: null,
          clientCertificate: null,
        });
      }
      await withSender(database, url, async (sender) => {
        for (let index = 0; index < changes; index += 1) {
          const orderId = `ORDER${index}`;
          const announcement = {
            orderId,
            airline: "LH",
            changeId: `c${index}`,
            body: Buffer.from(JSON.stringify({ orderId })),
          };
          await inTransaction(database, (trx) => sender.announce(asTx(trx), announcement));
          committedAt.set(orderId, performance.now());
          await sleep(everyMs);
        }
        while (arrivals.length < expected) await sleep(100);
      });
    });
  } finally {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }
  const latencies = arrivals
    .map(({ orderId, at }) => Math.max(at - (committedAt.get(orderId) ?? at), 0))
    .toSorted((a, b) => a - b);
  const percentile = (share: number): number => latencies[Math.ceil(latencies.length * share) - 1] ?? 0;
  return { count: latencies.length, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

/** @param onArrival null: it takes the notification and never responds. */
async function startRecipient(onArrival: ((orderId: string) => void) | null): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (onArrival === null) return;
      onArrival((JSON.parse(Buffer.concat(chunks).toString("utf8")) as { orderId: string }).orderId);
      response.writeHead(200, { "content-type": "application/json" }).end('{"AcknowledgeResponse":{"Status":"OK"}}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function withSender(
  database: Database,
  url: string,
  use: (sender: ReturnType<typeof openSender>) => Promise<void>,
): Promise<void> {
  const shutdown = createShutdown(silentLogger);
  const metrics = createMetrics();
  const guard = createAddressGuard({ allowHttp: true, allowedNetworks: ["127.0.0.0/8"] });
  const parts = { database, guard, logger: silentLogger, metrics, shutdown, settings: defaultSenderSettings };
  const sender = openSender({ ...parts, settings: defaultProcessTiming.sender });
  const lanes = runSender("lanes", sender, { logger: silentLogger, metrics });
  shutdown.add("work", "lanes", () => lanes.close());
  const listener = await listenForDue({
    url,
    applicationName: "bench",
    onDue: { [deliveriesDueChannel]: () => lanes.kick() },
    onError: (error) => console.error(error),
  });
  shutdown.add("work", "due listener", () => listener.close());
  try {
    await use(sender);
  } finally {
    await shutdown.run();
  }
}

async function withDatabase(use: (database: Database, url: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const { ownerUrl, serviceUrl } = await prepareDatabase(postgres.adminUrl, "bench");
    await migrate({ ownerUrl });
    const database = openDatabase({
      url: serviceUrl,
      applicationName: "bench",
      maxConnections: 24,
      onError: (error) => console.error(error),
    });
    try {
      await use(database, serviceUrl);
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
