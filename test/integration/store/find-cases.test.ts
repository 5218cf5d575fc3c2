import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import type { CaseSelection } from "../../../src/dashboard/case-filter-ports.ts";
import { createEncryptionKey, type EncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { createEncryption } from "../../../src/store/database/encryption.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { reencrypt } from "../../../src/store/reencryption/reencrypt.ts";
import { addOlderCases } from "../../../src/store/search/older-cases.ts";
import { nameTokensName } from "../../../src/store/search/renew-name-tokens.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { type OrderViewBody, sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, ScriptedFailure } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

const older = aKey("2026-01-01");
const newer = aKey("2026-06-01");

let db: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  await sql`truncate skedchange.cases, skedchange.orders, skedchange.notifications, skedchange.notification_digests cascade`.execute(
    db.ownerDatabase.connection,
  );
});
afterAll(() => db.drop());

describe("a traveller", () => {
  test.each([
    ["the family name", "Müller"],
    ["the family name as another gateway writes it", "mueller"],
    ["the family name without its accent", "MULLER"],
    ["the first three letters", "mül"],
    ["family and given name, as on a ticket", "MUELLER/JOSE MR"],
    ["one part of a double name", "ana"],
    ["a double name written together", "anaclara"],
    ["a name of two letters", "Li"],
    ["a ticket number", "2202100000017"],
    ["a ticket number with a hyphen", "220-2100000017"],
    ["a ticket number in two parts", "220 2100000017"],
    ["a ticket number without the airline's code", "2100000017"],
    ["the first six digits of a ticket", "210000"],
  ])("is found by %s", async (_, text) => {
    await decide(process(newer), "FINDME", theTravellers);

    expect(await found(process(newer), text)).toEqual(["FINDME"]);
  });

  test.each([
    ["two letters of a longer name", "Mu"],
    ["the middle of a name", "ülle"],
    ["five digits of a ticket", "21000"],
    ["somebody else's name beside the right one", "Müller Schmidt"],
  ])("is not found by %s", async (_, text) => {
    await decide(process(newer), "FINDME", theTravellers);

    expect(await found(process(newer), text)).toEqual([]);
  });

  test("is not found by whoever may not read stored bodies", async () => {
    await decide(process(newer), "FINDME", theTravellers);

    expect(await found(process(newer), "Müller", { namesSoughtBy: null })).toEqual([]);
  });

  test("is found by the notification while the gateway gives no status", async () => {
    const database = process(newer);
    const gateway = createScriptedGateway(theTravellers("WAITING"));
    gateway.statusFailure = new ScriptedFailure("before-sending", "client.connect_failed");
    const worker = createWorkerUnderTest(database, gateway);
    await worker.notify(theTravellers("WAITING"));
    await worker.work("WAITING");

    expect(await found(database, "Müller")).toEqual(["WAITING"]);
  });

  test("is found after the key was replaced, and by the newer key alone once all is renewed", async () => {
    await decide(process(older), "FINDME", theTravellers);
    expect(await found(process(newer, older), "Müller")).toEqual(["FINDME"]);
    expect(await found(process(newer), "Müller")).toEqual([]);

    await reencryptAll();

    expect(await found(process(newer), "Müller")).toEqual(["FINDME"]);
    expect((await reencryptAll()).find(({ column }) => column === nameTokensName)).toMatchObject({ done: 0 });
  });

  test("of an order from before is found once all is renewed", async () => {
    await decide(process(newer), "BEFORE", theTravellers);
    await sql`update skedchange.case_search set name_tokens = null, token_key = null`.execute(
      db.ownerDatabase.connection,
    );
    expect(await found(process(newer), "Müller")).toEqual([]);

    await reencryptAll();

    expect(await found(process(newer), "Müller 2100000017")).toEqual(["BEFORE"]);
  });

  test("is not found any more once the bodies are deleted", async () => {
    await decide(process(newer), "GONE", theTravellers);

    await sql`update skedchange.cases set bodies_deleted_at = now()`.execute(db.ownerDatabase.connection);

    expect(await found(process(newer), "Müller")).toEqual([]);
    expect(await found(process(newer), "GONE")).toEqual(["GONE"]);
  });

  test("of a notification about two orders is not found as a traveller of either", async () => {
    const database = process(newer);
    const both = theTravellers("ONE");
    both.OrderViewRS.Order.push({ ...structuredClone(both.OrderViewRS.Order[0]!), OrderID: "TWO" });
    const gateway = createScriptedGateway(both);
    gateway.statusFailure = new ScriptedFailure("before-sending", "client.connect_failed");
    const worker = createWorkerUnderTest(database, gateway);
    await worker.notify(both);
    await worker.work("ONE");

    expect(await found(database, "Müller")).toEqual([]);
  });
});

