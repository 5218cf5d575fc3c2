import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { type OpenGateway, openGateway } from "../../../src/connectors/document/gateway.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createPollStore } from "../../../src/store/orders/status-polls.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { type PollContext, type PollResult, planPolls, pollNext } from "../../../src/worker/status-poll.ts";
import { accessToken, apiKey } from "../../builders/gateway-credentials.ts";
import { orderRequest } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, ScriptedFailure } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

const polled = { source: "default", pollHours: 24, gapMs: 0 };

let db: TestDatabase;
let gateway: RunningGateway;
let client: OpenGateway;
let worker: WorkerUnderTest;
let polling: PollContext;
let orderId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db);
  client = openGateway({
    baseUrl: gateway.url,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
    // A test waits until it is over.
    timeoutMs: 3_000,
  });
  worker = createWorkerUnderTest(db.database, client);
  polling = {
    store: worker.context.store,
    polls: createPollStore(db.database, systemClock),
    gatewayOf: () => client,
    clock: systemClock,
    random: () => 0.5,
    logger: silentLogger,
    holder: "poller",
    timing: defaultTiming,
  };
});
beforeEach(async () => {
  // Only the order of the test is left to be polled.
  await db.ownerDatabase.pool.query("update skedchange.orders set next_poll_at = null, poll_ended = 'travelled'");
  await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null");
  const booked = await gateway.control("POST", "/orders", orderRequest({ orderId: newId(systemClock) }));
  ({ orderId } = (await booked.json()) as { orderId: string });
});
afterAll(async () => {
  await client.close();
  await gateway.close();
  await db.drop();
});

/** The agency imports the order; its booked flights are left to the first status. */
async function known(references: readonly string[] = ["LHSKD1"]): Promise<void> {
  await db.ownerDatabase.pool.query(
    "insert into skedchange.orders (source, order_id, gds_booking_references) values ('default', $1, $2)",
    [orderId, references],
  );
}

async function change(departureMinutes = 20): Promise<void> {
  const response = await gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes });
  expect(response.status).toBe(201);
}

async function poll(overrides: Partial<typeof polled> = {}): Promise<PollResult> {
  await makeDue();
  return await pollNext(polling, { ...polled, ...overrides });
}

/** When no status can lag behind an effect any more. */
async function pollNextLate(): Promise<PollResult> {
  await makeDue();
  return await pollNext({ ...polling, timing: { ...defaultTiming, statusLagMs: 0 } }, polled);
}

async function pollFailing(failure: ScriptedFailure): Promise<PollResult> {
  const failing = createScriptedGateway(sampleNotification("minor-delay", { orderId, reference: "LHSKD1" }));
  failing.statusFailure = failure;
  await makeDue();
  return await pollNext({ ...polling, gatewayOf: () => failing }, polled);
}

async function makeDue(): Promise<void> {
  await db.ownerDatabase.pool.query(
    "update skedchange.orders set next_poll_at = now() where order_id = $1 and poll_ended is null",
    [orderId],
  );
}

async function row(): Promise<Record<string, unknown>> {
  const { rows } = await db.ownerDatabase.pool.query("select * from skedchange.orders where order_id = $1", [orderId]);
  return rows[0];
}

async function statusReads(): Promise<number> {
  const entries = await gateway.store.readJournal({ orderId, limit: 100 });
  return entries.filter(({ operation }) => operation === "AirReservationStatus").length;
}

async function storedStatuses(): Promise<number> {
  const { rows } = await db.ownerDatabase.pool.query(
    "select count(*)::int as count from skedchange.order_status_views where order_id = $1",
    [orderId],
  );
  return rows[0].count;
}

