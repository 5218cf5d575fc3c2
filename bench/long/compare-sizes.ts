import pg from "pg";
import { type LoadSource, startReceiver } from "../acknowledge/acknowledge.ts";
import type { Benchmark, Contender, StartedContender, Work } from "../benchmark.ts";
import type { BenchDatabase } from "../database.ts";
import type { DecideParts } from "../decide/contenders.ts";
import { startDecider } from "../decide/decide.ts";
import { startSender } from "../deliver/deliver.ts";
import type { RecipientCalls } from "../deliver/recipient-process.ts";
import type { RemoteProcess } from "../remote-process.ts";
import { createStopList } from "../stop-list.ts";

/** The rate on a full database is to stay within this of the rate on an empty one. */
const atLeast = 0.8;

export const sizes = ["empty database", "full database"] as const;

/** A database for each of the sizes, on one server. */
export type SizedDatabases = Readonly<Record<(typeof sizes)[number], BenchDatabase>>;

export interface ComparedParts extends DecideParts, LoadSource {
  readonly recipient: RemoteProcess<RecipientCalls>;
}

/**
 * What one process of the product does on a full database, and another on an empty one beside it. Both run all the time, and
 * take turns in working.
 */
export function compareSizes(parts: ComparedParts, databases: SizedDatabases): readonly Benchmark[] {
  return [
    compared(
      {
        name: "acknowledge",
        title: "Acknowledging notifications at saturation",
        unit: "notifications",
        start: (database, size) => startReceiver(parts, database, size),
        clean: deletePending,
      },
      databases,
    ),
    compared(
      {
        name: "decide",
        title: "From the push to the accepted change",
        unit: "orders",
        start: (database, size) => startDecider(parts, database, size),
      },
      databases,
    ),
    compared(
      {
        name: "deliver",
        title: "Delivering a backlog of notifications to one recipient",
        unit: "deliveries",
        start: (database, size) => startSender(parts.recipient, database, size),
      },
      databases,
    ),
  ];
}

interface ComparedWork<Done extends Work> extends Pick<Benchmark, "name" | "title" | "unit"> {
  start(database: BenchDatabase, size: string): Promise<StartedContender<Done>>;
  /** After the last round. */
  clean?(database: BenchDatabase): Promise<void>;
}

function compared<Done extends Work>(work: ComparedWork<Done>, databases: SizedDatabases): Benchmark {
  const [empty, full] = sizes;
  const { name, title, unit } = work;
  return {
    name,
    title,
    unit,
    warmUp: 0,
    async start() {
      const stops = createStopList();
      const contenders: Contender[] = [];
      for (const size of sizes) {
        stops.add(async () => work.clean?.(databases[size]));
        const started = await work.start(databases[size], size);
        stops.add(started.stop);
        contenders.push(started.contender);
      }
      const targets = [{ subject: full, comparedWith: empty, atLeast, aim: 1 }];
      return { setup: [], contenders, targets, leftOut: [], stop: stops.stop };
    },
  };
}

/** Otherwise the workers of the next benchmark would begin with the orders that this one left to them. */
async function deletePending({ adminUrl }: BenchDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`
    with deleted as (
      delete from skedchange.notification_digests where pending_since is not null returning notification_id, received_at
    )
    delete from skedchange.notifications n using deleted
    where n.id = deleted.notification_id and n.received_at = deleted.received_at`);
  await client.end();
}
