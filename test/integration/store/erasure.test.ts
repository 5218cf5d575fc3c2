import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { createErasure } from "../../../src/store/erasure/erasure.ts";
import { createMatcher, findTraveller } from "../../../src/store/erasure/find-traveller.ts";
import { createReconciliationStore } from "../../../src/store/notifications/reconciliation.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { reconcileTables } from "../../../src/worker/reconciliation.ts";
import { type OrderViewBody, sampleNotification, withFlags } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { findTablesWith } from "../../harness/find-tables-with.ts";
import { createScriptedGateway, result, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/** A name that nothing else contains. */
const marker = "Zqmarkerqz";
const erasedBy = "person:dpo";

const keys = readEncryptionKeys(createEncryptionKey(new Date()));
if (!keys.ok) throw new Error(keys.problem);
const encryptionKeys = keys.keys;

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase({ encryptionKeys });
});
afterAll(() => db.drop());
beforeEach(async () => {
  orderNumber += 1;
  orderId = `ERASE${orderNumber}`;
  await rowsOf(
    "truncate skedchange.orders, skedchange.cases, skedchange.notifications, skedchange.notification_digests, skedchange.event_recipients cascade",
  );
});

async function rowsOf<Row extends object>(query: string, ...values: unknown[]): Promise<readonly Row[]> {
  return (await db.ownerDatabase.pool.query<Row>(query, values)).rows;
}

function act(command: CaseCommand, note: string, caseId: string) {
  return worker.worker.act({ version: null, visible: null, actor: "person:ana", note, ...command, caseId });
}

/** A change that people dealt with, whose traveller is named in everything that can name one. */
async function dealtWith(name = marker): Promise<OrderViewBody> {
  const sample = sampleNotification("misconnection", { orderId, reference: `REF${orderNumber}` });
  const body = withFlags(
    JSON.parse(
      JSON.stringify(sample).replaceAll("Silva", name).replaceAll('"SeatPreference":""', `"SeatPreference":"${name}"`),
    ),
    { Accept: "Y", Cancel: "Y", ReSchedule: "N" },
  );
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  await worker.work(orderId);
  const { id } = await worker.caseOf(orderId);
  await act({ action: "note" }, `${name} called`, id);
  const contact = { channel: "phone", happenedAt: new Date(Date.now() - 3_600_000) } as const;
  await act({ action: "traveller-informed", ...contact }, `${name} was glad`, id);
  gateway.responses.push(() => Promise.resolve([result({ ...query(), orderId }, "SUCCESS", `for ${name}`)]));
  expect(await act({ action: "accept" }, `${name} agrees`, id)).toMatchObject({ outcome: "accepted" });
  await worker.work(orderId);
  expect((await worker.caseOf(orderId)).state).toBe("done");
  const tasks = createTasks(db.database, systemClock);
  for (const task of (await worker.caseOf(orderId)).tasks) {
    await tasks.close([task.id], { visible: null, actor: "person:ana", note: `${name} was told` });
  }
  return body;
}

const query = () => ({ orderId, gdsBookingReferences: [`REF${orderNumber}`] });

async function listenForEvents(): Promise<void> {
  await rowsOf(
    `insert into skedchange.event_recipients (id, name, url, auth_type, credential, credential_encoding, state,
       state_changed_at, created_at, updated_at, signing_secrets, signing_secrets_encoding, signing_secret_count)
     values (gen_random_uuid(), 'r', 'https://example.com', 'none', '', 'identity', 'active', now(), now(), now(), 's',
       'identity', 1)`,
  );
}

const tablesWith = (text: string) =>
  findTablesWith({ pool: db.ownerDatabase.pool, encryption: db.database.encryption }, text);

const erase = (quarantinedIds: readonly string[] = []) =>
  createErasure(db.database).erase({ source: "default", orderId }, { actor: erasedBy, at: null }, quarantinedIds);

