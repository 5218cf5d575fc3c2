import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import { createEncryptionKey, type EncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { createStoredBodies } from "../../../src/store/cases/stored-bodies.ts";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { createEncryption } from "../../../src/store/database/encryption.ts";
import { createErasure } from "../../../src/store/erasure/erasure.ts";
import { findTraveller } from "../../../src/store/erasure/find-traveller.ts";
import { countKeys } from "../../../src/store/reencryption/count-keys.ts";
import { reencrypt } from "../../../src/store/reencryption/reencrypt.ts";
import { createRetention } from "../../../src/store/retention/retention.ts";
import { storeRetentionPeriods } from "../../../src/store/retention/retention-periods.ts";
import { type OrderViewBody, sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, type ScriptedGateway, settled } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

const [older, newer] = [aKey(new Date("2026-01-01")), aKey(new Date("2026-06-01"))] as const;
const ago = (days: number): Date => new Date(Date.now() - days * 24 * 3_600_000);
const against = "deflate-against-notification";

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let body: OrderViewBody;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;
const opened: Database[] = [];

beforeAll(async () => {
  db = await createTestDatabase({ encryptionKeys: [older] });
  await storeRetentionPeriods(db.ownerDatabase, { bodiesDays: 1, casesDays: 1 });
});
beforeEach(() => {
  orderNumber += 1;
  orderId = `VIEWS${orderNumber}`;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  await run(
    "truncate skedchange.orders, skedchange.cases, skedchange.notifications, skedchange.notification_digests cascade",
  );
});
afterAll(() => db.drop());

describe("what the gateway says of an order after its notification", () => {
  test.each([
    ["with a key", [older]],
    ["without keys", []],
  ])("is compressed against it %s, and read byte for byte", async (_, keys) => {
    const database = withKeys(...keys);
    const caseId = await accept(database);

    const stored = await storedViews();
    expect(stored.map(({ encoding }) => encoding)).toEqual(Array(4).fill(against));
    for (const { length, bytes } of stored) expect(length).toBeLessThan(bytes / 8);
    expect(await readCalls(database, caseId)).toEqual(sentByGateway());
    expect(await readDocuments(database)).toBe(JSON.stringify(accepted()));
  });

  test("is compressed alone if the response is short", async () => {
    const database = withKeys(older);
    await accept(database, "{}");

    const stored = await storedViews();
    expect(stored.map(({ place, encoding }) => [place, encoding])).toContainEqual(["response", "gzip"]);
    expect(stored.filter(({ encoding }) => encoding === against)).toHaveLength(3);
  });

  test("is compressed alone if the notification is about several orders, so that erasing one leaves the other", async () => {
    const database = withKeys(older);
    begin(database);
    const other = sampleNotification("minor-delay", { orderId: `${orderId}B`, reference: `REF${orderNumber}B` });
    await worker.notify([body, other]);
    await worker.work(orderId);

    const stored = await storedViews();
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.map(({ encoding }) => encoding)).toEqual(Array(stored.length).fill("gzip"));
  });

  test("is compressed alone if nobody has notified the order", async () => {
    const database = withKeys(older);
    const caseId = await accept(database);
    await pastTriggers("delete from skedchange.case_notifications");
    await act(caseId, { action: "reopen" });
    const before = (await storedViews()).length;

    await worker.work(orderId);

    const later = (await storedViews()).slice(before);
    expect(later.length).toBeGreaterThan(0);
    expect(later.map(({ encoding }) => encoding)).toEqual(Array(later.length).fill("gzip"));
  });

  test("names no notification of another case", async () => {
    const database = withKeys(older);
    await accept(database);
    const [first] = await run<{ id: string }>("select notification_id as id from skedchange.case_notifications");
    orderId = `${orderId}B`;
    await accept(database);

    await expect(
      run("update skedchange.status_views set compressed_against = $1 where compressed_against <> $1", first!.id),
    ).rejects.toMatchObject({ code: "23503", constraint: "status_views_repeated_fkey" });
  });
});

