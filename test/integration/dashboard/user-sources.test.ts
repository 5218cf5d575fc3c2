import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMembers } from "../../../src/app/members.ts";
import { openOrders } from "../../../src/app/orders.ts";
import { openPolicies } from "../../../src/app/policies.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { apiRoutes } from "../../../src/dashboard/api/routes.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { createStoredBodies } from "../../../src/store/cases/stored-bodies.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { createWorkCounts } from "../../../src/store/cases/work-counts.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createMemberMarkStore } from "../../../src/store/members/member-marks.ts";
import { createQuarantine } from "../../../src/store/notifications/quarantine.ts";
import { createBlockedOrders } from "../../../src/store/orders/blocked-orders.ts";
import { createOverviewQueries } from "../../../src/store/overview/overview-queries.ts";
import { createPolicyStore } from "../../../src/store/policies.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import {
  insertCase,
  insertDecision,
  insertEffect,
  insertNotification,
  insertStatusView,
} from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type PeopleServer, startPeopleServer } from "./people-server.ts";

/** Ids of one source's rows, one of each kind. */
interface Rows {
  readonly source: string;
  readonly orderId: string;
  readonly caseId: string;
  readonly decisionId: string;
  readonly callId: string;
  readonly notificationId: string;
  readonly taskId: string;
  readonly bulkActionId: string;
}

type Asked = readonly [path: string, body?: object];

/** What a route does with a caller who sees one source. */
type Expectation =
  /** Another source's row gets the 404 of an unknown one. */
  | { readonly hides: (rows: Rows) => Asked; readonly ownStatus: number }
  /** Only rows of the caller's sources are listed or counted. */
  | { readonly lists: string; readonly body?: object; readonly own: (rows: Rows) => string }
  /** Another source gets the response of an unknown one. */
  | { readonly ofSource: (source: string, orderId: string) => Asked; readonly unknownStatus: number }
  /** It concerns all sources, so the caller may not. */
  | { readonly refuses: Asked }
  | "about-no-order";

