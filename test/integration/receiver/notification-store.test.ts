import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createNotificationWriter } from "../../../src/receiver/notification-writer.ts";
import type { IncomingNotification, RecordingOutcome } from "../../../src/receiver/ports.ts";
import type { EncryptedRow } from "../../../src/store/database/encryption.ts";
import { notificationPlace } from "../../../src/store/notifications/notification-reader.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { openPendingCases } from "../../../src/store/notifications/open-cases.ts";
import { anIncomingNotification } from "../../builders/incoming-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openAllPending, takeIn } from "../../harness/notifications.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await db.ownerDatabase.pool.query(
    "truncate skedchange.notifications, skedchange.notification_digests, skedchange.orders cascade",
  );
});
afterAll(() => db.drop());

interface StoredCase {
  readonly id: string;
  readonly order_id: string;
  readonly state: string;
  readonly wake: number;
  readonly references: readonly string[];
  readonly version: number;
  /** Seconds from now; null when nothing is due. */
  readonly due_in: number | null;
}

async function readCases(): Promise<readonly StoredCase[]> {
  const { rows } = await db.database.pool.query<StoredCase>(`
    select id, order_id, state, wake, version, gds_booking_references as references,
      extract(epoch from due_at - now())::float8 as due_in
    from skedchange.cases order by order_id, opened_at, id`);
  return rows;
}

async function count(table: string): Promise<number> {
  const { rows } = await db.database.pool.query<{ count: number }>(`select count(*) from skedchange.${table}`);
  return rows[0]!.count;
}

/** Brings every case to `done` with nothing due, past the transitions that a worker must keep to. */
async function finishCases(): Promise<void> {
  await db.ownerDatabase.pool.query(`
    alter table skedchange.cases disable trigger user;
    update skedchange.cases set state = 'done', due_at = null, closed_at = now();
    alter table skedchange.cases enable trigger user`);
}

async function waitWithPerson(): Promise<void> {
  await db.ownerDatabase.pool.query(`
    alter table skedchange.cases disable trigger user;
    update skedchange.cases set state = 'awaiting-agent', due_at = null;
    alter table skedchange.cases enable trigger user`);
}

function record(batch: readonly IncomingNotification[]): Promise<readonly RecordingOutcome[]> {
  return takeIn(db.database, batch);
}

/** Seconds for which notifications have been pending, oldest first. */
async function readPending(): Promise<readonly number[]> {
  const { rows } = await db.database.pool.query<{ age: number }>(`
    select extract(epoch from now() - pending_since)::float8 as age from skedchange.notification_digests
    where pending_since is not null order by pending_since`);
  return rows.map(({ age }) => age);
}

function idsOf(outcomes: readonly RecordingOutcome[]): readonly (string | null)[] {
  return outcomes.map((outcome) => (outcome.recorded ? outcome.notificationId : null));
}

describe("a new body", () => {
  test("opens a case that is due, joined by its notification, with a line in its timeline", async () => {
    const notification = anIncomingNotification({ orders: [{ orderId: "A1", gdsBookingReferences: ["X", "Y"] }] });

    const outcomes = await record([notification]);

    expect(outcomes).toEqual([{ recorded: true, notificationId: notification.id, receipts: 1 }]);
    const [opened, ...rest] = await readCases();
    expect(rest).toEqual([]);
    expect(opened).toMatchObject({ order_id: "A1", state: "received", wake: 0, references: ["X", "Y"] });
    expect(opened!.due_in).toBeLessThanOrEqual(0);
    const { rows } = await db.database.pool.query(
      `select e.kind, e.actor, e.detail, j.notification_id, j.notification_received_at from skedchange.case_events e
       join skedchange.case_notifications j using (case_id)`,
    );
    expect(rows).toEqual([
      {
        kind: "notification.received",
        actor: "receiver",
        detail: { notificationId: notification.id, receipts: 1 },
        notification_id: notification.id,
        notification_received_at: notification.receivedAt,
      },
    ]);
  });

  test("of an order whose case waits for a person makes that case due and adds its references", async () => {
    await record([anIncomingNotification({ orders: [{ orderId: "A1", gdsBookingReferences: ["X"] }] })]);
    await waitWithPerson();

    const next = anIncomingNotification({ body: "2", orders: [{ orderId: "A1", gdsBookingReferences: ["Z", "X"] }] });
    await record([next]);

    const [waiting, ...rest] = await readCases();
    expect(rest).toEqual([]);
    expect(waiting).toMatchObject({ state: "awaiting-agent", wake: 1, references: ["X", "Z"] });
    expect(waiting!.due_in).toBeLessThanOrEqual(0);
    expect(await count("case_notifications")).toBe(2);
  });

  test("does not postpone a case that is due earlier", async () => {
    await record([anIncomingNotification({ orderId: "A1" })]);
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() - interval '1 hour'");

    await record([anIncomingNotification({ orderId: "A1", body: "2" })]);

    expect((await readCases())[0]!.due_in).toBeLessThan(-3_500);
  });

  test("of an order whose case is finished opens another one", async () => {
    await record([anIncomingNotification({ orderId: "A1" })]);
    await finishCases();

    await record([anIncomingNotification({ orderId: "A1", body: "2" })]);

    expect(await readCases()).toMatchObject([
      { state: "done", due_in: null, wake: 0 },
      { state: "received", wake: 0 },
    ]);
  });

  test("with several orders joins the case of each", async () => {
    const orders = ["B", "a", "C"].map((orderId) => ({ orderId, gdsBookingReferences: [] }));

    await record([anIncomingNotification({ orders })]);

    expect((await readCases()).map(({ order_id }) => order_id).sort()).toEqual(["B", "C", "a"]);
    expect(await count("case_notifications")).toBe(3);
  });

  test("that is quarantined is kept and opens no case, whatever its problem holds", async () => {
    const problem = { code: "ocn.no_order", path: "/a\0b", message: "No order." };

    await record([anIncomingNotification({ problem, orders: [] })]);

    const { rows } = await db.database.pool.query("select state, problem from skedchange.notifications");
    expect(rows).toEqual([{ state: "quarantined", problem: { ...problem, path: "/a\uFFFDb" } }]);
    expect(await readCases()).toEqual([]);
  });
});

