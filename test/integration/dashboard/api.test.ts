import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CaseAction, CaseActionOutcome } from "../../../src/cases/case-command.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { caseList, notificationList, reconciliationResponse } from "../../../src/dashboard/api/responses.ts";
import { caseDetail } from "../../../src/dashboard/case-ports.ts";
import { notificationDetail } from "../../../src/dashboard/notification-ports.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { openDatabase } from "../../../src/store/database/database.ts";
import { sql } from "../../../src/store/database/sql.ts";
import {
  anItinerary,
  insertCase,
  insertCaseEvent,
  insertDecision,
  insertEffect,
  insertNotification,
} from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

const unknownId = "019aa000-0000-7000-8000-000000000000";

let database: TestDatabase;
let server: DashboardServer;
let actions: CaseAction[] = [];
let outcome: CaseActionOutcome = { outcome: "not-found" };

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startDashboard({
    queries: createCaseQueries(database.database, dialect),
    act: async (action) => {
      actions.push(action);
      return outcome;
    },
  });
});
afterAll(async () => {
  await server.close();
  await database.drop();
});
afterEach(async () => {
  actions = [];
  outcome = { outcome: "not-found" };
  await sql`truncate skedchange.cases, skedchange.orders, skedchange.notifications, skedchange.notification_digests cascade`.execute(
    database.ownerDatabase.connection,
  );
});

async function getJson(path: string) {
  const response = await server.request(path);
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}

