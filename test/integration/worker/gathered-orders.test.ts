import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { lockActionContext } from "../../../src/store/cases/actions/lock-action-context.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { claimOrders, lockOrders } from "../../../src/store/cases/claim-orders.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { connectionTo, inTransaction } from "../../../src/store/database/transaction.ts";
import type { Gateway } from "../../../src/worker/gateway-ports.ts";
import { sampleNotification, withDelayTaken } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createScriptedGateway, type ScriptedGateway, settled } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/* Eight orders that one process works on at the same time share its transactions. */

let db: TestDatabase;
let prefix = 0;
let orderIds: readonly string[];
let gateways: ReadonlyMap<string, ScriptedGateway>;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  await forgetOutcomes(db.database);
  prefix += 1;
  orderIds = Array.from({ length: 8 }, (_, index) => `GATHER${prefix}-${index}`);
  gateways = new Map(orderIds.map((orderId) => [orderId, createScriptedGateway(changeOf(orderId))]));
});

function changeOf(orderId: string) {
  return sampleNotification("minor-delay", { orderId, reference: `R${orderId.slice(-1)}` });
}

/** @param beforeStatus what happens before the status of an order is returned */
function gatewayOfAll(beforeStatus: (orderId: string) => Promise<void> = async () => {}): Gateway {
  const of = (orderId: string) => gateways.get(orderId)!;
  return {
    readStatus: async (query) => {
      await beforeStatus(query.orderId);
      return await of(query.orderId).readStatus(query);
    },
    readDocuments: (query) => of(query.orderId).readDocuments(query),
    accept: (query) => of(query.orderId).accept(query),
    cancel: (query) => of(query.orderId).cancel(query),
  };
}

/** Time stands still, so that no status is too old to be decided on, however slow the machine is. */
const startedAt = new Date();
const clock = { now: () => startedAt };

async function startNotified(gateway: Gateway): Promise<WorkerUnderTest> {
  const worker = createWorkerUnderTest(db.database, gateway, { clock });
  for (const orderId of orderIds) await worker.notify(changeOf(orderId));
  return worker;
}

function workOnAll({ worker }: WorkerUnderTest): Promise<readonly string[]> {
  return Promise.all(orderIds.map((orderId) => worker.workOn({ source: "default", orderId })));
}

function acceptsOf(orderId: string): number {
  return gateways.get(orderId)!.journal.length;
}

async function statesOf(worker: WorkerUnderTest): Promise<readonly string[]> {
  return await Promise.all(orderIds.map(async (orderId) => (await worker.caseOf(orderId)).state));
}

function all<Value>(value: Value, except: Readonly<Record<number, Value>> = {}): readonly Value[] {
  return orderIds.map((_, index) => except[index] ?? value);
}

/** Which order meets with something else than the seven others. */
const odd = 3;

test("all are accepted once, each with its own views, decision, effect and lines", async () => {
  const worker = await startNotified(gatewayOfAll());

  expect(await workOnAll(worker)).toEqual(all("carried-out"));

  expect(orderIds.map(acceptsOf)).toEqual(all(1));
  const { rows: commits } = await db.ownerDatabase.pool.query<{ count: number }>(
    `select count(distinct d.xmin::text)::int as count
    from skedchange.decisions d join skedchange.cases c on c.id = d.case_id where c.order_id = any($1)`,
    [orderIds],
  );
  expect(commits[0]!.count).toBeLessThan(8);
  for (const orderId of orderIds) {
    const done = await worker.caseOf(orderId);
    expect(done).toMatchObject({
      state: "done",
      orderId,
      effects: [{ state: "succeeded", action: "accept", gdsBookingReferences: [`R${orderId.slice(-1)}`] }],
    });
    expect(done.timeline.map(({ kind }) => kind)).toEqual([
      "notification.received",
      "decision.made",
      "effect.planned",
      "effect.sent",
      "effect.succeeded",
      "case.done",
      "task.opened",
    ]);
    const { rows } = await db.ownerDatabase.pool.query(
      `select v.purpose, d.case_id = v.case_id as "isOwn" from skedchange.status_views v
      left join skedchange.decisions d on d.status_view_id = v.id where v.case_id = $1 order by v.read_at`,
      [done.id],
    );
    expect(rows).toEqual([
      { purpose: "decide", isOwn: true },
      { purpose: "after-effect", isOwn: null },
    ]);
  }
});