const expectations: Readonly<Record<string, Expectation>> = {
  "GET /cases": { lists: "/cases", own: ({ caseId }) => caseId },
  "POST /cases/search": { lists: "/cases/search", body: {}, own: ({ caseId }) => caseId },
  "GET /cases/{id}": { hides: ({ caseId }) => [`/cases/${caseId}`], ownStatus: 200 },
  "POST /cases/{id}/actions": {
    hides: ({ caseId }) => [`/cases/${caseId}/actions`, { action: "note", note: "called" }],
    ownStatus: 202,
  },
  "GET /reconciliation": { refuses: ["/reconciliation"] },
  "GET /cases/{id}/calls": { hides: ({ caseId }) => [`/cases/${caseId}/calls`], ownStatus: 200 },
  "GET /cases/{id}/calls/{callId}/body": {
    hides: ({ caseId, callId }) => [`/cases/${caseId}/calls/${callId}/body`],
    ownStatus: 200,
  },
  "GET /cases/{id}/travellers": { hides: ({ caseId }) => [`/cases/${caseId}/travellers`], ownStatus: 200 },
  "GET /events": "about-no-order",
  "GET /blocked-orders": { lists: "/blocked-orders", own: ({ caseId }) => caseId },
  "GET /counts": { lists: "/counts", own: () => '"openTasks":1' },
  "GET /overview": { lists: "/overview", own: () => '"blocked":1,"open":1,' },
  "GET /members": { lists: "/members", own: ({ source }) => `"source":"${source}"` },
  "GET /members/{source}": { ofSource: (source) => [`/members/${source}`], unknownStatus: 404 },
  "GET /members/{source}/marks": { ofSource: (source) => [`/members/${source}/marks`], unknownStatus: 404 },
  "POST /members/{source}/marks": {
    ofSource: (source) => [`/members/${source}/marks`, { path: "Order.Tour", reason: "ids", replaces: 0 }],
    unknownStatus: 404,
  },
  "POST /members/{source}/marks/withdraw": {
    ofSource: (source) => [`/members/${source}/marks/withdraw`, { path: "Order.Tour", reason: "ids", replaces: 0 }],
    unknownStatus: 404,
  },
  "GET /tasks": { lists: "/tasks", own: ({ taskId }) => taskId },
  "POST /tasks/search": { lists: "/tasks/search", body: {}, own: ({ taskId }) => taskId },
  "POST /tasks/close": "about-no-order",
  "POST /tasks/assign": "about-no-order",
  "GET /assignees": "about-no-order",
  "GET /views": "about-no-order",
  "POST /views": "about-no-order",
  "DELETE /views/{id}": "about-no-order",
  "POST /tasks/{id}/close": { hides: ({ taskId }) => [`/tasks/${taskId}/close`, {}], ownStatus: 200 },
  "GET /bulk-actions": { lists: "/bulk-actions", own: ({ bulkActionId }) => bulkActionId },
  "POST /bulk-actions": "about-no-order",
  "GET /bulk-actions/{id}": { hides: ({ bulkActionId }) => [`/bulk-actions/${bulkActionId}`], ownStatus: 200 },
  "POST /bulk-actions/{id}/stop": {
    hides: ({ bulkActionId }) => [`/bulk-actions/${bulkActionId}/stop`, {}],
    ownStatus: 200,
  },
  "GET /notifications": { lists: "/notifications", own: ({ notificationId }) => notificationId },
  "GET /notifications/{id}": { hides: ({ notificationId }) => [`/notifications/${notificationId}`], ownStatus: 200 },
  "GET /notifications/{id}/body": {
    hides: ({ notificationId }) => [`/notifications/${notificationId}/body`],
    ownStatus: 200,
  },
  "POST /notifications/{id}/replay": {
    hides: ({ notificationId }) => [`/notifications/${notificationId}/replay`, {}],
    ownStatus: 422,
  },
  "GET /quarantine": { lists: "/quarantine", own: () => '"count":1' },
  "POST /quarantine/discard": "about-no-order",
  "POST /quarantine/reprocess": {
    lists: "/quarantine/reprocess",
    body: {},
    own: ({ notificationId }) => notificationId,
  },
  "POST /orders": {
    ofSource: (source) => ["/orders", { source, orders: [], dryRun: true }],
    unknownStatus: 422,
  },
  "GET /orders/{orderId}": {
    ofSource: (source, orderId) => [`/orders/${orderId}?source=${source}`],
    unknownStatus: 404,
  },
  "GET /policies": { lists: "/policies", own: ({ source }) => `"source":"${source}"` },
  "POST /policies": "about-no-order",
  "POST /policies/check": "about-no-order",
  "POST /policies/backtests": {
    ofSource: (source) => ["/policies/backtests", { source, text: "x", days: 7 }],
    unknownStatus: 404,
  },
  "POST /policies/activations": {
    ofSource: (source) => ["/policies/activations", { source, role: "shadow", version: null, note: "a try" }],
    unknownStatus: 404,
  },
  "GET /policies/terms": { ofSource: (source) => [`/policies/terms?source=${source}`], unknownStatus: 200 },
  "GET /policies/shadow-differences": {
    ofSource: (source) => [`/policies/shadow-differences?source=${source}`],
    unknownStatus: 200,
  },
  "GET /policies/versions/{version}": "about-no-order",
  "GET /decisions/{id}/replay": { hides: ({ decisionId }) => [`/decisions/${decisionId}/replay`], ownStatus: 200 },
  "GET /notice-rules": "about-no-order",
  "POST /notice-rules": "about-no-order",
  "PATCH /notice-rules/{id}": "about-no-order",
  "DELETE /notice-rules/{id}": "about-no-order",
  "POST /notice-rules/{id}/test": "about-no-order",
  "GET /demo-inbox": { refuses: ["/demo-inbox"] },
  "GET /automation": "about-no-order",
  "POST /automation/stop": { refuses: ["/automation/stop", { note: "wrong limits" }] },
  "POST /automation/resume": { refuses: ["/automation/resume", {}] },
  "GET /sessions": "about-no-order",
  "DELETE /sessions": "about-no-order",
  "DELETE /sessions/{id}": "about-no-order",
  "GET /users": "about-no-order",
  "POST /users": "about-no-order",
  "PATCH /users/{id}": "about-no-order",
  "DELETE /users/{id}/sessions": "about-no-order",
  "DELETE /users/{id}/second-factor": "about-no-order",
  "GET /second-factor-roles": "about-no-order",
  "PUT /second-factor-roles": "about-no-order",
  "GET /tokens": "about-no-order",
  "POST /tokens": "about-no-order",
  "DELETE /tokens/{id}": "about-no-order",
  "GET /audit": "about-no-order",
  "GET /audit/verification": "about-no-order",
  "GET /cases.csv": { lists: "/cases.csv", own: ({ caseId }) => caseId },
  "POST /cases/search.csv": { lists: "/cases/search.csv", body: {}, own: ({ caseId }) => caseId },
  "GET /tasks.csv": { lists: "/tasks.csv", own: ({ taskId }) => taskId },
  "POST /tasks/search.csv": { lists: "/tasks/search.csv", body: {}, own: ({ taskId }) => taskId },
  "GET /notifications.csv": { lists: "/notifications.csv", own: ({ notificationId }) => notificationId },
  "GET /blocked-orders.csv": { lists: "/blocked-orders.csv", own: ({ caseId }) => caseId },
  "GET /bulk-actions.csv": { lists: "/bulk-actions.csv", own: ({ bulkActionId }) => bulkActionId },
  "GET /bulk-actions/{id}/rows.csv": {
    hides: ({ bulkActionId }) => [`/bulk-actions/${bulkActionId}/rows.csv`],
    ownStatus: 200,
  },
  "GET /audit.csv": "about-no-order",
  "GET /audit.jsonl": "about-no-order",
  "GET /settings": { refuses: ["/settings"] },
  "GET /health": { refuses: ["/health"] },
  "GET /processes": { refuses: ["/processes"] },
  "GET /recipients": { refuses: ["/recipients"] },
  "GET /deliveries": { refuses: ["/deliveries"] },
  "GET /replays": { refuses: ["/replays"] },
};