async function getProblem(path: string, init: RequestInit = {}) {
  const response = await server.request(path, init);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = problemSchema.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

describe("the list of cases", () => {
  test("shows the newest first, each with the decision in force", async () => {
    const older = await insertCase(database.ownerDatabase, {
      orderId: "OLDER",
      openedAt: new Date("2026-11-20T10:00:00Z"),
      dueAt: new Date("2026-11-21T10:00:00Z"),
      failures: 2,
      lastError: { code: "gateway.timeout", message: "No response within 30 s.", at: "2026-11-20T11:00:00Z" },
    });
    const newer = await insertCase(database.ownerDatabase, {
      orderId: "NEWER",
      state: "awaiting-agent",
      reviewQueue: "agent",
      headline: "LH 400 leaves 45 min later",
      openedAt: new Date("2026-11-20T12:00:00Z"),
    });
    await insertDecision(database.ownerDatabase, newer, { rule: "first", decidedAt: new Date("2026-11-20T12:01:00Z") });
    const inForce = await insertDecision(database.ownerDatabase, newer, {
      rule: "second",
      decidedAt: new Date("2026-11-20T12:02:00Z"),
    });

    const { status, headers, body } = await getJson("/api/v1/cases");

    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const page = caseList.parse(body);
    expect(page.items.map(({ id }) => id)).toEqual([newer, older]);
    expect(page.items[0]).toMatchObject({
      orderId: "NEWER",
      source: "default",
      gdsBookingReferences: ["ABC123"],
      state: "awaiting-agent",
      reviewQueue: "agent",
      headline: "LH 400 leaves 45 min later",
      dueAt: null,
      decision: {
        id: inForce,
        action: "review",
        rule: "second",
        reasons: [{ code: "no-rule-matched", text: "No rule matched, so an agent decides." }],
        decidedBy: "policy",
        decidedAt: "2026-11-20T12:02:00.000Z",
      },
    });
    expect(page.items[1]).toMatchObject({
      decision: null,
      failures: 2,
      dueAt: "2026-11-21T10:00:00.000Z",
      lastError: { code: "gateway.timeout" },
    });
    expect(page.nextCursor).toBeNull();
  });

  test("can be narrowed to an order, a source and several states", async () => {
    const done = await insertCase(database.ownerDatabase, { orderId: "ONE", state: "done" });
    const waiting = await insertCase(database.ownerDatabase, { orderId: "ONE", state: "awaiting-agent" });
    const elsewhere = await insertCase(database.ownerDatabase, { orderId: "TWO", source: "other", state: "done" });
    const idsOf = async (query: string): Promise<string[]> =>
      caseList
        .parse((await getJson(`/api/v1/cases?${query}`)).body)
        .items.map(({ id }) => id)
        .sort();

    expect(await idsOf("orderId=ONE")).toEqual([done, waiting].sort());
    expect(await idsOf("source=other")).toEqual([elsewhere]);
    expect(await idsOf("state=done")).toEqual([done, elsewhere].sort());
    expect(await idsOf("state=done,awaiting-agent&orderId=ONE")).toEqual([done, waiting].sort());
    expect(await idsOf("orderId=one")).toEqual([]);
  });

  test("pages over cases of the same millisecond without repeating or skipping one while others are added", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      ids.push(await insertCase(database.ownerDatabase, { openedAt: `2026-11-20T10:00:00.00000${index}Z` }));
    }
    const tied = await insertCase(database.ownerDatabase, { openedAt: "2026-11-20T10:00:00.000003Z" });
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;

    do {
      const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = caseList.parse((await getJson(`/api/v1/cases?limit=3${query}`)).body);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      pages += 1;
      await insertCase(database.ownerDatabase, { openedAt: "2026-11-20T11:00:00Z" });
    } while (cursor !== null);

    expect(pages).toBe(3);
    expect(seen).toHaveLength(8);
    expect([...seen].sort()).toEqual([...ids, tied].sort());
    expect(seen[0]).toBe(ids[6]);
    expect(seen.at(-1)).toBe(ids[0]);
  });

  test("has no next page when the last one is exactly full", async () => {
    await insertCase(database.ownerDatabase);
    await insertCase(database.ownerDatabase);

    const page = caseList.parse((await getJson("/api/v1/cases?limit=2")).body);

    expect(page.items).toHaveLength(2);
    expect(page.nextCursor).toBeNull();
  });

  test.each([
    [
      "an unknown parameter",
      "colour=red",
      "'colour' is unknown; allowed are orderId, state, source, queue, assignee, traveller, overdue, flight, flightDate, severities",
    ],
    ["an unknown state", "state=done,gone", "'state' names the unknown state 'gone'; allowed are received, checking"],
    ["a parameter given twice", "orderId=A&orderId=B", "'orderId' may be given once only"],
    ["a NUL, which the database cannot hold", "orderId=A%00", "'orderId' must not contain a NUL"],
    ["an amount without its currency", "valueMin=500", "'currency' must be given with `valueMin` and `valueMax`"],
    ["limit 0", "limit=0", "'limit' must be at least 1"],
    ["limit 201", "limit=201", "'limit' must be at most 200"],
    ["a limit that is no number", "limit=many", "'limit' must be a whole number from 1 to 200"],
  ])("refuses %s and says what is allowed", async (_, query, detail) => {
    const problem = await getProblem(`/api/v1/cases?${query}`);

    expect(problem).toMatchObject({ status: 400, code: "api.query_invalid" });
    expect(problem.detail).toContain(detail);
  });

  test("takes a parameter without a value, as forms send it, as not given", async () => {
    await insertCase(database.ownerDatabase, { orderId: "ANY" });

    const { status, body } = await getJson("/api/v1/cases?orderId=&state=&cursor=");

    expect(status).toBe(200);
    expect(body).toEqual((await getJson("/api/v1/cases")).body);
  });

  test.each([
    ["that is no base64url", "!!"],
    ["that is something else", Buffer.from('{"a":1}').toString("base64url")],
    ["of another list", encode(["notifications", "2026-11-20T10:00:00.000000Z", unknownId])],
    ["with a date that does not exist", encode(["cases", "2026-02-31T10:00:00.000000Z", unknownId])],
    ["with an id that is none", encode(["cases", "2026-11-20T10:00:00.000000Z", "1; drop table"])],
  ])("refuses a cursor %s", async (_, cursor) => {
    const problem = await getProblem(`/api/v1/cases?cursor=${cursor}`);

    expect(problem).toMatchObject({ status: 400, code: "api.cursor_invalid" });
    expect(problem.detail).toContain("must be the nextCursor of an earlier response");
  });

  function encode(content: unknown): string {
    return Buffer.from(JSON.stringify(content)).toString("base64url");
  }
});