describe("a known body", () => {
  test("counts a receipt and makes its open case due a little later, the first time only", async () => {
    const first = anIncomingNotification({ orderId: "A1" });
    await record([first]);
    await waitWithPerson();

    const second = await record([anIncomingNotification({ orderId: "A1" })]);
    const dueAfterSecond = (await readCases())[0]!.due_in!;
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = due_at - interval '2 seconds'");
    const third = await record([anIncomingNotification({ orderId: "A1", copies: 2 })]);

    expect(second).toEqual([{ recorded: true, notificationId: first.id, receipts: 2 }]);
    expect(third).toEqual([{ recorded: true, notificationId: first.id, receipts: 4 }]);
    expect(dueAfterSecond).toBeGreaterThan(2);
    expect(dueAfterSecond).toBeLessThanOrEqual(5);
    const [waiting, ...rest] = await readCases();
    expect(rest).toEqual([]);
    expect(waiting).toMatchObject({ state: "awaiting-agent", wake: 2 });
    expect(waiting!.due_in).toBeLessThanOrEqual(3);
    expect(await count("notifications")).toBe(1);
    expect(await count("case_notifications")).toBe(1);
    expect(await count("case_events")).toBe(3);
  });

  test("makes a finished case due without opening it", async () => {
    await record([anIncomingNotification({ orderId: "A1" })]);
    await finishCases();

    await record([anIncomingNotification({ orderId: "A1" })]);

    const [finished, ...rest] = await readCases();
    expect(rest).toEqual([]);
    expect(finished).toMatchObject({ state: "done", wake: 1 });
    expect(finished!.due_in).toBeGreaterThan(0);
  });

  test("wakes and joins the newest case of its order, not an older one that it belonged to", async () => {
    const first = anIncomingNotification({ orderId: "A1" });
    await record([first]);
    await finishCases();
    await record([anIncomingNotification({ orderId: "A1", body: "B" })]);
    await waitWithPersonNewest();

    await record([anIncomingNotification({ orderId: "A1" })]);

    const [finished, open] = await readCases();
    expect(finished).toMatchObject({ state: "done", due_in: null, wake: 0 });
    expect(open).toMatchObject({ state: "awaiting-agent", wake: 1 });
    const { rows } = await db.database.pool.query(
      "select case_id from skedchange.case_notifications where notification_id = $1 order by joined_at",
      [first.id],
    );
    expect(rows).toEqual([{ case_id: finished!.id }, { case_id: open!.id }]);
  });

  test("that was quarantined and can be used now is released and opens its case", async () => {
    const problem = { code: "ocn.no_order", path: "", message: "No order." };
    const first = anIncomingNotification({ problem, orders: [] });
    await record([first]);

    const outcomes = await record([anIncomingNotification()]);

    expect(outcomes).toEqual([{ recorded: true, notificationId: first.id, receipts: 2 }]);
    const { rows } = await db.database.pool.query("select state from skedchange.notifications");
    expect(rows).toEqual([{ state: "released" }]);
    expect(await readCases()).toMatchObject([{ state: "received", order_id: "QX7R2M1A" }]);
    expect(await count("case_notifications")).toBe(1);
  });
});

async function waitWithPersonNewest(): Promise<void> {
  await db.ownerDatabase.pool.query(`
    alter table skedchange.cases disable trigger user;
    update skedchange.cases set state = 'awaiting-agent', due_at = null where state = 'received';
    alter table skedchange.cases enable trigger user`);
}