let db: TestDatabase;
let server: PeopleServer;
let bulk: ReturnType<typeof createBulkActions>;
let own: Rows;
let foreign: Rows;
const unknown: Rows = {
  source: "nowhere",
  orderId: "UNKNOWN",
  caseId: newId(systemClock),
  decisionId: newId(systemClock),
  callId: newId(systemClock),
  notificationId: newId(systemClock),
  taskId: newId(systemClock),
  bulkActionId: newId(systemClock),
};
let cookie: string;
let token: string;

beforeAll(async () => {
  db = await createTestDatabase();
  const { database } = db;
  const sources = ["north", "south"].map((id) => ({ id, policyFile: null }));
  bulk = createBulkActions(database, systemClock);
  const cases = createCaseStore(database, systemClock, dialect);
  const { policies } = await openPolicies({
    sources,
    store: createPolicyStore(database, systemClock),
    database,
    logger: silentLogger,
  });
  const { members } = await openMembers({
    sources: sources.map(({ id }) => ({ id, learnOrders: 0 })),
    store: createMemberMarkStore(database, systemClock),
    database,
    settingsOf: () => {
      throw new Error("Nothing is previewed here.");
    },
    clock: systemClock,
    logger: silentLogger,
  });
  server = await startPeopleServer({
    database: db,
    members,
    sourceIds: sources.map(({ id }) => id),
    queries: createCaseQueries(database, dialect),
    bodies: createStoredBodies(database),
    quarantine: createQuarantine(database, { clock: systemClock }),
    blockedOrders: createBlockedOrders(database),
    countWork: createWorkCounts(database),
    overview: createOverviewQueries(database),
    tasks: createTasks(database, systemClock),
    orders: openOrders({ database, sources, clock: systemClock, onDue: () => {}, logger: silentLogger }),
    act: cases.act,
    bulk,
    policies,
  });
  own = await insertRows("north");
  foreign = await insertRows("south");
  const sue = await server.signedIn("sue", "supervisor");
  await server.people.editUser(sue.id, { sources: ["north"] });
  cookie = sue.cookie;
  const added = await server.people.addToken(
    { userId: sue.id, role: "supervisor" },
    { name: "script", role: null, readOnly: false, lifeDays: null },
  );
  if (added.outcome !== "added") throw new Error(added.outcome);
  token = added.secret;
});
afterAll(() => server.close());

