import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { createEncryptionKey, type EncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { encryptNote } from "../../../src/store/cases/notes.ts";
import { createStoredBodies } from "../../../src/store/cases/stored-bodies.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { createEncryption, type Place } from "../../../src/store/database/encryption.ts";
import { asTx, inTransaction } from "../../../src/store/database/transaction.ts";
import { createDeliveryStore, createEventDeliveryStore } from "../../../src/store/deliveries/lane-store.ts";
import { createEventRecipientStore, createRecipientStore } from "../../../src/store/deliveries/recipients.ts";
import { createSigningKeyStore } from "../../../src/store/deliveries/signing-keys.ts";
import { countKeys } from "../../../src/store/reencryption/count-keys.ts";
import { bytesColumns } from "../../../src/store/reencryption/encrypted-columns.ts";
import { reencrypt } from "../../../src/store/reencryption/reencrypt.ts";
import { createSecondFactorStore } from "../../../src/store/second-factors.ts";
import { sampleNotification, withFlags } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { encryptAsBefore } from "../../harness/old-encryption.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

const [older, newer] = [aKey("2026-01-01"), aKey("2026-06-01")] as const;
const certificate = {
  certificate: "the certificate",
  privateKey: new Secret("the key of the certificate"),
  authorities: null,
  expiresAt: new Date("2099-01-01"),
};
const bearer = { type: "bearer", token: new Secret("hunter2") } as const;

/** With what has a meaning in replacements of text. */
const clearNote = "a clear note of $& 5 and $$ 6";

let db: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  // Lines that are deleted leave their entries in the audit, those of a table that is truncated do not.
  await run("delete from skedchange.case_events");
  await run(
    `truncate skedchange.cases, skedchange.orders, skedchange.notifications, skedchange.notification_digests,
       skedchange.bulk_actions, skedchange.event_recipients, gateway.recipients, gateway.ocn_bodies,
       skedchange.signing_keys, skedchange.users cascade`,
  );
});
afterAll(() => db.drop());

describe("encrypting everything anew", () => {
  test("knows every column that has a key", async () => {
    const rows = await run<{ place: string }>(
      `select table_schema || '.' || table_name || '.' || column_name as place from information_schema.columns
       where column_name ~ 'key_id$' and table_schema in ('skedchange', 'gateway') and table_name !~ '^notifications_'`,
    );
    const known = bytesColumns.map(({ name }) => {
      const [schema, table, column = ""] = name.split(".");
      return `${schema}.${table}.${/secrets|certificate/.test(column) ? `${column}_key_id` : "key_id"}`;
    });

    // The database itself writes events, in clear.
    expect(new Set(rows.map(({ place }) => place))).toEqual(new Set([...known, "skedchange.event_bodies.key_id"]));
  });

  test("leaves nothing under the older key, while work goes on, and what has the newer key only reads it all", async () => {
    const before = process(older);
    await dealWith(before, "BEFORE1");
    await dealWith(before, "BEFORE2");
    await fillTheRest(before);
    await makeAsBefore("skedchange.notifications", "body");
    await makeAsBefore("skedchange.effects", "answer");
    const caseId = await dealWith(process(), "CLEAR1", clearNote);
    expect(new Set((await countKeys(before)).map(({ column }) => column)).size).toBe(22);

    const during = process(newer, older);
    const work = (async () => {
      for (let order = 1; order <= 5; order += 1) await dealWith(during, `DURING${order}`);
    })();
    await reencryptAll();
    await work;
    await reencryptAll();

    const uses = await countKeys(during);
    expect(new Set(uses.map(({ column }) => column)).size).toBe(22);
    expect(uses.filter(({ keyId, unbound }) => keyId !== newer.id || unbound > 0)).toEqual([]);
    expect(await tablesThatName(older.id)).toEqual([]);
    expect(await tablesThatName("a clear note")).toEqual([]);

    const after = process(newer);
    expect(await dealWith(after, "AFTER1")).toEqual(expect.any(String));
    const detail = await workerOn(after).caseOf("CLEAR1");
    expect(detail.timeline.filter(({ kind }) => kind === "case.noted")).toMatchObject([
      { detail: { note: clearNote } },
    ]);
    expect(detail.decisions.map(({ note }) => note)).toContain(clearNote);
    expect(await readAllBodies(after, caseId)).toBe(true);
    await expectSecretsToOpen(after);
    expect(await auditOf(after)).toMatchObject({ broken: null });
  });

  test("does nothing the second time", async () => {
    await dealWith(process(older), "TWICE");
    await reencryptAll();

    expect((await reencryptAll()).filter(({ done }) => done > 0)).toEqual([]);
  });

  test("loses no change that is made between reading a row and replacing it", async () => {
    const before = process(older);
    const { createRecipient, changeRecipient } = createRecipientStore({ database: before, clock: systemClock });
    const { id } = await createRecipient(aRecipient("A"));
    const encryption = createEncryption([newer, older]);
    let isChanged = false;
    const racing: typeof encryption = {
      ...encryption,
      encryptAnew: async (row, place) => {
        if (!isChanged && place.row === id) {
          isChanged = true;
          await changeRecipient(id, { authorization: { type: "bearer", token: new Secret("changed meanwhile") } });
        }
        return await encryption.encryptAnew(row, place);
      },
    };

    await reencrypt({ connection: db.ownerDatabase.connection, encryption: racing }, () => {});

    const target = await createDeliveryStore({ database: process(newer), clock: systemClock }).readTarget(id);
    expect(target?.message).toMatchObject({
      kind: "readable",
      authorization: { token: new Secret("changed meanwhile") },
    });
    expect(isChanged).toBe(true);
  });

  test("changes nothing else of an effect that has ended, and names what cannot be read", async () => {
    await dealWith(process(older), "ENDED");
    await dealWith(process(aKey("2025-01-01")), "LOST");
    const rest = "select to_jsonb(e) - 'answer' - 'key_id' - 'is_bound' as rest from skedchange.effects e order by id";
    const was = await run(rest);

    const results = await reencryptAll();

    expect(await run(rest)).toEqual(was);
    const lost = await run<{ id: string }>("select id from skedchange.effects where order_id = 'LOST'");
    expect(results).toContainEqual({ column: "skedchange.effects.answer", done: 1, unreadableIds: [lost[0]!.id] });
  });
});