describe("erasing an order", () => {
  test("leaves the traveller's name in no row of any table", async () => {
    await listenForEvents();
    await dealtWith();
    const id = newId(systemClock);
    const place = { column: "skedchange.order_status_views.body", row: id } as const;
    const polled = await db.database.encryption.encrypt(Buffer.from(marker), place);
    await rowsOf(
      `insert into skedchange.order_status_views
         (id, source, order_id, read_at, proposal_digest, body, body_encoding, body_bytes, key_id)
       values ($6, 'default', $1, now(), 'd', $2, $3, $4, $5)`,
      orderId,
      polled.body,
      polled.bodyEncoding,
      polled.bodyBytes,
      polled.keyId,
      id,
    );
    await rowsOf("update skedchange.cases set headline = $1", `${marker} on LH1167`);
    await rowsOf(
      "update skedchange.event_bodies set body = convert_to($1, 'UTF8') where id = (select min(id::text)::uuid from skedchange.event_bodies)",
      marker,
    );
    await rowsOf(
      `insert into skedchange.bulk_actions (id, command, asked_by, asked_at)
       values ('019aa000-0000-7000-8000-000000000001', $1, 'person:ana', now())`,
      { action: "note", note: marker },
    );
    await rowsOf(
      `insert into skedchange.bulk_action_cases (bulk_action_id, place, case_id, version)
       select '019aa000-0000-7000-8000-000000000001', 1, id, version from skedchange.cases`,
    );
    await worker.notify(`{"OrderID": "${orderId}", "Name": "${marker}"}`);
    const named = await tablesWith(marker);
    expect(named).toEqual(
      expect.arrayContaining([
        "skedchange.bulk_actions",
        "skedchange.case_events",
        "skedchange.cases",
        "skedchange.decisions",
        "skedchange.document_views",
        "skedchange.effects",
        "skedchange.event_bodies",
        "skedchange.notifications",
        "skedchange.order_status_views",
        "skedchange.status_views",
        "skedchange.tasks",
        "skedchange.traveller_contacts",
      ]),
    );

    const subject = await createErasure(db.database).describe({ source: "default", orderId });
    expect(subject).toMatchObject({ caseStates: ["done"], quarantinedIds: [expect.any(String)], blockers: [] });
    expect(await erase(subject!.quarantinedIds)).toMatchObject({ outcome: "erased", counts: { quarantinedBodies: 1 } });

    expect(await tablesWith(marker)).toEqual([]);
  });

  test("deletes the keyed tokens of names and tickets, and leaves those of another order", async () => {
    await dealtWith();
    const erased = orderId;
    orderId = `${erased}OTHER`;
    await dealtWith();
    orderId = erased;
    const tokens = () =>
      rowsOf(
        `select c.order_id, coalesce(cardinality(s.name_tokens), 0) > 0 as named, s.token_key is not null as keyed
         from skedchange.case_search s join skedchange.cases c on c.id = s.case_id order by c.order_id`,
      );
    const other = { order_id: `${erased}OTHER`, named: true, keyed: true };
    expect(await tokens()).toEqual([{ order_id: erased, named: true, keyed: true }, other]);

    expect(await erase()).toMatchObject({ outcome: "erased" });

    expect(await tokens()).toEqual([{ order_id: erased, named: false, keyed: false }, other]);
  });

  test("leaves ids, states, digests and receipts, and the reconciliation whole", async () => {
    await dealtWith();
    const before = await rowsOf(
      `select (select jsonb_agg(to_jsonb(c) - 'headline' - 'bodies_deleted_at') from skedchange.cases c) as cases,
         (select jsonb_agg(jsonb_build_array(id, action, rule, proposal_digest, itineraries, superseded_at) order by id)
            from skedchange.decisions) as decisions,
         (select jsonb_agg(jsonb_build_array(id, state, sent_at)) from skedchange.effects) as effects,
         (select jsonb_agg(g) from skedchange.notification_digests g) as digests`,
    );

    await erase();

    expect(
      await rowsOf(
        `select (select jsonb_agg(to_jsonb(c) - 'headline' - 'bodies_deleted_at') from skedchange.cases c) as cases,
           (select jsonb_agg(jsonb_build_array(id, action, rule, proposal_digest, itineraries, superseded_at) order by id)
              from skedchange.decisions) as decisions,
           (select jsonb_agg(jsonb_build_array(id, state, sent_at)) from skedchange.effects) as effects,
           (select jsonb_agg(g) from skedchange.notification_digests g) as digests`,
      ),
    ).toEqual(before);
    const store = createReconciliationStore({ dialect, database: db.database, clock: systemClock });
    expect(await reconcileTables({ store, logger: silentLogger }, { repair: false })).toMatchObject({
      acknowledged: { examined: 1, withoutCase: 0, withoutProgress: 0 },
      inconsistencies: [],
    });
    expect((await worker.caseOf(orderId)).notifications).toMatchObject([{ bodyDeleted: { by: "erasure" } }]);
  });

  test("is audited with who did it, and the chain still verifies", async () => {
    await dealtWith();
    while ((await appendToAuditChain(db.database, 1_000)) > 0);
    const { head } = await verifyAudit(db.database);

    await erase();
    while ((await appendToAuditChain(db.database, 1_000)) > 0);

    expect(await verifyAudit(db.database, { known: head })).toMatchObject({
      broken: null,
      eventsCut: expect.any(Number),
    });
    expect(
      await rowsOf("select actor from skedchange.audit_entries where kind = 'order.erased' and order_id = $1", orderId),
    ).toEqual([{ actor: erasedBy }]);
  });

  test("an erased order that the gateway notifies again is worked on as before", async () => {
    const body = await dealtWith();
    await erase();

    expect(await worker.notify(body)).toBe(2);
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect(await rowsOf("select 1 from skedchange.cases where due_at <= now() or last_error is not null")).toEqual([]);
    const [row] = await rowsOf<{ id: string }>("select id from skedchange.decisions limit 1");
    expect(row).toBeDefined();
  });

  test("is polled no more", async () => {
    await dealtWith();
    await rowsOf("update skedchange.orders set next_poll_at = now()");

    await erase();

    expect(await rowsOf("select next_poll_at, poll_ended from skedchange.orders")).toEqual([
      { next_poll_at: null, poll_ended: "erased" },
    ]);
  });

  test.each([
    ["case-open", "update skedchange.cases set state = 'awaiting-agent'"],
    ["case-due", "update skedchange.cases set due_at = now() + interval '1 hour'"],
    ["effect-live", "update skedchange.effects set state = 'unknown'"],
    ["task-open", "update skedchange.tasks set closed_at = null, closed_by = null"],
    ["order-leased", "update skedchange.orders set leased_until = now() + interval '10 seconds'"],
    ["notification-pending", "update skedchange.notification_digests set pending_since = now(), pending_orders = '[]'"],
  ])("waits for work on it (%s), and touches nothing before", async (code, plant) => {
    await dealtWith();
    await pastTriggers(plant);
    const named = await tablesWith(marker);

    const outcome = await erase();

    expect(outcome).toMatchObject({
      outcome: "blocked",
      blockers: expect.arrayContaining([expect.objectContaining({ code })]),
    });
    expect(await tablesWith(marker)).toEqual(named);
    expect((await createErasure(db.database).list()).filter((entry) => entry.orderId === orderId)).toEqual([]);
  });

  test("waits for another order whose open case rests on the same notification", async () => {
    await dealtWith();
    await rowsOf("insert into skedchange.orders (source, order_id) values ('default', 'OTHER')");
    await rowsOf(
      `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
       values ('019aa000-0000-7000-8000-000000000002', 'default', 'OTHER', 'received', now(), now())`,
    );
    await rowsOf(
      `insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
       select '019aa000-0000-7000-8000-000000000002', id, received_at, now() from skedchange.notifications`,
    );

    expect(await erase()).toMatchObject({ outcome: "blocked", blockers: [{ code: "notification-shared" }] });
  });

  test("does not touch another order, nor a notification in quarantine that only looks like it", async () => {
    await dealtWith();
    const erased = orderId;
    orderId = `${orderId}B`;
    await dealtWith("Otherqz");
    await worker.notify(`{"OrderID": "${orderId}", "Name": "Otherqz"}`);
    const before = await tablesWith("Otherqz");
    orderId = erased;

    const subject = await createErasure(db.database).describe({ source: "default", orderId });
    expect(subject).toMatchObject({ quarantinedIds: [] });
    await erase(subject!.quarantinedIds);

    expect(await tablesWith("Otherqz")).toEqual(before);
    expect(await tablesWith(marker)).toEqual([]);
  });

  test("of an unknown order finds nothing", async () => {
    expect(await createErasure(db.database).describe({ source: "default", orderId: "NOBODY" })).toBeNull();
  });
});

