/**
 * What a backtest costs: stored notifications per second and the memory of the process on the way, over notifications
 * made from the samples, each of an order of its own with times of its own, compressed and encrypted as they are stored.
 * The rate belongs to the machine; memory that does not grow is what a change must not lose.
 *
 *     npx tsx bench/backtest.ts [notifications] [threads]
 */
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { backtestStored } from "../src/app/backtest/run-backtest.ts";
import { readPolicyFile, readPolicyText } from "../src/app/policy-file.ts";
import { makeEncryptionKey, readEncryptionKeys } from "../src/kernel/encryption-keys.ts";
import { newId } from "../src/kernel/ids.ts";
import { defaultBacktestSettings } from "../src/policy/backtest.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { migrate } from "../src/store/migrator.ts";

const notifications = Number(process.argv[2] ?? 100_000);
const threads = Number(process.argv[3] ?? availableParallelism());
const rowsPerInsert = 1_000;
const firstReceivedAt = Date.parse("2026-11-01T00:00:00Z");

const samples = new URL("../test/samples/", import.meta.url);
const texts = await Promise.all(
  (await readdir(samples)).sort().map((name) => readFile(new URL(name, samples), "utf8")),
);
const keys = readEncryptionKeys(makeEncryptionKey(new Date()));
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

async function store({ pool, sealing }: Database): Promise<void> {
  for (let first = 0; first < notifications; first += rowsPerInsert) {
    const rows = await Promise.all(
      Array.from({ length: Math.min(rowsPerInsert, notifications - first) }, async (_, index) => {
        const bytes = Buffer.from(bodyOf(first + index));
        const receivedAt = new Date(firstReceivedAt + (first + index) * 20);
        const sealed = await sealing.seal(bytes);
        return {
          id: newId({ now: () => receivedAt }),
          receivedAt,
          digest: createHash("sha256").update(bytes).digest(),
          ...sealed,
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
        sealing.currentKeyId,
      ],
    );
  }
}

/** A sample with an order of its own; the proposed minutes of its times move by up to 9. */
function bodyOf(index: number): string {
  const digit = String(index % 10);
  return texts[index % texts.length]
    .replaceAll(/"OrderID":\s*"[^"]*"/g, `"OrderID":"B${index}"`)
    .replace(/("ScheduleChangeSegmentList"[\s\S]*?"Time":\s*"\d\d:\d)\d/, `$1${digit}`);
}

async function measure(database: Database): Promise<void> {
  const before = readPolicyFile(null);
  // The same policy, which asks a person about what it accepted.
  const after = readPolicyText(before.text.replaceAll("do: accept", "do: review"), "draft");
  const memory: { done: number; rssMiB: number }[] = [];
  let nextMark = 0;
  const startedAt = performance.now();
  const report = await backtestStored({
    database,
    encryptionKeys: keys.ok ? keys.keys : [],
    range: { since: null, until: null, source: null },
    policies: { before: before.policy, after },
    settings: defaultBacktestSettings,
    threads: threads === 0 ? null : { count: threads, file: new URL("./backtest-thread.js", import.meta.url) },
    threadsFrom: 0,
    onProgress: (done) => {
      if (done < nextMark) return;
      memory.push({ done, rssMiB: Math.round(process.memoryUsage().rss / 1024 / 1024) });
      nextMark += notifications / 10;
    },
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    `${report.compared} decisions compared in ${seconds.toFixed(1)} s with ${threads} threads: ${Math.round(report.compared / seconds)} per second; ${report.flipped} differ, ${report.unreadable} unreadable`,
  );
  console.table(memory);
}
