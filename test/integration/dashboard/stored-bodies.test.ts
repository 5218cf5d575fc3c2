import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { callList, reprocessResponse, travellersResponse } from "../../../src/dashboard/api/responses.ts";
import { caseDetail } from "../../../src/dashboard/case-ports.ts";
import { notificationDetail } from "../../../src/dashboard/notification-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { IncomingNotification } from "../../../src/receiver/ports.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createStoredBodies } from "../../../src/store/cases/stored-bodies.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createQuarantine } from "../../../src/store/notifications/quarantine.ts";
import { insertCase, insertDecision, insertEffect, insertStatusView } from "../../builders/case-rows.ts";
import { anIncomingNotification } from "../../builders/incoming-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

const unknownId = "019aa000-0000-7000-8000-000000000000";

let database: TestDatabase;
let server: DashboardServer;
let lines: { readonly fields: Record<string, unknown>; readonly message: string }[];
let kicks: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const note = (fields: object, message: string): void => {
    lines.push({ fields: { ...fields }, message });
  };
  server = await startDashboard({
    queries: createCaseQueries(database.database, dialect),
    bodies: createStoredBodies(database.database),
    ownAddressesOf: () => ({ domains: ["agency.example"], addresses: [], arrangers: [] }),
    quarantine: createQuarantine(database.database, {
      clock: systemClock,
      onReleased: () => {
        kicks += 1;
      },
    }),
    logger: { debug: note, info: note, warn: note, error: note },
  });
});
beforeEach(() => {
  lines = [];
  kicks = 0;
});
afterEach(async () => {
  await sql`truncate skedchange.cases, skedchange.orders, skedchange.notifications, skedchange.notification_digests cascade`.execute(
    database.ownerDatabase.connection,
  );
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

async function getProblem(path: string, init: RequestInit = {}) {
  return problemSchema.parse(await (await server.request(path, init)).json());
}

describe("the calls of a case", () => {
  test("are listed newest first, readings of the status and effects that were sent", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner);
    const decisionId = await insertDecision(owner, id);
    const first = await insertStatusView(owner, id, { readAt: new Date("2026-11-20T10:00:00Z"), body: '{"a":1}' });
    const second = await insertStatusView(owner, id, {
      readAt: new Date("2026-11-20T10:01:00Z"),
      purpose: "before-effect",
    });
    const effectId = await insertEffect(owner, id, decisionId, {
      state: "succeeded",
      plannedAt: new Date("2026-11-20T10:02:00Z"),
    });
    await insertEffect(owner, id, decisionId, { plannedAt: new Date("2026-11-20T10:03:00Z") });

    const { items } = callList.parse(await (await server.request(`/api/v1/cases/${id}/calls`)).json());

    expect(items.map((call) => call.id)).toEqual([effectId, second, first]);
    expect(items[0]).toEqual({
      id: effectId,
      operation: "AirOrderInvoluntaryAccept",
      at: "2026-11-20T10:02:00.000Z",
      purpose: null,
      action: "accept",
      state: "succeeded",
      bodyBytes: null,
      bodyDeleted: null,
    });
    expect(items[2]).toMatchObject({
      operation: "AirReservationStatus",
      purpose: "decide",
      action: null,
      bodyBytes: 7,
    });
  });

  test("say so when the response was deleted, with 410, when and why", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner);
    const callId = await insertStatusView(owner, id);
    await sql`
      update skedchange.status_views set body = '', body_encoding = 'deleted',
        body_deleted_at = '2027-03-14T08:00:00Z', body_deleted_by = 'erasure'
    `.execute(owner.connection);

    const { items } = callList.parse(await (await server.request(`/api/v1/cases/${id}/calls`)).json());

    expect(items).toMatchObject([{ bodyDeleted: { at: "2027-03-14T08:00:00.000Z", by: "erasure" } }]);
    expect(await getProblem(`/api/v1/cases/${id}/calls/${callId}/body`)).toMatchObject({
      status: 410,
      code: "api.body_deleted",
      detail: "The body was deleted by an erasure on 2027-03-14T08:00:00.000Z.",
    });
  });

  test("are none for a case that has not been looked at, and 404 for no case", async () => {
    const id = await insertCase(database.ownerDatabase);

    expect(await (await server.request(`/api/v1/cases/${id}/calls`)).json()).toEqual({ items: [] });
    expect(await getProblem(`/api/v1/cases/${unknownId}/calls`)).toMatchObject({
      status: 404,
      code: "api.case_not_found",
    });
  });

  test("hand out what the gateway sent, byte for byte, as an attachment, and the log says to whom", async () => {
    const text = ' {"Traveller":\n"Müller"} ';
    const id = await insertCase(database.ownerDatabase);
    const callId = await insertStatusView(database.ownerDatabase, id, { body: text });

    const response = await server.request(`/api/v1/cases/${id}/calls/${callId}/body`);

    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "content-disposition": `attachment; filename="call-${callId}.json"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cache-control": "no-store",
    });
    expect(lines).toEqual([
      {
        message: "call.body_read",
        fields: { actor: "person:api", caseId: id, callId, bodyBytes: Buffer.byteLength(text) },
      },
    ]);
  });

  test("hand out the response to an effect", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner);
    const effectId = await insertEffect(owner, id, await insertDecision(owner, id), {
      state: "succeeded",
      response: Buffer.from('{"Status":"SUCCESS"}'),
    });

    const response = await server.request(`/api/v1/cases/${id}/calls/${effectId}/body`);

    expect(await response.text()).toBe('{"Status":"SUCCESS"}');
  });

  test("are 404 under another case, without a response, and for what is no id", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner);
    const other = await insertCase(owner);
    const callId = await insertStatusView(owner, id);
    const silent = await insertEffect(owner, id, await insertDecision(owner, id), { state: "unknown" });

    for (const path of [`${other}/calls/${callId}`, `${id}/calls/${silent}`, `${id}/calls/x`, `x/calls/${callId}`]) {
      expect(await getProblem(`/api/v1/cases/${path}/body`)).toMatchObject({ status: 404, code: "api.call_not_found" });
    }
  });
});

/** Stores a notification as the receiver does when it could not use it. */
async function quarantine(overrides: Parameters<typeof anIncomingNotification>[0] = {}): Promise<IncomingNotification> {
  const notification = anIncomingNotification({
    problem: { code: "ocn.order_missing", path: "/OrderViewRS/Order", message: "There is no Order with an OrderID." },
    orders: [],
    ...overrides,
  });
  await createNotificationStore(database.database).recordBatch([notification]);
  return notification;
}

async function casesOf(orderId: string) {
  const { rows } = await database.database.pool.query<{ id: string; state: string; wake: number; due: boolean }>(
    "select id, state, wake, due_at <= now() as due from skedchange.cases where order_id = $1 order by opened_at",
    [orderId],
  );
  return rows;
}

async function stateOf(id: string): Promise<string> {
  return notificationDetail.parse(await (await server.request(`/api/v1/notifications/${id}`)).json()).state;
}

describe("the body of a notification", () => {
  test("is handed out as it came, of the type that it was declared as, and the log says to whom", async () => {
    const body = '{"OrderViewRS": {}}\r\n';
    const { id } = await quarantine({ body, contentType: "application/vnd.iata+json; charset=utf-8" });

    const response = await server.request(`/api/v1/notifications/${id}/body`);

    expect(await response.text()).toBe(body);
    expect(response.headers.get("content-type")).toBe("application/vnd.iata+json; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="notification-${id}.json"`);
    expect(lines).toEqual([
      {
        message: "notification.body_read",
        fields: { actor: "person:api", notificationId: id, bodyBytes: body.length },
      },
    ]);
  });

  test.each([
    ["of a type that a browser would show", "text/html"],
    ["that was declared as nothing", null],
    ["of a type that no header can hold", "application/json; a=\u0000"],
  ])("%s is handed out as JSON", async (_, contentType) => {
    const stored = contentType === null ? null : contentType.replace("\u0000", "\u001f");
    const { id } = await quarantine({ contentType: stored });

    const response = await server.request(`/api/v1/notifications/${id}/body`);

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  test("is 404 when there is no such notification", async () => {
    for (const id of [unknownId, "x"]) {
      expect(await getProblem(`/api/v1/notifications/${id}/body`)).toMatchObject({
        status: 404,
        code: "api.notification_not_found",
      });
    }
  });
});