describe("one case", () => {
  test("shows facts, flights, notifications, decisions, effects and timeline, and no stored bytes", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner, { orderId: "ORDER1", state: "awaiting-agent", reviewQueue: "agent" });
    const notificationId = await insertNotification(owner, { cases: [id], receipts: 3 });
    const superseded = await insertDecision(owner, id, {
      action: "accept",
      rule: "old",
      decidedAt: new Date("2026-11-20T10:00:00Z"),
    });
    const inForce = await insertDecision(owner, id, { decidedAt: new Date("2026-11-20T11:00:00Z"), note: "Checked." });
    const effectId = await insertEffect(owner, id, superseded, {
      state: "failed",
      results: [{ gdsBookingReferences: ["ABC123"], status: "FAILED", errorMessage: "Not allowed" }],
      error: { code: "gateway.refused", message: "The gateway refused." },
      response: Buffer.from("RAW RESPONSE"),
    });
    await insertCaseEvent(owner, id, { kind: "notification.received" });
    await insertCaseEvent(owner, id, { kind: "decision.made", actor: "worker", detail: { rule: "old" } });

    const response = await server.request(`/api/v1/cases/${id}`);
    const text = await response.text();

    expect(response.status).toBe(200);
    const found = caseDetail.parse(JSON.parse(text));
    expect(found.decision?.id).toBe(inForce);
    expect(found.facts?.["departureLaterMinutes"]).toEqual({ known: true, value: 45 });
    expect(found.facts?.["ticketed"]).toEqual({ known: false, reason: "no-ticket-status" });
    expect(found.flags?.accept).toEqual({ known: true, value: "Y" });
    expect(found.itineraries.booked?.segments[0]?.departure.time).toBe("10:00");
    expect(found.itineraries.proposed?.segments[0]?.departure.time).toBe("10:45");
    expect(found.notifications).toEqual([
      expect.objectContaining({ id: notificationId, receipts: 3, state: "accepted" }),
    ]);
    expect(found.decisions.map((decision) => decision.id)).toEqual([inForce, superseded]);
    expect(found.decisions[0]).toMatchObject({
      note: "Checked.",
      supersededAt: null,
      versions: { policy: "p".repeat(64) },
    });
    expect(found.decisions[1]).toMatchObject({ supersededBy: inForce, supersededAt: "2026-11-20T11:00:00.000Z" });
    expect(found.decisions[0]?.trace).toEqual([expect.objectContaining({ rule: "small-retiming" })]);
    expect(found.effects).toEqual([
      expect.objectContaining({
        id: effectId,
        decisionId: superseded,
        state: "failed",
        error: { code: "gateway.refused", message: "The gateway refused." },
        results: [{ gdsBookingReferences: ["ABC123"], status: "FAILED", errorMessage: "Not allowed" }],
      }),
    ]);
    expect(found.timeline.map(({ kind }) => kind)).toEqual(["notification.received", "decision.made"]);
    expect(text).not.toContain("RAW RESPONSE");
    expect(text).not.toContain("SEALED");
  });

  test("before any decision shows the flights that are known to be booked", async () => {
    const id = await insertCase(database.ownerDatabase, { bookedItinerary: anItinerary("10:00") });

    const found = caseDetail.parse((await getJson(`/api/v1/cases/${id}`)).body);

    expect(found).toMatchObject({ decision: null, facts: null, flags: null, decisions: [], effects: [] });
    expect(found.itineraries.booked?.segments).toHaveLength(1);
    expect(found.itineraries.proposed).toBeNull();
  });

  test("shows the decision in force even behind 200 newer ones", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner);
    const inForce = await insertDecision(owner, id, { decidedAt: new Date("2026-11-01T00:00:00Z") });
    for (let index = 0; index < 200; index += 1) {
      await insertDecision(owner, id, { inForce: false, decidedAt: new Date("2026-11-02T00:00:00Z") });
    }

    const found = caseDetail.parse((await getJson(`/api/v1/cases/${id}`)).body);

    expect(found.decisions).toHaveLength(200);
    expect(found.decisions.at(-1)?.id).toBe(inForce);
    expect(found.facts).not.toBeNull();
  });

  test.each([unknownId, "not-an-id", "%27%3B--"])("responds with 404 for %s", async (id) => {
    const problem = await getProblem(`/api/v1/cases/${id}`);

    expect(problem).toMatchObject({ status: 404, code: "api.case_not_found" });
    expect(problem.detail).toContain("There is no case with the id");
  });

  test("responds with 400 for a path that cannot be decoded", async () => {
    expect(await getProblem("/api/v1/cases/%E0%A4%A")).toMatchObject({ status: 400, code: "api.bad_request" });
  });
});