describe("a batch", () => {
  test("is one transaction, after which its notifications are pending", async () => {
    let commits = 0;
    const store = createNotificationStore(db.database, () => (commits += 1));
    const batch = Array.from({ length: 37 }, (_, index) => anIncomingNotification({ orderId: `N${index}` }));

    const outcomes = await store.recordBatch(batch);

    expect(idsOf(outcomes)).toEqual(batch.map(({ id }) => id));
    expect(commits).toBe(1);
    const { rows } = await db.database.pool.query("select count(distinct xmin::text) from skedchange.notifications");
    expect(rows).toEqual([{ count: 1 }]);
    expect(await readPending()).toHaveLength(37);
    expect(await readCases()).toEqual([]);
  });

  test("keeps every body as it came, whatever the others are", async () => {
    const batch = ["", "é", "x".repeat(100_000), "{}"].map((body, index) =>
      anIncomingNotification({ body, orderId: `B${index}` }),
    );

    await record(batch);

    const { rows } = await db.database.pool.query<EncryptedRow & { id: string }>(
      `select id, body, body_encoding as "bodyEncoding", key_id as "keyId" from skedchange.notifications`,
    );
    const bodies = new Map<string, string>();
    for (const row of rows) {
      bodies.set(row.id, (await db.database.encryption.open(row, notificationPlace(row.id))).toString());
    }
    expect(batch.map(({ id }) => bodies.get(id))).toEqual(["", "é", "x".repeat(100_000), "{}"]);
  });

  test("singles out what the database refuses, whatever the reason, and keeps the rest", async () => {
    const batch: readonly IncomingNotification[] = [
      anIncomingNotification({ orderId: "G1" }),
      anIncomingNotification({ orderId: "NUL\0" }),
      anIncomingNotification({ orderId: "half \ud83d" }),
      anIncomingNotification({ orderId: "G2" }),
      // Random, so that it cannot be compressed to fit into an index entry.
      anIncomingNotification({ orderId: randomText(2_001) }),
      anIncomingNotification({ orderId: randomText(2_000) }),
    ];

    const outcomes = await record(batch);

    expect(outcomes.map(({ recorded }) => recorded)).toEqual([true, false, false, true, false, true]);
    expect(outcomes[1]).toMatchObject({ reason: "refused", error: { code: "22P05" } });
    expect(outcomes[2]).toMatchObject({ reason: "refused", error: { code: "22P02" } });
    expect(outcomes[4]).toMatchObject({ reason: "refused", error: { code: "store.order_id_too_long" } });
    expect(await count("notifications")).toBe(3);
    expect(await readCases()).toHaveLength(3);
  });

  test("rejects as a whole when the database does not serve it, and stores nothing", async () => {
    await db.ownerDatabase.pool.query("alter table skedchange.notifications rename to notifications_away");
    try {
      await expect(createNotificationStore(db.database).recordBatch([anIncomingNotification()])).rejects.toMatchObject({
        code: "42P01",
        message: 'relation "skedchange.notifications" does not exist',
      });
    } finally {
      await db.ownerDatabase.pool.query("alter table skedchange.notifications_away rename to notifications");
    }
    expect(await count("notifications")).toBe(0);
    expect(await count("notification_digests")).toBe(0);
  });
});

function randomText(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(33 + Math.random() * 90)).join("");
}

