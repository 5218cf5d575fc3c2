import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import type { CaseAction } from "../../../src/cases/case-command.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { actionResponse, bulkAction, bulkPreview, caseList, taskList } from "../../../src/dashboard/api/responses.ts";
import { caseDetail } from "../../../src/dashboard/case-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { insertCase, insertDecision, insertEffect } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

type TaskItem = z.infer<typeof taskList>["items"][number];

let db: TestDatabase;
let server: DashboardServer;
let bulk: ReturnType<typeof createBulkActions>;
let actions: CaseAction[] = [];

const approvalId = "019aa000-0000-7000-8000-000000000077";

beforeAll(async () => {
  db = await createTestDatabase();
  bulk = createBulkActions(db.database, systemClock);
  server = await startDashboard({
    queries: createCaseQueries(db.database, dialect),
    tasks: createTasks(db.database, systemClock),
    bulk,
    act: async (action) => {
      actions.push(action);
      const outcome = {
        outcome: "accepted",
        caseId: action.caseId,
        state: "awaiting-agent",
        decisionId: null,
      } as const;
      return action.action === "cancel" ? { ...outcome, approvalId } : outcome;
    },
  });
});
afterAll(async () => {
  await server.close();
  await db.drop();
});
afterEach(() => {
  actions = [];
});

const sqlAsOwner = (text: string, values: readonly unknown[]) => db.ownerDatabase.pool.query(text, [...values]);

async function get(path: string): Promise<unknown> {
  const response = await server.request(`/api/v1${path}`);
  expect(response.status).toBe(200);
  return await response.json();
}

