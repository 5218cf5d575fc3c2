import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BulkCommand } from "../../../src/cases/case-command.ts";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { writeCursor } from "../../../src/dashboard/api/cursor.ts";
import { bulkAction, bulkActionList, bulkPreview } from "../../../src/dashboard/api/responses.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { known } from "../../../src/kernel/fact.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { insertCase, insertDecision, insertEffect } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

let db: TestDatabase;
let server: DashboardServer;
let bulk: ReturnType<typeof createBulkActions>;

beforeAll(async () => {
  db = await createTestDatabase();
  bulk = createBulkActions(db.database, systemClock);
  server = await startDashboard({ queries: queriesWith([]), bulk });
});
afterAll(async () => {
  await server.close();
  await db.drop();
});
beforeEach(async () => {
  await db.ownerDatabase.pool.query("truncate skedchange.bulk_actions, skedchange.bulk_action_cases");
});

const noted: BulkCommand = { action: "note", note: "strike at the airport" };

async function aCase(version = 1) {
  const caseId = await insertCase(db.ownerDatabase, { state: "awaiting-agent", version });
  return { caseId, version: 1 };
}

/** Cases that there are not are enough where nobody looks at what becomes of them. */
const start = (by = bulk) => by.start(noted, [{ caseId: newId(systemClock), version: 1 }], { actor: "person:ana" });

async function list(query = "") {
  const response = await server.request(`/api/v1/bulk-actions?${query}`);
  expect(response.status).toBe(200);
  return bulkActionList.parse(await response.json());
}

async function refusal(query: string) {
  const response = await server.request(`/api/v1/bulk-actions?${query}`);
  return problemSchema.parse(await response.json());
}

describe("the list of bulk actions", () => {
  test("lists who started what and its progress, newest first", async () => {
    const first = await bulk.start(
      noted,
      [await aCase(), await aCase(2), { caseId: newId(systemClock), version: 1 }, await aCase()],
      { actor: "person:ana" },
    );
    for (let turn = 0; turn < 3; turn++) await bulk.workNext();
    const until = new Date("2026-12-24T18:00:00Z");
    const second = await bulk.start({ action: "snooze", until, note: null }, [await aCase()], { actor: "person:ben" });

    const { items, nextCursor } = await list();

    expect(nextCursor).toBeNull();
    expect(items).toEqual([
      {
        id: second,
        command: { action: "snooze", until: until.toISOString(), note: null },
        askedBy: "person:ben",
        token: null,
        askedAt: expect.any(String),
        state: "running",
        finishedAt: null,
        counts: { total: 1, waiting: 1, accepted: 0, notFound: 0, conflict: 0, refused: 0 },
      },
      {
        id: first,
        command: noted,
        askedBy: "person:ana",
        token: null,
        askedAt: expect.any(String),
        state: "running",
        finishedAt: null,
        counts: { total: 4, waiting: 1, accepted: 1, notFound: 1, conflict: 1, refused: 0 },
      },
    ]);
  });

  test("can be asked for one state", async () => {
    const finished = await start();
    await bulk.workNext();
    const stopped = await start();
    await bulk.stop(stopped, { actor: "person:ben", visible: null });
    const running = await start();

    const idsOf = async (state: string) => (await list(`state=${state}`)).items.map(({ id }) => id);

    expect(await idsOf("running")).toEqual([running]);
    expect(await idsOf("stopped")).toEqual([stopped]);
    expect(await idsOf("finished")).toEqual([finished]);
    expect(await idsOf("")).toEqual([running, stopped, finished]);
  });

  test("comes in pages that neither repeat nor skip what was asked for at the same instant or meanwhile", async () => {
    const now = systemClock.now();
    const atOnce = createBulkActions(db.database, { now: () => now });
    const ids = [];
    for (let made = 0; made < 5; made++) ids.push(await start(atOnce));

    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await list(`limit=2&cursor=${cursor}`);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? "";
      await start();
    } while (cursor !== "");

    expect(seen).toEqual(ids.toSorted().toReversed());
  });

  test.each([
    ["state=paused", "api.query_invalid", "'state' must be one of running, stopped, finished"],
    ["asker=ana", "api.query_invalid", "'asker' is unknown; allowed are state, cursor, limit"],
    [
      `cursor=${writeCursor("tasks", { at: "2026-11-20T10:00:00.000000Z", id: "019aa000-0000-7000-8000-000000000000" })}`,
      "api.cursor_invalid",
      "'cursor' must be the nextCursor of an earlier response of this list.",
    ],
  ])("refuses %s", async (query, code, detail) => {
    const problem = await refusal(query);

    expect(problem).toMatchObject({ status: 400, code });
    expect(problem.detail).toContain(detail);
  });

  test("names the path parameter that is wrong", async () => {
    const response = await server.request("/api/v1/bulk-actions", { method: "PUT" });

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
  });
});