describe("pending notifications", () => {
  test("are opened many at once, in one transaction", async () => {
    await createNotificationStore(db.database).recordBatch(
      Array.from({ length: 37 }, (_, index) => anIncomingNotification({ orderId: `N${index}` })),
    );

    const first = await openPendingCases(db.database, systemClock);
    const second = await openPendingCases(db.database, systemClock);

    expect(first).toEqual({ opened: 37, mayBeMore: false });
    expect(second).toEqual({ opened: 0, mayBeMore: false });
    const { rows } = await db.database.pool.query("select count(distinct xmin::text) from skedchange.cases");
    expect(rows).toEqual([{ count: 1 }]);
  });

  test("that come again before they are opened wait no longer for that, and open one case", async () => {
    const store = createNotificationStore(db.database);
    const first = anIncomingNotification({ orderId: "A1" });
    await store.recordBatch([first]);
    await db.ownerDatabase.pool.query(
      "update skedchange.notification_digests set pending_since = pending_since - interval '7 seconds'",
    );

    await store.recordBatch([anIncomingNotification({ orderId: "A1" })]);
    const [age] = await readPending();
    await openAllPending(db.database);

    expect(age).toBeGreaterThan(6);
    expect(await readPending()).toEqual([]);
    const [opened, ...rest] = await readCases();
    expect(rest).toEqual([]);
    expect(opened!.due_in).toBeLessThanOrEqual(0);
    const { rows } = await db.database.pool.query("select detail from skedchange.case_events");
    expect(rows).toEqual([{ detail: { notificationId: first.id, receipts: 2 } }]);
  });

  test("that are known bytes count the wait before their next look from when they came", async () => {
    await record([anIncomingNotification({ orderId: "A1" })]);
    await waitWithPerson();
    await createNotificationStore(db.database).recordBatch([anIncomingNotification({ orderId: "A1" })]);
    await db.ownerDatabase.pool.query(
      "update skedchange.notification_digests set pending_since = pending_since - interval '4 seconds'",
    );

    await openAllPending(db.database);

    expect((await readCases())[0]!.due_in).toBeLessThanOrEqual(1);
  });

  test("of many orders are opened in transactions of about a thousand orders, a longer one alone", async () => {
    const notifications = [600, 400, 1, 1_500, 2].map((orders, index) =>
      anIncomingNotification({
        body: `${index}`,
        orders: Array.from({ length: orders }, (_, order) => ({
          orderId: `${index}-${order}`,
          gdsBookingReferences: [],
        })),
      }),
    );
    for (const notification of notifications) await createNotificationStore(db.database).recordBatch([notification]);

    const sizes: number[] = [];
    for (;;) {
      const { opened, mayBeMore } = await openPendingCases(db.database, systemClock);
      sizes.push(opened);
      if (!mayBeMore) break;
    }

    expect(sizes).toEqual([2, 1, 1, 1]);
    expect(await count("cases")).toBe(2_503);
  });

  test("stay pending when their cases cannot be opened now", async () => {
    await createNotificationStore(db.database).recordBatch([anIncomingNotification()]);
    await db.ownerDatabase.pool.query("alter table skedchange.case_events rename to case_events_away");
    try {
      await expect(openPendingCases(db.database, systemClock)).rejects.toMatchObject({ code: "42P01" });
    } finally {
      await db.ownerDatabase.pool.query("alter table skedchange.case_events_away rename to case_events");
    }

    expect(await readPending()).toHaveLength(1);
    expect(await readCases()).toEqual([]);
    await openAllPending(db.database);
    expect(await readCases()).toHaveLength(1);
  });
});

describe("several receivers and feeders at once", () => {
  test("take in overlapping batches, in any order, new and known, without failing or losing a receipt", async () => {
    const store = createNotificationStore(db.database);
    const rounds = 12;
    const bodies = Array.from({ length: 40 }, (_, index) => ({ orderId: `O${index % 15}`, body: `body ${index}` }));
    const sent = new Map<string, number>();
    let isSending = true;

    const receive = async (place: number): Promise<readonly RecordingOutcome[]> => {
      const all: RecordingOutcome[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const chosen = bodies.filter(() => Math.random() < 0.5).sort(() => Math.random() - 0.5);
        for (const { body } of chosen) sent.set(body, (sent.get(body) ?? 0) + 1);
        all.push(...(await store.recordBatch(chosen.map((overrides) => anIncomingNotification(overrides)))));
        if (place === 0 && round % 4 === 3) await finishCases();
      }
      return all;
    };
    const feed = async (): Promise<void> => {
      while (isSending) await openPendingCases(db.database, systemClock);
    };
    const feeding = [feed(), feed()];
    const outcomes = await Promise.all([0, 1, 2].map(receive));
    isSending = false;
    await Promise.all(feeding);
    await openAllPending(db.database);

    expect(outcomes.flat().filter(({ recorded }) => !recorded)).toEqual([]);
    const { rows } = await db.database.pool.query(
      "select sum(receipts)::int as receipts, count(*) from skedchange.notification_digests",
    );
    expect(rows).toEqual([{ receipts: [...sent.values()].reduce((sum, times) => sum + times, 0), count: sent.size }]);
    const open = (await readCases()).filter(({ state }) => state !== "done").map(({ order_id }) => order_id);
    expect(new Set(open).size).toBe(open.length);
    expect(await readPending()).toEqual([]);
    const joined = await db.database.pool.query(
      "select count(distinct notification_id)::int as count from skedchange.case_notifications",
    );
    expect(joined.rows).toEqual([{ count: sent.size }]);
  });

  test("share commits: 200 notifications at once need far fewer transactions, and each is stored once", async () => {
    let commits = 0;
    const store = createNotificationStore(db.database, () => (commits += 1));
    const writer = createNotificationWriter({ store, backlogBytes: 1024 * 1024 });

    const recorded = await Promise.all(
      Array.from({ length: 200 }, (_, index) => writer.write(anIncomingNotification({ orderId: `S${index}` }))),
    );

    expect(recorded.every(({ receipts }) => receipts === 1)).toBe(true);
    expect(await count("notifications")).toBe(200);
    expect(commits).toBeLessThanOrEqual(5);
  });
});
