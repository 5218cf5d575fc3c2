import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { apiRoutes } from "../../../src/dashboard/api/routes.ts";
import { searchText } from "../../../src/dashboard/case-filter-ports.ts";
import type { Route } from "../../../src/http/route.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { startDashboard } from "./dashboard-server.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await insertCase(db.ownerDatabase, { orderId: "MUELLER7" });
});
let auditedBefore = 0;
beforeEach(async () => {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from skedchange.audit_entries`.execute(db.ownerDatabase.connection);
  auditedBefore = rows[0]!.id;
});
afterAll(() => db.drop());

/** Of every route that takes what `POST /cases/search` does, a request that looks for a name. */
const searches: Readonly<Record<string, object>> = {
  "POST /cases/search": { text: "Mueller" },
  "POST /cases/search.csv": { text: "Mueller" },
  "POST /tasks/search": { text: "Mueller" },
  "POST /tasks/search.csv": { text: "Mueller" },
  "POST /bulk-actions": { dryRun: true, command: { action: "recheck" }, filter: { text: "Mueller" } },
};

test("every route whose body takes the text of a search is tried below", () => {
  const { description } = searchText.meta()!;
  const schemaOf = (body: object): unknown =>
    "_zod" in body ? z.toJSONSchema(body as z.ZodType, { io: "input", unrepresentable: "any" }) : body;
  const bodiesOf = ({ body = z.never() }: Pick<Route<string>, "body">): readonly object[] =>
    "alternatives" in body ? body.alternatives : [body];
  const taking = Object.values(apiRoutes).filter((route) =>
    bodiesOf(route).some((body) => JSON.stringify(schemaOf(body)).includes(JSON.stringify(description))),
  );

  expect(taking.map(({ name }) => name).sort()).toEqual(Object.keys(searches).sort());
});

test.each(Object.keys(searches))("a search by name with %s goes into the audit", async (route) => {
  const server = await startDashboard({
    queries: createCaseQueries(db.database, dialect),
    tasks: createTasks(db.database, systemClock),
    bulk: createBulkActions(db.database, systemClock),
  });
  const [method = "", path] = route.split(" ");

  const response = await server.request(`/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(searches[route]),
  });
  expect(response.status).toBe(200);
  await response.text();
  await server.close();

  expect(await searchesInAudit()).toEqual([{ actor: "person:api" }]);
});

/** In this test. */
async function searchesInAudit(): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select actor from skedchange.audit_entries where kind = 'traveller.searched' and id > ${auditedBefore}`.execute(
    db.ownerDatabase.connection,
  );
  return rows;
}
