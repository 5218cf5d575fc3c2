import { dialect } from "../../src/connectors/document/dialect.ts";
import type { CaseQuery } from "../../src/dashboard/case-filter-ports.ts";
import { createCaseQueries } from "../../src/store/cases/case-queries.ts";
import { createWorkCounts } from "../../src/store/cases/work-counts.ts";
import type { Database } from "../../src/store/database/database.ts";
import { createOverviewQueries } from "../../src/store/overview/overview-queries.ts";

type Reads = Readonly<Record<string, (database: Database) => Promise<unknown>>>;

const list =
  (filter: Partial<CaseQuery> = {}) =>
  (database: Database) =>
    createCaseQueries(database, dialect).searchCases({
      visible: null,
      after: null,
      limit: 50,
      ...filter,
    });

/** Of so large a share of all cases that reading the whole table may be right. */
export const wideReads: Reads = {
  "all cases, newest first": list(),
  "all cases of one rule": list({ rule: "rule-10" }),
  "all cases of one severity": list({ severities: ["critical"] }),
};

/** What pages of the dashboard read, of cases as `fillWithCases` makes them. */
export function dashboardReads(now: Date): Reads {
  const queue = (filter: Partial<CaseQuery> = {}) => list({ states: ["awaiting-agent"], order: "due", ...filter });
  const someSources = ["source-1", "source-2"];
  const overview =
    (days: number, visible: readonly string[] | null = null) =>
    (database: Database) =>
      createOverviewQueries(database).readSums({
        visible,
        source: null,
        from: new Date(now.getTime() - days * 86_400_000),
        to: now,
      });
  const deep = { priority: 5, at: now.toISOString(), id: "00000000-0000-0000-0000-000000000000" };
  return {
    "queue, most urgent first": queue(),
    "queue, a page far down": queue({ after: deep }),
    "queue by departure": queue({ order: "departure" }),
    "queue by deadline": queue({ order: "deadline" }),
    "queue of two of four sources": queue({ visible: someSources }),
    "queue of one review queue": queue({ queue: "legal" }),
    "queue of one airline": queue({ airline: "AA" }),
    "queue of one rule": queue({ rule: "rule-10" }),
    "queue of two severities": queue({ severities: ["major", "critical"] }),
    "queue of no known severity": queue({ severities: ["unknown"] }),
    "queue of overdue cases": queue({ overdue: true }),
    "search by a name": list({ words: ["Smith"], namesSoughtBy: { actor: "person:ann" } }),
    "search by a part of an id": list({ words: ["ORDC4CA42"] }),
    "search by a flight": list({ words: ["AA26"] }),
    "search by an airline": list({ words: ["AA"] }),
    "search by an airport": list({ words: ["MEG"] }),
    "search that finds nothing": list({ words: ["NOSUCHORDER"] }),
    "overview, open work": (database) =>
      createOverviewQueries(database).readOpenWork({ visible: null, source: null }, now),
    "overview of 1 day": overview(1),
    "overview of 7 days": overview(7),
    "overview of 30 days": overview(30),
    "overview of 90 days, of some sources": overview(90, someSources),
    "counts in the bar of pages": (database) => createWorkCounts(database)("person:ann", null),
  };
}