describe("acting on all cases that match", () => {
  const tryOut = (body: object) =>
    server.request("/api/v1/bulk-actions", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ dryRun: true, command: { action: "note", note: "strike" }, ...body }),
    });

  async function found(filter: object): Promise<readonly string[]> {
    const response = await tryOut({ filter });
    expect(response.status).toBe(200);
    return bulkPreview.parse(await response.json()).items.map(({ orderId }) => orderId);
  }

  test("takes the filters of a search, and leaves finished cases out", async () => {
    const owner = db.ownerDatabase;
    const source = "matching";
    await insertCase(owner, { source, orderId: "MATCH1", state: "awaiting-agent", reviewQueue: "legal", priority: 1 });
    await insertCase(owner, { source, orderId: "MATCH2", state: "snoozed", reviewQueue: "agent", headline: "Strike" });
    await insertCase(owner, { source, orderId: "MATCH3", state: "done", reviewQueue: "legal" });
    await insertCase(owner, { source: "other", orderId: "OTHER1", state: "awaiting-agent", reviewQueue: "legal" });

    expect(await found({ source })).toEqual(["MATCH1", "MATCH2"]);
    expect(await found({ source, queue: "legal" })).toEqual(["MATCH1"]);
    expect(await found({ source, states: ["snoozed", "awaiting-agent"], text: "tch2" })).toEqual(["MATCH2"]);
    expect(await found({ source, assignee: "none", overdue: true })).toEqual([]);
  });

  test("names its limit when more cases match than one action takes", async () => {
    await db.ownerDatabase.pool.query(`
      insert into skedchange.orders (source, order_id) select 'many', 'MANY' || n from generate_series(1, 1001) n;
      insert into skedchange.cases (id, source, order_id, gds_booking_references, state, opened_at, updated_at)
        select gen_random_uuid(), 'many', 'MANY' || n, '{ABC123}', 'received', now(), now() from generate_series(1, 1001) n
    `);

    const response = await tryOut({ filter: { source: "many" } });

    expect(problemSchema.parse(await response.json())).toMatchObject({
      status: 422,
      code: "api.bulk_too_many",
      detail: expect.stringContaining("at most 1000 cases"),
    });
  });

  test.each([
    ["with a filter that the list does not have", { filter: { colour: "red" } }],
    ["with a page of the list", { filter: { limit: 10 } }],
    ["named in two ways", { filter: {}, caseIds: [newId(systemClock)] }],
    ["named in no way", {}],
  ])("refuses cases %s", async (_, body) => {
    expect((await tryOut(body)).status).toBe(422);
  });
});

