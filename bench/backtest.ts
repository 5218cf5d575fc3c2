/**
 * What a backtest costs: stored notifications per second, CPU time for each, the memory of the process on the way, over
 * notifications made from the samples, each of an order of its own with times of its own, compressed and encrypted as they
 * are stored. The rate belongs to the machine and to what else it does; CPU time moves less, and memory that does not grow
 * is what a change must not lose.
 *
 *     npm run bench:backtest -- [notifications] [threads]
 */
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type ComparedPolicies, evaluateBatch } from "../src/app/backtest/evaluate-batch.ts";
import { backtestStored } from "../src/app/backtest/run-backtest.ts";
import { readPolicyFile, readPolicyText } from "../src/app/policy-file.ts";
import { parseJson } from "../src/contract/json.ts";
import { readNotification } from "../src/contract/notification.ts";
import { createEncryptionKey, readEncryptionKeys } from "../src/kernel/encryption-keys.ts";
import { newId } from "../src/kernel/ids.ts";
import { createTally, defaultBacktestSettings } from "../src/policy/backtest.ts";
import { type Database, openDatabase } from "../src/store/database/database.ts";
import { migrate } from "../src/store/database/migrator.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { notificationPlace } from "../src/store/notifications/notification-reader.ts";
import { readNotifications, type StoredNotification } from "../src/store/notifications/stored-notifications.ts";
import { buildDistIfStale } from "../test/harness/build-dist.ts";

const notifications = Number(process.argv[2] ?? 100_000);
const threads = Number(process.argv[3] ?? availableParallelism());
const everything = { since: null, until: null, source: null };
const rowsPerInsert = 1_000;
const firstReceivedAt = Date.parse("2026-11-01T00:00:00Z");

// The threads run what is built: what a loader of TypeScript makes of closures is slower.
buildDistIfStale();

const samples = new URL("../samples/", import.meta.url);
const texts = await Promise.all(
  (await readdir(samples)).sort().map((name) => readFile(new URL(name, samples), "utf8")),
);
const keys = readEncryptionKeys(createEncryptionKey(new Date()));
if (!keys.ok) throw new Error(keys.problem);

const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres({ dataDir: folder });
try {
  const { ownerUrl, serviceUrl } = await prepareDatabase(postgres.adminUrl, "bench");
  await migrate({ ownerUrl });
  const database = openDatabase({
    url: serviceUrl,
    applicationName: "bench",
    maxConnections: 4,
    encryptionKeys: keys.keys,
    onError: (error) => console.error(error),
  });
  await store(database);
  await measure(database);
  await database.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function store({ pool, encryption }: Database): Promise<void> {
  for (let first = 0; first < notifications; first += rowsPerInsert) {
    const rows = await Promise.all(
      Array.from({ length: Math.min(rowsPerInsert, notifications - first) }, async (_, index) => {
        const bytes = Buffer.from(bodyOf(first + index));
        const receivedAt = new Date(firstReceivedAt + (first + index) * 20);
        const id = newId({ now: () => receivedAt });
        const encrypted = await encryption.encrypt(bytes, notificationPlace(id));
        return {
          id,
          receivedAt,
          digest: createHash("sha256").update(bytes).digest(),
          ...encrypted,
        };
      }),
    );
    await pool.query(
      `insert into skedchange.notifications (id, source, received_at, digest, content_type, body, body_encoding, body_bytes, key_id, state)
       select id, 'default', received_at, digest, 'application/json', body, 'gzip', body_bytes, $6, 'accepted'
       from unnest($1::uuid[], $2::timestamptz[], $3::bytea[], $4::bytea[], $5::integer[])
         as row (id, received_at, digest, body, body_bytes)`,
      [
        rows.map(({ id }) => id),
        rows.map((row) => row.receivedAt),
        rows.map(({ digest }) => digest),
        rows.map(({ body }) => body),
        rows.map(({ bodyBytes }) => bodyBytes),
        encryption.currentKeyId,
      ],
    );
  }
}

/** A sample with an order of its own; the proposed minutes of its times move by up to 9. */
function bodyOf(index: number): string {
  const digit = String(index % 10);
  return texts[index % texts.length]!.replaceAll(/"OrderID":\s*"[^"]*"/g, `"OrderID":"B${index}"`).replace(
    /("ScheduleChangeSegmentList"[\s\S]*?"Time":\s*"\d\d:\d)\d/,
    `$1${digit}`,
  );
}

async function measure(database: Database): Promise<void> {
  const before = readPolicyFile(null);
  // The same policy, which asks a person about what it accepted.
  const after = readPolicyText(before.text.replaceAll("do: accept", "do: review"), "draft");
  const policies = { before: before.policy, after };

  await measureStages(database, policies);

  const memory: { done: string; rssMiB: number }[] = [];
  const note = (done: string) => memory.push({ done, rssMiB: Math.round(process.memoryUsage.rss() / 1024 / 1024) });
  note("start");
  let quarters = 0;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const report = await backtestStored({
    database,
    encryptionKeys: keys.ok ? keys.keys : [],
    range: everything,
    policies,
    settings: defaultBacktestSettings,
    threads:
      threads === 0
        ? null
        : { count: threads, file: new URL("../dist/app/backtest/backtest-worker.js", import.meta.url) },
    threadsMinBodies: 0,
    onProgress: (done) => {
      if (done < ((quarters + 1) * notifications) / 4) return;
      quarters += 1;
      note(`${quarters * 25} %`);
    },
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const spent = cpuMsSince(cpu);
  console.log(
    `${report.compared} decisions compared in ${seconds.toFixed(1)} s with ${threads} threads: ${Math.round(report.compared / seconds)} per second, ${(spent / report.compared).toFixed(2)} ms of CPU each without the database; ${report.flipped} differ, ${report.unreadable} unreadable`,
  );
  console.log(
    `Load average over the last minutes: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")} on ${availableParallelism()} cores`,
  );
  console.table(memory);
}

/** What each stage costs in this thread, over the first notifications again and again; the first ones warm it up. */
async function measureStages(database: Database, policies: ComparedPolicies): Promise<void> {
  const wanted = Math.min(notifications, 2_000);
  const rows: StoredNotification[] = [];
  const stages: Record<string, string> = {};
  const stage = async (name: string, run: () => unknown): Promise<void> => {
    const cpu = process.cpuUsage();
    await run();
    stages[name] = (cpuMsSince(cpu) / wanted).toFixed(3);
  };

  await stage("read from the database", async () => {
    for await (const batch of readNotifications(database, everything, 256)) {
      rows.push(...batch);
      if (rows.length >= wanted) break;
    }
    rows.length = wanted;
  });
  const bodies: Buffer[] = [];
  await stage("decrypt and decompress", async () => {
    for (const row of rows) bodies.push(await database.encryption.open(row, notificationPlace(row.id)));
  });
  await stage("parse JSON", () => {
    for (const body of bodies) parseJson(body);
  });
  await stage("parse JSON and read the order view", () => {
    for (const body of bodies) readNotification(body);
  });
  const judgeAll = () => {
    const tally = createTally();
    for (const [index, { id, source, receivedAt }] of rows.entries()) {
      const bytes = bodies[index]!;
      evaluateBatch(tally, [{ id, source, now: receivedAt, bytes }], policies, defaultBacktestSettings);
    }
  };
  judgeAll();
  await stage("all of judging: JSON, order view, facts, law, both policies", judgeAll);
  console.log("CPU milliseconds for each notification, one thread:");
  console.table(stages);
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