describe("if one of eight", () => {
  test("has lost its lease when it is decided, nothing of it is saved or sent, and the others are accepted", async () => {
    const worker = await startNotified(
      gatewayOfAll(async (orderId) => {
        if (orderId !== orderIds[odd] || acceptsOf(orderId) > 0) return;
        await db.ownerDatabase.pool.query(
          "update skedchange.orders set lease_fence = lease_fence + 1 where order_id = $1",
          [orderId],
        );
      }),
    );

    expect(await workOnAll(worker)).toEqual(all("carried-out", { [odd]: "lease-lost" }));

    expect(orderIds.map(acceptsOf)).toEqual(all(1, { [odd]: 0 }));
    expect(await statesOf(worker)).toEqual(all("done", { [odd]: "checking" }));
    expect((await worker.caseOf(orderIds[odd]!)).decisions).toEqual([]);
  });

  test("is notified of another change while its status is read, it is decided again, and the others are accepted", async () => {
    let isNotified = false;
    const worker: WorkerUnderTest = await startNotified(
      gatewayOfAll(async (orderId) => {
        if (orderId !== orderIds[odd] || isNotified) return;
        isNotified = true;
        await worker.notify(sampleNotification("cancelled", { orderId, reference: `R${odd}` }));
      }),
    );

    expect(await workOnAll(worker)).toEqual(all("carried-out", { [odd]: "lease-lost" }));

    expect(orderIds.map(acceptsOf)).toEqual(all(1, { [odd]: 0 }));
    await worker.work(orderIds[odd]!);
    expect((await worker.caseOf(orderIds[odd]!)).decisions).not.toEqual([]);
  });

  test("is refused by the database, the others are saved all the same", async () => {
    await db.ownerDatabase.pool.query(`
      create function refuse_one() returns trigger language plpgsql as $$
      begin
        if exists (select from skedchange.cases c where c.id = new.case_id and c.order_id = '${orderIds[odd]}') then
          raise exception 'refused in a test';
        end if;
        return new;
      end $$;
      create trigger refuse_one before insert on skedchange.decisions for each row execute function refuse_one();
    `);
    const worker = await startNotified(gatewayOfAll());

    const outcomes = await workOnAll(worker);

    await db.ownerDatabase.pool.query("drop function refuse_one() cascade");
    expect(outcomes).toEqual(all("carried-out", { [odd]: "postponed" }));
    expect(orderIds.map(acceptsOf)).toEqual(all(1, { [odd]: 0 }));
    expect(await statesOf(worker)).toEqual(all("done", { [odd]: "checking" }));
  });

  test("is locked by somebody, the others do not wait for it", async () => {
    const worker = await startNotified(gatewayOfAll());

    const work = await inTransaction(db.database, async (transaction) => {
      const held = { source: "default", orderId: orderIds[odd]!, isSending: false };
      await lockOrders(transaction, [held]);
      const working = workOnAll(worker);
      await eventually(async () => expect(await statesOf(worker)).toEqual(all("done", { [odd]: "received" })));
      // Wrapped, because a returned promise would be awaited before the commit that it waits for.
      return { working };
    });

    expect(await work.working).toEqual(all("carried-out"));
    expect(orderIds.map(acceptsOf)).toEqual(all(1));
  });
});

describe("an order that is taken together with seven others", () => {
  const keys = () => orderIds.map((orderId) => ({ source: "default", orderId }));

  /** The same database, and how many transactions were begun on it. */
  function countTransactions(): { readonly database: Database; readonly begun: () => number } {
    let begun = 0;
    const connect = () => {
      begun += 1;
      return db.database.pool.connect();
    };
    const pool = { connect } as unknown as pg.Pool;
    return { database: { ...db.database, pool, connection: connectionTo(pool) }, begun: () => begun };
  }

  test.each([
    ["is not due", "update skedchange.cases set due_at = now() + '1 hour' where order_id = $1"],
    [
      "is in the hands of another worker",
      "update skedchange.orders set leased_until = now() + '1 min' where order_id = $1",
    ],
  ])("and %s is refused in the transaction of the others", async (_why, change) => {
    await startNotified(gatewayOfAll());
    await db.ownerDatabase.pool.query(change, [orderIds[odd]]);
    const { database, begun } = countTransactions();
    const store = createCaseStore(database, clock, dialect);

    const taken = await Promise.all(keys().map((key) => store.take(key, "test", 10_000)));

    expect(taken.map((order) => order?.lease.orderId ?? null)).toEqual(
      orderIds.map((orderId, index) => (index === odd ? null : orderId)),
    );
    expect(begun()).toBe(1);
  });

  test("and is refused is not loaded", async () => {
    const worker = await startNotified(gatewayOfAll());
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() + '1 hour' where order_id = $1", [
      orderIds[odd],
    ]);
    const claims = keys().map((key) => ({ ...key, holder: "test", leaseMs: 10_000 }));

    const results = await claimOrders(db.database.connection, claims, startedAt, [], "skip");

    expect(results.map((result) => (typeof result === "string" ? result : result.context?.orderId))).toEqual(
      orderIds.map((orderId, index) => (index === odd ? "not-due" : orderId)),
    );
    expect(await statesOf(worker)).toEqual(all("checking", { [odd]: "received" }));
  });
});