describe("the functions that replace what is stored", () => {
  test.each([
    "select skedchange.replace_ciphertexts('skedchange.effects.answer', '{}', '{}', '{}', 'k')",
    "select skedchange.replace_notes('skedchange.decisions.note', '{}', '{}', '{}')",
    "update skedchange.notifications set body = ''",
    "update skedchange.case_events set detail = '{}'",
  ])("are not for the service role: %s", async (statement) => {
    await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });

  test.each([
    ["a clear text", () => Promise.resolve("a lie")],
    ["another encrypted note", (encryption: ReturnType<typeof createEncryption>) => encryptNote(encryption, "a lie")],
  ])("put no %s in the place of a note", async (_, lie) => {
    const database = process(newer);
    await dealWith(database, "TRUE1", "the truth");
    const lines = await run<{ id: string; note: string }>(
      "select id::text as id, detail ->> 'note' as note from skedchange.case_events where detail ? 'note'",
    );
    const lies = await Promise.all(lines.map(() => lie(database.encryption)));

    const replaced = await run(
      "select skedchange.replace_notes('skedchange.case_events.detail', $1, $2, $3)",
      lines.map(({ id }) => id),
      lines.map(({ note }) => note),
      lies,
    );

    expect(lines.length).toBeGreaterThan(0);
    expect(replaced).toEqual([]);
  });
});

describe("bytes that somebody swaps in the database", () => {
  test("are not read as those of another row, and the case goes to a person", async () => {
    const database = process(newer);
    const worker = workerOn(database);
    await worker.notify(sampleNotification("minor-delay", { orderId: "SWAP1" }));
    await worker.notify(sampleNotification("minor-delay", { orderId: "SWAP2" }));
    await run(`update skedchange.notifications n set body = o.body
      from skedchange.notifications o where o.id <> n.id`);

    await worker.work("SWAP1");
    expect((await worker.caseOf("SWAP1")).lastError).toMatchObject({ code: "store.body_misplaced" });
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await worker.makeDue("SWAP1");
      await worker.work("SWAP1");
    }

    const { state, decision, notifications } = await worker.caseOf("SWAP1");
    expect([state, decision?.reasons[0]?.code]).toEqual(["awaiting-agent", "processing-failed"]);
    const reading = createStoredBodies(database).readNotificationBody(notifications[0]!.id, null);
    await expect(reading).rejects.toMatchObject({ code: "store.body_misplaced" });
  });

  test("are found by the audit if they are notes", async () => {
    const database = process(newer);
    await dealWith(database, "NOTE1", "one");
    await dealWith(database, "NOTE2", "two");
    expect(await auditOf(database)).toMatchObject({ broken: null });
    await run(`update skedchange.case_events n set detail = o.detail from skedchange.case_events o
      where o.id <> n.id and n.kind = 'case.noted' and o.kind = 'case.noted'`);

    expect(await auditOf(database)).toMatchObject({ broken: { code: "audit.event_differs" } });
  });

  test("are found by the audit also if nobody can read them", async () => {
    const database = process(newer);
    await dealWith(database, "NOTE4", "one");
    const lie = await encryptNote(process(aKey("2026-01-01")).encryption, "a lie");
    await run("update skedchange.case_events set detail = $1 where detail ? 'note'", JSON.stringify({ note: lie }));

    expect(await auditOf(database)).toMatchObject({ broken: { code: "audit.event_differs" } });
  });

  test("are found by the audit also if they were notes in clear that are encrypted by now", async () => {
    await dealWith(process(), "NOTE3", "one");
    await reencryptAll();
    const database = process(newer);
    expect(await auditOf(database)).toMatchObject({ broken: null });
    const lie = await encryptNote(database.encryption, "another");
    await run(
      "update skedchange.case_events set detail = jsonb_set(detail, '{note}', to_jsonb($1::text)) where detail ? 'note'",
      lie,
    );

    expect(await auditOf(database)).toMatchObject({ broken: { code: "audit.event_differs" } });
  });
});

