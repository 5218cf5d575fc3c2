/**
 * How long the queue, the search and the overview take with many cases, each with a decision of its own. All cases are
 * made up: see test/builders/many-cases.ts. The targets are for a million cases.
 *
 *     npm run bench:dashboard -- [cases] [times]
 */
import { loadavg } from "node:os";
import pg from "pg";
import type { CaseFilter } from "../src/dashboard/ports.ts";
import { createCaseQueries } from "../src/store/cases/case-queries.ts";
import { createWorkCounts } from "../src/store/cases/work-counts.ts";
import { createOverviewQueries } from "../src/store/overview/overview-queries.ts";
import { addOverviewHours } from "../src/store/overview/overview-sums.ts";
import { tokensOfWord } from "../src/store/search/name-tokens.ts";
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

  const queries = createCaseQueries(database);
  const overview = createOverviewQueries(database);
  const list = (filter: Partial<CaseFilter>) => () =>
    queries.searchCases({ visible: null, orderId: null, states: [], source: null, after: null, limit: 50, ...filter });
  const queue = (filter: Partial<CaseFilter> = {}) => list({ states: ["awaiting-agent"], order: "due", ...filter });
  const everySource = { visible: null, source: null };
  const range = (days: number) => ({ ...everySource, from: new Date(now.getTime() - days * 86_400_000), to: now });
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    "queue, most urgent first": queue(),
    "queue, a page far down": queue({
      after: { priority: 5, at: now.toISOString(), id: "00000000-0000-0000-0000-000000000000" },
    }),
    "queue by departure": queue({ order: "departure" }),
    "queue by deadline": queue({ order: "deadline" }),
    "queue of two of four sources": queue({ visible: ["source-1", "source-2"] }),
    "queue of one review queue": queue({ queue: "legal" }),
    "queue of one airline": queue({ airline: "AA" }),
    "queue of one rule": queue({ rule: "rule-10" }),
    "queue of two severities": queue({ severities: ["major", "critical"] }),
    "queue of overdue cases": queue({ overdue: true }),
    "all cases, newest first": list({}),
    "all cases of one rule": list({ rule: "rule-10" }),
    "all cases of one severity": list({ severities: ["critical"] }),
    "search by a name": list({ words: ["Smith"], searchNames: true }),
    "search by a part of an id": list({ words: ["ORDC4CA42"] }),
    "search by a flight": list({ words: ["AA26"] }),
    "search by an airline": list({ words: ["AA"] }),
    "search by an airport": list({ words: ["MEG"] }),
    "search that finds nothing": list({ words: ["NOSUCHORDER"] }),
    "overview, open work": () => overview.readOpenWork(everySource, now),
    "overview of 1 day": () => overview.readSums(range(1)),
    "overview of 30 days": () => overview.readSums(range(30)),
    "overview of 90 days": () => overview.readSums(range(90)),
    "counts in the bar of pages": () => createWorkCounts(database)("person:bench", null),
  };
  console.log(`${"p50 ms".padStart(8)}${"p95 ms".padStart(8)}`);
  for (const [what, read] of Object.entries(reads)) {
    const taken: number[] = [];
    for (let index = 0; index < times; index += 1) {
      const startedAt = performance.now();
      await read();
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