describe("a person's action", () => {
  const post = (
    id: string,
    body: unknown,
    headers: Record<string, string> = { "Content-Type": "application/json" },
  ) => ({
    path: `/api/v1/cases/${id}/actions`,
    init: { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) },
  });

  test("is handed on and gets 202", async () => {
    outcome = { outcome: "accepted", caseId: unknownId, state: "checking", decisionId: null };
    const { path, init } = post(unknownId, { action: "accept", note: "  Called the traveller. ", version: 4 });

    const response = await server.request(path, init);

    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ caseId: unknownId, state: "checking", decisionId: null });
    expect(actions).toEqual([
      {
        caseId: unknownId,
        action: "accept",
        note: "Called the traveller.",
        version: 4,
        actor: "person:api",
        visible: null,
      },
    ]);
  });

  test("takes any version and no note when none is given", async () => {
    outcome = { outcome: "accepted", caseId: unknownId, state: "closed", decisionId: unknownId };
    const { path, init } = post(unknownId, { action: "close", note: " " });

    const response = await server.request(path, init);

    expect(response.status).toBe(202);
    expect(actions).toEqual([
      { caseId: unknownId, action: "close", note: null, version: null, actor: "person:api", visible: null },
    ]);
  });

  test("on a case that is not there gets 404", async () => {
    const { path, init } = post(unknownId, { action: "recheck" });

    expect(await getProblem(path, init)).toMatchObject({ status: 404, code: "api.case_not_found" });
  });

  test("on a malformed id does not reach the worker", async () => {
    const { path, init } = post("nonsense", { action: "recheck" });

    expect(await getProblem(path, init)).toMatchObject({ status: 404, code: "api.case_not_found" });
    expect(actions).toEqual([]);
  });

  test("on a case that has moved gets 409, its state and version", async () => {
    outcome = { outcome: "conflict", state: "done", version: 7, message: "The case is done. Look at it again." };
    const { path, init } = post(unknownId, { action: "accept", version: 6 });

    expect(await getProblem(path, init)).toMatchObject({
      status: 409,
      code: "api.case_moved",
      detail: "The case is done. Look at it again.",
      state: "done",
      version: 7,
    });
  });

  test("that is not possible gets 422 and the worker's code", async () => {
    outcome = { outcome: "refused", code: "desk.flag_missing", message: "The airline does not allow Accept." };
    const { path, init } = post(unknownId, { action: "accept" });

    expect(await getProblem(path, init)).toMatchObject({
      status: 422,
      code: "desk.flag_missing",
      detail: "The airline does not allow Accept.",
    });
  });

  test.each([
    ["an unknown action", { action: "explode" }, "/action: must be one of accept, cancel, close, recheck"],
    ["no action", {}, "/action: must be one of"],
    ["an unknown member", { action: "close", force: true }, "/force: is unknown; allowed are action, note, version"],
    ["version 0", { action: "close", version: 0 }, "/version"],
    ["a note that is too long", { action: "close", note: "x".repeat(2001) }, "/note"],
    [
      "a note with a NUL, which the database cannot hold",
      { action: "close", note: "a\0b" },
      "/note: must not contain a NUL",
    ],
    ["a list", [], "The body"],
  ])("with %s is refused with 422 and the path", async (_, body, detail) => {
    const { path, init } = post(unknownId, body);

    const problem = await getProblem(path, init);

    expect(problem).toMatchObject({ status: 422, code: "api.action_invalid" });
    expect(problem.detail).toContain(detail);
    expect(actions).toEqual([]);
  });

  test("that is not JSON is refused with 400", async () => {
    const { path, init } = post(unknownId, "{");

    expect(await getProblem(path, init)).toMatchObject({ status: 400, code: "api.not_json" });
  });

  test("that is not declared as JSON is refused with 415", async () => {
    const { path, init } = post(unknownId, { action: "close" }, { "Content-Type": "text/plain" });

    expect(await getProblem(path, init)).toMatchObject({ status: 415, code: "api.not_json_type" });
  });

  test("of more than 64 KiB is refused with 413", async () => {
    const { path, init } = post(unknownId, { action: "close", note: "x".repeat(64 * 1024) });

    expect(await getProblem(path, init)).toMatchObject({ status: 413, code: "api.body_too_large" });
  });

  test("of exactly 64 KiB is read", async () => {
    const frame = JSON.stringify({ action: "close", note: "" }).length;
    const { path, init } = post(unknownId, { action: "close", note: "x".repeat(64 * 1024 - frame) });

    expect(await getProblem(path, init)).toMatchObject({ status: 422, code: "api.action_invalid" });
  });
});