describe("finding a traveller", () => {
  test("names each order whose bodies or notes have all of the words, and what names it", async () => {
    await dealtWith();
    const first = orderId;
    orderId = `${orderId}B`;
    await dealtWith("Müllerqz");

    const found = await findTraveller(db.database, `ana ${marker}`, () => {});

    expect(found).toMatchObject({ unreadable: 0, quarantined: [] });
    expect(found.orders).toEqual([
      {
        source: "default",
        orderId: first,
        named: expect.objectContaining({ notification: 1, status: expect.any(Number), documents: 1 }),
        isUncertain: false,
      },
    ]);
    for (const spelling of ["MUELLERQZ", "mullerqz", "Müllerqz"]) {
      expect((await findTraveller(db.database, spelling, () => {})).orders.map((order) => order.orderId)).toEqual([
        orderId,
      ]);
    }
  });

  test("is uncertain where only a notification of several orders has the name", async () => {
    await dealtWith();
    await rowsOf("insert into skedchange.orders (source, order_id) values ('default', 'OTHER')");
    await rowsOf(
      `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
       values ('019aa000-0000-7000-8000-000000000003', 'default', 'OTHER', 'received', now(), now())`,
    );
    await rowsOf(
      `insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
       select '019aa000-0000-7000-8000-000000000003', id, received_at, now() from skedchange.notifications`,
    );

    const { orders } = await findTraveller(db.database, marker, () => {});

    expect(orders.map((order) => [order.orderId, order.isUncertain])).toEqual([
      [orderId, false],
      ["OTHER", true],
    ]);
  });

  test("finds what is in quarantine and names no order, and its body can be erased by itself", async () => {
    await dealtWith("Otherqz");
    await worker.notify(`{"Name": "${marker}"}`);

    const { orders, quarantined } = await findTraveller(db.database, marker, () => {});

    expect({ orders, quarantined }).toEqual({
      orders: [],
      quarantined: [{ source: "default", id: expect.any(String) }],
    });
    const erasure = createErasure(db.database);
    expect(await erasure.eraseQuarantined(quarantined[0]!, { actor: erasedBy, at: null })).toBe(true);
    expect(await tablesWith(marker)).toEqual([]);
    expect((await erasure.list()).at(-1)).toMatchObject({
      orderId: null,
      notificationId: quarantined[0]!.id,
      erasedBy,
    });
    expect(await erasure.eraseQuarantined(quarantined[0]!, { actor: erasedBy, at: null })).toBe(false);
  });

  test("counts what it cannot decrypt", async () => {
    await dealtWith();
    await rowsOf("update skedchange.document_views set key_id = 'lost'");

    expect(await findTraveller(db.database, marker, () => {})).toMatchObject({ unreadable: 1 });
  });

  test.each([
    ["Müller", '"LastName":"MUELLER"', true],
    ["Mueller", '"LastName":"Müller"', true],
    ["Muller", '"LastName":"Müller"', true],
    ["Anna Müller", '"LastName":"MULLER","FirstName":"ANNA MARIA"', true],
    ["Anna Müller", '"LastName":"MULLER","FirstName":"EVA"', false],
    ["Straße", '"STRASSE"', true],
    ["  ", "anything", false],
  ])("%s is in %s: %s", (wanted, text, is) => {
    expect(createMatcher(wanted)(text)).toBe(is);
  });
});

/** As no transaction of ours can. */
async function pastTriggers(statement: string): Promise<void> {
  const { default: pg } = await import("pg");
  const admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  try {
    await admin.query("set session_replication_role = replica");
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
