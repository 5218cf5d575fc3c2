import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type pg from "pg";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

interface Hooks {
  /** Before the statement that loads the order, in the first transaction. */
  readonly beforeLoading: () => Promise<void>;
  /** Before each further transaction. @param trips how many there were. */
  readonly beforeNext: (trips: number) => Promise<void>;
}

/** The same database, whose statements are sent one after the other, so that something else may happen in between. */
function withHooks(database: Database, { beforeLoading, beforeNext }: Hooks): Database {
  let trips = 0;
  let isLoaded = false;
  const connect = async () => {
    if (trips > 0) await beforeNext(trips);
    trips += 1;
    const client = await database.pool.connect();
    let last: Promise<unknown> = Promise.resolve();
    const query = (statement: pg.QueryConfig) => {
      const before = last;
      const result = (async () => {
        await before.catch(() => {});
        if (!isLoaded && statement.text.includes("booked_itinerary as booked")) {
          isLoaded = true;
          await beforeLoading();
        }
        return await client.query(statement);
      })();
      last = result;
      return result;
    };
    return { query, release: (broken?: boolean) => client.release(broken) };
  };
  return { ...database, pool: { connect } as unknown as pg.Pool };
}

test("a process that is paused while it takes an order gives up when somebody else has had the order meanwhile", async () => {
  const orderId = "PAUSED1";
  const key = { source: "default", orderId };
  await insertCase(db.ownerDatabase, { orderId, state: "done", dueAt: new Date(0) });
  const body = sampleNotification("flight-number-only", { orderId, reference: "REF1" });
  const other = createWorkerUnderTest(db.database, createScriptedGateway(body), { holder: "other" });
  let tripsMade = 0;
  let isOver = false;
  const paused = createCaseStore(
    withHooks(db.database, {
      // A receiver opens the next case after this process has looked for one to move to `checking`.
      beforeLoading: async () => {
        await db.ownerDatabase.pool.query(
          `insert into skedchange.cases
            (id, source, order_id, gds_booking_references, state, due_at, opened_at, updated_at)
           values (gen_random_uuid(), 'default', $1, array['REF1'], 'received', now(), now(), now())`,
          [orderId],
        );
      },
      beforeNext: async (trips) => {
        tripsMade = trips;
        if (isOver) throw new Error("the test is over");
        if (trips > 1) return;
        await db.ownerDatabase.pool.query("update skedchange.orders set leased_until = now() where order_id = $1", [
          orderId,
        ]);
        await other.work(orderId);
        expect((await other.caseOf(orderId)).state).toBe("awaiting-agent");
      },
    }),
    systemClock,
  );

  const taking = paused.take(key, "paused", 10_000);
  const settled = taking.then(
    () => "settled",
    () => "settled",
  );
  const end = await Promise.race([settled, sleep(2_000, "still taking")]);
  isOver = true;
  await settled;

  expect({ end, tripsMade }).toEqual({ end: "settled", tripsMade: 1 });
});