function aKey(day: string): EncryptionKey {
  const read = readEncryptionKeys(createEncryptionKey(new Date(day)));
  if (!read.ok) throw new Error(read.problem);
  return read.keys[0]!;
}

/** As another process has the database: with these keys. */
function process(...encryptionKeys: readonly EncryptionKey[]): Database {
  const database = openDatabase({
    url: db.serviceUrl,
    applicationName: "test reencryption",
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

async function reencryptAll() {
  const { connection } = db.ownerDatabase;
  return await reencrypt({ connection, encryption: createEncryption([newer, older]) }, () => {});
}

function workerOn(database: Database): WorkerUnderTest {
  const changeable = withFlags(sampleNotification("misconnection"), { Accept: "Y", Cancel: "Y", ReSchedule: "N" });
  return createWorkerUnderTest(database, createScriptedGateway(changeable));
}

/** A case with notes in everything that has notes, accepted by a person. */
async function dealWith(database: Database, orderId: string, note = `note about ${orderId}`): Promise<string> {
  const sample = sampleNotification("misconnection", { orderId, reference: `REF${orderId}` });
  const body = withFlags(sample, { Accept: "Y", Cancel: "Y", ReSchedule: "N" });
  const worker = createWorkerUnderTest(database, createScriptedGateway(body));
  await worker.notify(body);
  await worker.work(orderId);
  const { id: caseId } = await worker.caseOf(orderId);
  const act = async (command: CaseCommand) => {
    const action = { version: null, visible: null, actor: "person:ana", note, ...command, caseId };
    expect(await worker.worker.act(action)).toMatchObject({ outcome: "accepted" });
  };
  await act({ action: "note" });
  await act({ action: "traveller-informed", channel: "phone", happenedAt: new Date(Date.now() - 3_600_000) });
  await act({ action: "accept" });
  await worker.work(orderId);
  const { state, tasks } = await worker.caseOf(orderId);
  expect(state).toBe("done");
  for (const task of tasks)
    await createTasks(database, systemClock).close([task.id], { visible: null, actor: "person:ana", note });
  return caseId;
}

const others = { lanesMax: null, ratePerSecond: null, agencyId: null, deadlineMs: null } as const;

function aRecipient(name: string) {
  return {
    name,
    url: "https://example.com",
    authorization: bearer,
    signingSecrets: [new Secret(`whsec_${Buffer.alloc(24).toString("base64")}`)],
    clientCertificate: certificate,
    ordering: "latest",
    acknowledgement: "required",
    airlines: null,
    ...others,
  } as const;
}

/** What the work on cases does not write. */
async function fillTheRest(database: Database): Promise<void> {
  const [known] = await run<{ id: string; source: string; order_id: string }>("select * from skedchange.cases limit 1");
  await createRecipientStore({ database, clock: systemClock }).createRecipient(aRecipient("A"));
  const { airlines: _, ...events } = aRecipient("E");
  await createEventRecipientStore({ database, clock: systemClock }).createRecipient({
    ...events,
    acknowledgement: "any-success",
    ordering: "every",
    eventTypes: null,
    sources: null,
  });
  await inTransaction(database, async (transaction) => {
    const announcement = { orderId: "O", airline: "LH", changeId: randomUUID(), body: Buffer.from("{}") };
    await createDeliveryStore({ database, clock: systemClock }).addAnnouncement(asTx(transaction), announcement);
  });
  const jwk = { kid: "k1", algorithm: "ES256", publicJwk: {}, privateJwk: new Secret("{}") } as const;
  await createSigningKeyStore(database).addFirstKey({ ...jwk, createdAt: new Date() });
  const [owner] = await run<{ id: string }>(
    `insert into skedchange.users (id, username, display_name, role, password_hash, created_at, updated_at)
     values (gen_random_uuid(), 'ana', 'Ana', 'agent', 'scrypt$', now(), now()) returning id`,
  );
  await createSecondFactorStore(database).beginFactor(owner!.id, "GEZDGNBVGY3TQOJQ", new Date());
  await createBulkActions(database, systemClock).start(
    { action: "close", note: "a note for many" },
    [{ caseId: known!.id, version: 1 }],
    { actor: "person:ana" },
  );
  const id = newId(systemClock);
  const polled: Place = { column: "skedchange.order_status_views.body", row: id };
  const { body, bodyBytes, keyId } = await database.encryption.encrypt(Buffer.from("{}"), polled);
  await run(
    `insert into skedchange.order_status_views
       (id, source, order_id, read_at, proposal_digest, body, body_encoding, body_bytes, key_id, is_bound)
     values ($1, $2, $3, now(), 'd', $4, 'gzip', $5, $6, true)`,
    id,
    known!.source,
    known!.order_id,
    body,
    bodyBytes,
    keyId,
  );
  await run(
    `insert into skedchange.approvals (id, case_id, action, proposal_digest, asked_by, asked_at, note)
     values ($1, $2, 'accept', 'd', 'person:ana', now(), $3)`,
    newId(systemClock),
    known!.id,
    await encryptNote(database.encryption, "an approval's note"),
  );
}

/** Stores the rows of a table as version 0.1 would have. */
async function makeAsBefore(table: string, column: string): Promise<void> {
  const { encryption } = process(older);
  const rows = await run<{ id: string; body: Buffer; bodyEncoding: string; keyId: string }>(
    `select id, ${column} as body, 'gzip' as "bodyEncoding", key_id as "keyId" from ${table} where ${column} is not null`,
  );
  const client = await db.ownerDatabase.pool.connect();
  try {
    await client.query("select set_config('skedchange.deleting', 'on', false)");
    for (const row of rows) {
      const place = { column: `${table}.${column}`, row: row.id } as Place;
      const bytes = encryptAsBefore(older, await encryption.open(row, place));
      await client.query(`update ${table} set ${column} = $1, is_bound = false where id = $2`, [bytes, row.id]);
    }
    await client.query("select set_config('skedchange.deleting', 'off', false)");
  } finally {
    client.release();
  }
  expect(rows.length).toBeGreaterThan(0);
}

async function tablesThatName(text: string): Promise<readonly string[]> {
  const tables = await run<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace in ('skedchange'::regnamespace, 'gateway'::regnamespace) and c.relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await run(`select 1 from ${name} as t where strpos(t::text, $1) > 0 limit 1`, text);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function readAllBodies(database: Database, caseId: string): Promise<boolean> {
  const bodies = createStoredBodies(database);
  const notifications = await run<{ id: string; digest: Buffer }>("select id, digest from skedchange.notifications");
  for (const { id, digest } of notifications) {
    const body = await bodies.readNotificationBody(id, null);
    if (body === null || !("bytes" in body) || !digestOfBytes(body.bytes).equals(digest)) return false;
  }
  const calls = (await bodies.listCalls(caseId, null)) ?? [];
  for (const { id } of calls) await bodies.readCallBody(caseId, id, null);
  return notifications.length > 0 && calls.length > 0;
}

async function expectSecretsToOpen(database: Database): Promise<void> {
  const options = { database, clock: systemClock };
  const recipients = await run<{ id: string }>("select id from gateway.recipients");
  const listeners = await run<{ id: string }>("select id from skedchange.event_recipients");
  const readable = { message: { kind: "readable", authorization: bearer, clientCertificate: certificate } };
  for (const { id } of recipients) expect(await createDeliveryStore(options).readTarget(id)).toMatchObject(readable);
  for (const { id } of listeners)
    expect(await createEventDeliveryStore(options).readTarget(id)).toMatchObject(readable);
  expect(await createSigningKeyStore(database).readSigningKey()).toMatchObject({ kid: "k1" });
}

async function auditOf(database: Database) {
  await appendToAuditChain(database, 1_000);
  return await verifyAudit(database);
}