async function insertRows(source: string): Promise<Rows> {
  const owner: Database = db.ownerDatabase;
  const orderId = `ORDER-${source.toUpperCase()}`;
  const caseId = await insertCase(owner, { source, orderId, state: "awaiting-agent" });
  const decisionId = await insertDecision(owner, caseId);
  const callId = await insertStatusView(owner, caseId);
  await insertEffect(owner, caseId, decisionId, { state: "unknown" });
  const notificationId = await insertNotification(owner, { source, state: "quarantined", cases: [caseId] });
  const { body, bodyEncoding } = await owner.encryption.encrypt(Buffer.from("{}"), {
    column: "skedchange.notifications.body",
    row: notificationId,
  });
  await sql`
    update skedchange.notifications set body = ${body}, body_encoding = ${bodyEncoding} where id = ${notificationId}`.execute(
    owner.connection,
  );
  const taskId = newId(systemClock);
  await sql`
    insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at)
    values (${taskId}, ${caseId}, ${source}, ${orderId}, 'check-ticket', '[]', now())`.execute(owner.connection);
  const admin = { actor: "person:root", visible: null };
  const bulkActionId = await bulk.start({ action: "note", note: "strike" }, [{ caseId, version: 1 }], admin);
  return { source, orderId, caseId, decisionId, callId, notificationId, taskId, bulkActionId };
}

test("every route is tried", () => {
  const missing = Object.values(apiRoutes)
    .map(({ name }) => name)
    .filter((route) => !(route in expectations));

  expect(missing).toEqual([]);
});

const kindsOf = {
  hides: (expectation: Expectation) => typeof expectation === "object" && "hides" in expectation,
  lists: (expectation: Expectation) => typeof expectation === "object" && "lists" in expectation,
  ofSource: (expectation: Expectation) => typeof expectation === "object" && "ofSource" in expectation,
  refuses: (expectation: Expectation) => typeof expectation === "object" && "refuses" in expectation,
};

function routesThat(kind: keyof typeof kindsOf): readonly string[] {
  return Object.keys(expectations).filter((route) => kindsOf[kind](expectations[route]!));
}

function expected<Kind extends keyof typeof kindsOf>(route: string) {
  return expectations[route] as Extract<Expectation, Readonly<Record<Kind, unknown>>>;
}