describe("a case", () => {
  test.each<[string, Partial<CaseSelection>]>([
    ["its flight", { words: ["LH1167"] }],
    ["its flight in two words", { words: ["LH", "1167"] }],
    ["its airline", { words: ["lh"] }],
    ["its airport", { words: ["lis"] }],
    ["its route", { words: ["lis-fra"] }],
    ["any part of its OrderID", { words: ["NDM"] }],
    ["the filter of the flight", { flight: "LH1167" }],
    ["the filter of airline and airport", { airline: "LH", airport: "FRA" }],
    ["the filter of the route", { route: "LIS-FRA" }],
    ["the filter of severities", { severities: ["minor", "critical", "major"] }],
    ["the filter of its value", { value: { currency: "USD", min: "1" } }],
    ["the filter of its departure", { departsFrom: "2020-01-01T00:00:00Z" }],
  ])("is found by %s", async (_, selection) => {
    await decide(process(newer), "FINDME", theTravellers);

    expect(await found(process(newer), "", selection)).toEqual(["FINDME"]);
  });

  test.each<[string, Partial<CaseSelection>]>([
    ["another airline", { airline: "BA" }],
    ["another route", { route: "FRA-JFK" }],
    ["a severity that it has not", { severities: ["none"] }],
    ["the severity that is not known", { severities: ["unknown"] }],
    ["another currency", { value: { currency: "EUR" } }],
    ["a higher value", { value: { currency: "USD", min: "1000000" } }],
    ["a departure in the past", { departsBefore: "2020-01-01T00:00:00Z" }],
    ["a rule that did not decide", { rule: "no-such-rule" }],
  ])("is not found by %s", async (_, selection) => {
    await decide(process(newer), "FINDME", theTravellers);

    expect(await found(process(newer), "", selection)).toEqual([]);
  });

  test("is not found by the severity that is not known when it is finished, also without an order of open work", async () => {
    await insertCase(db.ownerDatabase, { orderId: "WAITING" });
    await insertCase(db.ownerDatabase, { orderId: "FINISHED", state: "done" });

    for (const severities of [["unknown"], ["unknown", "minor"]] satisfies CaseSelection["severities"][]) {
      expect(await found(process(newer), "", { severities })).toEqual(["WAITING"]);
    }
    expect(await found(process(newer), "", { severities: ["unknown"], states: ["done"] })).toEqual([]);
  });

  test("states in the list how many travel and what the order is worth, as far as it is known", async () => {
    const database = process(newer);
    await decide(database, "FINDME", theTravellers);
    await insertCase(db.ownerDatabase, { orderId: "UNREAD" });

    const { items } = await createCaseQueries(database, dialect).listCases({ ...everything, after: null, limit: 10 });

    const shown = items.map(({ orderId, passengerCount, value }) => [orderId, passengerCount, value?.currency ?? null]);
    // Two are listed, and the fares are for three.
    expect(shown.sort()).toEqual([
      ["FINDME", 3, "USD"],
      ["UNREAD", null, null],
    ]);
    expect(items.find(({ orderId }) => orderId === "FINDME")?.value?.amount).toMatch(/^\d+(\.\d+)?$/);
  });

  test("is found by the rule and the reason of the decision in force", async () => {
    const database = process(newer);
    await decide(database, "FINDME", theTravellers);
    const [decided] = (await createCaseQueries(database, dialect).listCases({ ...everything, after: null, limit: 1 }))
      .items;

    const { rule, reasons } = decided!.decision!;

    expect(await found(database, "", { rule })).toEqual(["FINDME"]);
    expect(await found(database, "", { reason: reasons[0]!.code })).toEqual(["FINDME"]);
  });
});

