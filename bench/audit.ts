/**
 * What the audit costs: notifications per second until their cases are open, with the triggers and without, how fast
 * entries are chained and verified, and how much room they take. Rounds with and without follow each other, so that what
 * else the machine does falls on both.
 *
 *     npm run bench:audit -- [rounds] [batches per round] [entries to verify]
 */
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { systemClock } from "../src/kernel/clock.ts";
import { digestOfBytes } from "../src/kernel/digest.ts";
import { newId } from "../src/kernel/ids.ts";
import { appendToAuditChain } from "../src/store/audit/append-to-audit-chain.ts";
import { verifyAudit } from "../src/store/audit/audit-verification.ts";
import { openDatabase } from "../src/store/database/database.ts";
import { migrate } from "../src/store/database/migrator.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { createNotificationStore } from "../src/store/notifications/notifications.ts";
import { openPendingCases } from "../src/store/notifications/open-cases.ts";

const rounds = Number(process.argv[2] ?? 10);
const batchesPerRound = Number(process.argv[3] ?? 40);
const entriesToVerify = Number(process.argv[4] ?? 100_000);
const batchSize = 64;
const sample = await readFile(new URL("../samples/ocn-minor-delay.json", import.meta.url), "utf8");

const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres({ dataDir: folder });
try {
  const { ownerUrl, serviceUrl } = await prepareDatabase(postgres.adminUrl, "bench");
  await migrate({ ownerUrl });
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const database = openDatabase({
    url: serviceUrl,
    applicationName: "bench",
    maxConnections: 4,
    onError: (error) => console.error(error),
  });
  const store = createNotificationStore(database);
  let order = 0;

  const runRound = async (audited: boolean): Promise<number> => {
    for (const table of ["case_events", "notifications"]) {
      await owner.query(`alter table skedchange.${table} ${audited ? "enable" : "disable"} trigger user`);
    }
    const batches = Array.from({ length: batchesPerRound }, () => Array.from({ length: batchSize }, notification));
    const startedAt = performance.now();
    for (const batch of batches) {
      await store.recordBatch(batch);
      await openPendingCases(database, systemClock);
    }
    return (batchesPerRound * batchSize * 1_000) / (performance.now() - startedAt);
  };
  const notification = () => {
    order += 1;
    const orderId = `B${String(order).padStart(7, "0")}`;
    const body = Buffer.from(sample.replaceAll("QX7R2M1A", orderId));
    return {
      id: newId(systemClock),
      source: "default",
      receivedAt: systemClock.now(),
      body,
      digest: digestOfBytes(body),
      copies: 1,
      contentType: "application/json",
      problem: null,
      orders: [{ orderId, gdsBookingReferences: ["QX7R2M"] }],
    };
  };

  await runRound(true);
  const rates = { without: [] as number[], audited: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0;
    for (const audited of [first, !first]) rates[audited ? "audited" : "without"].push(await runRound(audited));
  }
  const without = median(rates.without);
  const audited = median(rates.audited);

  // Lines of timelines, as most entries are: with ids and codes, and some with more.
  await database.pool.query(
    `insert into skedchange.case_events (case_id, at, kind, actor, detail)
     select c.id, now(), 'decision.made', 'worker', jsonb_build_object('decisionId', gen_random_uuid(),
       'action', 'accept', 'rule', 'small-delay', 'reasonCode', 'delay.small', 'proposalDigest', repeat('ab', 32))
     from (select id, row_number() over () as n, count(*) over () as cases from skedchange.cases) c
     join generate_series(1, $1) line on line % c.cases = c.n - 1`,
    [entriesToVerify],
  );

  let chained = 0;
  const chainingFrom = performance.now();
  for (let count = -1; count !== 0; chained += count) count = await appendToAuditChain(database, 1_000);
  const chainedPerSecond = (chained * 1_000) / (performance.now() - chainingFrom);
  // Rounds without triggers left events that were never audited; they are not what is measured here.
  const verifyingFrom = performance.now();
  const { checked } = await verifyAudit(database);
  const checkedPerSecond = (checked * 1_000) / (performance.now() - verifyingFrom);
  const { rows } = await owner.query<{ bytes: string }>(
    `select pg_total_relation_size('skedchange.audit_entries') + pg_total_relation_size('skedchange.audit_blocks') as bytes`,
  );

  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);

  console.log(`batches of ${batchSize}, ${rounds} rounds of ${batchesPerRound} each way, medians, fsync on`);
  console.table([
    { what: "notifications per second without the audit", value: Math.round(without) },
    { what: "notifications per second with it", value: Math.round(audited) },
    { what: "cost of the audit", value: `${((100 * (without - audited)) / without).toFixed(1)} %` },
    { what: "entries chained per second", value: Math.round(chainedPerSecond) },
    { what: "entries verified per second", value: Math.round(checkedPerSecond) },
    { what: "bytes per entry, with its share of a block and indexes", value: Math.round(bytes / chained) },
  ]);
  await database.close();
  await owner.end();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
