/**
 * How fast entries of the audit are chained and verified, and how much room lines of timelines take, which most entries are.
 *
 *     npm run bench:audit -- [entries]
 */
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const entries = Number(process.argv[2] ?? 100_000);
const cases = 1_000;
const sample = await readFile(new URL("../samples/ocn-minor-delay.json", import.meta.url), "utf8");

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
    onError: (error) => console.error(error),
  });
  await createNotificationStore(database).recordBatch(Array.from({ length: cases }, (_, n) => notificationOf(n)));
  while ((await openPendingCases(database, systemClock)).mayBeMore);
  const bytesOfLines = async () => {
    const { rows } = await database.pool.query<{ bytes: string }>(
      "select pg_total_relation_size('skedchange.case_events') + pg_total_relation_size('skedchange.audit_blocks') as bytes",
    );
    return Number(rows[0]!.bytes);
  };
  const bytesBefore = await bytesOfLines();
  // With ids and codes, and some with more.
  await database.pool.query(
    `insert into skedchange.case_events (case_id, at, kind, actor, detail)
     select c.id, now(), 'decision.made', 'worker', jsonb_build_object('decisionId', gen_random_uuid(),
       'action', 'accept', 'rule', 'small-delay', 'reasonCode', 'delay.small', 'proposalDigest', repeat('ab', 32))
     from (select id, row_number() over () as n, count(*) over () as cases from skedchange.cases) c
     join generate_series(1, $1) line on line % c.cases = c.n - 1`,
    [entries],
  );

  let chained = 0;
  const chainingFrom = performance.now();
  for (let count = -1; count !== 0; chained += Math.max(0, count)) count = await appendToAuditChain(database, 1_000);
  const chainingMs = performance.now() - chainingFrom;
  const verifyingFrom = performance.now();
  const { checked, broken } = await verifyAudit(database);
  const verifyingMs = performance.now() - verifyingFrom;
  if (broken !== null) throw new Error(broken.message);

  console.table([
    { what: "entries chained per second", value: Math.round((chained * 1_000) / chainingMs) },
    { what: "entries verified per second", value: Math.round((checked * 1_000) / verifyingMs) },
    {
      what: "bytes per line, with its share of a block and indexes",
      value: Math.round(((await bytesOfLines()) - bytesBefore) / entries),
    },
  ]);
  await database.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

function notificationOf(n: number) {
  const orderId = `B${String(n).padStart(7, "0")}`;
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
}
