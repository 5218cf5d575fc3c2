import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import {
  discardedResponse,
  notificationList,
  quarantinedCodes,
  reprocessedResponse,
} from "../../../src/dashboard/api/responses.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { readBacklog } from "../../../src/store/cases/backlog.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createQuarantine } from "../../../src/store/notifications/quarantine.ts";
import { insertNotification } from "../../builders/case-rows.ts";
import { anIncomingNotification } from "../../builders/incoming-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

let db: TestDatabase;
let server: DashboardServer;

beforeAll(async () => {
  db = await createTestDatabase();
  server = await startDashboard({
    queries: createCaseQueries(db.database, dialect),
    quarantine: createQuarantine(db.database, { clock: systemClock }),
  });
});
afterAll(async () => {
  await server.close();
  await db.drop();
});
beforeEach(async () => {
  await db.ownerDatabase.pool.query("truncate skedchange.notifications, skedchange.notification_digests cascade");
});

const bad = (code: string) =>
  insertNotification(db.ownerDatabase, { state: "quarantined", problem: { code, path: "/Order", message: "No." } });

async function listed(query: string) {
  const response = await server.request(`/api/v1/notifications?${query}`);
  return notificationList.parse(await response.json()).items;
}

async function discard(ids: readonly string[], note = "The gateway has fixed it and sent them again.") {
  const response = await server.request("/api/v1/quarantine/discard", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids, note }),
  });
  return { status: response.status, body: await response.json() };
}

async function reprocess(filter: object, by: Pick<DashboardServer, "request"> = server) {
  const response = await by.request("/api/v1/quarantine/reprocess", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(filter),
  });
  expect(response.status).toBe(200);
  return reprocessedResponse.parse(await response.json());
}

async function receive(body: string, code: string): Promise<void> {
  const problem = { code, path: "", message: "No." };
  await createNotificationStore(db.database).recordBatch([anIncomingNotification({ body, problem, orders: [] })]);
}

describe("the quarantine", () => {
  test("names the orders of a body that can be read, the first ten, and none of one that cannot", async () => {
    const order = (place: number) => ({ OrderID: `MANY${place}` });
    await receive(
      JSON.stringify({ OrderViewRS: { Order: Array.from({ length: 12 }, (_, place) => order(place)) } }),
      "ocn.too_many_orders",
    );
    await receive('{"OrderViewRS":', "ocn.not_json");
    const unreadable = await bad("ocn.too_many_orders");

    const items = await listed("state=quarantined");

    const orders = items.map(({ problem, orders: named }) => [
      problem?.code,
      named.ids[0] ?? "",
      named.ids.length,
      named.count,
    ]);
    expect(orders.sort()).toEqual([
      ["ocn.not_json", "", 0, 0],
      ["ocn.too_many_orders", "", 0, 0],
      ["ocn.too_many_orders", "MANY0", 10, 12],
    ]);
    expect(items.map(({ id }) => id)).toContain(unreadable);
  });

  test("counts what is in it by the code of the problem, the most first", async () => {
    const [first] = [await bad("ocn.order_missing"), await bad("ocn.not_json"), await bad("ocn.order_missing")];

    const response = await server.request("/api/v1/quarantine");

    expect(quarantinedCodes.parse(await response.json()).items).toEqual([
      { code: "ocn.order_missing", count: 2 },
      { code: "ocn.not_json", count: 1 },
    ]);
    expect((await listed("state=quarantined&code=ocn.order_missing")).map(({ id }) => id)).toContain(first);
    expect(await listed("state=quarantined&code=ocn.not_json")).toHaveLength(1);
  });

  test("takes a discarded notification off the list, the counts and the alert, and keeps it with the note", async () => {
    const stored = await bad("ocn.order_missing");
    const gone = await bad("ocn.order_missing");

    const { status, body } = await discard([gone]);

    expect(status).toBe(200);
    expect(discardedResponse.parse(body).ids).toEqual([gone]);
    expect((await listed("state=quarantined")).map(({ id }) => id)).toEqual([stored]);
    expect(await listed("state=discarded")).toMatchObject([
      {
        id: gone,
        state: "quarantined",
        discarded: { by: "person:api", note: "The gateway has fixed it and sent them again." },
      },
    ]);
    expect((await readBacklog(db.database.connection, new Date())).quarantined).toBe(1);
    const { rows } = await db.ownerDatabase.pool.query(
      "select actor, refs from skedchange.audit_entries where kind = 'notification.discarded' order by id desc limit 1",
    );
    expect(rows).toEqual([{ actor: "person:api", refs: { id: gone, changed: "" } }]);
  });

  test("can release a notification that was discarded", async () => {
    const id = await bad("ocn.order_missing");
    await discard([id]);

    const outcome = await createQuarantine(db.database, { clock: systemClock }).release({
      notificationId: id,
      orders: [],
      by: { actor: "person:ana" },
    });

    expect(outcome.outcome).toBe("released");
    expect(await listed("state=discarded")).toEqual([]);
  });

  test("discards nothing without a note, and only what is in it", async () => {
    const released = await insertNotification(db.ownerDatabase, { state: "released" });

    expect((await discard([await bad("ocn.not_json")], " ")).status).toBe(422);
    expect((await discard([released])).body).toEqual({ ids: [] });
  });

  test("drops the note of a discard together with the body", async () => {
    const id = await bad("ocn.not_json");
    await discard([id], "MARKER");

    await db.ownerDatabase.pool.query(
      "update skedchange.notifications set body_deleted_at = now(), body_deleted_by = 'erasure' where id = $1",
      [id],
    );

    expect(await listed("state=discarded")).toMatchObject([{ id, discarded: { note: null } }]);
  });
});