describe("the travellers of a case", () => {
  const viewOf = (lastName: string, orderId = "ORDER1"): string =>
    JSON.stringify({
      OrderViewRS: {
        Order: [{ OrderID: orderId }],
        DataLists: { PassengerList: { Passengers: [{ PassengerID: "T1", PTC: "ADT", LastName: lastName }] } },
      },
    });
  const readTravellers = async (caseId: string) =>
    travellersResponse.parse(await (await server.request(`/api/v1/cases/${caseId}/travellers`)).json());

  test("are those of the newest status, and the log says who read them without a name", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner, { orderId: "ORDER1" });
    await insertStatusView(owner, id, { readAt: new Date("2026-11-20T10:00:00Z"), body: viewOf("Before") });
    const callId = await insertStatusView(owner, id, {
      readAt: new Date("2026-11-20T11:00:00Z"),
      body: viewOf("Müller"),
    });

    const { statedBy, travellers } = await readTravellers(id);

    expect(statedBy).toEqual({ kind: "status", id: callId, at: "2026-11-20T11:00:00.000Z" });
    expect(travellers.map(({ name }) => name)).toEqual(["Müller"]);
    expect(lines).toEqual([
      {
        message: "travellers.read",
        fields: { actor: "person:api", caseId: id, callId, bodyBytes: Buffer.byteLength(viewOf("Müller")) },
      },
    ]);
  });

  test("are those of the newest notification as long as no status names the order", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner, { orderId: "ORDER1" });
    const notification = anIncomingNotification({ orderId: "ORDER1", body: viewOf("Silva") });
    await createNotificationStore(database.database).recordBatch([notification]);
    await sql`
      insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
      values (${id}, ${notification.id}, now(), now())
    `.execute(owner.connection);
    await insertStatusView(owner, id, { body: viewOf("Somebody", "ANOTHER") });

    const { statedBy, travellers } = await readTravellers(id);

    expect(statedBy).toMatchObject({ kind: "notification", id: notification.id });
    expect(travellers.map(({ name }) => name)).toEqual(["Silva"]);
  });

  test("have an addressee that is none of the agency's addresses of their source", async () => {
    const id = await insertCase(database.ownerDatabase, { orderId: "ORDER1" });
    const body = JSON.stringify({
      OrderViewRS: {
        Order: [{ OrderID: "ORDER1" }],
        DataLists: { contactEmail: ["desk@agency.example", "ana@mail.example", "none"] },
      },
    });
    await insertStatusView(database.ownerDatabase, id, { body });

    expect(await readTravellers(id)).toMatchObject({
      emails: ["desk@agency.example", "ana@mail.example", "none"],
      addressee: "ana@mail.example",
      unusableEmails: [
        { email: "desk@agency.example", why: "own-domain" },
        { email: "none", why: "not-an-address" },
      ],
      hasRefusedContact: false,
    });
  });

  test("were erased with the bodies: 410 says when, and nothing is logged as read", async () => {
    const owner = database.ownerDatabase;
    const id = await insertCase(owner, { orderId: "ORDER1" });
    await insertStatusView(owner, id, { body: viewOf("Silva") });
    await sql`
      update skedchange.status_views set body = '', body_encoding = 'deleted',
        body_deleted_at = '2027-03-14T08:00:00Z', body_deleted_by = 'erasure'
    `.execute(owner.connection);

    expect(await getProblem(`/api/v1/cases/${id}/travellers`)).toMatchObject({
      status: 410,
      code: "api.body_deleted",
      detail: "The body was deleted by an erasure on 2027-03-14T08:00:00.000Z.",
    });
    expect(lines).toEqual([]);
  });

  test("are nobody before anything was received, and 404 for no case", async () => {
    const id = await insertCase(database.ownerDatabase);

    expect(await readTravellers(id)).toMatchObject({ statedBy: null, travellers: [] });
    expect(await getProblem(`/api/v1/cases/${unknownId}/travellers`)).toMatchObject({
      status: 404,
      code: "api.case_not_found",
    });
  });
});

