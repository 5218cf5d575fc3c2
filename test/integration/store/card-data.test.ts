import { afterAll, beforeAll, expect, test } from "vitest";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import type { EncryptedColumn, EncryptedRow } from "../../../src/store/database/encryption.ts";
import { joinRepeated, repeatedColumns } from "../../../src/store/database/repeated-notification.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { sampleNotification, withFlags } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

const orderId = "CARD1";
const cardNumber = "4111111111111111";

let db: TestDatabase;
let database: Database;
let masked: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  masked = [];
  database = openDatabase({
    url: db.serviceUrl,
    applicationName: "test card data",
    maxConnections: 4,
    onCardDataMasked: (member) => void masked.push(member),
    onError: () => {},
  });
});
afterAll(async () => {
  await database.close();
  await db.drop();
});

async function openAll(column: EncryptedColumn): Promise<readonly string[]> {
  const [schema, table, body] = column.split(".");
  const isView = table !== "notifications";
  const { rows } = await sql<EncryptedRow & { id: string }>`
    select v.id, ${sql.ref(`v.${body}`)} as body, ${sql.ref(`v.${body}_encoding`)} as "bodyEncoding", v.key_id as "keyId"
      ${isView ? sql`, ${repeatedColumns}` : sql``}
    from ${sql.ref(`${schema}.${table}`)} v ${isView ? joinRepeated("v") : sql``}
    where ${sql.ref(`v.${body}`)} is not null
  `.execute(database.connection);
  const opened = rows.map((row) => database.encryption.open(row, { column, row: row.id }));
  return (await Promise.all(opened)).map((body) => body.toString());
}

test("a real card number is stored nowhere, and the digest is that of the received bytes", async () => {
  const sample = sampleNotification("minor-delay", { orderId, reference: "REFCARD" });
  const text = JSON.stringify(sample)
    .replaceAll(/"CardNumber":"[^"]*"/g, `"CardNumber":"${cardNumber}"`)
    .replaceAll(/"SeriesCode":"[^"]*"/g, '"SeriesCode":"737"');
  expect(text).toContain(cardNumber);
  const gateway = createScriptedGateway(withFlags(JSON.parse(text), { Accept: "Y", Cancel: "Y", ReSchedule: "N" }));
  const response = gateway.accept;
  gateway.accept = async (...query) => ({ ...(await response(...query)), body: Buffer.from(text) });
  const worker = createWorkerUnderTest(database, gateway);

  expect(await worker.notify(text)).toBe(1);
  expect(await worker.notify(text)).toBe(2);
  await worker.work(orderId);
  expect((await worker.caseOf(orderId)).state).toBe("done");

  const stored = {
    notifications: await openAll("skedchange.notifications.body"),
    statuses: await openAll("skedchange.status_views.body"),
    documents: await openAll("skedchange.document_views.body"),
    responses: await openAll("skedchange.effects.answer"),
  };
  for (const bodies of Object.values(stored)) {
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(body).not.toContain(cardNumber);
      expect(body).toContain(`"CardNumber":"${"*".repeat(16)}","SeriesCode":"***"`);
    }
  }
  const { rows } = await database.pool.query<{ digest: Buffer; body_bytes: number }>(
    "select digest, body_bytes from skedchange.notifications",
  );
  expect(rows).toEqual([{ digest: digestOfBytes(Buffer.from(text)), body_bytes: Buffer.byteLength(text) }]);
  expect(new Set(masked)).toEqual(new Set(["CardNumber", "SeriesCode"]));
});