describe("reprocessing many", () => {
  const usable = (orderId: string) =>
    receive(JSON.stringify({ OrderViewRS: { Order: [{ OrderID: orderId }] } }), "ocn.old");

  async function unusable(code: string): Promise<string> {
    await receive(JSON.stringify({ code }), code);
    return (await listed(`state=quarantined&code=${code}`))[0]!.id;
  }

  test("releases every notification that can be used now, and names those that cannot", async () => {
    await usable("MANY1");
    await usable("MANY2");
    await receive("{}", "ocn.no_order");
    const discarded = await bad("ocn.old");
    await discard([discarded]);

    const { released, unusable: refused, nextCursor } = await reprocess({});

    expect(released.map(({ cases }) => cases.map(({ orderId }) => orderId)).sort()).toEqual([["MANY1"], ["MANY2"]]);
    expect(refused).toMatchObject([{ code: expect.stringMatching(/^ocn\./), path: expect.any(String) }]);
    expect(nextCursor).toBeNull();
    expect((await listed("state=quarantined")).map(({ id }) => id)).toEqual([refused[0]?.id]);
    expect((await listed("state=discarded")).map(({ id }) => id)).toEqual([discarded]);
  });

  test("takes only those with the problem and the source that are named, or those on the list of the discarded", async () => {
    const [first, other, discarded] = [
      await unusable("ocn.no_order"),
      await unusable("ocn.old"),
      await unusable("ocn.x"),
    ];
    await discard([discarded]);

    const idsOf = async (filter: object) => (await reprocess(filter)).unusable.map(({ id }) => id);

    expect(await idsOf({ code: "ocn.no_order" })).toEqual([first]);
    expect(await idsOf({ source: "nowhere" })).toEqual([]);
    expect(await idsOf({ state: "discarded" })).toEqual([discarded]);
    expect(await idsOf({ ids: [other] })).toEqual([other]);
  });

  test("goes on after a notification whose stored bytes cannot be read, and names it", async () => {
    const broken = await unusable("ocn.old");
    await usable("AFTER1");
    await db.ownerDatabase.pool.query("update skedchange.notifications set body = '\\x00' where id = $1", [broken]);

    const { released, unusable: refused } = await reprocess({});

    expect(released.flatMap(({ cases }) => cases.map(({ orderId }) => orderId))).toEqual(["AFTER1"]);
    expect(refused).toMatchObject([{ id: broken, code: expect.stringMatching(/^store\./) }]);
  });

  test("leaves out ids that are not in quarantine", async () => {
    await usable("RELEASED1");
    const { id } = (await reprocess({})).released[0]!;

    expect(await reprocess({ ids: [id, randomUUID()] })).toEqual({
      released: [],
      unusable: [],
      nextCursor: null,
    });
  });

  test("ends after a thousand, with a cursor for the rest", async () => {
    const id = await bad("ocn.not_json");
    const [item] = await createCaseQueries(db.database, dialect)
      .listNotifications({ visible: null, state: null, source: null, after: null, limit: 1 })
      .then(({ items }) => items);
    let pages = 0;
    const endless = await startDashboard({
      queries: {
        ...createCaseQueries(db.database, dialect),
        listNotifications: async ({ limit }) => {
          pages += 1;
          return { items: Array(limit).fill(item), next: { at: "2026-11-20T10:00:00.000000Z", id } };
        },
      },
      quarantine: {
        ...createQuarantine(db.database, { clock: systemClock }),
        readNotification: async () => null,
      },
    });

    const { nextCursor } = await reprocess({}, endless);
    await reprocess({ cursor: nextCursor }, endless);
    await endless.close();

    expect(nextCursor).not.toBeNull();
    expect(pages).toBe(10);
  });
});
