import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { createExportRecord } from "../../../src/store/audit/record-export.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

let db: TestDatabase;
let server: DashboardServer;
let bulk: ReturnType<typeof createBulkActions>;

beforeAll(async () => {
  db = await createTestDatabase();
  const { database } = db;
  bulk = createBulkActions(database, systemClock);
  server = await startDashboard({
    queries: createCaseQueries(database, dialect),
    bulk,
    audit: createAuditReading(database),
    recordExport: createExportRecord(database),
  });
});
afterAll(async () => {
  await server.close();
  await db.drop();
});

const asJson = (body: object) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** The bytes are looked at, since `text()` takes the mark of UTF-8 off. */
async function download(path: string, search?: object) {
  const response = await server.request(`/api/v1${path}`, search && asJson(search));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { response, mark: bytes.subarray(0, 3), lines: bytes.subarray(3).toString().split("\r\n").slice(0, -1) };
}

describe("a list as CSV", () => {
  test("has all pages of the filtered list, in its order, below a line of headings", async () => {
    await db.ownerDatabase.pool.query(`
      insert into skedchange.orders (source, order_id) select 'csv', 'CSV' || n from generate_series(1, 450) n;
      insert into skedchange.cases (id, source, order_id, gds_booking_references, state, opened_at, updated_at)
        select gen_random_uuid(), 'csv', 'CSV' || n, '{ABC123,DEF456}', 'received', now() - n * interval '1 s', now()
        from generate_series(1, 450) n
    `);
    await insertCase(db.ownerDatabase, { source: "other", orderId: "OTHER" });

    const { response, mark, lines } = await download("/cases.csv?source=csv");

    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="skedchange-cases.csv"');
    expect([...mark]).toEqual([0xef, 0xbb, 0xbf]);
    expect(lines[0]).toMatch(/^Order,References,Source,State,/);
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(
      Array.from({ length: 450 }, (_, place) => `CSV${place + 1}`),
    );
    expect(lines[1]).toMatch(/^CSV1,ABC123 DEF456,csv,received,/);
  });

  test("has what a search finds, whose words are in the body and in no address", async () => {
    await insertCase(db.ownerDatabase, { source: "found", orderId: "FINDME01" });
    await insertCase(db.ownerDatabase, { source: "found", orderId: "OTHER01" });

    const { response, lines } = await download("/cases/search.csv", { text: "findme", source: "found" });

    expect(response.headers.get("content-disposition")).toBe('attachment; filename="skedchange-cases.csv"');
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(["FINDME01"]);
    expect((await download("/tasks/search.csv", { text: "findme" })).lines).toHaveLength(1);
    expect((await download("/cases/search.csv", { limit: 1 })).response.status).toBe(422);
  });

  test("does not let a spreadsheet run what somebody else wrote", async () => {
    await insertCase(db.ownerDatabase, {
      source: "formula",
      orderId: "=cmd|' /C calc'!A0",
      headline: 'a "big", change',
    });

    const { lines } = await download("/cases.csv?source=formula");

    expect(lines[1]).toMatch(/^'=cmd/);
    expect(lines[1]).toContain('"a ""big"", change"');
  });

  test("is audited with who took it", async () => {
    await download("/bulk-actions.csv");

    const { items } = await createAuditReading(db.database).listEntries(
      { kind: "list.exported" },
      { before: null, limit: 1 },
    );
    expect(items).toMatchObject([{ actor: "person:api", refs: { list: "bulk-actions" } }]);
  });

  test("refuses a filter that the list does not have, with a problem document", async () => {
    const { response } = await download("/cases.csv?colour=red");

    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });

  test("of a bulk action has a line for each case", async () => {
    const caseId = await insertCase(db.ownerDatabase, { state: "awaiting-agent", orderId: "BULKCSV" });
    const id = await bulk.start({ action: "note", note: "strike" }, [{ caseId, version: 1 }], { actor: "person:ana" });
    await bulk.workNext();

    const { lines } = await download(`/bulk-actions/${id}/rows.csv`);

    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^BULKCSV,accepted,/);
  });
});

test("the audit as JSON lines has an entry on each line, newest first, and is audited itself", async () => {
  await download("/bulk-actions.csv");
  await download("/cases.csv");

  const response = await server.request("/api/v1/audit.jsonl?kind=list.exported");
  const lines = (await response.text()).split("\n");

  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="skedchange-audit.jsonl"');
  expect(lines.pop()).toBe("");
  const entries = lines.map((line) => JSON.parse(line) as { refs: object });
  expect(entries.slice(0, 2).map(({ refs }) => refs)).toEqual([{ list: "cases" }, { list: "bulk-actions" }]);
  expect(entries[0]).not.toHaveProperty("token");
  const { lines: afterwards } = await download("/audit.csv?kind=list.exported");
  expect(afterwards[1]).toContain('""list"":""audit""');
});
