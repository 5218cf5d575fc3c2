/**
 * What acknowledging costs: notifications per second over HTTP on this machine, against a server that only parses them.
 * Absolute numbers belong to the machine; the ratios are what a change must not make worse.
 *
 *     npx tsx bench/receive.ts [seconds per way] [connections]
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { Pool } from "undici";
import { systemClock } from "../src/kernel/clock.ts";
import { Secret } from "../src/kernel/secret.ts";
import type { NotificationStore } from "../src/receiver/ports.ts";
import { createReceiver } from "../src/receiver/receiver.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { migrate } from "../src/store/migrator.ts";
import { createNotificationStore } from "../src/store/notifications.ts";
import { silentLogger } from "../src/telemetry/logger.ts";
import { createMetrics } from "../src/telemetry/metrics.ts";

const seconds = Number(process.argv[2] ?? 5);
const connections = Number(process.argv[3] ?? 64);
const token = randomBytes(16).toString("hex");
const sample = await readFile(new URL("../test/samples/ocn-minor-delay.json", import.meta.url), "utf8");

await withDatabase(async (database) => {
  const batched = createNotificationStore(database);
  const baseline = await measure(parseOnly);
  const rows = [
    { way: "parse only, store nothing", perSecond: baseline },
    { way: "one commit for each", perSecond: await measure(await receiverOn(oneByOne(batched))) },
    { way: "receiver", perSecond: await measure(await receiverOn(batched)) },
  ];
  console.log(`${sample.length} bytes each, ${connections} connections, ${seconds} s for each way, fsync on`);
  console.table(
    rows.map(({ way, perSecond }) => ({
      way,
      "per second": Math.round(perSecond),
      "of parsing": `${((100 * perSecond) / baseline).toFixed(0)} %`,
    })),
  );
});

async function withDatabase(use: (database: Database) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const { ownerUrl, serviceUrl } = await prepareDatabase(postgres.adminUrl, "bench");
    await migrate({ ownerUrl });
    const database = openDatabase({
      url: serviceUrl,
      applicationName: "bench",
      maxConnections: 8,
      onError: (error) => console.error(error),
    });
    await use(database);
    await database.close();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a receiver without batches would do. */
function oneByOne(store: NotificationStore): NotificationStore {
  return {
    recordBatch: async (batch) => (await Promise.all(batch.map((row) => store.recordBatch([row])))).flat(),
  };
}

async function receiverOn(store: NotificationStore): Promise<RequestListener> {
  const { router } = await createReceiver({
    sources: [{ name: "default", authentication: { bearerTokens: [new Secret(token)] }, acknowledgeUnusable: false }],
    store,
    clock: systemClock,
    logger: silentLogger,
    metrics: createMetrics(),
    limits: { bodyBytes: 2 ** 21, backlogBytes: 2 ** 26, bodyTimeoutMs: 10_000, readsPerSource: 256 },
  });
  return express().disable("x-powered-by").use(router);
}

function parseOnly(...[request, response]: Parameters<RequestListener>): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString("utf8"));
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"AcknowledgeResponse":{"Status":"OK"}}');
  });
}

/** Acknowledged notifications per second, each of an order of its own. */
async function measure(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections });
  let acknowledged = 0;
  let order = 0;
  const post = async (): Promise<void> => {
    order += 1;
    const { statusCode, body } = await pool.request({
      method: "POST",
      path: "/ocn",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: sample.replaceAll(
        "QX7R2M1A",
        `B${order.toString(36).toUpperCase().padStart(7, "0")}${randomBytes(2).toString("hex")}`,
      ),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`A notification was answered with ${statusCode}.`);
    acknowledged += 1;
  };
  const runFor = async (milliseconds: number): Promise<number> => {
    acknowledged = 0;
    const startedAt = performance.now();
    const sendUntilEnd = async (): Promise<void> => {
      while (performance.now() - startedAt < milliseconds) await post();
    };
    await Promise.all(Array.from({ length: connections }, sendUntilEnd));
    return (acknowledged * 1000) / (performance.now() - startedAt);
  };
  await runFor(1_000);
  const perSecond = await runFor(seconds * 1_000);
  await pool.close();
  await closeServer(server);
  return perSecond;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