describe("polling", () => {
  test("finds a change whose notification was dropped, and the workers decide and carry it out", async () => {
    await known();
    expect(await poll()).toBe("unchanged");
    await gateway.control("POST", "/faults", { mode: "ocn-dropped", orderId });
    const announcedBefore = gateway.announced.length;
    await change();
    await gateway.control("DELETE", "/faults");
    expect(gateway.announced.length).toBe(announcedBefore);

    expect(await poll()).toBe("work");
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    expect(found).toMatchObject({
      state: "done",
      notifications: [],
      decision: { action: "accept", decidedBy: "policy" },
    });
    expect(found.timeline[0]).toMatchObject({ kind: "case.opened", actor: "poll" });
    expect(found.facts?.baseline).toEqual({ known: true, value: "status" });
    expect(found.facts?.departureLaterMinutes).toEqual({ known: true, value: 20 });
  });

  test("costs one read and no case when nothing is open, and keeps a status only when it is another", async () => {
    await known();

    for (let times = 1; times <= 3; times += 1) expect(await poll()).toBe("unchanged");

    expect(await statusReads()).toBe(3);
    expect(await storedStatuses()).toBe(1);
    expect(await worker.casesOf(orderId)).toEqual([]);
    expect(await row()).toMatchObject({ booked_from: "status", poll_failures: 0, leased_until: null });
  });

  test("takes no status as what was booked that shows a change already", async () => {
    await known();
    await change();

    expect(await poll()).toBe("work");

    expect((await row())["booked_itinerary"]).toBeNull();
  });

  test("opens no second case for a change that a person is asked about already", async () => {
    await known();
    await change(600);
    await poll();
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");

    expect(await poll()).toBe("unchanged");

    expect(await worker.casesOf(orderId)).toHaveLength(1);
    expect((await worker.caseOf(orderId)).dueAt).toBeNull();
  });

  test.each(["close", "resolved-elsewhere"] as const)(
    "opens nothing for a change that a person has ended: %s",
    async (action) => {
      await known();
      await change(600);
      await poll();
      await worker.work(orderId);
      const { id: caseId } = await worker.caseOf(orderId);
      await worker.worker.act({ action, caseId, note: null, version: null, visible: null, actor: "person:ana" });

      expect(await poll()).toBe("unchanged");
      expect(await worker.casesOf(orderId)).toHaveLength(1);

      await change(700);
      expect(await poll()).toBe("work");
      expect(await worker.casesOf(orderId)).toHaveLength(2);
    },
  );

  test("wakes the case of a person when the status shows another change by now", async () => {
    await known();
    await change(600);
    await poll();
    await worker.work(orderId);
    const before = (await worker.caseOf(orderId)).proposalDigest;
    await change(700);

    expect(await poll()).toBe("work");
    await worker.work(orderId);

    const after = await worker.caseOf(orderId);
    expect(after.proposalDigest).not.toBe(before);
    expect(await worker.casesOf(orderId)).toHaveLength(1);
    expect(after.timeline).toContainEqual(expect.objectContaining({ kind: "status.changed", actor: "poll" }));
  });

  test("opens nothing while the status may lag behind an accept, and a case once it no longer can", async () => {
    await known();
    await change();
    await gateway.control("POST", "/faults", { mode: "stale-status", orderId, seconds: 600 });
    await poll();
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("done");

    expect(await poll()).toBe("unchanged");
    expect(await pollNextLate()).toBe("work");

    await gateway.control("DELETE", "/faults");
    expect(await worker.casesOf(orderId)).toHaveLength(2);
  });

  test("opens nothing for what was accepted once and a person has closed, however long the status goes on showing it", async () => {
    await known();
    await change();
    await gateway.control("POST", "/faults", { mode: "stale-status", orderId, seconds: 600 });
    await poll();
    await worker.work(orderId);
    expect(await pollNextLate()).toBe("work");
    await worker.work(orderId);
    const { id: caseId } = await worker.caseOf(orderId);
    await worker.worker.act({ action: "close", caseId, note: null, version: null, visible: null, actor: "person:ana" });

    expect(await pollNextLate()).toBe("unchanged");

    await gateway.control("DELETE", "/faults");
    expect(await worker.casesOf(orderId)).toHaveLength(2);
  });

  test("waits while a worker has the order, and while a notification of the source is to be worked on", async () => {
    await known();
    const set = (text: string) => db.ownerDatabase.pool.query(text, [orderId]);
    await set("update skedchange.orders set leased_until = now() + interval '1 minute' where order_id = $1");
    expect(await poll()).toBe("idle");

    await set("update skedchange.orders set leased_until = null where order_id = $1");
    await db.ownerDatabase.pool.query("insert into skedchange.orders (source, order_id) values ('default', $1)", [
      `${orderId}-other`,
    ]);
    await db.ownerDatabase.pool.query(
      `insert into skedchange.cases (id, source, order_id, state, due_at, opened_at, updated_at)
       values ($1, 'default', $2, 'received', now(), now(), now())`,
      [newId(systemClock), `${orderId}-other`],
    );
    expect(await poll()).toBe("idle");

    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null where order_id = $1", [
      `${orderId}-other`,
    ]);
    expect(await poll()).toBe("unchanged");
  });

  test("keeps its pace over all processes, and two never poll one order", async () => {
    await known();
    expect(await poll({ gapMs: 60_000 })).toBe("unchanged");
    expect(await poll({ gapMs: 60_000 })).toBe("idle");
    await db.ownerDatabase.pool.query("delete from skedchange.poll_pace");
    const reads = await statusReads();
    await db.ownerDatabase.pool.query("update skedchange.orders set next_poll_at = now() where order_id = $1", [
      orderId,
    ]);

    const results = await Promise.all([1, 2, 3, 4].map(() => pollNext(polling, polled)));

    expect(results.toSorted()).toEqual(["idle", "idle", "idle", "unchanged"]);
    expect(await statusReads()).toBe(reads + 1);
  });

  test("retries soon when the gateway cannot be read, and gives up what it refuses five times in a row", async () => {
    await known();
    await gateway.control("POST", "/faults", { mode: "timeout", operation: "AirReservationStatus", orderId });
    expect(await poll()).toBe("failed");
    expect(await row()).toMatchObject({ poll_failures: -1, poll_ended: null, poll_error: expect.any(String) });
    await gateway.control("DELETE", "/faults");
    expect(await poll()).toBe("unchanged");
    expect(await row()).toMatchObject({ poll_failures: 0, poll_error: null });

    const real = orderId;
    orderId = `${real}-unknown-to-the-gateway`;
    await known();
    for (let times = 1; times <= 4; times += 1) expect(await poll()).toBe("failed");
    expect(await row()).toMatchObject({ poll_failures: 4, poll_ended: null });
    expect(await poll()).toBe("failed");
    expect(await row()).toMatchObject({ poll_ended: "refused", next_poll_at: null });
  });

  test("counts refusals in a row only: a gateway that was unreachable between them gives nothing up", async () => {
    const unreachable = () => pollFailing(new ScriptedFailure("before-sending", "gateway.unreachable"));
    const refused = () => pollFailing(new ScriptedFailure("responded", "gateway.bad_request"));
    await known();
    for (let times = 1; times <= 5; times += 1) await unreachable();
    for (let times = 1; times <= 4; times += 1) await refused();
    await unreachable();
    for (let times = 1; times <= 4; times += 1) await refused();
    expect(await row()).toMatchObject({ poll_ended: null, next_poll_at: expect.any(Date) });

    await refused();

    expect(await row()).toMatchObject({ poll_ended: "refused", next_poll_at: null });
  });

  test("goes on less and less often while the gateway does not take our credentials", async () => {
    await known();

    for (let times = 1; times <= 6; times += 1) {
      expect(await pollFailing(new ScriptedFailure("responded", "gateway.unauthorized"))).toBe("failed");
    }

    const { poll_ended: ended, next_poll_at: nextAt, poll_error: error } = await row();
    expect([ended, error]).toEqual([null, "gateway.unauthorized"]);
    expect(((nextAt as Date).getTime() - Date.now()) / 60_000).toBeCloseTo(160, 0);
    expect(await poll()).toBe("unchanged");
  });

  test("is planned for what is known, anywhere in the interval, and not for what has no booking reference", async () => {
    await known();
    await db.ownerDatabase.pool.query("insert into skedchange.orders (source, order_id) values ('default', $1)", [
      `${orderId}-bare`,
    ]);

    expect(await planPolls(polling, polled, 10)).toBe(2);

    const hours = (((await row())["next_poll_at"] as Date).getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(12, 1);
    orderId = `${orderId}-bare`;
    expect(await row()).toMatchObject({ poll_ended: "no-reference", next_poll_at: null });
    expect(await planPolls(polling, polled, 10)).toBe(0);
  });
});
