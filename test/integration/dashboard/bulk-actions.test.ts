import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { BulkCommand } from "../../../src/cases/case-command.ts";
import { writeCursor } from "../../../src/dashboard/api/cursor.ts";
import { bulkActionList, problemResponse } from "../../../src/dashboard/api/responses.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { insertCase } from "../../builders/case-rows.ts";
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
const start = (by = bulk) => by.start(noted, [{ caseId: newId(systemClock), version: 1 }], "person:ana");

async function list(query = "") {
  const response = await server.request(`/api/v1/bulk-actions?${query}`);
  expect(response.status).toBe(200);
  return bulkActionList.parse(await response.json());
}

async function refusal(query: string) {
  const response = await server.request(`/api/v1/bulk-actions?${query}`);
  return problemResponse.parse(await response.json());
}

describe("the list of bulk actions", () => {
  test("lists who started what and its progress, newest first", async () => {
    const first = await bulk.start(
      noted,
      [await aCase(), await aCase(2), { caseId: newId(systemClock), version: 1 }, await aCase()],
      "person:ana",
    );
    for (let turn = 0; turn < 3; turn++) await bulk.workNext();
    const until = new Date("2026-12-24T18:00:00Z");
    const second = await bulk.start({ action: "snooze", until, note: null }, [await aCase()], "person:ben");

    const { items, nextCursor } = await list();

    expect(nextCursor).toBeNull();
    expect(items).toEqual([
      {
        id: second,
        command: { action: "snooze", until: until.toISOString(), note: null },
        askedBy: "person:ben",
        askedAt: expect.any(String),
        state: "running",
        finishedAt: null,
        counts: { total: 1, waiting: 1, accepted: 0, notFound: 0, conflict: 0, refused: 0 },
      },
      {
        id: first,
        command: noted,
        askedBy: "person:ana",
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