describe("replaying a quarantined notification", () => {
  const reprocess = (id: string): Promise<Response> =>
    server.request(`/api/v1/notifications/${id}/replay`, { method: "POST" });

  test("releases it and opens a case for each of its orders, due at once", async () => {
    const { id } = await quarantine({
      body: JSON.stringify({ OrderViewRS: { Order: [{ OrderID: "A1" }, { OrderID: "B2" }] } }),
    });

    const response = await reprocess(id);

    expect(response.status).toBe(202);
    const { cases } = reprocessResponse.parse(await response.json());
    expect(cases.map(({ orderId }) => orderId)).toEqual(["A1", "B2"]);
    expect(await casesOf("A1")).toEqual([{ id: cases[0]!.id, state: "received", wake: 0, due: true }]);
    expect(await casesOf("B2")).toHaveLength(1);
    expect(await stateOf(id)).toBe("released");
    expect(kicks).toBe(1);
    expect(lines).toEqual([
      {
        message: "notification.replayed",
        fields: { notificationId: id, actor: "person:api", caseIds: cases.map((opened) => opened.id) },
      },
    ]);
    const detail = caseDetail.parse(await (await server.request(`/api/v1/cases/${cases[0]!.id}`)).json());
    expect(detail.notifications.map((joined) => joined.id)).toEqual([id]);
    expect(detail.timeline).toEqual([
      expect.objectContaining({
        kind: "notification.replayed",
        actor: "person:api",
        detail: { notificationId: id, receipts: 1 },
      }),
    ]);
    const reconciliation = await (await server.request("/api/v1/reconciliation")).json();
    expect(reconciliation).toMatchObject({ ok: true, examined: 1 });
  });

  test("wakes the case that is open already", async () => {
    const open = await insertCase(database.ownerDatabase, { orderId: "A1", state: "awaiting-agent" });
    const { id } = await quarantine({ body: JSON.stringify({ OrderViewRS: { Order: [{ OrderID: "A1" }] } }) });

    const { cases } = reprocessResponse.parse(await (await reprocess(id)).json());

    expect(cases).toEqual([{ id: open, orderId: "A1" }]);
    expect(await casesOf("A1")).toEqual([{ id: open, state: "awaiting-agent", wake: 1, due: true }]);
  });

  test("is refused with the failing path while it still cannot be used, and changes nothing", async () => {
    const { id } = await quarantine({ body: JSON.stringify({ OrderViewRS: { Order: [] } }) });

    const problem = await getProblem(`/api/v1/notifications/${id}/replay`, { method: "POST" });

    expect(problem).toMatchObject({ status: 422, title: "Notification still not usable", path: "/OrderViewRS/Order" });
    expect(problem.code).toMatch(/^ocn\./);
    expect(problem.detail).toContain("It stays in quarantine.");
    expect(await stateOf(id)).toBe("quarantined");
    expect(kicks).toBe(0);
  });

  test("is refused while it names more orders than one notification may, until the limit is raised", async () => {
    const { id } = await quarantine({
      body: JSON.stringify({ OrderViewRS: { Order: [{ OrderID: "M1" }, { OrderID: "M2" }, { OrderID: "M3" }] } }),
    });
    const reprocessWith = async (orderLimit: number) => {
      const limited = await startDashboard({
        queries: createCaseQueries(database.database, dialect),
        quarantine: createQuarantine(database.database, { clock: systemClock }),
        orderLimit,
      });
      try {
        return await limited.request(`/api/v1/notifications/${id}/replay`, { method: "POST" });
      } finally {
        await limited.close();
      }
    };

    const problem = problemSchema.parse(await (await reprocessWith(2)).json());

    expect(problem).toMatchObject({ status: 422, code: "ocn.too_many_orders", path: "/OrderViewRS/Order" });
    expect(problem.detail).toContain("raise OCN_ORDER_LIMIT");
    expect(await stateOf(id)).toBe("quarantined");
    expect((await reprocessWith(3)).status).toBe(202);
    expect(await stateOf(id)).toBe("released");
    expect(await casesOf("M3")).toHaveLength(1);
  });

  test("is refused when the database cannot hold what it names", async () => {
    const { id } = await quarantine({ orderId: "NUL" });
    const store = createQuarantine(database.database, { clock: systemClock });
    const naming = await startDashboard({
      queries: createCaseQueries(database.database, dialect),
      quarantine: {
        ...store,
        release: (release) =>
          store.release({ ...release, orders: release.orders.map((order) => ({ ...order, orderId: "NUL\0" })) }),
      },
    });

    const response = await naming.request(`/api/v1/notifications/${id}/replay`, { method: "POST" });
    await naming.close();

    expect(problemSchema.parse(await response.json())).toMatchObject({ status: 422, code: "ocn.not_storable" });
    expect(await stateOf(id)).toBe("quarantined");
  });

  test("is refused with 409 for one that was accepted, or was released before", async () => {
    const accepted = anIncomingNotification({ orderId: "ACC" });
    await createNotificationStore(database.database).recordBatch([accepted]);
    const { id } = await quarantine({ orderId: "QUA" });
    await reprocess(id);

    for (const refused of [accepted.id, id]) {
      expect(await getProblem(`/api/v1/notifications/${refused}/replay`, { method: "POST" })).toMatchObject({
        status: 409,
        code: "api.not_quarantined",
      });
    }
    expect(await casesOf("QUA")).toHaveLength(1);
  });

  test("by several people at once, and by the same bytes coming again, opens one case", async () => {
    const { id, body } = await quarantine({ orderId: "RACE" });
    const again = anIncomingNotification({ orderId: "RACE", body: Buffer.from(body).toString() });

    const [responses] = await Promise.all([
      Promise.all([reprocess(id), reprocess(id), reprocess(id)]),
      createNotificationStore(database.database).recordBatch([again]),
    ]);

    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(1);
    expect(statuses.every((status) => status === 202 || status === 409)).toBe(true);
    expect(await stateOf(id)).toBe("released");
    expect(await casesOf("RACE")).toHaveLength(1);
  });

  test("is 404 when there is no such notification, and POST only", async () => {
    for (const id of [unknownId, "x"]) {
      expect(await getProblem(`/api/v1/notifications/${id}/replay`, { method: "POST" })).toMatchObject({ status: 404 });
    }
    expect(await getProblem(`/api/v1/notifications/${unknownId}/replay`)).toMatchObject({ status: 405 });
  });
});
