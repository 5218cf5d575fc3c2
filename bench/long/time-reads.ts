import { type InconsistencyKind, inconsistencyKinds } from "../../src/cases/inconsistency.ts";
import { dialect } from "../../src/connectors/document/dialect.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { readBacklog } from "../../src/store/cases/backlog.ts";
import { createCaseQueries } from "../../src/store/cases/case-queries.ts";
import { createClockStore } from "../../src/store/cases/clocks.ts";
import { createWorkCounts } from "../../src/store/cases/work-counts.ts";
import type { Database } from "../../src/store/database/database.ts";
import { inSnapshot } from "../../src/store/database/transaction.ts";
import { readTraffic } from "../../src/store/deliveries/delivery-overview.ts";
import { notificationTables } from "../../src/store/deliveries/delivery-tables.ts";
import { createReconciliationStore } from "../../src/store/notifications/reconciliation.ts";
import { countBlockedOrders } from "../../src/store/orders/blocked-orders.ts";
import { spreadOf } from "../benchmark.ts";

export interface TimedRead {
  readonly what: string;
  /** Median of some times. */
  readonly ms: number;
}

/** Of each read, unless the first ones take too long. */
const times = 3;
const longMs = 2_000;

/**
 * What is read again and again beside the work, by jobs, scrapers of metrics and open pages, and how long it takes.
 *
 * @throws when the reconciliation finds something wrong: then the rows are not as the product writes them.
 */
export async function timeReads(database: Database): Promise<readonly TimedRead[]> {
  const queries = createCaseQueries(database, dialect);
  const store = createReconciliationStore({ dialect, database, clock: systemClock });
  const clocks = createClockStore(database, systemClock);
  const page = { visible: null, after: null, limit: 50 } as const;
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    "newest cases": () => queries.listCases({ ...page, order: "newest" }),
    "cases that wait for an agent, most urgent first": () =>
      queries.listCases({ ...page, states: ["awaiting-agent"], order: "due" }),
    "newest notifications": () => queries.listNotifications({ ...page, source: null, state: null }),
    "counts of work for the pages": () => createWorkCounts(database)("person:bench", null),
    "backlog, for the metrics": () => readBacklog(database.connection, new Date()),
    "blocked orders, for the metrics": () => countBlockedOrders(database),
    "overdue cases, for the metrics": () => clocks.countOverdue(),
    "traffic of each recipient": () =>
      inSnapshot(database, (reading) =>
        readTraffic(reading, notificationTables, { since: new Date(Date.now() - 3_600_000), now: new Date() }),
      ),
    "reconciliation, what is acknowledged": () => store.checkAcknowledged(),
    ...Object.fromEntries(
      (Object.keys(inconsistencyKinds) as InconsistencyKind[]).map((kind) => [
        `reconciliation, ${kind}`,
        async () => {
          const [found] = await store.findInconsistencies(kind, 1);
          if (found !== undefined) throw new Error(`The reconciliation finds ${JSON.stringify(found)}.`);
        },
      ]),
    ),
  };
  const timed: TimedRead[] = [];
  for (const [what, read] of Object.entries(reads)) {
    const taken: number[] = [];
    while (taken.length < times && (taken[0] ?? 0) < longMs) {
      const startedAt = performance.now();
      await read();
      taken.push(performance.now() - startedAt);
    }
    timed.push({ what, ms: spreadOf(taken).median });
  }
  return timed;
}