describe("what comes of a bulk action at the gateway", () => {
  async function decided(orderId: string): Promise<{ readonly caseId: string; readonly version: number }> {
    const caseId = await insertCase(db.ownerDatabase, { state: "awaiting-agent", orderId });
    await insertDecision(db.ownerDatabase, caseId, { flags: { accept: known("Y"), cancel: known("Y") } });
    return { caseId, version: 1 };
  }

  async function run(action: "accept" | "cancel", orderIds: readonly string[]) {
    const cases = await Promise.all(orderIds.map(decided));
    const command = { action, note: null, ...(action === "cancel" ? { confirm: String(cases.length) } : {}) };
    const id = await bulk.start(command, cases, { actor: "person:ana" });
    while ((await bulk.workNext()) !== null);
    const { rows } = await db.ownerDatabase.pool.query(
      "select case_id, decision_id from skedchange.bulk_action_cases where bulk_action_id = $1 order by place",
      [id],
    );
    return { id, rows: rows as { case_id: string; decision_id: string }[] };
  }

  async function read(id: string) {
    const response = await server.request(`/api/v1/bulk-actions/${id}`);
    return bulkAction.parse(await response.json());
  }

  test("is waited for until the effect has ended, and shows why it failed", async () => {
    const { id, rows } = await run("accept", ["GATE1", "GATE2", "GATE3", "GATE4", "GATE5"]);
    const states = [null, "sent", "succeeded", "unknown"] as const;
    for (const [place, state] of states.entries()) {
      const { case_id, decision_id } = rows[place]!;
      if (state !== null) await insertEffect(db.ownerDatabase, case_id, decision_id, { state });
    }
    const failed = rows[4]!;
    const error = { code: "desk.not_allowed", message: "The airline no longer allows this." };
    await insertEffect(db.ownerDatabase, failed.case_id, failed.decision_id, { state: "failed", error });

    const waiting = await read(id);
    await insertDecision(db.ownerDatabase, failed.case_id, { action: "review" });
    const ended = await read(id);

    expect(waiting.rows.map(({ gateway }) => gateway?.outcome)).toEqual([
      "waiting",
      "sent",
      "succeeded",
      "unknown",
      "waiting",
    ]);
    expect(ended.rows[4]?.gateway).toEqual({ outcome: "failed", message: error.message, refund: null });
    expect(ended.gatewayCounts).toEqual({ waiting: 1, sent: 1, succeeded: 1, failed: 1, unknown: 1, notSent: 0 });
  });

  test("is that nothing was sent when the booking was decided on in another way before", async () => {
    const { id, rows } = await run("accept", ["GATE6"]);
    await insertDecision(db.ownerDatabase, rows[0]!.case_id, {
      action: "review",
      reasons: [{ code: "proposal-changed", text: "The airline has changed it again." }],
    });

    expect((await read(id)).rows[0]?.gateway).toEqual({
      outcome: "not-sent",
      message: "The airline has changed it again.",
      refund: null,
    });
  });

  test("totals what the cancels refund, by currency", async () => {
    const { id, rows } = await run("cancel", ["GATE7", "GATE8", "GATE9"]);
    const refunds = [
      { expected: { amount: "100.10", currency: "EUR", basis: "unused-price" }, refundAmount: "100.10" },
      { expected: { amount: "50.20", currency: "EUR", basis: "unused-price" }, refundAmount: null },
      { expected: null, refundAmount: "7" },
    ];
    for (const [place, { expected, refundAmount }] of refunds.entries()) {
      const { case_id, decision_id } = rows[place]!;
      const result = { gdsBookingReferences: ["ABC123"], status: "Cancelled", errorMessage: "", refundAmount };
      await insertEffect(db.ownerDatabase, case_id, decision_id, {
        action: "cancel",
        state: "succeeded",
        expectedRefund: expected,
        results: [{ ...result, refundText: null, refundPaxWiseFare: [] }],
      });
    }

    expect((await read(id)).refunds).toEqual([
      { currency: "EUR", orders: 2, unstated: 1, stated: "100.10", expected: "150.30" },
      { currency: null, orders: 1, unstated: 0, stated: null, expected: null },
    ]);
  });

  test("is null for an action of which nothing goes there", async () => {
    const id = await bulk.start(noted, [await aCase()], { actor: "person:ana" });
    await bulk.workNext();

    const { rows, gatewayCounts, refunds } = await read(id);

    expect(rows[0]).toMatchObject({ outcome: "accepted", gateway: null });
    expect([gatewayCounts, refunds]).toEqual([null, []]);
  });
});