async function post(path: string, body: object) {
  const headers = { "Content-Type": "application/json" };
  const response = await server.request(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

async function refusal(path: string, body: object) {
  const response = await post(path, body);
  return problemSchema.parse(response.body);
}

async function listed(query: string): Promise<readonly string[]> {
  return caseList.parse(await get(`/cases?${query}`)).items.map(({ id }) => id);
}

describe("the assignee and the deadline of a case", () => {
  test("are shown for each case, and can be filtered", async () => {
    const [mine, hers, free] = await Promise.all(
      [1, 2, 3].map(() => insertCase(db.ownerDatabase, { source: "clocks", state: "awaiting-agent" })),
    );
    await sqlAsOwner(
      "update skedchange.cases set assignee = 'person:api', due_by = now() - interval '1 minute', due_by_rule = 'response-target' where id = $1",
      [mine],
    );
    await sqlAsOwner(
      "update skedchange.cases set assignee = 'person:hanna', due_by = now() + interval '1 hour', due_by_rule = 'departure-24h' where id = $1",
      [hers],
    );

    expect(await listed("source=clocks&assignee=me")).toEqual([mine]);
    expect(await listed("source=clocks&assignee=Hanna")).toEqual([hers]);
    expect(await listed("source=clocks&assignee=none")).toEqual([free]);
    expect(await listed("source=clocks&overdue=true")).toEqual([mine]);
    const { items } = caseList.parse(await get("/cases?source=clocks&assignee=me"));
    expect(items[0]).toMatchObject({
      assignee: "person:api",
      overdue: true,
      dueBy: { rule: "response-target", overdue: true },
      undoUntil: null,
    });
  });

  test("is not overdue any more when it is finished", async () => {
    const id = await insertCase(db.ownerDatabase, { source: "finished", state: "closed" });
    await sqlAsOwner("update skedchange.cases set due_by = now() - interval '1 minute' where id = $1", [id]);

    expect(await listed("source=finished&overdue=true")).toEqual([]);
  });
});

describe("the cohort of a flight", () => {
  test.each([
    ["flight=LH1167&flightDate=2027-03-14", ["one"]],
    ["flight=lh%201167", ["one", "other"]],
    ["flightDate=2027-03-14", ["one", "third"]],
    ["flight=LH116", []],
  ])("%s", async (query, expected) => {
    const source = `cohort-${randomUUID().slice(0, 8)}`;
    const names = new Map<string, string>();
    for (const [name, flight] of [
      ["one", "LH1167/2027-03-14"],
      ["other", "LH1167/2027-03-15"],
      ["third", "BA7/2027-03-14"],
    ] as const) {
      const id = await insertCase(db.ownerDatabase, { source, state: "awaiting-agent", flightDates: [flight] });
      names.set(id, name);
    }

    expect((await listed(`source=${source}&${query}`)).map((id) => names.get(id)).sort()).toEqual(expected);
  });

  test.each(["flight=nonsense", "flightDate=2027-02-31", "overdue=maybe"])("refuses %s", async (query) => {
    const response = await server.request(`/api/v1/cases?${query}`);

    expect(response.status).toBe(400);
  });
});

describe("a case", () => {
  test.each([
    ["longer ago than a status may lag behind", 16, ["accept", "approve", "close", "note"]],
    ["a moment ago, so that nothing is sent for it", 14, ["close", "note"]],
  ])(
    "shows what people recorded, its tasks, and what is possible for a change that was answered %s",
    async (_, minutes, possible) => {
      const id = await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
      const asked = randomUUID();
      const decisionId = await insertDecision(db.ownerDatabase, id);
      await insertEffect(db.ownerDatabase, id, decisionId, {
        plannedAt: new Date(Date.now() - minutes * 60_000),
        action: "cancel",
        state: "succeeded",
        results: [
          { gdsBookingReferences: ["A"], status: "SUCCESS", refundAmount: "100.10" },
          { gdsBookingReferences: ["B"], status: "SUCCESS", refundAmount: "20.4" },
          { gdsBookingReferences: ["C"], status: "SUCCESS", refundAmount: null },
        ],
      });
      await sqlAsOwner(
        `insert into skedchange.traveller_contacts
         (id, case_id, source, order_id, kind, channel, answer, happened_at, recorded_at, recorded_by)
       select gen_random_uuid(), id, source, order_id, 'answered', 'phone', 'accepts', now(), now(), 'person:ana'
       from skedchange.cases where id = $1`,
        [id],
      );
      await sqlAsOwner(
        `insert into skedchange.approvals (id, case_id, action, proposal_digest, asked_by, asked_at)
       values ($2, $1, 'cancel', 'd', 'person:ana', now())`,
        [id, asked],
      );
      const taskId = await openTask(id, "-1 minute");

      const found = caseDetail.parse(await get(`/cases/${id}`));

      expect(found).toMatchObject({
        approval: { id: asked, askedBy: "person:ana" },
        travellerContacts: [{ kind: "answered", answer: "accepts", recordedBy: "person:ana" }],
        tasks: [{ id: taskId, kind: "check-ticket", dueBy: { rule: "departure-24h", overdue: true }, closedAt: null }],
        reopenedFrom: null,
        effects: [{ refund: { expected: null, answered: "120.50", check: null } }],
      });
      const about = ["accept", "approve", "close", "note", "reopen"];
      expect(found.possibleActions.filter((action) => about.includes(action)).sort()).toEqual(possible);
    },
  );

  test("shows an amount that is no number as no refund", async () => {
    const id = await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
    const decisionId = await insertDecision(db.ownerDatabase, id);
    await insertEffect(db.ownerDatabase, id, decisionId, {
      action: "cancel",
      state: "succeeded",
      results: [{ gdsBookingReferences: ["A"], status: "SUCCESS", refundAmount: "about 100" }],
    });

    const { effects } = caseDetail.parse(await get(`/cases/${id}`));

    expect(effects[0]?.refund?.answered).toBeNull();
  });
});

/** @param due from now; null: it has no such time. */
async function openTask(caseId: string, due: string | null): Promise<string> {
  const id = randomUUID();
  await sqlAsOwner(
    `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, due_by, due_by_rule)
     select $2, id, source, order_id, 'check-ticket', '[{"code":"date-changed","text":"The date changed."}]', now(),
       now() + $3::interval, case when $3::interval is not null then 'departure-24h' end
     from skedchange.cases where id = $1`,
    [caseId, id, due],
  );
  return id;
}

describe("an action with parameters", () => {
  const id = randomUUID();

  test.each([
    [{ action: "snooze", until: "2026-11-22T09:00:00+01:00" }, { until: new Date("2026-11-22T08:00:00Z") }],
    [{ action: "assign", assignee: "me" }, { assignee: "api" }],
    [{ action: "assign", assignee: "Hanna" }, { assignee: "hanna" }],
    [{ action: "assign", assignee: null }, { assignee: null }],
    [{ action: "close", reasonCode: "duplicate" }, { reasonCode: "duplicate" }],
    [{ action: "approve", approvalId }, { approvalId }],
    [
      { action: "traveller-answered", channel: "sms", happenedAt: "2026-11-20T10:00:00Z", answer: "refuses" },
      { channel: "sms", happenedAt: new Date("2026-11-20T10:00:00Z"), answer: "refuses" },
    ],
  ])("%j reaches the worker", async (body, parameters) => {
    expect((await post(`/cases/${id}/actions`, body)).status).toBe(202);
    expect(actions).toEqual([
      { action: body.action, caseId: id, note: null, version: null, actor: "person:api", visible: null, ...parameters },
    ]);
  });

  test.each([
    [{ action: "snooze" }, "/until"],
    [{ action: "snooze", until: "tomorrow" }, "/until: must be an instant"],
    [{ action: "accept", until: "2026-11-22T09:00:00Z" }, "/until: is unknown; allowed are action, note, version"],
    [{ action: "note" }, "/note"],
    [{ action: "close", reasonCode: "bored" }, "/reasonCode: must be one of duplicate"],
    [{ action: "traveller-asked", channel: "pigeon", happenedAt: "2026-11-20T10:00:00Z" }, "/channel: must be one of"],
    [{ action: "traveller-answered", channel: "sms", happenedAt: "2026-11-20T10:00:00Z" }, "/answer"],
    [{ action: "approve", approvalId: "x" }, "/approvalId: must be the id of the approval"],
  ])("%j is refused with the path", async (body, detail) => {
    const problem = await refusal(`/cases/${id}/actions`, body);

    expect(problem).toMatchObject({ status: 422, code: "api.action_invalid" });
    expect(problem.detail).toContain(detail);
    expect(actions).toEqual([]);
  });

  test("that takes a second person settles what waits for them", async () => {
    const { status, body } = await post(`/cases/${id}/actions`, { action: "cancel", confirm: "X" });

    expect(status).toBe(202);
    expect(actionResponse.parse(body)).toMatchObject({
      state: "awaiting-agent",
      approval: { id: approvalId, state: "asked" },
    });
  });
});

describe("tasks", () => {
  beforeEach(() => sqlAsOwner("delete from skedchange.tasks", []));

  const openFor = async (due: string | null) =>
    await openTask(await insertCase(db.ownerDatabase, { state: "done" }), due);
  const allPages = async (query: string): Promise<readonly TaskItem[]> => {
    const items: TaskItem[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = taskList.parse(await get(`/tasks?${query}&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`));
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  };

  test("that are open are listed by when they are due, those without such a time last, page by page", async () => {
    const later = await openFor("3 days");
    const undated = [await openFor(null), await openFor(null)].sort();
    const overdue = await openFor("-1 hour");
    const sooner = await openFor("1 hour");

    const items = await allPages("state=open&kind=check-ticket");

    expect(items.map(({ id }) => id)).toEqual([overdue, sooner, later, ...undated]);
    expect(items.map(({ dueBy }) => dueBy?.overdue ?? null)).toEqual([true, false, false, null, null]);
  });

  test("of any state are listed newest first, and a cursor of one order means nothing in the other", async () => {
    const older = await openFor("1 hour");
    const newer = await openFor("-1 hour");

    expect((await allPages("kind=check-ticket")).map(({ id }) => id)).toEqual([newer, older]);
    const { nextCursor } = taskList.parse(await get("/tasks?state=open&limit=1"));
    const response = await server.request(`/api/v1/tasks?limit=1&cursor=${nextCursor}`);
    expect(response.status).toBe(400);
  });

  test("are listed by kind and closed once, with a note in the timeline, and are not overdue any more", async () => {
    const caseId = await insertCase(db.ownerDatabase, { state: "done" });
    const id = await openTask(caseId, "-1 hour");

    expect(taskList.parse(await get("/tasks?kind=check-refund")).items).toEqual([]);

    expect(await post(`/tasks/${id}/close`, { note: "reissued" })).toMatchObject({ status: 200 });
    expect(await refusal(`/tasks/${id}/close`, {})).toMatchObject({ status: 409, code: "api.task_closed" });
    expect(await refusal(`/tasks/${randomUUID()}/close`, {})).toMatchObject({
      status: 404,
      code: "api.task_not_found",
    });
    const closed = taskList.parse(await get("/tasks?state=closed"));
    expect(closed.items).toMatchObject([
      { id, closedBy: "person:api", note: "reissued", dueBy: { rule: "departure-24h", overdue: false } },
    ]);
    const { timeline } = caseDetail.parse(await get(`/cases/${caseId}`));
    expect(timeline.at(-1)).toMatchObject({ kind: "task.closed", actor: "person:api", detail: { note: "reissued" } });
  });
});

describe("a bulk action", () => {
  test("is previewed, started with the versions of the dry run, followed and stopped", async () => {
    const id = await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
    const command = { action: "note", note: "strike" };

    const dry = await post("/bulk-actions", { dryRun: true, command, caseIds: [id, id.toUpperCase()] });
    expect(dry.status).toBe(200);
    const { items, count } = bulkPreview.parse(dry.body);
    expect({ items, count }).toMatchObject({ count: 1, items: [{ caseId: id, possible: true, version: 1 }] });

    const started = await post("/bulk-actions", { dryRun: false, command, caseIds: [id], versions: { [id]: 1 } });
    expect(started.status).toBe(202);
    const bulkId = (started.body as { id: string }).id;
    expect(bulkAction.parse(await get(`/bulk-actions/${bulkId}`))).toMatchObject({ state: "running", command });
    expect((await post(`/bulk-actions/${bulkId}/stop`, {})).status).toBe(200);
    expect(await refusal(`/bulk-actions/${bulkId}/stop`, {})).toMatchObject({
      status: 409,
      code: "api.bulk_action_over",
    });
  });

  const id = randomUUID();
  const note = { action: "note", note: "x" };
  test.each([
    ["no cases", { dryRun: true, command: note }, "api.bulk_without_cases"],
    [
      "both kinds of cases",
      { dryRun: true, command: note, caseIds: [id], cohort: { flight: "LH1", date: "2027-03-14" } },
      "api.bulk_without_cases",
    ],
    ["no versions", { dryRun: false, command: note, caseIds: [id] }, "api.bulk_without_versions"],
    [
      "a version missing",
      { dryRun: false, command: note, caseIds: [id, randomUUID()], versions: { [id]: 1 } },
      "api.bulk_without_versions",
    ],
    [
      "a cancel of another number of cases",
      { dryRun: false, command: { action: "cancel", confirm: "2" }, caseIds: [id], versions: { [id]: 1 } },
      "desk.confirmation_missing",
    ],
    ["an action of one case only", { dryRun: true, command: { action: "reopen" }, caseIds: [id] }, "api.body_invalid"],
    [
      "too many cases",
      { dryRun: true, command: note, caseIds: Array.from({ length: 1001 }, () => randomUUID()) },
      "api.body_invalid",
    ],
  ])("with %s is refused", async (_, body, code) => {
    expect(await refusal("/bulk-actions", body)).toMatchObject({ status: 422, code });
  });

  test("of the most cases that there may be fits into a request", async () => {
    const ids = Array.from({ length: 1000 }, () => randomUUID());
    const versions = Object.fromEntries(ids.map((caseId) => [caseId, 1]));

    expect((await post("/bulk-actions", { dryRun: false, command: note, caseIds: ids, versions })).status).toBe(202);
  });
});