describe("a notification whose body is deleted", () => {
  test("takes the views of every case with it in the same transaction, if cases of the order share it", async () => {
    const database = withKeys(older);
    await reopenedOnce(database);
    await age(ago(30));
    expect(await pairs()).toEqual({ readable: expect.any(Number), orphaned: 0 });

    const first = await createRetention(database).deleteBodies(ago(20), 1);

    expect(first).toMatchObject({ casesWithoutBodies: 1, notificationBodies: 1 });
    expect(await pairs()).toEqual({ readable: 0, orphaned: 0 });
    expect((await readAllCases(database)).every((call) => call === "deleted by retention")).toBe(true);
    expect(await createRetention(database).deleteBodies(ago(20), 1)).toMatchObject({ casesWithoutBodies: 1 });
  });

  test("takes them with it when the order is erased", async () => {
    const database = withKeys(older);
    await reopenedOnce(database);

    const erased = await createErasure(database).erase(
      { source: "default", orderId },
      { actor: "person:ana", at: null },
      [],
    );

    expect(erased).toMatchObject({ outcome: "erased", counts: { notificationBodies: 1 } });
    expect(await pairs()).toEqual({ readable: 0, orphaned: 0 });
    expect((await readAllCases(database)).every((call) => call === "deleted by erasure")).toBe(true);
  });

  test("leaves no view when finished cases are deleted", async () => {
    const database = withKeys(older);
    await reopenedOnce(database);
    await age(ago(30));

    expect(await createRetention(database).deleteCases(ago(20), 1)).toMatchObject({ cases: 2, notifications: 1 });

    expect(await storedViews()).toEqual([]);
  });

  test("cannot be deleted as a row while a view needs it", async () => {
    await accept(withKeys(older));

    await expect(run("delete from skedchange.case_notifications")).rejects.toMatchObject({ code: "23503" });
  });

  test("makes a view that came later read as deleted, by pages and searches, and not as an error", async () => {
    const database = withKeys(older);
    const caseId = await accept(database);
    await run(
      `update skedchange.notifications set body = '', body_encoding = 'deleted', key_id = null,
         body_deleted_at = now(), body_deleted_by = 'erasure'`,
    );

    expect(await readCalls(database, caseId)).toEqual(Array(3).fill("deleted by erasure"));
    const listed = await createStoredBodies(database).listCalls(caseId, null);
    expect(listed?.map(({ bodyDeleted }) => bodyDeleted?.by)).toEqual(Array(3).fill("erasure"));
    expect(await createStoredBodies(database).readOrderBodies(caseId, null)).toMatchObject({
      bodies: [{ deleted: { by: "erasure" } }, { deleted: { by: "erasure" } }],
    });
    expect(await findTraveller(database, "Silva", () => {})).toMatchObject({ orders: [], unreadable: 0 });
  });
});

test("a search for a traveller reads what is compressed against a notification", async () => {
  const database = withKeys(older);
  await accept(database);

  const { orders, unreadable } = await findTraveller(database, "Silva", () => {});

  expect(orders).toMatchObject([{ orderId, named: { notification: 1, status: 2, documents: 1, response: 1 } }]);
  expect(unreadable).toBe(0);
});

test("views stay readable while they and their notifications are encrypted anew, and afterwards with the new key alone", async () => {
  const caseId = await accept(withKeys(older));
  const during = withKeys(newer, older);
  const sent = sentByGateway();
  const readMeanwhile: Promise<readonly string[]>[] = [];

  const results = await reencrypt(
    { connection: db.ownerDatabase.connection, encryption: createEncryption([newer, older]) },
    ({ column }) => {
      if (/notifications|views|answer/.test(column)) readMeanwhile.push(readCalls(during, caseId));
    },
  );

  expect(results.flatMap(({ unreadableIds }) => unreadableIds)).toEqual([]);
  // After notifications, status views, documents and responses.
  expect(await Promise.all(readMeanwhile)).toEqual(Array(4).fill(sent));
  const after = withKeys(newer);
  expect(await readCalls(after, caseId)).toEqual(sent);
  expect(await readDocuments(after)).toBe(JSON.stringify(accepted()));
  const uses = (await countKeys(after)).filter(({ keyId }) => keyId !== newer.id);
  expect(uses).toEqual([]);
});

function aKey(madeAt: Date): EncryptionKey {
  const read = readEncryptionKeys(createEncryptionKey(madeAt));
  if (!read.ok) throw new Error(read.problem);
  return read.keys[0]!;
}

function withKeys(...encryptionKeys: readonly EncryptionKey[]): Database {
  const database = openDatabase({
    url: db.serviceUrl,
    applicationName: "test views",
    maxConnections: 4,
    encryptionKeys,
    onError: () => {},
  });
  opened.push(database);
  return database;
}

async function run<Row extends object>(query: string, ...values: unknown[]): Promise<readonly Row[]> {
  return (await db.ownerDatabase.pool.query<Row>(query, values)).rows;
}

/** All cases of the test are over since then. */
async function age(at: Date): Promise<void> {
  await run("update skedchange.cases set updated_at = $1, opened_at = $1, closed_at = $1, departure_at = $1", at);
  await pastTriggers(`update skedchange.decisions set decided_at = '${at.toISOString()}'`);
  await pastTriggers(`update skedchange.case_notifications set joined_at = '${at.toISOString()}'`);
}