async function ask(route: string, [path, body]: Asked, credential: { cookie: string } | { token: string }) {
  const response = await server.send(route.split(" ")[0]!, path, {
    ...credential,
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: JSON.stringify(response.body) };
}

describe.each([
  ["session", () => ({ cookie })],
  ["token", () => ({ token })],
])("with the %s of somebody who sees one source", (_name, credential) => {
  test.each(routesThat("hides"))("%s knows nothing of another source", async (route) => {
    const { hides } = expected<"hides">(route);

    const ofForeign = await ask(route, hides(foreign), credential());
    const ofUnknown = await ask(route, hides(unknown), credential());

    expect(ofForeign.status).toBe(404);
    expect(withoutIds(ofForeign.text)).toBe(withoutIds(ofUnknown.text));
  });

  test.each(routesThat("lists"))("%s has only what is of one's own sources", async (route) => {
    const { lists, body, own: marker } = expected<"lists">(route);

    const { status, text } = await ask(route, body === undefined ? [lists] : [lists, body], credential());

    expect(status).toBe(200);
    expect(text).toContain(marker(own));
    for (const id of Object.values(foreign)) expect(text).not.toContain(id);
  });

  test.each(routesThat("ofSource"))("%s has no other source", async (route) => {
    const { ofSource, unknownStatus } = expected<"ofSource">(route);

    const ofForeign = await ask(route, ofSource(foreign.source, foreign.orderId), credential());
    const ofUnknown = await ask(route, ofSource(unknown.source, foreign.orderId), credential());

    expect(ofForeign.status).toBe(unknownStatus);
    expect(ofForeign.text.replaceAll(foreign.source, "?")).toBe(ofUnknown.text.replaceAll(unknown.source, "?"));
  });

  test.each(routesThat("refuses"))("%s is for those who see all sources", async (route) => {
    const { status, text } = await ask(route, expected<"refuses">(route).refuses, credential());

    expect(status).toBe(403);
    expect(text).toContain("people.sources_limited");
  });
});

describe("somebody who sees one source", () => {
  test.each(routesThat("hides"))("may use %s for it", async (route) => {
    const { hides, ownStatus } = expected<"hides">(route);

    expect((await ask(route, hides(own), { cookie })).status).toBe(ownStatus);
  });

  test.each([
    ["named cases", () => ({ caseIds: [own.caseId, foreign.caseId] })],
    ["the cases that match", () => ({ filter: { states: ["awaiting-agent"] } })],
  ])("previews a bulk action on %s of it only", async (_, cases) => {
    const body = { dryRun: true, command: { action: "note", note: "strike" }, ...cases() };

    const { text } = await ask("POST /bulk-actions", ["/bulk-actions", body], { cookie });

    expect(text).toContain(own.caseId);
    expect(text).not.toContain(foreign.caseId);
  });

  test("finds no case of another source by a bulk action", async () => {
    const versions = { [foreign.caseId]: 1 };
    const body = { dryRun: false, command: { action: "note", note: "strike" }, versions };
    const started = await ask("POST /bulk-actions", ["/bulk-actions", body], { cookie });
    const { id } = JSON.parse(started.text);
    while ((await bulk.workNext()) !== null);

    const { text } = await ask("GET /bulk-actions/{id}", [`/bulk-actions/${id}`], { cookie });

    expect(JSON.parse(text).rows).toMatchObject([{ outcome: "not-found", orderId: null }]);
    const { rows } = await sql<{ count: number }>`
      select count(*) from skedchange.case_events where case_id = ${foreign.caseId} and actor = 'person:sue'`.execute(
      db.database.connection,
    );
    expect(rows[0]!.count).toBe(0);
  });

  test("does not see a bulk action of somebody else whose cases are deleted by now", async () => {
    const gone = { caseId: newId(systemClock), version: 1 };
    const id = await bulk.start({ action: "note", note: "strike" }, [gone], { actor: "person:root" });

    const { status } = await ask("GET /bulk-actions/{id}", [`/bulk-actions/${id}`], { cookie });

    expect(status).toBe(404);
  });

  test("cannot be given a case of another source", async () => {
    const { cookie: admin } = await server.signedIn("ada", "admin");
    const assign = (rows: Rows) =>
      ask("POST /cases/{id}/actions", [`/cases/${rows.caseId}/actions`, { action: "assign", assignee: "sue" }], {
        cookie: admin,
      });

    expect((await assign(own)).status).toBe(202);
    expect((await assign(foreign)).status).toBe(422);
  });

  test("sees nothing of any source without one", async () => {
    const { id, cookie: theirs } = await server.signedIn("nina", "supervisor");
    await server.people.editUser(id, { sources: [] });
    const seen = async (path: string) => await ask("GET", [path], { cookie: theirs });

    expect((await seen(`/cases/${own.caseId}`)).status).toBe(404);
    for (const path of ["/cases", "/tasks", "/notifications", "/bulk-actions"]) {
      expect(await seen(path)).toMatchObject({ status: 200, text: expect.stringContaining('"items":[]') });
    }
    expect(await seen("/reconciliation")).toMatchObject({
      status: 403,
      text: expect.stringContaining("no source yet"),
    });
  });

  test("sees all sources again once an admin says so", async () => {
    const { cookie: admin } = await server.signedIn("adele", "admin");
    const { id, cookie: theirs } = await server.signedIn("sam", "viewer");
    const limit = (sources: readonly string[] | null) =>
      server.send("PATCH", `/users/${id}`, { cookie: admin, body: { sources } });
    const seen = async () => (await ask("GET /cases/{id}", [`/cases/${foreign.caseId}`], { cookie: theirs })).status;

    expect(await seen()).toBe(200);
    await limit(["north"]);
    expect(await seen()).toBe(404);
    await limit(null);
    expect(await seen()).toBe(200);
  });
});

describe("an admin", () => {
  test("sees all sources, even if a limit was set before the role", async () => {
    const { id, cookie: theirs } = await server.signedIn("olga", "agent");
    await server.people.editUser(id, { sources: ["north"] });
    await server.people.editUser(id, { role: "admin" });

    expect((await ask("GET /cases/{id}", [`/cases/${foreign.caseId}`], { cookie: theirs })).status).toBe(200);
  });

  test.each([
    ["to an unknown source", "agent", ["north", "west"], "has 'west', which is no source; there are north, south"],
    ["to none", "agent", [], "must name a source; null stands for all"],
    ["though they are an admin", "admin", ["north"], "must be null, because an admin sees all sources"],
  ])("cannot limit a user %s", async (_how, role, sources, message) => {
    const { cookie: admin } = await server.signedIn(`root-${role}-${sources.length}`, "admin");

    const response = await server.send("POST", "/users", {
      cookie: admin,
      body: { username: "newcomer", role, sources },
    });

    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ problems: [{ path: "/sources", message }] });
  });
});

function withoutIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>");
}