test("a person who asks for approval while a decision is being saved has asked in vain, as for any decision before", async () => {
  const worker = await startNotified(gatewayOfAll());
  const { id: caseId, orderId } = await worker.caseOf(orderIds[odd]!);
  const stop = await db.ownerDatabase.pool.connect();
  await stop.query("begin");
  // The save has begun, and waits, with its order not locked yet.
  await stop.query("select pg_advisory_xact_lock(hashtextextended('skedchange.automation', 0))");
  const working = worker.worker.workOn({ source: "default", orderId });
  await eventually(async () => {
    const { rows } = await stop.query("select 1 from pg_locks where locktype = 'advisory' and not granted");
    expect(rows).toHaveLength(1);
  });

  await inTransaction(db.database, async (transaction) => {
    const action = { actor: "person:ana", action: "stop", caseId, note: null, version: null, visible: null } as const;
    expect(await lockActionContext(transaction, db.database.encryption, action)).not.toBeNull();
    await sql`
      insert into skedchange.approvals (id, case_id, action, proposal_digest, asked_by, asked_at)
      values (gen_random_uuid(), ${caseId}, 'cancel', 'sha256:0', 'person:ana', now())
    `.execute(transaction);
  });
  await stop.query("commit");
  stop.release();

  expect(await working).toBe("carried-out");
  const { rows } = await db.ownerDatabase.pool.query("select state from skedchange.approvals where case_id = $1", [
    caseId,
  ]);
  expect(rows).toEqual([{ state: "void" }]);
});

test("two processes that gather the same orders accept each of them once", async () => {
  const first = await startNotified(gatewayOfAll());
  const second = createWorkerUnderTest(db.database, gatewayOfAll(), { holder: "second", clock });

  const outcomes = await Promise.all([workOnAll(first), workOnAll(second)]);

  expect(outcomes.flat().filter((outcome) => outcome === "carried-out")).toHaveLength(8);
  expect(orderIds.map(acceptsOf)).toEqual(all(1));
  expect(await statesOf(first)).toEqual(all("done"));
});

describe("the events for recipients of one save", () => {
  beforeAll(() =>
    db.ownerDatabase.pool.query(
      `insert into skedchange.event_recipients (id, name, url, auth_type, credential, credential_encoding, signing_secrets,
        signing_secrets_encoding, signing_secret_count, state_changed_at, created_at, updated_at)
      values (gen_random_uuid(), 'Mid-office', 'https://example.com', 'none', 'x', 'none', 'x', 'none', 1, now(), now(), now())`,
    ),
  );

  async function eventsOf(orderId: string): Promise<readonly string[]> {
    const { rows } = await db.ownerDatabase.pool.query<{ type: string }>(
      `select event_type as type from skedchange.event_bodies where order_id = $1 order by "position"`,
      [orderId],
    );
    return rows.map(({ type }) => type);
  }

  test("come in this order: the decision, the effect, the end of the case, the task that is left", async () => {
    await workOnAll(await startNotified(gatewayOfAll()));

    for (const orderId of orderIds) {
      expect(await eventsOf(orderId)).toEqual([
        "case.opened",
        "case.decided",
        "effect.succeeded",
        "case.done",
        "task.opened",
      ]);
    }
  });

  test("name a decision that closes a case before the case that is closed", async () => {
    for (const [orderId, gateway] of gateways) gateway.status = settled(withDelayTaken(changeOf(orderId)), "Accepted");

    await workOnAll(await startNotified(gatewayOfAll()));

    for (const orderId of orderIds) {
      expect(await eventsOf(orderId)).toEqual(["case.opened", "case.decided", "case.closed"]);
    }
  });
});