async function pastTriggers(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  try {
    await admin.query("set session_replication_role = replica");
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

/** A worker at an order whose gateway responds to an accept with the whole order view, unless told otherwise. */
function begin(database: Database, response?: string): void {
  body = sampleNotification("minor-delay", { orderId, reference: `REF${orderNumber}` });
  gateway = createScriptedGateway(body);
  gateway.status = () => (gateway.journal.length === 0 ? body : accepted());
  const { accept: respond } = gateway;
  gateway.accept = async (...query) => ({
    ...(await respond(...query)),
    body: Buffer.from(response ?? responseOf(body)),
  });
  worker = createWorkerUnderTest(database, gateway);
}

/** Returns the case of an order whose change was accepted. */
async function accept(database: Database, response?: string): Promise<string> {
  begin(database, response);
  await worker.notify(body);
  await worker.work(orderId);
  const { id, state } = await worker.caseOf(orderId);
  expect(state).toBe("done");
  return id;
}

async function act(caseId: string, command: CaseCommand): Promise<void> {
  const action = { version: null, visible: null, actor: "person:ana", note: null, ...command, caseId };
  expect(await worker.worker.act(action)).toMatchObject({ outcome: "accepted" });
}

/** An order with two finished cases, which share its notification. */
async function reopenedOnce(database: Database): Promise<void> {
  const first = await accept(database);
  await act(first, { action: "reopen" });
  await worker.work(orderId);
  await act((await worker.caseOf(orderId)).id, { action: "close" });
  await pastTriggers("update skedchange.tasks set closed_at = now() - interval '30 days', closed_by = 'person:ana'");
  const used = await run<{ cases: number }>(
    `select count(distinct case_id)::int as cases from skedchange.status_views where body_encoding = '${against}'`,
  );
  expect(used).toEqual([{ cases: 2 }]);
}

async function storedViews() {
  return await run<{ place: string; encoding: string; length: number; bytes: number }>(
    `select 'status' as place, body_encoding as encoding, length(body) as length, body_bytes as bytes, read_at as at
       from skedchange.status_views
     union all select 'documents', body_encoding, length(body), body_bytes, read_at from skedchange.document_views
     union all select 'response', answer_encoding, length(answer), answer_bytes, sent_at from skedchange.effects
       where answer is not null
     order by at`,
  );
}

/** How many views are compressed against a notification that is stored, and against one that is not. */
async function pairs() {
  const [counted] = await run(
    `select count(*) filter (where n.body_deleted_at is null)::int as readable,
       count(*) filter (where n.body_deleted_at is not null)::int as orphaned
     from (
       select compressed_against as id from skedchange.status_views where compressed_against is not null
       union all select compressed_against from skedchange.document_views where compressed_against is not null
       union all select compressed_against from skedchange.effects where compressed_against is not null
     ) views left join skedchange.notifications n using (id)`,
  );
  return counted;
}

/** What the calls of a case have brought, newest first. */
async function readCalls(database: Database, caseId: string): Promise<readonly string[]> {
  const bodies = createStoredBodies(database);
  const calls = (await bodies.listCalls(caseId, null)) ?? [];
  return await Promise.all(
    calls.map(async ({ id }) => {
      const read = await bodies.readCallBody(caseId, id, null);
      if (read === null) return "nothing";
      return "deleted" in read ? `deleted by ${read.deleted.by}` : read.bytes.toString();
    }),
  );
}

async function readAllCases(database: Database): Promise<readonly string[]> {
  const cases = await worker.casesOf(orderId);
  expect(cases).toHaveLength(2);
  return (await Promise.all(cases.map(({ id }) => readCalls(database, id)))).flat();
}

/** The status after the accept, its response, and the status before. */
function sentByGateway(): readonly string[] {
  return [JSON.stringify(accepted()), responseOf(body), JSON.stringify(body)];
}

function accepted(): OrderViewBody {
  return settled(body, "Accepted");
}

function responseOf(view: OrderViewBody): string {
  return `${JSON.stringify(view)}\n`;
}

async function readDocuments({ encryption }: Database): Promise<string> {
  const [row] = await run<Parameters<typeof encryption.open>[0] & { id: string }>(
    `select d.id, d.body, d.body_encoding as "bodyEncoding", d.key_id as "keyId", n.id as "againstId",
       n.body as "againstBody", n.body_encoding as "againstEncoding", n.key_id as "againstKeyId"
     from skedchange.document_views d join skedchange.notifications n on n.id = d.compressed_against`,
  );
  return (await encryption.open(row!, { column: "skedchange.document_views.body", row: row!.id })).toString();
}