describe("notifications", () => {
  test("that are quarantined are listed with the failing path and without their bodies", async () => {
    await insertNotification(database.ownerDatabase);
    const id = await insertNotification(database.ownerDatabase, {
      state: "quarantined",
      receipts: 2,
      digest: Buffer.alloc(32, 7),
    });

    const { body } = await getJson("/api/v1/notifications?state=quarantined");

    const page = notificationList.parse(body);
    expect(page.items).toEqual([
      expect.objectContaining({
        id,
        state: "quarantined",
        receipts: 2,
        digest: "07".repeat(32),
        bodyBytes: 1234,
        contentType: "application/json",
        problem: {
          code: "ocn.order_missing",
          path: "/OrderViewRS/Order",
          message: "There is no Order with an OrderID.",
        },
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain("SEALED");
  });

  test("are paged newest first", async () => {
    const ids: string[] = [];
    for (const day of [1, 2, 3]) {
      ids.push(await insertNotification(database.ownerDatabase, { receivedAt: new Date(`2026-11-0${day}T00:00:00Z`) }));
    }

    const first = notificationList.parse((await getJson("/api/v1/notifications?limit=2")).body);
    const second = notificationList.parse(
      (await getJson(`/api/v1/notifications?limit=2&cursor=${first.nextCursor}`)).body,
    );

    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([...ids].reverse());
    expect(second.nextCursor).toBeNull();
  });

  test("show the cases that rest on them", async () => {
    const caseId = await insertCase(database.ownerDatabase, { orderId: "ORDER9", state: "done" });
    const id = await insertNotification(database.ownerDatabase, { cases: [caseId] });

    const found = notificationDetail.parse((await getJson(`/api/v1/notifications/${id}`)).body);

    expect(found.cases).toEqual([expect.objectContaining({ id: caseId, orderId: "ORDER9", state: "done" })]);
  });

  test("refuse an unknown state, naming those that exist", async () => {
    const problem = await getProblem("/api/v1/notifications?state=lost");

    expect(problem).toMatchObject({ status: 400, code: "api.query_invalid" });
    expect(problem.detail).toContain("must be one of accepted, quarantined, released");
  });

  test.each([unknownId, "x"])("respond with 404 for %s", async (id) => {
    expect(await getProblem(`/api/v1/notifications/${id}`)).toMatchObject({
      status: 404,
      code: "api.notification_not_found",
    });
  });
});

describe("reconciliation", () => {
  test("is clean when every accepted notification is finished, waiting or due", async () => {
    const owner = database.ownerDatabase;
    const finished = ["done", "resolved-elsewhere", "closed"] as const;
    for (const state of [...finished, "awaiting-agent", "ask-traveller", "awaiting-traveller"] as const) {
      await insertNotification(owner, { cases: [await insertCase(owner, { state })] });
    }
    await insertNotification(owner, { cases: [await insertCase(owner, { dueAt: new Date(Date.now() + 86_400_000) })] });
    await insertNotification(owner, { state: "quarantined" });

    const found = reconciliationResponse.parse((await getJson("/api/v1/reconciliation")).body);

    expect(found).toMatchObject({
      ok: true,
      checkedAt: "2026-11-21T09:00:00.000Z",
      examined: 7,
      withoutCase: { count: 0, notificationIds: [] },
      withoutProgress: { count: 0, notificationIds: [] },
    });
  });

  test("names what has no case, and what has a case that nobody moves", async () => {
    const owner = database.ownerDatabase;
    const orphan = await insertNotification(owner);
    const stuck = await insertNotification(owner, { cases: [await insertCase(owner, { state: "checking" })] });
    const half = await insertNotification(owner, {
      cases: [await insertCase(owner, { state: "done" }), await insertCase(owner, { state: "snoozed" })],
    });

    const found = reconciliationResponse.parse((await getJson("/api/v1/reconciliation")).body);

    expect(found.ok).toBe(false);
    expect(found.examined).toBe(3);
    expect(found.withoutCase).toEqual({ count: 1, notificationIds: [orphan] });
    expect(found.withoutProgress.count).toBe(2);
    expect([...found.withoutProgress.notificationIds].sort()).toEqual([stuck, half].sort());
    expect(found.damage).toContainEqual(
      expect.objectContaining({ kind: "notification.without-case", needs: "repair", notificationId: orphan }),
    );
    expect(found.damage.filter(({ kind }) => kind === "case.without-progress")).toHaveLength(2);
  });

  test("counts what is pending as waiting, and names what has been pending for more than ten seconds", async () => {
    const owner = database.ownerDatabase;
    const opened = await insertCase(owner, { dueAt: new Date() });
    await insertNotification(owner, { pendingSeconds: 0 });
    await insertNotification(owner, { pendingSeconds: 8, cases: [opened] });
    const late = await insertNotification(owner, { pendingSeconds: 11 });
    const lateCopy = await insertNotification(owner, { pendingSeconds: 60, cases: [opened] });

    const found = reconciliationResponse.parse((await getJson("/api/v1/reconciliation")).body);

    expect(found).toMatchObject({ ok: false, examined: 4, pending: 4, withoutCase: { count: 2 } });
    expect([...found.withoutCase.notificationIds].sort()).toEqual([late, lateCopy].sort());
    expect(found.damage.map(({ kind, notificationId }) => `${kind} ${notificationId}`).sort()).toEqual(
      [late, lateCopy].map((id) => `notification.without-case ${id}`).sort(),
    );
  });

  test("counts all and names the first hundred", async () => {
    for (let index = 0; index < 101; index += 1) await insertNotification(database.ownerDatabase);

    const found = reconciliationResponse.parse((await getJson("/api/v1/reconciliation")).body);

    expect(found.withoutCase.count).toBe(101);
    expect(found.withoutCase.notificationIds).toHaveLength(100);
  });
});

describe("access", () => {
  const paths = [
    ["GET", "/api/v1/cases"],
    ["GET", `/api/v1/cases/${unknownId}`],
    ["POST", `/api/v1/cases/${unknownId}/actions`],
    ["GET", "/api/v1/notifications"],
    ["GET", `/api/v1/notifications/${unknownId}`],
    ["GET", "/api/v1/reconciliation"],
    ["GET", "/api/v1/no-such-thing"],
    ["DELETE", "/api/v1/cases"],
  ] as const;

  test.each(paths)("%s %s needs a token", async (method, path) => {
    const response = await fetch(`${server.url}${path}`, { method });

    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="skedchange"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ code: "api.token_missing" });
    expect(actions).toEqual([]);
  });

  test.each([
    ["a wrong token", "Bearer wrong"],
    ["another scheme", `Basic ${Buffer.from("a:b").toString("base64")}`],
    ["a token without a scheme", "an-api-token"],
    ["two tokens", "Bearer an-api-token an-api-token"],
    ["an empty token", "Bearer"],
  ])("%s is refused", async (_, authorization) => {
    const response = await fetch(`${server.url}/api/v1/cases`, { headers: { Authorization: authorization } });

    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="skedchange", error="invalid_token"');
    expect(await response.json()).toMatchObject({ code: "api.token_invalid" });
  });

  test("the scheme may be written in any case", async () => {
    expect((await server.request("/api/v1/cases", { headers: { Authorization: "bearer an-api-token" } })).status).toBe(
      200,
    );
  });

  test("a token in the URL opens nothing", async () => {
    const response = await fetch(`${server.url}/api/v1/cases?access_token=an-api-token`);

    expect(response.status).toBe(401);
  });

  test.each([
    ["PUT", "/api/v1/cases", "GET, HEAD"],
    ["DELETE", `/api/v1/cases/${unknownId}`, "GET, HEAD"],
    ["GET", `/api/v1/cases/${unknownId}/actions`, "POST"],
    ["POST", "/api/v1/notifications", "GET, HEAD"],
    ["POST", "/api/v1/reconciliation", "GET, HEAD"],
    ["POST", "/", "GET, HEAD"],
  ])("%s %s gets 405 and what is allowed", async (method, path, allow) => {
    const response = await server.request(path, { method });

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(await response.json()).toMatchObject({ code: "api.method_not_allowed" });
  });

  test("HEAD gets what GET gets without a body", async () => {
    const response = await server.request("/api/v1/cases", { method: "HEAD" });

    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  test("an unknown route of the API is a problem document", async () => {
    expect(await getProblem("/api/v1/nothing")).toMatchObject({ status: 404, code: "api.no_such_route" });
  });
});

describe("while the database is away", () => {
  test("the API responds with 503 and when to come back", async () => {
    const away = openDatabase({
      url: "postgres://nobody@127.0.0.1:9/nothing?sslmode=disable",
      applicationName: "away",
      maxConnections: 1,
      onError: () => {},
    });
    const cut = await startDashboard({ queries: createCaseQueries(away, dialect) });
    try {
      const response = await cut.request("/api/v1/cases");

      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(await response.json()).toMatchObject({ code: "api.unavailable" });
    } finally {
      await cut.close();
      await away.close();
    }
  });
});
