/**
 * How long the queue, the search and the overview take with many cases, each with a decision of its own. All cases are
 * made up: see test/builders/many-cases.ts. The targets are for a million cases.
 *
 *     npm run bench:dashboard -- [cases] [times]
 */
import { loadavg } from "node:os";
import pg from "pg";
import { addOverviewHours } from "../src/store/overview/overview-sums.ts";
import { tokensOfWord } from "../src/store/search/name-tokens.ts";
import { dashboardReads, wideReads } from "../test/builders/dashboard-reads.ts";
import { fillWithCases } from "../test/builders/many-cases.ts";
import { startDatabase } from "./database.ts";

const cases = Number(process.argv[2] ?? 40_000);
const times = Number(process.argv[3] ?? 20);
const targetMs = 200;

const { database, adminUrl, stop } = await startDatabase();
try {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const filledAt = performance.now();
  await fillWithCases(admin, cases, tokensOfWord(database.encryption, "SMITH"));
  const now = new Date();
  while (await addOverviewHours(database, { now: () => now }));
  await admin.query("vacuum analyze skedchange.overview_sums");
  await admin.query("checkpoint");
  await admin.end();
  console.error(`${cases} cases, filled in ${Math.round((performance.now() - filledAt) / 1_000)} s`);

  console.log(`${"p50 ms".padStart(8)}${"p95 ms".padStart(8)}`);
  for (const [what, read] of Object.entries({ ...dashboardReads(now), ...wideReads })) {
    const taken: number[] = [];
    for (let index = 0; index < times; index += 1) {
      const startedAt = performance.now();
      await read(database);
      taken.push(performance.now() - startedAt);
    }
    taken.sort((a, b) => a - b);
    const at = (share: number) => taken[Math.ceil(share * times) - 1]!;
    const missed = at(0.95) > targetMs ? `  above ${targetMs}` : "";
    console.log(`${at(0.5).toFixed(0).padStart(8)}${at(0.95).toFixed(0).padStart(8)}  ${what}${missed}`);
  }
  console.log(
    `Load average: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}`,
  );
} finally {
  await stop();
}