test("cases from before are found once a job has added them, in several portions, and those since stay as they are", async () => {
  const database = process(newer);
  await decide(database, "BEFORE", theTravellers);
  const { rule } = (await createCaseQueries(database, dialect).listCases({ ...everything, after: null, limit: 1 }))
    .items[0]!.decision!;
  await sql`
    insert into skedchange.orders (source, order_id) select 'default', 'OLD' || n from generate_series(1, 1500) n
  `.execute(db.ownerDatabase.connection);
  await sql`
    insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
    select gen_random_uuid(), source, order_id, 'received', now(), now() from skedchange.orders where order_id like 'OLD%'
  `.execute(db.ownerDatabase.connection);
  await sql`delete from skedchange.case_search`.execute(db.ownerDatabase.connection);
  await sql`
    insert into skedchange.case_search_backlog (before_id) values ('ffffffff-ffff-ffff-ffff-ffffffffffff')
    on conflict do nothing`.execute(db.ownerDatabase.connection);
  await decide(database, "SINCE", theTravellers);
  expect(await found(database, "Müller")).toEqual(["SINCE"]);

  expect(await addOlderCases(database)).toBe(true);
  expect(await addOlderCases(database)).toBe(false);
  expect(await addOlderCases(database)).toBe(false);

  expect(await found(database, "OLD1500")).toEqual(["OLD1500"]);
  expect(await found(database, "OLD1499")).toEqual(["OLD1499"]);
  expect(await found(database, "BEFO", { rule })).toEqual(["BEFORE"]);
  expect(await found(database, "LH1167")).toEqual(["SINCE", "BEFORE"]);
  expect(await found(database, "Müller")).toEqual(["SINCE"]);
});

test("a page comes with how many there are", async () => {
  const database = process(newer);
  await decide(database, "ONE", theTravellers);
  await decide(database, "TWO", theTravellers);
  const { searchCases } = createCaseQueries(database, dialect);

  const first = await searchCases({
    ...everything,
    words: ["müller"],
    namesSoughtBy: { actor: "person:ann" },
    after: null,
    limit: 1,
  });
  const second = await searchCases({
    ...everything,
    words: ["müller"],
    namesSoughtBy: { actor: "person:ann" },
    after: first.next,
    limit: 1,
  });

  expect(first).toMatchObject({ items: [{ orderId: "TWO" }], total: { count: 2, isCapped: false } });
  expect(second).toMatchObject({ items: [{ orderId: "ONE" }], next: null, total: null });
});

const everything = { visible: null };

async function found(database: Database, text: string, selection: Partial<CaseSelection> = {}): Promise<string[]> {
  const words = text.split(" ").filter((word) => word !== "");
  const filter = { ...everything, words, namesSoughtBy: { actor: "person:ann" }, ...selection };
  const { items, total } = await createCaseQueries(database, dialect).searchCases({
    ...filter,
    after: null,
    limit: 10,
  });
  expect(total).toEqual({ count: items.length, isCapped: false });
  return items.map(({ orderId }) => orderId);
}

/** A family with their tickets. */
function theTravellers(orderId: string): OrderViewBody {
  const body = sampleNotification("minor-delay", { orderId });
  const lists = body.OrderViewRS.DataLists as Record<string, unknown>;
  lists["PassengerList"] = {
    Passengers: [
      { PassengerID: "T1", PTC: "ADT", FirstName: "José", LastName: "Müller" },
      { PassengerID: "T2", PTC: "ADT", FirstName: "Ana-Clara", LastName: "Li" },
    ],
  };
  lists["TicketDocInfos"] = {
    TicketDocInfo: [{ PassengerReference: "T1", TicketDocument: { TicketDocNbr: "2202100000017", Type: "TKT" } }],
  };
  delete (body.OrderViewRS as Record<string, unknown>)["TicketDocInfos"];
  return body;
}

async function decide(database: Database, orderId: string, travellers: (orderId: string) => OrderViewBody) {
  const worker = createWorkerUnderTest(database, createScriptedGateway(travellers(orderId)));
  await worker.notify(travellers(orderId));
  await worker.work(orderId);
}

async function reencryptAll() {
  const encryption = createEncryption([newer, older]);
  return await reencrypt({ connection: db.ownerDatabase.connection, encryption }, () => {});
}

function process(...keys: readonly EncryptionKey[]): Database {
  const database = openDatabase({
    url: db.serviceUrl,
    applicationName: "test",
    maxConnections: 4,
    encryptionKeys: keys,
    onError: () => {},
  });
  opened.push(database);
  return database;
}

function aKey(day: string): EncryptionKey {
  const read = readEncryptionKeys(createEncryptionKey(new Date(day)));
  if (!read.ok) throw new Error(read.problem);
  return read.keys[0]!;
}
